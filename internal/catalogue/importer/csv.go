package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kaibao/internal/apperr"
	"kaibao/internal/csvfile"
)

// longestRow is the size limit of a row in bytes.
const longestRow = 64 << 10

// rejectColumns are the columns that a file of rejects adds in front of the original ones.
var rejectColumns = []string{"_row", "_field", "_reason"}

// csvFile reads RFC 4180 files as spreadsheets save them: with LF or CRLF, with or without a byte
// order mark, separated by commas, semicolons or tabs. A quote inside an unquoted cell is literal.
// An unreadable row loses only its own line.
type csvFile struct {
	in      *bufio.Reader
	comma   byte     // the separator
	header  []byte   // the original header, without rejectColumns
	places  []int    // column of each cell; -1 = one of rejectColumns or unknown, or emptyColumn
	leading int      // number of leading cells in rejectColumns
	others  []string // unknown columns
	records int64
}

// emptyColumn marks a column without a name; its cells must be empty.
const emptyColumn = -2

func readCSV(in io.Reader) (*csvFile, error) {
	f := &csvFile{in: bufio.NewReaderSize(in, 4*longestRow), comma: ','}
	if mark, _ := f.in.Peek(len(csvfile.ByteOrderMark)); string(mark) == csvfile.ByteOrderMark {
		_, _ = f.in.Discard(len(csvfile.ByteOrderMark))
	}
	f.findComma()
	head, err := f.record()
	if errors.Is(err, io.EOF) {
		return nil, apperr.InvalidField("text", "is empty: the first row must contain the column names")
	}
	if err != nil {
		return nil, err
	}
	if head.broken != "" || !utf8.Valid(head.raw) {
		return nil, apperr.InvalidField("text", "must be UTF-8 text with the column names in the first row")
	}
	err = f.readHeader(head)
	return f, err
}

var sepLine = regexp.MustCompile("^(?i:\"?sep=([,;\t])\"?\r?\n)")

// findComma determines the separator from a line such as sep=; or else picks the most frequent one
// in the first row with letters.
func (f *csvFile) findComma() {
	start, _ := f.in.Peek(longestRow)
	if line := sepLine.FindSubmatch(start); line != nil {
		f.comma = line[1][0]
		_, _ = f.in.Discard(len(line[0]))
		f.records++
		return
	}
	most := 0
	for line := range bytes.Lines(start) {
		if !bytes.ContainsFunc(line, unicode.IsLetter) {
			continue
		}
		for _, comma := range []byte(",;\t") {
			if n := bytes.Count(line, []byte{comma}); n > most {
				most, f.comma = n, comma
			}
		}
		return
	}
}

func (f *csvFile) readHeader(head record) error {
	for len(head.cells) > f.leading && f.leading < len(rejectColumns) && head.cells[f.leading] == rejectColumns[f.leading] {
		f.leading++
	}
	seen := map[string]bool{}
	for n, cell := range head.cells {
		name, place := strings.TrimSpace(cell), -1
		if name == "" && n >= f.leading {
			f.places = append(f.places, emptyColumn)
			continue
		}
		if at, known := columnNamed(name); known {
			name, place = columnNames[at], int(at)
		} else if n >= f.leading {
			if !slices.Contains(f.others, name) {
				f.others = append(f.others, name)
			}
			f.places = append(f.places, place)
			continue
		}
		if seen[name] {
			return apperr.InvalidField("text", fmt.Sprintf("has the column %s more than once", name))
		}
		seen[name] = true
		f.places = append(f.places, place)
	}
	for at := idColumn; at <= rarityColumn; at++ {
		if !seen[columnNames[at]] {
			return apperr.InvalidField("text", fmt.Sprintf("has no column %s%s", columnNames[at], misspellingHint(at, f.unknown())))
		}
	}
	f.header = slices.Clone(head.from(f.leading))
	return nil
}

func (f *csvFile) unknown() []UnknownColumn { return unknownColumns(f.others) }

// next reads a row; the error is io.EOF at the end.
func (f *csvFile) next(c *cells) (row, error) {
	rec, err := f.record()
	if err != nil {
		return row{}, err
	}
	r := row{number: f.records, original: rec.from(f.leading)}
	switch {
	case rec.broken != "":
		r.refused = []problem{{"", rec.broken}}
		return r, nil
	case len(rec.cells) != len(f.places):
		r.refused = []problem{{"", fmt.Sprintf("has %d cells, but the header has %d", len(rec.cells)-f.leading, len(f.places)-f.leading)}}
		return r, nil
	}
	for n, text := range rec.cells {
		at := f.places[n]
		if at == emptyColumn && strings.TrimSpace(text) != "" {
			r.refused = []problem{{"", fmt.Sprintf("has %.40q in a column without a name", text)}}
			return r, nil
		}
		if at >= 0 {
			c.text[at], c.given[at] = csvfile.UnescapeCell(strings.TrimSpace(text)), true
		}
	}
	r.read(c)
	return r, nil
}

func longRow(number int64) error {
	return apperr.InvalidField("text", fmt.Sprintf("row %d has more than %d bytes", number, longestRow))
}

// record is a row before it is interpreted.
type record struct {
	raw    []byte
	cells  []string
	starts []int // offsets of the cells in raw
	broken string
}

// from returns the raw text from a cell on.
func (r record) from(cell int) []byte {
	if cell >= len(r.starts) {
		return r.raw
	}
	return r.raw[r.starts[cell]:]
}

// record reads the next row. It skips rows without any content, but counts them.
func (f *csvFile) record() (record, error) {
	for {
		window, err := f.in.Peek(longestRow)
		if len(window) == 0 {
			return record{}, err
		}
		f.records++
		rec := cut(window, f.comma, err != nil)
		if rec.raw == nil {
			return rec, longRow(f.records)
		}
		_, _ = f.in.Discard(len(rec.raw)) // stays in the buffer until the next Peek
		if rec.broken != "" || slices.ContainsFunc(rec.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return rec, nil
		}
	}
}

// cut returns the first row of text, or the first line if the row is malformed. rec.raw is nil if
// the text ends before the row does; whole means that the text is the rest of the file.
func cut(text []byte, comma byte, whole bool) (rec record) {
	end, closed := 0, true
	for more := true; more && closed; {
		rec.starts = append(rec.starts, end)
		var cell string
		cell, end, more, closed = cutCell(text, comma, end)
		rec.cells = append(rec.cells, cell)
	}
	if closed && (whole || end < len(text) || text[end-1] == '\n') {
		rec.raw = text[:end]
		return rec
	}
	rec.broken = "has an unclosed quote, or text after a closing quote"
	switch line := bytes.IndexByte(text, '\n'); {
	case line >= 0:
		rec.raw = text[:line+1]
	case whole:
		rec.raw = text
	}
	rec.starts = slices.DeleteFunc(rec.starts, func(start int) bool { return start >= len(rec.raw) })
	return rec
}

// cutCell parses the cell at start. closed is false if a quoted cell has no closing quote, or text
// after it.
func cutCell(text []byte, comma byte, start int) (cell string, end int, more, closed bool) {
	if start == len(text) || text[start] != '"' {
		n := bytes.IndexFunc(text[start:], func(r rune) bool { return r == rune(comma) || r == '\n' })
		if n < 0 {
			return string(bytes.TrimSuffix(text[start:], []byte("\r"))), len(text), false, true
		}
		end = start + n
		if text[end] == comma {
			return string(text[start:end]), end + 1, true, true
		}
		return string(bytes.TrimSuffix(text[start:end], []byte("\r"))), end + 1, false, true
	}
	var b strings.Builder
	for at := start + 1; ; {
		n := bytes.IndexByte(text[at:], '"')
		if n < 0 {
			return "", len(text), false, false
		}
		b.Write(text[at : at+n])
		at += n + 1
		if at < len(text) && text[at] == '"' {
			b.WriteByte('"')
			at++
			continue
		}
		rest := bytes.TrimPrefix(text[at:], []byte("\r"))
		switch {
		case len(rest) == 0:
			return b.String(), len(text), false, true
		case rest[0] == '\n':
			return b.String(), len(text) - len(rest) + 1, false, true
		case text[at] == comma:
			return b.String(), at + 1, true, true
		}
		return "", at, false, false
	}
}

// reject writes the reasons and the original row; the first one writes the header, too.
func (f *csvFile) reject(out *bufio.Writer, r row, first bool) {
	comma := string(f.comma)
	if first {
		_, _ = out.WriteString(csvfile.ByteOrderMark)
		_, _ = out.WriteString(strings.Join(rejectColumns, comma) + comma)
		line(out, f.header)
	}
	fields, reasons := r.why()
	_, _ = out.WriteString(strconv.FormatInt(r.number, 10) + comma + quoted(fields) + comma + quoted(reasons) + comma)
	line(out, r.original)
}

// line writes text as a line.
func line(out *bufio.Writer, text []byte) {
	_, _ = out.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		_ = out.WriteByte('\n')
	}
}

func quoted(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }

func (f *csvFile) endRejects(*bufio.Writer) {}
