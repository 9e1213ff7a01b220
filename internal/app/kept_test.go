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

var keep = flag.Bool("keep", false, "keep a database of this program's schema in testdata/kept, before it is closed")

// A kept database is a zip with the data directory, a mirror of its log and, for PostgreSQL, a
// dump.
const (
	keptData   = "data"
	keptMirror = "mirror"
	keptDump   = "database.sql"
)

// A database of an older version can be migrated and used. Its books and log hold, and so does an
// older mirror.
func TestAnOlderDatabaseGoesOn(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			if *keep {
				keepDatabase(t, engine)
			}
			kept, err := filepath.Glob("testdata/kept/*-" + engine + ".zip")
			if err != nil || len(kept) == 0 {
				t.Fatalf("no database is kept: %v", err)
			}
			for _, file := range kept {
				t.Run(filepath.Base(file), func(t *testing.T) { goOn(t, engine, file) })
			}
		})
	}
}

func goOn(t *testing.T, engine, file string) {
	folder := t.TempDir()
	unpack(t, file, folder)
	config := apptest.Config(t, engine)
	config.Data = filepath.Join(folder, keptData)
	config.Now = func() time.Time { return time.Now().Add(3 * 24 * time.Hour) } // after the day whose books were closed early
	if engine == "postgres" {
		config.DatabaseURL = dbtest.Database(t, "template0")
		dbtest.PostgresTool(t, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", filepath.Join(folder, keptDump), config.DatabaseURL)
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
	namesAreFound(t, s)
	ann, ben := s.SignIn(t), s.SignIn(t)
	ann.Deposit(t, 100)
	ben.Deposit(t, 100)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	if body := string(ann.Get(t, "/api/packs/2").Body); !strings.Contains(body, `"nameZh":"宝可梦"`) {
		t.Errorf("the migration gave pack 2 no Chinese name: %s", body)
	}
	ann.Post(t, "/api/packs/2/open", asked{"clientSeed": "later"}).Want(t, http.StatusOK, &opened)
	entry := opened.Items[0].InventoryID
	ann.Post(t, "/api/marketplace/list", asked{"inventoryId": entry, "priceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/marketplace/buy", asked{"inventoryId": entry}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
	s.VerifyLog(t)
	s.Audit(t)
	mirror := filepath.Join(folder, keptMirror)
	if _, _, err := verify.Mirror(t.Context(), s.URL, mirror, "", func(int64, int64) {}); err != nil {
		t.Fatalf("go on with the mirror: %v", err)
	}
	if report, err := verify.Log(t.Context(), verify.Options{Location: mirror}); err != nil || report.Fault != nil {
		t.Errorf("the mirror does not hold: %v %v", err, report)
	}
}

// namesAreFound fails the test unless the search index has every item name as this version folds
// it.
func namesAreFound(t *testing.T, s *apptest.Server) {
	t.Helper()
	type named struct{ name, search string }
	scan := func(s db.Scanner) (n named, err error) { return n, s.Scan(&n.name, &n.search) }
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		items, err := db.All(tx, scan, `SELECT name, search FROM items`)
		for _, i := range items {
			if want := searchtext.Index(i.name); i.search != want {
				t.Errorf("%q is found by %q, want %q", i.name, i.search, want)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func unpack(t *testing.T, file, folder string) {
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

// keepDatabase writes the database of a server on which every kind of act was done.
func keepDatabase(t *testing.T, engine string) {
	folder := t.TempDir()
	config := apptest.Config(t, engine)
	config.Data = filepath.Join(folder, keptData)
	if engine == "postgres" {
		config.DatabaseURL = dbtest.Database(t, "template0")
	}
	s := apptest.Start(t, config)
	newWorld(t, s)
	if _, _, err := verify.Mirror(t.Context(), s.URL, filepath.Join(folder, keptMirror), "", func(int64, int64) {}); err != nil {
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
		dbtest.PostgresTool(t, "pg_dump", "--no-owner", "--no-privileges", "--file", filepath.Join(folder, keptDump), config.DatabaseURL)
	}
	pack(t, folder, fmt.Sprintf("testdata/kept/%05d-%s.zip", version, engine))
}

func pack(t *testing.T, folder, file string) {
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
