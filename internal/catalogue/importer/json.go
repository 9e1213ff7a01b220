package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kaibao/internal/apperr"
	"kaibao/internal/csvfile"
)

// jsonFile reads an array of objects one at a time. Numbers keep their original text. Duplicate
// names and invalid UTF-8 cause only their own row to be refused.
type jsonFile struct {
	limit        *rowLimit
	in           *jsontext.Decoder
	rowDecoder   *jsontext.Decoder // parses a row
	unknownNames []string          // unknown fields
	records      int64
}

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func readJSON(in io.Reader) (*jsonFile, error) {
	buffered := bufio.NewReaderSize(in, maxRowBytes)
	if mark, _ := buffered.Peek(len(csvfile.ByteOrderMark)); string(mark) == csvfile.ByteOrderMark {
		_, _ = buffered.Discard(len(csvfile.ByteOrderMark))
	}
	limit := &rowLimit{in: buffered, left: maxRowBytes}
	f := &jsonFile{limit: limit, in: jsontext.NewDecoder(limit, lenient...), rowDecoder: jsontext.NewDecoder(bytes.NewReader(nil))}
	if token, err := f.in.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, apperr.InvalidField("text", "must be a JSON array of items")
	}
	return f, nil
}

// rowLimit makes the decoder fail on a row longer than left, so that it never buffers more.
type rowLimit struct {
	in   io.Reader
	left int
}

var errLongRow = errors.New("row too long")

// Read implements io.Reader.
func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, errLongRow
	}
	n, err := l.in.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// next reads a row; the error is io.EOF at the end.
func (f *jsonFile) next(c *cells) (row, error) {
	f.limit.left = 2 * maxRowBytes // rejects also have reasons
	if f.in.PeekKind() == ']' {
		return row{}, f.end()
	}
	raw, err := f.in.ReadValue()
	if err != nil {
		return row{}, f.readError(err)
	}
	f.records++
	raw = withoutRejectFields(raw)
	if len(raw) > maxRowBytes {
		return row{}, rowTooLong(f.records)
	}
	r := row{number: f.records, original: raw}
	r.problems = f.cells(raw, c)
	if len(f.unknownNames) > maxUnknownFields {
		return row{}, apperr.InvalidField("text", fmt.Sprintf("has more than %d unknown fields, such as %q", maxUnknownFields, f.unknownNames[maxUnknownFields]))
	}
	if r.problems == nil {
		r.read(c)
	}
	return r, nil
}

func (f *jsonFile) end() error {
	if _, err := f.in.ReadToken(); err != nil {
		return f.readError(err)
	}
	if _, err := f.in.ReadToken(); !errors.Is(err, io.EOF) {
		return apperr.InvalidField("text", "has text after the end of the array")
	}
	return io.EOF
}

func (f *jsonFile) readError(err error) error {
	if errors.Is(err, errLongRow) {
		return rowTooLong(f.records + 1)
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	at := f.in.InputOffset()
	if ok {
		at = syntax.ByteOffset
	}
	return apperr.InvalidField("text", fmt.Sprintf("is not valid JSON after row %d: see byte %d", f.records, at+1))
}

func (f *jsonFile) unknown() []UnknownColumn { return unknownColumns(f.unknownNames) }

// Limits on unknown fields: their number per file (next refuses a file with more) and the length of
// a name in bytes.
const (
	maxUnknownFields    = 50
	maxUnknownNameBytes = 100
)

// cells reads an object's members; names must match exactly and be unique.
func (f *jsonFile) cells(raw []byte, c *cells) []problem {
	f.rowDecoder.Reset(bytes.NewReader(raw))
	if token, err := f.rowDecoder.ReadToken(); err != nil || token.Kind() != '{' {
		return []problem{{"", "is not an object"}}
	}
	for f.rowDecoder.PeekKind() != '}' {
		token, err := f.rowDecoder.ReadToken()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return []problem{{"", "has a field more than once"}}
		}
		if err != nil {
			return []problem{{"", "is not UTF-8"}}
		}
		name := token.String()
		at, known := columnOf(name)
		switch {
		case known:
			if why := f.cell(at, c); why != "" {
				return []problem{{name, why}}
			}
		case name == nonObjectField:
			return []problem{{"", "is not an object"}}
		case len(name) > maxUnknownNameBytes:
			return []problem{{"", fmt.Sprintf("has a field whose name is too long: %.40q", name)}}
		default:
			if err := f.rowDecoder.SkipValue(); err != nil {
				return []problem{{"", "is not UTF-8, or has a field more than once"}}
			}
			if slices.Contains(f.unknownNames, name) {
				continue
			}
			f.unknownNames = append(f.unknownNames, name)
			if len(f.unknownNames) > maxUnknownFields {
				return nil
			}
		}
	}
	return nil
}

func (f *jsonFile) cell(at column, c *cells) (why string) {
	kind := f.rowDecoder.PeekKind()
	if kind == '{' || kind == '[' || (kind == 't' || kind == 'f') && at != activeColumn {
		return "must be a string or a number"
	}
	token, err := f.rowDecoder.ReadToken()
	if err != nil {
		return "is not UTF-8"
	}
	c.given[at] = true
	if kind != 'n' {
		c.text[at] = strings.TrimSpace(token.String())
	}
	return ""
}

// nonObjectField is the field in rejects that contains a row that was not an object.
const nonObjectField = "_was"

// writeReject writes the original row with the reasons as its first members.
func (f *jsonFile) writeReject(out *bufio.Writer, r row, first bool) {
	separator := ",\n"
	if first {
		separator = "[\n"
	}
	fields, reasons := r.reasons()
	_, _ = out.WriteString(separator + `{"_row":` + strconv.FormatInt(r.number, 10) + `,"_field":` + jsonText(fields) + `,"_reason":` + jsonText(reasons))
	if r.original[0] != '{' {
		_, _ = out.WriteString(`,"` + nonObjectField + `":`)
		_, _ = out.Write(r.original)
	}
	forEachMember(r.original, func(_ string, member []byte) {
		_ = out.WriteByte(',')
		_, _ = out.Write(member)
	})
	_ = out.WriteByte('}')
}

// withoutRejectFields removes the members that an earlier writeReject added.
func withoutRejectFields(object []byte) []byte {
	if object[0] != '{' || !bytes.Contains(object, []byte(`"_`)) {
		return object
	}
	rest := []byte("{")
	forEachMember(object, func(name string, member []byte) {
		if slices.Contains(rejectColumns, name) {
			return
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(rest, member...)
	})
	return append(rest, '}')
}

// forEachMember calls visit with each member of an object in its original text.
func forEachMember(object []byte, visit func(name string, member []byte)) {
	in := jsontext.NewDecoder(bytes.NewReader(object), lenient...)
	if token, err := in.ReadToken(); err != nil || token.Kind() != '{' {
		return
	}
	for in.PeekKind() == '"' {
		key, err := in.ReadValue()
		if err != nil {
			return
		}
		member := append(bytes.Clone(key), ':')
		value, err := in.ReadValue()
		if err != nil {
			return
		}
		name, _ := jsontext.AppendUnquote(nil, member[:len(member)-1])
		visit(string(name), append(member, value...))
	}
}

func jsonText(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text) // it was read as text
	return string(quoted)
}

func (f *jsonFile) endRejects(out *bufio.Writer) { _, _ = out.WriteString("\n]\n") }
