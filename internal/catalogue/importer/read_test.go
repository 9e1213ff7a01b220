package importer

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"kaibao/internal/catalogue"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// readAll reads a whole file and returns the accepted items, the refusals and the rejects.
func readAll(text []byte, format Format) (accepted []catalogue.Item, refused [][]problem, rejects []byte, err error) {
	from, err := open(bytes.NewReader(text), format)
	if err != nil {
		return nil, nil, nil, err
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	for {
		var c cells
		r, err := from.next(&c)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if r.problems == nil {
			accepted = append(accepted, r.item)
			continue
		}
		from.writeReject(w, r, len(refused) == 0)
		refused = append(refused, r.problems)
	}
	if refused != nil {
		from.endRejects(w)
	}
	err = w.Flush()
	return accepted, refused, out.Bytes(), err
}

// wantSameRefusals fails the test unless importing the rejects refuses the same rows for the same
// reasons.
func wantSameRefusals(t *testing.T, text []byte, format Format) {
	t.Helper()
	_, refused, rejects, err := readAll(text, format)
	if err != nil || refused == nil {
		return // not a catalogue, or nothing refused
	}
	accepted, again, rejectsAgain, err := readAll(rejects, format)
	if err != nil || len(accepted) > 0 || !reflect.DeepEqual(again, refused) {
		t.Fatalf("rejects of %.300q\nare %.300q,\nread as %v and %v, %v; want %v", text, rejects, accepted, again, err, refused)
	}
	_, third, _, err := readAll(rejectsAgain, format)
	if err != nil || !reflect.DeepEqual(third, refused) {
		t.Fatalf("the rejects' rejects %q have the reasons %v, %v; want %v", rejectsAgain, third, err, refused)
	}
}

const header = "id,name,series,rarity,grade,certType,certNumber,baseValueCents,imageUrl,active,set,setNumber"

var seeds = []string{
	header + "\n" + `a,2021 Set #1 Ann PSA 9,Set,Common,9,PSA,0012345678,4e3,https://x.example/1.png,true,2021 Set,1` + "\n",
	"\xef\xbb\xbf" + header + "\r\n" + `a,"2021 ""Holo"" #1, Ann",Set,Rare,,,,"1,234.50",,,,4` + "\r\n\r\n",
	header + "\na,\"never closed,Set,Rare\nb,2021 Ben,Set,Rare,,,,5,,\n",
	header + "\na,\"closed\" and more,Set\n\"",
	"_row,_field,_reason," + header + "\n3,name,\"why, so\",a,4e3,Set,Common,,,,5,,\n",
	header + "\n,,,,,,,,,\na\n",
	"id,name,series,rarity\n\xff,a\x00,b,Rare",
	"id,name,series,rarity\r\n\"a\"\r,b",
}

func FuzzCSV(f *testing.F) {
	for _, text := range seeds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { wantSameRefusals(t, text, CSV) })
}

func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`[{"id":"a","name":"2021 Ann","series":"Set","rarity":"Rare","baseValueCents":4e3}]`,
		`[{"id":7,"name":"4e3","_row":5,"_reason":"x"}, 5, null, [1], {"id":"a","id":"b"}, {"name":"\ud800"}, {"x":1}]`,
		"\xef\xbb\xbf[ ]", `[{"name":"` + "\xff" + `"}]`, `[{"_was":5}]`, `[{"\u0069d":"a"}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { wantSameRefusals(t, text, JSON) })
}

// oddTexts lists texts that file parsers easily get wrong in any position.
var oddTexts = []string{
	"", "=SUM(A1)", "'=SUM(A1)", "''+Ben", "-5 of it", "+a", "@Ann", "'", "a \"quoted\", b", `"`, `a\b`, `\.`, "é́ 皮卡丘 🃏👩‍👩‍👧", "\u2028a\u2029", "\ufeffa",
	" \u00a0a\u3000 ", "a;b|c\td", "null", "true", "2018 Topps 6\" #9 PSA 9", strings.Repeat("长", 200), "<b>&amp;", "a\nb", "a\r\nb", "a\x00b", "\u0085a\u009f",
}

var imageURLs = []string{
	"", "/own/1.png", "https://pictures.example/w=300,h=400/1.png", "https://pictures.example/1,2.png", "https://pictures.example/?of=1,2",
	"https://pictures.example/$1/$.png", "https://pictures.example/?price=$45.00", "https://pictures.example/usd/1.png?in=usd", "https://pictures.example/a;b=1/1.png",
	"https://pictures.example/1.png#", "https://pictures.example/1.svg#front", "HTTPS://Pictures.Example/%20%2C%24", "https://pictures.example/皮卡丘/👩‍👩‍👧.png",
	"https://pictures.example/'=1'+-@.png", "https://pictures.example/" + strings.Repeat("a,", 980), "https://pictures.example/£5.png", "https://pictures.example/4,500",
	"https://pictures.example/\u0085/1.png", "https://pictures.example/1.png $45.00", "https://pictures.example/1.png#4500", "https://pictures.example/1.png,4500",
	"https://pictures.example/a b.png", `https://pictures.example/"1".png`,
}

// exportItems returns an export of the items.
func exportItems(t *testing.T, format Format, items ...catalogue.Item) []byte {
	t.Helper()
	var sheet bytes.Buffer
	out := newExportWriter(bufio.NewWriter(&sheet), format)
	for _, item := range items {
		if err := out.write(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.end(), out.out.Flush()); err != nil {
		t.Fatal(err)
	}
	return sheet.Bytes()
}

// Any item that can be created survives an export and import unchanged.
func FuzzExport(f *testing.F) {
	for n, text := range oddTexts {
		f.Add(text, "Set", 0, int64(0), "", "", "", "151", "", int64(1), true)
		f.Add("Ann", text, n, int64(95), "PSA", "00123456", "", text, text, int64(policy.MaxPrice), false)
		f.Add("Ann", "Set", 1, int64(100), text, text, text, "", text, int64(n), true)
	}
	for _, imageURL := range imageURLs {
		f.Add("Ann", "Set", 2, int64(10), "CGC", "123456789012345", imageURL, "2021 Set", "OP01-120", int64(400), true)
	}
	f.Fuzz(func(t *testing.T, name, series string, rarity int, grade int64, grader, number, image, set, setNumber string, value int64, active bool) {
		item := catalogue.Item{
			ID: "a-1", Name: strings.TrimSpace(name), Series: strings.TrimSpace(series), GradeTenths: grade, Grader: strings.TrimSpace(grader),
			CertNumber: strings.TrimSpace(number), ImageURL: strings.TrimSpace(image), Set: strings.TrimSpace(set), SetNumber: strings.TrimSpace(setNumber), BaseValue: money.Cents(value), Active: active,
		}
		item.Rarity = catalogue.Rarities[uint(rarity)%uint(len(catalogue.Rarities))]
		if item.Check() != nil || !utf8.ValidString(name+series+grader+number+image+set+setNumber) { // calls are UTF-8
			return
		}
		for _, format := range []Format{CSV, JSON} {
			text := exportItems(t, format, item)
			imported, refused, _, err := readAll(text, format)
			if err != nil || refused != nil || len(imported) != 1 || imported[0] != item {
				t.Fatalf("%q\nis imported as %+v and %v, %v; want %+v", text, imported, refused, err, item)
			}
			if again := exportItems(t, format, imported...); !bytes.Equal(again, text) {
				t.Fatalf("%q\nis exported again as %q", text, again)
			}
		}
	})
}

// Item checks and imports refuse the same picture URLs: those that are invalid or contain a price.
// Otherwise an export might not be importable.
func TestInvalidPictureURLsAreRefused(t *testing.T) {
	const invalid = 6
	for n, imageURL := range imageURLs {
		item := catalogue.Item{ID: "a-1", Name: "Ann", Series: "Set", Rarity: "Rare", BaseValue: 1, ImageURL: imageURL}
		if refused := item.Check() != nil; refused != (n >= len(imageURLs)-invalid) {
			t.Errorf("%q is refused: %t", imageURL, refused)
		}
	}
}

var write = flag.Bool("write", false, "rewrite the expected files in testdata")

// Files with real-world mistakes are read as the hand-checked files in testdata.
func TestOddFiles(t *testing.T) {
	for _, format := range []Format{CSV, JSON} {
		t.Run(string(format), func(t *testing.T) {
			text, err := os.ReadFile("testdata/odd." + string(format))
			if err != nil {
				t.Fatal(err)
			}
			accepted, _, rejects, err := readAll(text, format)
			if err != nil {
				t.Fatal(err)
			}
			for name, got := range map[string][]byte{"accepted": exportItems(t, format, accepted...), "rejects": rejects} {
				path := "testdata/odd." + name + "." + string(format)
				if *write {
					if err := os.WriteFile(path, got, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %v; got\n%s", path, err, got)
				}
			}
			wantSameRefusals(t, text, format)
		})
	}
}

// TestFieldsWithoutAColumnAreKept fills every field of an item, also fields that are added later, and
// imports a row for it.
func TestFieldsWithoutAColumnAreKept(t *testing.T) {
	var before catalogue.Item
	for v, i := reflect.ValueOf(&before).Elem(), 0; i < v.NumField(); i++ {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("old")
		case reflect.Int64:
			f.SetInt(95)
		case reflect.Bool:
			f.SetBool(true)
		default:
			t.Fatalf("this test can't fill %s, which is a %s", v.Type().Field(i).Name, f.Kind())
		}
	}
	row := catalogue.Item{
		ID: before.ID, Name: "new", Series: before.Series, Rarity: before.Rarity, GradeTenths: before.GradeTenths, Grader: before.Grader,
		CertNumber: before.CertNumber, ImageURL: before.ImageURL, BaseValue: before.BaseValue,
	}
	want := before
	want.Name = "new"
	if got := (rowItem{Item: row, KeepsActive: true, KeepsSet: true, KeepsNumber: true}).after(before, true); got != want {
		t.Errorf("after the import the item is %+v, want %+v", got, want)
	}
}

// A set stays unless the row has a cell for it. Removing the set removes the number in it, too.
func TestImportedSets(t *testing.T) {
	const columns = "id,name,series,rarity,baseValueCents"
	before := catalogue.Item{ID: "a", Name: "Ann", Series: "Cards", Rarity: "Rare", BaseValue: 5, Set: "1999 Base", SetNumber: "4", Active: true}
	for _, c := range []struct{ header, cells, set, number, refused string }{
		{"", "", "1999 Base", "4", ""},
		{",set,setNumber", ",2000 Next,TG-7", "2000 Next", "TG-7", ""},
		{",set,setNumber", ",151,", "151", "", ""},
		{",set,setNumber", ",,", "", "", ""},
		{",set", ",2000 Next", "2000 Next", "4", ""},
		{",set", ",", "", "", ""},
		{",setNumber", ",", "1999 Base", "", ""},
		{",setNumber", ",5", "", "", "set"},
		{",set,setNumber", ",,5", "", "", "set"},
		{",set", "," + strings.Repeat("長", policy.MaxSetLength+1), "", "", "set"},
		{",set,setNumber", ",Base," + strings.Repeat("1", policy.MaxSetNumberLength+1), "", "", "setNumber"},
		{",set", ",&eacute;t\u00e9", "", "", "set"},
		{",set", ",\"one\ntwo\"", "", "", "set"},
	} {
		from, err := open(strings.NewReader(columns+c.header+"\na,Ann,Cards,Rare,5"+c.cells+"\n"), CSV)
		if err != nil {
			t.Fatal(err)
		}
		var cells cells
		r, err := from.next(&cells)
		if err != nil {
			t.Fatal(err)
		}
		if c.refused != "" {
			if len(r.problems) != 1 || r.problems[0].field != c.refused {
				t.Errorf("%s %s: refused because of %v, want %s", c.header, c.cells, r.problems, c.refused)
			}
			continue
		}
		after := rowOf(r).after(before, true)
		if r.problems != nil || after.Set != c.set || after.SetNumber != c.number {
			t.Errorf("%s %s: set %q, number %q, problems %v; want %q, %q", c.header, c.cells, after.Set, after.SetNumber, r.problems, c.set, c.number)
		}
	}
}
