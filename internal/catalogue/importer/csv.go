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
	"kaibao/internal/httpkit"
)

// longestRow is more than a row can need, in bytes.
const longestRow = 64 << 10

// told are the columns of a file of rejects that say why. They stand first, so that
// whatever a row has stands behind them as it was.
var told = []string{"_row", "_field", "_reason"}

// csvFile reads RFC 4180, with LF or CRLF, with a byte order mark or without, and with commas,
// semicolons or tabs, as spreadsheets save it. A quote within a cell that does not begin with
// one is itself. A row that cannot be read costs its line and no other.
type csvFile struct {
	in      *bufio.Reader
	comma   byte     // what separates cells
	header  []byte   // as it was, without told
	places  []int    // the column of each cell; -1 = told or unknown, or emptyColumn
	told    int      // cells that are
	others  []string // columns that items don't have
	records int64
}

// emptyColumn is the place of a column without a name, in which no row may have anything.
const emptyColumn = -2

func readCSV(in io.Reader) (*csvFile, error) {
	f := &csvFile{in: bufio.NewReaderSize(in, 4*longestRow), comma: ','}
	if mark, _ := f.in.Peek(len(httpkit.ByteOrderMark)); string(mark) == httpkit.ByteOrderMark {
		_, _ = f.in.Discard(len(httpkit.ByteOrderMark))
	}
	f.findComma()
	head, err := f.record()
	if errors.Is(err, io.EOF) {
		return nil, apperr.InvalidField("text", "is empty: its first row must name the columns")
	}
	if err != nil {
		return nil, err
	}
	if head.broken != "" || !utf8.Valid(head.raw) {
		return nil, apperr.InvalidField("text", "must be UTF-8 text, whose first row names the columns")
	}
	err = f.readHeader(head)
	return f, err
}

var sepLine = regexp.MustCompile("^(?i:\"?sep=([,;\t])\"?\r?\n)")

// findComma takes the separator from a line such as sep=; or from the first row that has
// letters, whichever of the three it has most of.
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
	for len(head.cells) > f.told && f.told < len(told) && head.cells[f.told] == told[f.told] {
		f.told++
	}
	seen := map[string]bool{}
	for n, cell := range head.cells {
		name, place := strings.TrimSpace(cell), -1
		if name == "" && n >= f.told {
			f.places = append(f.places, emptyColumn)
			continue
		}
		if at, known := columnNamed(name); known {
			name, place = names[at], int(at)
		} else if n >= f.told {
			if !slices.Contains(f.others, name) {
				f.others = append(f.others, name)
			}
			f.places = append(f.places, place)
			continue
		}
		if seen[name] {
			return apperr.InvalidField("text", fmt.Sprintf("has the column %s twice", name))
		}
		seen[name] = true
		f.places = append(f.places, place)
	}
	for at := idColumn; at <= rarityColumn; at++ {
		if !seen[names[at]] {
			return apperr.InvalidField("text", fmt.Sprintf("has no column %s%s", names[at], meant(at, f.unknown())))
		}
	}
	f.header = slices.Clone(head.from(f.told))
	return nil
}

func (f *csvFile) unknown() []UnknownColumn { return unknownColumns(f.others) }

// next reads a row, or io.EOF.
func (f *csvFile) next(c *cells) (row, error) {
	rec, err := f.record()
	if err != nil {
		return row{}, err
	}
	r := row{number: f.records, original: rec.from(f.told)}
	switch {
	case rec.broken != "":
		r.refused = []problem{{"", rec.broken}}
		return r, nil
	case len(rec.cells) != len(f.places):
		r.refused = []problem{{"", fmt.Sprintf("has %d cells where the first row has %d", len(rec.cells)-f.told, len(f.places)-f.told)}}
		return r, nil
	}
	for n, text := range rec.cells {
		at := f.places[n]
		if at == emptyColumn && strings.TrimSpace(text) != "" {
			r.refused = []problem{{"", fmt.Sprintf("has %.40q in a column without a name", text)}}
			return r, nil
		}
		if at >= 0 {
			c.text[at], c.given[at] = httpkit.UnescapedCell(strings.TrimSpace(text)), true
		}
	}
	r.read(c)
	return r, nil
}

func longRow(number int64) error {
	return apperr.InvalidField("text", fmt.Sprintf("has a row %d longer than %d bytes", number, longestRow))
}

// record is a row before anybody knows what it means.
type record struct {
	raw    []byte
	cells  []string
	starts []int // of the cells in raw
	broken string
}

// from is what was written from a cell on.
func (r record) from(cell int) []byte {
	if cell >= len(r.starts) {
		return r.raw
	}
	return r.raw[r.starts[cell]:]
}

// record reads up to the end of a row; empty ones are passed over, and counted: lines without
// anything, and rows whose cells are all empty.
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
		_, _ = f.in.Discard(len(rec.raw)) // still in the buffer, until the next Peek
		if rec.broken != "" || slices.ContainsFunc(rec.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return rec, nil
		}
	}
}

// cut takes the first row of a text; of one that is broken, the first line. There is none
// where the text does not reach its end.
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
	rec.broken = "has a quote that is not closed, or text behind one that is"
	switch line := bytes.IndexByte(text, '\n'); {
	case line >= 0:
		rec.raw = text[:line+1]
	case whole:
		rec.raw = text
	}
	rec.starts = slices.DeleteFunc(rec.starts, func(start int) bool { return start >= len(rec.raw) })
	return rec
}

// cutCell takes the cell that begins at start. closed is whether a quote that it begins
// with has its end, and the separator, a line's end or nothing follows.
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

// reject writes a row as it was, behind why it is not taken; the first brings the header.
func (f *csvFile) reject(out *bufio.Writer, r row, first bool) {
	comma := string(f.comma)
	if first {
		_, _ = out.WriteString(httpkit.ByteOrderMark)
		_, _ = out.WriteString(strings.Join(told, comma) + comma)
		line(out, f.header)
	}
	fields, reasons := r.why()
	_, _ = out.WriteString(strconv.FormatInt(r.number, 10) + comma + quoted(fields) + comma + quoted(reasons) + comma)
	line(out, r.original)
}

// line writes a text and ends its line.
func line(out *bufio.Writer, text []byte) {
	_, _ = out.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		_ = out.WriteByte('\n')
	}
}

func quoted(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }

func (f *csvFile) endRejects(*bufio.Writer) {}
