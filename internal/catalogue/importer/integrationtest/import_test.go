package integrationtest_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue/importer"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
)

type payload = map[string]any

const importPath = "/api/admin/catalogue/import"

func csvText(rows ...string) string {
	return "id,name,series,rarity,baseValueCents,imageUrl,active\n" + strings.Join(rows, "\n")
}

func importBody(text string, flags ...string) payload {
	body := payload{"format": "csv", "text": text, "reason": "The spring list."}
	for _, name := range flags {
		body[name] = true
	}
	return body
}

func importFile(t *testing.T, c *apptest.Client, body payload) (r importer.Report) {
	t.Helper()
	c.Post(t, importPath, body).Want(t, http.StatusOK, &r)
	return r
}

// value is an item's value and history, from its page.
type value struct {
	BaseValueCents int64
	Values         []struct {
		ValueCents     int64
		Source, Reason string
	}
}

func valueOf(t *testing.T, c *apptest.Client, item string) (v value) {
	t.Helper()
	c.Get(t, "/api/items/"+item).Want(t, http.StatusOK, &v)
	return v
}

func TestImportMatchesItemsByID(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		first := importBody(csvText("new-1,2021 Ann PSA 9,Spring,Rare,4e3,https://pictures.example/1.png,", "new-2,2021 Ben,Spring,Common,$12.34,,false"))
		dry := importFile(t, c, importBody(first["text"].(string), "dryRun"))
		if dry.Imported || dry.New != 2 || dry.Rejects != "" || len(dry.Changes) != 2 {
			t.Errorf("dry run: %+v", dry)
		}
		c.Get(t, "/api/items/new-1").Refused(t, http.StatusNotFound, "not_found")
		if r := importFile(t, c, first); !r.Imported || r.New != 2 || r.Changed+r.Unchanged+r.RefusedRows != 0 {
			t.Errorf("imported: %+v", r)
		}
		if r := importFile(t, c, first); r.Unchanged != 2 || r.New+r.Changed+r.RefusedRows != 0 {
			t.Errorf("imported again: %+v", r)
		}
		if v := valueOf(t, c, "new-1"); v.BaseValueCents != 4000 || len(v.Values) != 1 || v.Values[0].Source != "import" || v.Values[0].Reason != "The spring list." {
			t.Errorf("new-1 is %+v", v)
		}
		// A new name adds no valuation, and an empty active cell changes nothing.
		r := importFile(t, c, importBody(csvText("new-1,2021 Anna PSA 9,Spring,Rare,4000,https://pictures.example/1.png,", "new-2,2021 Ben,Spring,Common,1500,,")))
		if r.Changed != 2 || fmt.Sprint(r.Changes[0].Fields, r.Changes[1].Fields) != "[name] [baseValueCents]" || *r.Changes[1].BeforeCents != 1234 || r.Changes[1].AfterCents != 1500 {
			t.Errorf("changed: %+v", r)
		}
		if v := valueOf(t, c, "new-1"); len(v.Values) != 1 {
			t.Errorf("new-1 got another valuation: %+v", v)
		}
		if v := valueOf(t, c, "new-2"); len(v.Values) != 2 || v.Values[0].ValueCents != 1500 {
			t.Errorf("new-2 is %+v", v)
		}
		s.Audit(t)
	})
}

func TestRefusedRowsPreventImport(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		text := "\xef\xbb\xbf" + csvText("good,2021 Ann,Spring,Rare,5,,", "bad,4e3,Spring,Rare,,,", "good,2021 Again,Spring,Rare,5,,")
		var response struct{ Details importer.Report }
		refused := c.Post(t, importPath, importBody(text))
		refused.Refused(t, http.StatusUnprocessableEntity, "invalid")
		if err := refused.Read(&response); err != nil || response.Details.RefusedRows != 2 || response.Details.FirstRefusals[2] != (importer.Refusal{Row: 4, Field: "id", Reason: "is also the id in row 2"}) {
			t.Errorf("refused with %s, %v", refused.Body, err)
		}
		c.Get(t, "/api/items/good").Refused(t, http.StatusNotFound, "not_found")
		dry := importFile(t, c, importBody(text, "dryRun"))
		if dry.RefusedRows != 2 || !strings.HasPrefix(dry.Rejects, "\xef\xbb\xbf_row,_field,_reason,id,name,") {
			t.Errorf("dry run: %+v", dry)
		}
		if r := importFile(t, c, importBody(text, "skipBad")); r.New != 1 || r.RefusedRows != 2 || r.Rejects != "" {
			t.Errorf("imported without bad rows: %+v", r)
		}
		corrected := strings.NewReplacer("bad,4e3,Spring,Rare,,,", "bad,2021 Ben,Spring,Rare,7,,", "good,2021 Again", "third,2021 Again").Replace(dry.Rejects)
		if r := importFile(t, c, importBody(corrected)); r.New != 2 || r.RefusedRows != 0 {
			t.Errorf("corrected rejects: %+v", r)
		}
		s.Audit(t)
	})
}

func TestImportRepublishesAffectedPacks(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(c.Get(t, "/api/admin/catalogue/export").Body), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		cents, series := slices.Index(rows[0], "baseValueCents"), slices.Index(rows[0], "series")
		doubled := rows[:1]
		for _, row := range rows[1:] {
			if row[series] == "Pokemon" { // the margin guard pauses packs with twice the value
				value, err := strconv.ParseInt(row[cents], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				row[cents] = strconv.FormatInt(2*value, 10)
				doubled = append(doubled, row)
			}
		}
		var text strings.Builder
		if err := csv.NewWriter(&text).WriteAll(doubled); err != nil {
			t.Fatal(err)
		}
		r := importFile(t, c, importBody(text.String()))
		paused := slices.IndexFunc(r.Packs, func(p importer.PackEffect) bool { return p.Paused != "" })
		if r.Changed != int64(len(doubled)-1) || r.Approval != nil || paused < 0 {
			t.Errorf("imported: %+v", r)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// An import, like an edit, must not remove the last card of a tier.
func TestImportCannotEmptyATier(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		var item struct{ ID string }
		c.Post(t, "/api/admin/items", payload{"name": "The only one", "series": strings.Repeat("系", 40), "rarity": "Rare", "baseValueCents": 500}).Want(t, http.StatusOK, &item)
		c.Post(t, "/api/admin/packs", payload{
			"name": "Lonely", "priceCents": 1000, "series": []string{strings.Repeat("系", 40)},
			"lootTableJson": payload{"rarities": payload{"Rare": 1}, "itemsPerPack": 1},
		}).Want(t, http.StatusOK, nil)
		text := "id,name,series,rarity,baseValueCents,active\n" + item.ID + ",The only one," + strings.Repeat("系", 40) + ",Rare,500,false\n"
		c.Post(t, importPath, importBody(text)).Refused(t, http.StatusConflict, "conflict")
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// Importing an export changes nothing, regardless of how cells begin and which characters picture
// URLs contain.
func TestExportRoundTrip(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		for n, imageURL := range []string{"https://pictures.example/w=300,h=400/1,2.png", "https://pictures.example/$1.png?price=$45", "/own.png ", "https://pictures.example/usd/,"} {
			c.Post(t, "/api/admin/items", payload{"name": fmt.Sprintf("=Made %d, \"it\" 🃏 ", n), "series": "'-Odd", "rarity": "Rare", "baseValueCents": 500, "imageUrl": imageURL}).Want(t, http.StatusOK, nil)
		}
		importFile(t, c, importBody(csvText(`odd-1,"'=SUM(A1) ""x"", y",Spring,Rare,5,https://pictures.example/1.png,false`, "odd-2,'@Ann,'-Spring,Rare,5,,", "odd-3,''+Ben,Spring,Grail,5,,")))
		for _, format := range []string{"csv", "json"} {
			text := c.Get(t, "/api/admin/catalogue/export?format="+format).Body
			if format == "csv" && (bytes.Contains(text, []byte("\n=")) || bytes.Contains(text, []byte(",@")) || bytes.Contains(text, []byte(`,"=`))) {
				t.Error("the export contains a formula")
			}
			r := importFile(t, c, payload{"format": format, "text": string(text), "reason": "Imported again."})
			if r.Unchanged != r.Rows || r.Rows < 100 {
				t.Errorf("importing the %s export: %+v", format, r)
			}
			again := c.Get(t, "/api/admin/catalogue/export?format="+format).Body
			if !bytes.Equal(again, text) {
				t.Errorf("the second %s export differs", format)
			}
		}
	})
	// Import into an empty catalogue, too.
	full := apptest.Start(t, apptest.Config(t, "sqlite"))
	text := full.Admin(t).Get(t, "/api/admin/catalogue/export?format=json").Body
	empty := apptest.Start(t, apptest.Config(t, "sqlite", apptest.Empty))
	admin := empty.Admin(t)
	importFile(t, admin, payload{"format": "json", "text": string(text), "reason": "Moved."})
	if moved := admin.Get(t, "/api/admin/catalogue/export?format=json").Body; !bytes.Equal(moved, text) {
		t.Error("the catalogue differs after importing it into an empty one")
	}
	empty.Audit(t)
}

// A file with unknown columns is imported once they are named to be ignored.
func TestUnknownColumnsMustBeIgnoredExplicitly(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		body := importBody("id,name,series,rarity,baseValueCents,graed,Notes\nnew-1,2021 Ann,Spring,Rare,500,9,sold?\n", "dryRun")
		unknown := []importer.UnknownColumn{{Name: "graed", Nearest: "grade"}, {Name: "Notes"}}
		if r := importFile(t, c, body); r.New != 1 || r.RefusedRows != 0 || !slices.Equal(r.UnknownColumns, unknown) {
			t.Errorf("dry run: %+v", r)
		}
		delete(body, "dryRun")
		for _, ignored := range [][]string{nil, {}, {"Notes"}, {"notes", "graed"}} {
			body["ignoreColumns"] = ignored
			refused := c.Post(t, importPath, body).Refused(t, http.StatusUnprocessableEntity, "invalid")
			if why := refused.Fields["ignoreColumns"]; !strings.Contains(why, `"graed" (grade?)`) && len(ignored) < 2 {
				t.Errorf("%v: %+v", ignored, refused)
			}
		}
		body["ignoreColumns"] = []string{"Notes", "graed", "gone"}
		if r := importFile(t, c, body); !r.Imported || r.New != 1 || !slices.Equal(r.UnknownColumns, unknown) {
			t.Errorf("imported: %+v", r)
		}
		s.Audit(t)
	})
}

// A row that assigns another item's certificate is refused. Sample certificates may be shared, and
// an item keeps the one it has.
func TestCertificateIsUnique(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		graded := func(rows ...string) payload {
			return importBody("id,name,series,rarity,certType,certNumber,baseValueCents\n" + strings.Join(rows, "\n"))
		}
		importFile(t, c, graded("one,2021 Ann PSA 9,Spring,Rare,PSA,12345678,500", "two,2021 Ben CGC 9,Spring,Rare,CGC,12345678,500",
			"sample-1,2021 Cem PSA 9,Spring,Rare,PSA,00001234,500", "sample-2,2021 Dan PSA 9,Spring,Rare,PSA,00001234,500"))
		rows := []string{"three,2021 Eve PSA 9,Spring,Rare,PSA,12345678,500", "two,2021 Ben PSA 9,Spring,Rare,PSA,12345678,500", "one,2021 Ann PSA 9,Spring,Rare,PSA,12345678,600"}
		body := graded(rows...)
		body["dryRun"] = true
		want := []importer.Refusal{{Row: 2, Field: "certNumber", Reason: "is already used by item one"}, {Row: 3, Field: "certNumber", Reason: "is already used by item one"}}
		if r := importFile(t, c, body); r.Changed != 1 || r.RefusedRows != 2 || !slices.Equal(r.FirstRefusals, want) || !strings.Contains(r.Rejects, rows[0]) || !strings.Contains(r.Rejects, rows[1]) {
			t.Errorf("report is %+v, want 1 changed item and refusals %+v", r, want)
		}
		// Two items from before the check may share a certificate; their export can still be
		// imported.
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE items SET grader = 'PSA' WHERE id = 'two'`)
		}); err != nil {
			t.Fatal(err)
		}
		importFile(t, c, graded("one,2021 Anna PSA 9,Spring,Rare,PSA,12345678,500", "two,2021 Ben PSA 9,Spring,Rare,PSA,12345678,700"))
		s.Audit(t)
	})
}

// A certificate that another item gets while a file is checked is not assigned again.
func TestCertificateTakenAfterPlan(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		service := &importer.Service{DB: s.DB, Packs: &packs.Service{DB: s.DB, Delay: policy.OrdinaryNotice}}
		plan, err := service.Plan(t.Context(), strings.NewReader("id,name,series,rarity,certType,certNumber,baseValueCents\nlate,2021 Ann PSA 9,Spring,Rare,PSA,12345678,500\n"),
			importer.CSV, nil, func(int64) {})
		if err != nil {
			t.Fatal(err)
		}
		c.Post(t, "/api/admin/items", payload{"name": "2021 Ann PSA 9", "series": "Spring", "rarity": "Rare", "certType": "PSA", "certNumber": "12345678", "baseValueCents": 500}).Want(t, http.StatusOK, nil)
		for name, write := range map[string]func() error{
			"at once": func() error {
				return s.DB.InTx(t.Context(), func(tx *db.Tx) error {
					_, err := service.Write(tx, plan, "", "late", func(int64) {})
					return err
				})
			},
			"in parts": func() error {
				_, err := service.WriteInParts(t.Context(), plan, "late", func(int64) {})
				return err
			},
		} {
			if err := write(); !apperr.IsCode(err, apperr.Conflict) {
				t.Errorf("%s: %v", name, err)
			}
		}
		c.Get(t, "/api/items/late").Refused(t, http.StatusNotFound, "not_found")
		if err := plan.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Spaces around a picture's URL are trimmed. A URL with a price is refused unless the item
// already has it, because exports must be importable.
func TestImportedPictureURLs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		importFile(t, c, importBody(csvText(`new-1,2021 Ann,Spring,Rare,5," https://pictures.example/1,2.png ",`, "new-2,2021 Ben,Spring,Rare,5,\u3000/own/$.png ,", "new-3,2021 Cem,Spring,Rare,5,,")))
		text := string(c.Get(t, "/api/admin/catalogue/export").Body)
		for _, imageURL := range []string{`,"https://pictures.example/1,2.png",`, ",/own/$.png,"} {
			if !strings.Contains(text, imageURL) {
				t.Errorf("the export lacks %s", imageURL)
			}
		}
		const odd = "https://pictures.example/3.png#4500"
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE items SET image_url = $1 WHERE id = 'new-3'`, odd)
		}); err != nil {
			t.Fatal(err)
		}
		if r := importFile(t, c, importBody(csvText("new-3,2021 Cem,Spring,Rare,6,"+odd+","))); r.Changed != 1 || fmt.Sprint(r.Changes[0].Fields) != "[baseValueCents]" {
			t.Errorf("report is %+v, want 1 changed item, by its value only", r)
		}
		for _, row := range []string{"new-2,2021 Ben,Spring,Rare,5," + odd + ",", "new-4,2021 Dan,Spring,Rare,5," + odd + ",", "new-3,4e3,Spring,Rare,5," + odd + ","} {
			c.Post(t, importPath, importBody(csvText(row))).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		s.Audit(t)
	})
}

// The admin log identifies the imported file but does not contain it.
func TestImportIsAudited(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.Admin(t)
		header := []string{"Idempotency-Key", "spring"}
		var first, second importer.Report
		body := importBody(csvText("new-1,2021 Ann,Spring,Rare,5,,"))
		c.Post(t, importPath, body, header...).Want(t, http.StatusOK, &first)
		c.Post(t, importPath, body, header...).Want(t, http.StatusOK, &second)
		if second.New != 1 {
			t.Errorf("the retry returned %+v", second)
		}
		var acts []struct {
			Act     string
			Request json.RawMessage
		}
		c.Get(t, "/api/admin/audit").Want(t, http.StatusOK, &acts)
		if len(acts) != 1 || acts[0].Act != "import-catalogue" || !bytes.Contains(acts[0].Request, []byte(`"sha256"`)) || bytes.Contains(acts[0].Request, []byte(`"text"`)) {
			t.Errorf("the admin log has %s", acts[0].Request)
		}
		s.Audit(t)
	})
}

// A command imports in parts while the server runs, and may skip rows.
func TestImportInPartsWhileServing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		text, err := os.ReadFile("../testdata/odd.csv")
		if err != nil {
			t.Fatal(err)
		}
		rows := []string{"pkm-001,2021 Changed,Pokemon,Common,5,,"}
		for n := range 1200 {
			rows = append(rows, fmt.Sprintf("many-%d,2021 Player %d,Spring,Rare,%d,,", n, n, n+1))
		}
		service := &importer.Service{DB: s.DB, Packs: &packs.Service{DB: s.DB, Delay: policy.OrdinaryNotice}}
		for n, in := range []string{string(text), csvText(rows...), csvText(rows...)} {
			var rejects bytes.Buffer
			plan, err := service.Plan(t.Context(), strings.NewReader(in), importer.CSV, &rejects, func(int64) {})
			if err != nil {
				t.Fatal(err)
			}
			r, err := service.WriteInParts(t.Context(), plan, "in parts", func(int64) {})
			if err != nil || r.New != []int64{11, 1200, 0}[n] || r.Unchanged != []int64{0, 0, 1201}[n] {
				t.Errorf("file %d: %+v, %v", n, r, err)
			}
			if err := plan.Close(); err != nil {
				t.Error(err)
			}
		}
		err = s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			plan, err := service.Plan(t.Context(), strings.NewReader(csvText("all,2021 At Once,Spring,Rare,5,,")), importer.CSV, nil, func(int64) {})
			if err != nil {
				return err
			}
			_, err = service.Write(tx, plan, "", "at once", func(int64) {})
			return err
		})
		if err != nil {
			t.Error(err)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// The notice period of an import's announcements starts after its slow part, and so does the delay
// of its values. An import that would commit too late is refused entirely.
func TestLongImportGivesFullNotice(t *testing.T) {
	const delay = policy.OrdinaryNotice
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		service := &importer.Service{DB: s.DB, Packs: &packs.Service{DB: s.DB, Delay: delay}}
		write := func(progress func(rows int64), rows ...string) error {
			plan, err := service.Plan(t.Context(), strings.NewReader(csvText(rows...)), importer.CSV, nil, func(int64) {})
			if err != nil {
				t.Fatal(err)
			}
			err = s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := service.Write(tx, plan, "", "at once", progress)
				return err
			})
			return errors.Join(err, plan.Close())
		}
		const drawn = "pkm-001,2021 Changed,Pokemon,Common,"
		rows := []string{drawn + "5,,"}
		for n := range 1200 {
			rows = append(rows, fmt.Sprintf("many-%d,2021 Player %d,Spring,Rare,%d,,", n, n, n+1))
		}
		err := write(func(rows int64) {
			if rows <= 1200 { // rows that no pack draws
				clock.Advance(delay)
			}
		}, rows...)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			times, err := db.All(tx, func(s db.Scanner) (at [3]int64, err error) { return at, s.Scan(&at[0], &at[1], &at[2]) },
				`SELECT p.published_at, p.effective_at, v.carried_at FROM publications p JOIN valuations v ON v.item_id = 'pkm-001' AND v.number = 2 WHERE p.number = 2`)
			for _, at := range times {
				published := clock.Now()
				effective := published.Add(delay)
				if at != [3]int64{db.Micros(published), db.Micros(effective), db.Micros(effective.Add(delay))} {
					t.Errorf("published, effective and carried at %v; the clock is at %d", at, db.Micros(published))
				}
			}
			if len(times) == 0 {
				t.Error("nothing was announced")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Hour)
		err = write(func(int64) { clock.Advance(policy.StatedWithin(delay) + time.Microsecond) }, drawn+"6,,")
		if v := valueOf(t, s.NewClient(t), "pkm-001"); !apperr.IsCode(err, apperr.Unavailable) || v.BaseValueCents != 5 {
			t.Errorf("committed too late: %v, value %d", err, v.BaseValueCents)
		}
		if err := write(func(int64) { clock.Advance(policy.StatedWithin(delay)) }, drawn+"6,,"); err != nil {
			t.Errorf("committed in time: %v", err)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}
