package app_test

import (
	"archive/zip"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/searchtext"
	"kaibao/internal/verify"
)

var archive = flag.Bool("archive", false, "store a database of this program's schema in testdata/kept")

// An archived database is a zip with the data directory, a mirror of its log and, for PostgreSQL, a
// dump.
const (
	archivedData   = "data"
	archivedMirror = "mirror"
	archivedDump   = "database.sql"
)

// A database of an older version can be migrated and used. Its audit and log verification pass, and
// so does an older mirror.
func TestOlderDatabasesCanBeUsed(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			if *archive {
				archiveDatabase(t, engine)
			}
			archives, err := filepath.Glob("testdata/kept/*-" + engine + ".zip")
			if err != nil || len(archives) == 0 {
				t.Fatalf("no archived database: %v", err)
			}
			for _, file := range archives {
				t.Run(filepath.Base(file), func(t *testing.T) { migrateAndUse(t, engine, file) })
			}
		})
	}
}

func migrateAndUse(t *testing.T, engine, file string) {
	folder := t.TempDir()
	unzip(t, file, folder)
	config := apptest.Config(t, engine)
	config.Data = filepath.Join(folder, archivedData)
	config.Now = func() time.Time { return time.Now().Add(3 * 24 * time.Hour) } // after the day whose books were closed early
	if engine == "postgres" {
		config.DatabaseURL = dbtest.Database(t, "template0")
		dbtest.PostgresTool(t, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", filepath.Join(folder, archivedDump), config.DatabaseURL)
	}
	migrated, err := config.OpenMigrated(t.Context(), nil)
	if err != nil {
		t.Fatalf("migrate: %v", err)
	}
	if err := migrated.Close(); err != nil {
		t.Fatal(err)
	}
	s := apptest.Start(t, config)
	s.Audit(t)
	wantSearchIndex(t, s)
	wantDemoSets(t, s)
	ann, ben := s.SignIn(t), s.SignIn(t)
	ann.Deposit(t, 100)
	ben.Deposit(t, 100)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	if body := string(ann.Get(t, "/api/packs/2").Body); !strings.Contains(body, `"nameZh":"宝可梦"`) {
		t.Errorf("the migration gave pack 2 no Chinese name: %s", body)
	}
	ann.Post(t, "/api/packs/2/open", payload{"clientSeed": "later"}).Want(t, http.StatusOK, &opened)
	entry := opened.Items[0].InventoryID
	ann.Post(t, "/api/marketplace/list", payload{"inventoryId": entry, "priceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/marketplace/buy", payload{"inventoryId": entry}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
	s.VerifyLog(t)
	s.Audit(t)
	mirror := filepath.Join(folder, archivedMirror)
	if _, _, err := verify.Mirror(t.Context(), s.URL, mirror, "", func(int64, int64) {}); err != nil {
		t.Fatalf("update the mirror: %v", err)
	}
	if report, err := verify.Log(t.Context(), verify.Options{Location: mirror}); err != nil || report.Fault != nil {
		t.Errorf("the mirror does not verify: %v %v", err, report)
	}
}

// wantSearchIndex fails the test unless every item's search text is the one that this version
// computes from its name.
func wantSearchIndex(t *testing.T, s *apptest.Server) {
	t.Helper()
	type item struct{ name, search string }
	scan := func(s db.Scanner) (n item, err error) { return n, s.Scan(&n.name, &n.search) }
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		items, err := db.All(tx, scan, `SELECT name, search FROM items`)
		for _, i := range items {
			if want := searchtext.Index(i.name); i.search != want {
				t.Errorf("%q has the search text %q, want %q", i.name, i.search, want)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantDemoSets fails the test unless the migrated demo data have the sets of new demo data.
func wantDemoSets(t *testing.T, s *apptest.Server) {
	t.Helper()
	fresh := apptest.Start(t, apptest.Config(t, "sqlite"))
	want, got := demoSets(t, fresh), demoSets(t, s)
	if len(want) < 1000 {
		t.Fatalf("new demo data have %d items with a set", len(want))
	}
	for id, set := range want {
		if got[id] != set {
			t.Errorf("item %s has set %q after the migration, want %q", id, got[id], set)
		}
	}
}

// demoSets returns the set and number of each item that has one.
func demoSets(t *testing.T, s *apptest.Server) map[string]string {
	t.Helper()
	sets := map[string]string{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var id, set string
		err = s.Scan(&id, &set)
		sets[id] = set
		return none, err
	}
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		_, err := db.All(tx, scan, `SELECT id, set_name || ' #' || set_number FROM items WHERE set_name <> ''`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sets
}

func unzip(t *testing.T, file, folder string) {
	t.Helper()
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	if err := os.CopyFS(folder, archive); err != nil {
		t.Fatal(err)
	}
}

// archiveDatabase archives the database of a server on which every kind of act was done.
func archiveDatabase(t *testing.T, engine string) {
	folder := t.TempDir()
	config := apptest.Config(t, engine)
	config.Data = filepath.Join(folder, archivedData)
	if engine == "postgres" {
		config.DatabaseURL = dbtest.Database(t, "template0")
	}
	s := apptest.Start(t, config)
	newWorld(t, s)
	if _, _, err := verify.Mirror(t.Context(), s.URL, filepath.Join(folder, archivedMirror), "", func(int64, int64) {}); err != nil {
		t.Fatalf("mirror the log: %v", err)
	}
	version := 0
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		version, err = db.One(tx, db.Column[int], `SELECT MAX(version_id) FROM goose_db_version`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	if engine == "postgres" {
		dbtest.PostgresTool(t, "pg_dump", "--no-owner", "--no-privileges", "--file", filepath.Join(folder, archivedDump), config.DatabaseURL)
	}
	zipFolder(t, folder, fmt.Sprintf("testdata/kept/%05d-%s.zip", version, engine))
}

func zipFolder(t *testing.T, folder, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	to, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(to)
	if err := archive.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}
