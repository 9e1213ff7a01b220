package intake

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"testing"

	"kaibao/internal/catalogue"
)

// readAll reads a file to its end: what is taken, what is refused, and the rejects.
func readAll(text []byte, format Format) (taken []catalogue.Item, refused [][]problem, rejects []byte, err error) {
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
		if r.refused == nil {
			taken = append(taken, r.item)
			continue
		}
		from.reject(w, r, len(refused) == 0)
		refused = append(refused, r.refused)
	}
	if refused != nil {
		from.endRejects(w)
	}
	err = w.Flush()
	return taken, refused, out.Bytes(), err
}

// What was refused stands in the rejects, which can be read again and say the same.
func wantRejectsToSayTheSame(t *testing.T, text []byte, format Format) {
	t.Helper()
	_, refused, rejects, err := readAll(text, format)
	if err != nil || refused == nil {
		return // of no catalogue, or with nothing wrong
	}
	taken, again, rejectsAgain, err := readAll(rejects, format)
	if err != nil || len(taken) > 0 || !reflect.DeepEqual(again, refused) {
		t.Fatalf("rejects of %.300q\nare %.300q,\nread as %v and %v, %v; want %v", text, rejects, taken, again, err, refused)
	}
	_, third, _, err := readAll(rejectsAgain, format)
	if err != nil || !reflect.DeepEqual(third, refused) {
		t.Fatalf("the rejects' rejects %q say %v, %v; want %v", rejectsAgain, third, err, refused)
	}
}

const header = "id,name,series,rarity,grade,certType,certNumber,baseValueCents,imageUrl,active"

var seeds = []string{
	header + "\n" + `a,2021 Set #1 Ann PSA 9,Set,Common,9,PSA,0012345678,4e3,https://x.example/1.png,true` + "\n",
	"\xef\xbb\xbf" + header + "\r\n" + `a,"2021 ""Holo"" #1, Ann",Set,Rare,,,,"1,234.50",,` + "\r\n\r\n",
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
	f.Fuzz(func(t *testing.T, text []byte) { wantRejectsToSayTheSame(t, text, CSV) })
}

func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`[{"id":"a","name":"2021 Ann","series":"Set","rarity":"Rare","baseValueCents":4e3}]`,
		`[{"id":7,"name":"4e3","_row":5,"_reason":"x"}, 5, null, [1], {"id":"a","id":"b"}, {"name":"\ud800"}, {"x":1}]`,
		"\xef\xbb\xbf[ ]", `[{"name":"` + "\xff" + `"}]`, `[{"_was":5}]`, `[{"\u0069d":"a"}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { wantRejectsToSayTheSame(t, text, JSON) })
}

var write = flag.Bool("write", false, "write the expected files of testdata anew")

// Each oddity that a catalogue came with, by hand: what becomes of it.
func TestOddities(t *testing.T) {
	for _, format := range []Format{CSV, JSON} {
		t.Run(string(format), func(t *testing.T) {
			text, err := os.ReadFile("testdata/odd." + string(format))
			if err != nil {
				t.Fatal(err)
			}
			taken, _, rejects, err := readAll(text, format)
			if err != nil {
				t.Fatal(err)
			}
			var sheet bytes.Buffer
			out := newSheet(bufio.NewWriter(&sheet), format)
			for _, item := range taken {
				if err := out.item(item); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(out.end(), out.out.Flush()); err != nil {
				t.Fatal(err)
			}
			for name, got := range map[string][]byte{"taken": sheet.Bytes(), "rejects": rejects} {
				path := "testdata/odd." + name + "." + string(format)
				if *write {
					if err := os.WriteFile(path, got, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %v; it is\n%s", path, err, got)
				}
			}
			wantRejectsToSayTheSame(t, text, format)
		})
	}
}
