package verify

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// DecodeTextFile returns a file's text as it was served. It undoes what editors and shells on
// Windows add: UTF-16, byte order marks and CRLF line endings. Kaibao's own files contain none of
// these.
func DecodeTextFile(file []byte) []byte {
	text, _, err := transform.Bytes(unicode.BOMOverride(encoding.Nop.NewDecoder()), file)
	if err != nil {
		return file
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}
