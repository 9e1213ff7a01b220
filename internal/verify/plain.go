package verify

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Plain is the text of a file as it was served. Editors and shells on Windows save it as
// UTF-16, with a byte order mark, or with other line ends, none of which we write.
func Plain(file []byte) []byte {
	text, _, err := transform.Bytes(unicode.BOMOverride(encoding.Nop.NewDecoder()), file)
	if err != nil {
		return file
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}
