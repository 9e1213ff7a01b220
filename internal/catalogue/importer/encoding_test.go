package importer

import (
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Files are decoded correctly from each encoding that spreadsheets save.
func TestEncodings(t *testing.T) {
	const text = "id,name\na,2021 Pok\u00e9mon \u201cAnn\u201d\n"
	const chinese = "id,name\na,2021 皮卡丘 \u20ac\n"
	saved := func(text string, e interface{ String(string) (string, error) }) string {
		t.Helper()
		bytes, err := e.String(text)
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	for name, c := range map[string]struct {
		file string
		as   Encoding
		want string
	}{
		"UTF-8":                 {chinese, UTF8, chinese},
		"UTF-8 with a mark":     {"\ufeff" + chinese, UTF8, "\ufeff" + chinese},
		"UTF-16, little endian": {saved(chinese, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()), UTF8, chinese},
		"UTF-16, big endian":    {saved(chinese, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder()), UTF8, chinese},
		"GB18030":               {saved(chinese, simplifiedchinese.GB18030.NewEncoder()), GB18030, chinese},
		"Windows-1252":          {saved(text, charmap.Windows1252.NewEncoder()), Windows1252, text},
		"no GB18030":            {"a,\xff\n", GB18030, "a,\ufffd\n"},
		"empty":                 {"", UTF8, ""},
	} {
		if got, err := io.ReadAll(Decode(strings.NewReader(c.file), c.as)); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if samples, err := Samples(strings.NewReader(c.file)); err != nil || (samples == nil) != (c.as == UTF8) {
			t.Errorf("%s: samples %q, %v", name, samples, err)
		}
	}
}

// Samples show the same cells in each encoding and prefer names to shorter cells.
func TestSamplesPreferLongCells(t *testing.T) {
	rows := "id;series;name\r\na;\xb1\xa6;\"2021 \xc6\xa4\xbf\xa8\xc7\xf0\"\r\nb;Set;2021 Ann\r\nc;Set;\xc5\xe7\xbb\xf0\xc1\xfa\r\nd;Set;\xc1\x7c\r\ne;Set;\xb1\xa6"
	want := []Sample{
		{GB18030, []string{"2021 皮卡丘", "喷火龙", "羭"}},
		{Windows1252, []string{"2021 Æ¤¿¨Çð", "Åç»ðÁú", "Á|"}},
	}
	got, err := Samples(strings.NewReader(rows))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	long := "id,name\n" + strings.Repeat("长", maxRowBytes)
	if got, err := Samples(strings.NewReader(long)); err != nil || got != nil {
		t.Errorf("a long line of UTF-8: %d samples, %v", len(got), err)
	}
	if got, err := Samples(strings.NewReader(long + "\xff" + long)); err != nil || got == nil || utf8.RuneCountInString(got[0].Cells[0]) > maxSampleLength {
		t.Errorf("a long line with another byte: %q, %v", got, err)
	}
}
