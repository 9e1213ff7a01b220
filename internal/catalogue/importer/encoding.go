package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Encoding is a character encoding.
type Encoding string

// Encodings that can't be detected, so the user has to choose.
const (
	UTF8        Encoding = "utf-8"
	GB18030     Encoding = "gb18030"
	Windows1252 Encoding = "windows-1252"
)

func (e Encoding) decoder() *encoding.Decoder {
	switch e {
	case GB18030:
		return simplifiedchinese.GB18030.NewDecoder()
	case Windows1252:
		return charmap.Windows1252.NewDecoder()
	}
	return encoding.Nop.NewDecoder()
}

// Decode returns a file as UTF-8. For UTF8, a file with a UTF-16 byte order mark is read as UTF-16.
// In other encodings, invalid bytes become U+FFFD, which rows must not contain.
func Decode(in io.Reader, e Encoding) io.Reader {
	if e != UTF8 {
		return e.decoder().Reader(in)
	}
	buffered := bufio.NewReader(in)
	if isUTF16(buffered) {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(buffered)
	}
	return buffered
}

func isUTF16(in *bufio.Reader) bool {
	mark, _ := in.Peek(2)
	return slices.Contains([]string{"\xff\xfe", "\xfe\xff"}, string(mark))
}

// Sample shows some cells of a file decoded with an encoding.
type Sample struct {
	Encoding Encoding
	Cells    []string
}

// Maximum number of sample cells, and of characters in each.
const (
	maxSamples      = 3
	maxSampleLength = 60
)

// Samples decodes sample cells in each possible encoding if the file is neither UTF-8 nor marked as
// UTF-16; otherwise it returns none. It takes the longest non-ASCII cell of each of the first rows
// that have one.
func Samples(in io.Reader) ([]Sample, error) {
	buffered := bufio.NewReaderSize(in, maxRowBytes)
	if isUTF16(buffered) {
		return nil, nil
	}
	var cells [][]byte
	validator := transform.NewWriter(io.Discard, encoding.UTF8Validator)
	var invalid error
	for {
		line, err := buffered.ReadSlice('\n')
		if invalid == nil {
			_, invalid = validator.Write(line)
		}
		if cell := sampleCell(line); cell != nil && len(cells) < maxSamples {
			cells = append(cells, bytes.Clone(cell))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	if errors.Join(invalid, validator.Close()) == nil {
		return nil, nil
	}
	var samples []Sample
	for _, e := range []Encoding{GB18030, Windows1252} {
		s := Sample{Encoding: e}
		for _, cell := range cells {
			text, err := e.decoder().Bytes(cell)
			if err != nil {
				return nil, err
			}
			s.Cells = append(s.Cells, fmt.Sprintf("%.*s", maxSampleLength, text))
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// sampleCell returns the longest cell of a line, in bytes, that is not pure ASCII.
func sampleCell(line []byte) (longest []byte) {
	for _, cell := range bytes.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\t\"\r\n", r) }) {
		if len(cell) > len(longest) && bytes.ContainsFunc(cell, func(r rune) bool { return r >= utf8.RuneSelf }) {
			longest = cell
		}
	}
	return longest
}
