package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"kaibao/internal/catalogue"
)

// The same items are read from each format that spreadsheets save.
func TestSpreadsheetFormats(t *testing.T) {
	want := []catalogue.Item{
		{ID: "a", Name: "2021 Ann, first", Series: "Set", Rarity: "Rare", BaseValue: 500, Active: true},
		{ID: "b", Name: "2021 Ben; second", Series: "Set", Rarity: "Common", BaseValue: 1250, Active: true},
	}
	for name, text := range map[string]string{
		"commas":        "id,name,series,rarity,baseValueCents\na,\"2021 Ann, first\",Set,Rare,500\nb,2021 Ben; second,Set,Common,1250\n",
		"semicolons":    "id;name;series;rarity;baseValueCents\r\na;2021 Ann, first;Set;Rare;500\r\nb;\"2021 Ben; second\";Set;Common;1250\r\n",
		"tabs":          "id\tname\tseries\trarity\tbaseValueCents\na\t2021 Ann, first\tSet\tRare\t500\nb\t2021 Ben; second\tSet\tCommon\t1250\n",
		"sep":           "\xef\xbb\xbfsep=;\r\nid;name;series;rarity;baseValueCents\r\na;2021 Ann, first;Set;Rare;500\r\nb;\"2021 Ben; second\";Set;Common;1250\r\n",
		"quoted sep":    "\"SEP=\t\"\nid\tname\tseries\trarity\tbaseValueCents\na\t2021 Ann, first\tSet\tRare\t500\nb\t2021 Ben; second\tSet\tCommon\t1250\n",
		"other case":    "ID,Name,SERIES,rarity,basevaluecents\na,\"2021 Ann, first\",Set,Rare,500\nb,2021 Ben; second,Set,Common,1250\n",
		"empty rows":    "\n,,,,\nid,name,series,rarity,baseValueCents\n,,,,\na,\"2021 Ann, first\",Set,Rare,500\n , ,,,\nb,2021 Ben; second,Set,Common,1250\n,,,,\n",
		"empty columns": "id,name,,series,rarity,baseValueCents,,\na,\"2021 Ann, first\",,Set,Rare,500,,\nb,2021 Ben; second,,Set,Common,1250, ,\n",
	} {
		accepted, refused, _, err := readAll([]byte(text), CSV)
		if err != nil || refused != nil || !reflect.DeepEqual(accepted, want) {
			t.Errorf("%s: %+v and %v, %v", name, accepted, refused, err)
		}
	}
	_, refused, rejects, err := readAll([]byte("id;name;;series;rarity\na;2021 Ann;lost;Set;Rare\n"), CSV)
	if err != nil || len(refused) != 1 || !bytes.HasPrefix(rejects, []byte("\xef\xbb\xbf_row;_field;_reason;id;name;;series;rarity\n")) {
		t.Errorf("%v, %q, %v", refused, rejects, err)
	}
	wantSameRefusals(t, []byte("id;name;;series;rarity\na;2021 Ann;lost;Set;Rare\n"), CSV)
}

// Unknown columns are reported with the known column that they resemble.
func TestUnknownColumnsAreReported(t *testing.T) {
	want := []UnknownColumn{{"Remarks", ""}, {"cert number", "certNumber"}, {"Image_URL", "imageUrl"}, {"gradee", "grade"}}
	for format, text := range map[Format]string{
		CSV:  "id,name,series,rarity,baseValueCents,Remarks,cert number,Image_URL,gradee,Remarks\na,2021 Ann,Set,Rare,500,x,1,2,3,4\n",
		JSON: `[{"id":"a","name":"2021 Ann","series":"Set","rarity":"Rare","baseValueCents":500,"Remarks":{"x":[1]},"cert number":1,"Image_URL":2},{"id":"b","gradee":3,"Remarks":4}]`,
	} {
		from, err := open(strings.NewReader(text), format)
		if err != nil {
			t.Fatal(err)
		}
		var first cells
		if r, err := from.next(&first); err != nil || r.problems != nil || r.item.Name != "2021 Ann" || r.item.CertNumber != "" {
			t.Errorf("%s: %+v, %v", format, r, err)
		}
		for err == nil {
			_, err = from.next(new(cells))
		}
		if got := from.unknown(); !errors.Is(err, io.EOF) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", format, got, err)
		}
		wantSameRefusals(t, []byte(text), format)
	}
	if _, err := open(strings.NewReader("id,names,series,rarity\n"), CSV); err == nil || !strings.Contains(err.Error(), `has no column name (is "names" misspelled?)`) {
		t.Error(err)
	}
	var many strings.Builder
	for n := range 2 * maxUnknownFields {
		fmt.Fprintf(&many, `,"field-%d":1`, n)
	}
	if _, _, _, err := readAll([]byte(`[{"id":"a"`+many.String()+`}]`), JSON); err == nil {
		t.Error("an unlimited number of unknown fields is accepted")
	}
}

func TestDamagedNamesAreRefused(t *testing.T) {
	for name, field := range map[string]string{
		"2021 Pok\ufffdmon": "replacement", "2021 PokÃ©mon": "Ã©", "2021 FarfetchEUR â€™d": "â€™", "2021 Tom &amp; Jerry": "&amp;", "2021 Ann &#39;s": "&#39;",
		"2021 Char\u200bizard": "U+200B", "2021 \u202eAnn": "U+202E", "2021 \u2066Ann": "U+2066", "2021 Ann\ufeff Ben": "U+FEFF", "2021 soft\u00adhyphen": "U+00AD",
		"2021 Ann & Ben": "", "2021 São Ñandú Âge": "", "2021 Family 👩‍👩‍👧": "", "2021 علی\u200cرضا": "", "2021 🏴󠁧󠁢󠁥󠁮󠁧󠁿 Kane": "", "2021 R&D;": "",
	} {
		text := "id,name,series,rarity,baseValueCents\na," + name + ",Set,Rare,500\n"
		_, refused, _, err := readAll([]byte(text), CSV)
		if err != nil || (field == "") != (refused == nil) {
			t.Errorf("%q: %v, %v", name, refused, err)
			continue
		}
		if field != "" && (refused[0][0].field != "name" || !strings.Contains(refused[0][0].reason, field)) {
			t.Errorf("%q: %v", name, refused)
		}
	}
}

// JSON rows have the same size limit as CSV rows, because they are buffered in memory.
func TestLongRowsAreRefused(t *testing.T) {
	long := strings.Repeat("x", maxRowBytes)
	for format, text := range map[Format]string{JSON: `[{"id":"a"},{"id":"` + long + `"}]`, CSV: "id,name,series,rarity\na," + long + ",b,c\n"} {
		if _, _, _, err := readAll([]byte(text), format); err == nil || !strings.Contains(err.Error(), "row 2 has more than 65536 bytes") {
			t.Errorf("%s: %.200v", format, err)
		}
	}
	half := `{"id":"` + long[:maxRowBytes/2] + `"}`
	if _, refused, _, err := readAll([]byte("["+strings.Repeat(half+",", 20)+half+"]"), JSON); err != nil || len(refused) != 21 {
		t.Errorf("%d rows, %.200v", len(refused), err)
	}
}

func TestRejectsOfACallAreBounded(t *testing.T) {
	var rejects boundedText
	part := bytes.Repeat([]byte("x"), 1<<20)
	for range maxRejectBytes >> 20 {
		if _, err := rejects.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rejects.Write([]byte("x")); err == nil {
		t.Error("more bytes than the limit are accepted")
	}
}
