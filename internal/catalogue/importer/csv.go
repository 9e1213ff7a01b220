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

// maxRowBytes is the size limit of a row.
const maxRowBytes = 64 << 10

// rejectColumns are the columns that a file of rejects has before the original ones.
var rejectColumns = []string{"_row", "_field", "_reason"}

// csvFile reads RFC 4180 files as spreadsheets save them: with LF or CRLF, with or without a byte
// order mark, separated by commas, semicolons or tabs. A quote inside an unquoted cell is literal.
// An unreadable row loses only its own line.
type csvFile struct {
	in           *bufio.Reader
	separator    byte     // the separator
	header       []byte   // the original header, without rejectColumns
	columns      []int    // column of each cell; -1 = one of rejectColumns or unknown, or emptyColumn
	rejectCells  int      // number of leading cells in rejectColumns
	unknownNames []string // unknown columns
	records      int64
}

// emptyColumn marks a column without a name; its cells must be empty.
const emptyColumn = -2

func readCSV(in io.Reader) (*csvFile, error) {
	f := &csvFile{in: bufio.NewReaderSize(in, 4*maxRowBytes), separator: ','}
	if mark, _ := f.in.Peek(len(csvfile.ByteOrderMark)); string(mark) == csvfile.ByteOrderMark {
		_, _ = f.in.Discard(len(csvfile.ByteOrderMark))
	}
	f.detectSeparator()
	head, err := f.record()
	if errors.Is(err, io.EOF) {
		return nil, apperr.InvalidField("text", "is empty: the first row must contain the column names")
	}
	if err != nil {
		return nil, err
	}
	if head.malformed != "" || !utf8.Valid(head.raw) {
		return nil, apperr.InvalidField("text", "must be UTF-8 text with the column names in the first row")
	}
	err = f.readHeader(head)
	return f, err
}

var sepLine = regexp.MustCompile("^(?i:\"?sep=([,;\t])\"?\r?\n)")

// detectSeparator reads the separator from a line such as sep=; or else picks the most frequent one
// in the first row with letters.
func (f *csvFile) detectSeparator() {
	start, _ := f.in.Peek(maxRowBytes)
	if line := sepLine.FindSubmatch(start); line != nil {
		f.separator = line[1][0]
		_, _ = f.in.Discard(len(line[0]))
		f.records++
		return
	}
	most := 0
	for line := range bytes.Lines(start) {
		if !bytes.ContainsFunc(line, unicode.IsLetter) {
			continue
		}
		for _, separator := range []byte(",;\t") {
			if n := bytes.Count(line, []byte{separator}); n > most {
				most, f.separator = n, separator
			}
		}
		return
	}
}

func (f *csvFile) readHeader(head record) error {
	for len(head.cells) > f.rejectCells && f.rejectCells < len(rejectColumns) && head.cells[f.rejectCells] == rejectColumns[f.rejectCells] {
		f.rejectCells++
	}
	seen := map[string]bool{}
	for n, cell := range head.cells {
		name, index := strings.TrimSpace(cell), -1
		if name == "" && n >= f.rejectCells {
			f.columns = append(f.columns, emptyColumn)
			continue
		}
		if known, ok := columnNamed(name); ok {
			name, index = columnNames[known], int(known)
		} else if n >= f.rejectCells {
			if !slices.Contains(f.unknownNames, name) {
				f.unknownNames = append(f.unknownNames, name)
			}
			f.columns = append(f.columns, index)
			continue
		}
		if seen[name] {
			return apperr.InvalidField("text", fmt.Sprintf("has the column %s more than once", name))
		}
		seen[name] = true
		f.columns = append(f.columns, index)
	}
	for required := idColumn; required <= rarityColumn; required++ {
		if !seen[columnNames[required]] {
			return apperr.InvalidField("text", fmt.Sprintf("has no column %s%s", columnNames[required], misspellingHint(required, f.unknown())))
		}
	}
	f.header = slices.Clone(head.from(f.rejectCells))
	return nil
}

func (f *csvFile) unknown() []UnknownColumn { return unknownColumns(f.unknownNames) }

// next reads a row; the error is io.EOF at the end.
func (f *csvFile) next(c *cells) (row, error) {
	rec, err := f.record()
	if err != nil {
		return row{}, err
	}
	r := row{number: f.records, original: rec.from(f.rejectCells)}
	switch {
	case rec.malformed != "":
		r.problems = []problem{{"", rec.malformed}}
		return r, nil
	case len(rec.cells) != len(f.columns):
		r.problems = []problem{{"", fmt.Sprintf("has %d cells, but the header has %d", len(rec.cells)-f.rejectCells, len(f.columns)-f.rejectCells)}}
		return r, nil
	}
	for n, text := range rec.cells {
		at := f.columns[n]
		if at == emptyColumn && strings.TrimSpace(text) != "" {
			r.problems = []problem{{"", fmt.Sprintf("has %.40q in a column without a name", text)}}
			return r, nil
		}
		if at >= 0 {
			c.text[at], c.given[at] = csvfile.UnescapeCell(strings.TrimSpace(text)), true
		}
	}
	r.read(c)
	return r, nil
}

func rowTooLong(number int64) error {
	return apperr.InvalidField("text", fmt.Sprintf("row %d has more than %d bytes", number, maxRowBytes))
}

// record is an unparsed row.
type record struct {
	raw         []byte
	cells       []string
	cellOffsets []int // offsets of the cells in raw
	malformed   string
}

// from returns the raw text from a cell on.
func (r record) from(cell int) []byte {
	if cell >= len(r.cellOffsets) {
		return r.raw
	}
	return r.raw[r.cellOffsets[cell]:]
}

// record reads the next row. It skips rows without any content, but counts them.
func (f *csvFile) record() (record, error) {
	for {
		window, err := f.in.Peek(maxRowBytes)
		if len(window) == 0 {
			return record{}, err
		}
		f.records++
		rec := splitRow(window, f.separator, err != nil)
		if rec.raw == nil {
			return rec, rowTooLong(f.records)
		}
		_, _ = f.in.Discard(len(rec.raw)) // stays in the buffer until the next Peek
		if rec.malformed != "" || slices.ContainsFunc(rec.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return rec, nil
		}
	}
}

// splitRow returns the first row of text, or the first line if the row is malformed. rec.raw is nil
// if the text ends before the row does; atEOF means that the text is the rest of the file.
func splitRow(text []byte, separator byte, atEOF bool) (rec record) {
	end, wellFormed := 0, true
	for moreCells := true; moreCells && wellFormed; {
		rec.cellOffsets = append(rec.cellOffsets, end)
		var cell string
		cell, end, moreCells, wellFormed = splitCell(text, separator, end)
		rec.cells = append(rec.cells, cell)
	}
	if wellFormed && (atEOF || end < len(text) || text[end-1] == '\n') {
		rec.raw = text[:end]
		return rec
	}
	rec.malformed = "has an unclosed quote, or text after a closing quote"
	switch line := bytes.IndexByte(text, '\n'); {
	case line >= 0:
		rec.raw = text[:line+1]
	case atEOF:
		rec.raw = text
	}
	rec.cellOffsets = slices.DeleteFunc(rec.cellOffsets, func(start int) bool { return start >= len(rec.raw) })
	return rec
}

// splitCell parses the cell at start. end is where the next cell or row starts, and moreCells
// reports whether the row has another cell. wellFormed is false if a quoted cell has no closing
// quote, or text after its closing quote.
func splitCell(text []byte, separator byte, start int) (cell string, end int, moreCells, wellFormed bool) {
	if start == len(text) || text[start] != '"' {
		n := bytes.IndexFunc(text[start:], func(r rune) bool { return r == rune(separator) || r == '\n' })
		if n < 0 {
			return string(bytes.TrimSuffix(text[start:], []byte("\r"))), len(text), false, true
		}
		end = start + n
		if text[end] == separator {
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
		case text[at] == separator:
			return b.String(), at + 1, true, true
		}
		return "", at, false, false
	}
}

// writeReject writes the reasons and the original row; the first one writes the header, too.
func (f *csvFile) writeReject(out *bufio.Writer, r row, first bool) {
	separator := string(f.separator)
	if first {
		_, _ = out.WriteString(csvfile.ByteOrderMark)
		_, _ = out.WriteString(strings.Join(rejectColumns, separator) + separator)
		writeLine(out, f.header)
	}
	fields, reasons := r.reasons()
	_, _ = out.WriteString(strconv.FormatInt(r.number, 10) + separator + quoteCell(fields) + separator + quoteCell(reasons) + separator)
	writeLine(out, r.original)
}

// writeLine writes text, with a newline at the end.
func writeLine(out *bufio.Writer, text []byte) {
	_, _ = out.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		_ = out.WriteByte('\n')
	}
}

func quoteCell(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }

func (f *csvFile) endRejects(*bufio.Writer) {}
