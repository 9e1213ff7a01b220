package keyring

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
)

// testKey returns a key of repeated hex digits.
func testKey(digits string) string { return strings.Repeat(digits, 32) }

// keyFile is a node's file of seed keys.
type keyFile struct {
	t    *testing.T
	path string
}

func newKeyFile(t *testing.T, texts ...string) keyFile {
	f := keyFile{t, filepath.Join(t.TempDir(), "seed.key")}
	f.write(texts...)
	return f
}

func (f keyFile) write(texts ...string) {
	f.t.Helper()
	if err := os.WriteFile(f.path, []byte(strings.Join(texts, "\n")), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f keyFile) load() *Ring {
	f.t.Helper()
	ring, err := Load(keys.Source{Kind: keys.Seed, Path: f.path})
	if err != nil {
		f.t.Fatal(err)
	}
	return ring
}

func fingerprintOf(t *testing.T, text string) string {
	t.Helper()
	fingerprint, err := keys.Fingerprint(keys.Seed, text)
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint
}

// startNode adds a node with the keys of a file, and returns them and a function that reads the file
// again.
func startNode(t *testing.T, d *db.DB, f keyFile) (set *Set, refresh func() error) {
	t.Helper()
	set = newSet(t, f)
	registry, err := nodes.Register(t.Context(), d, f.path, "test", set.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	return set, func() error { _, err := registry.Jobs()[0].Do(t.Context()); return err }
}

func newSet(t *testing.T, f keyFile) *Set {
	t.Helper()
	load := func(source keys.Source) *Ring {
		ring, err := Load(source)
		if err != nil {
			t.Fatal(err)
		}
		return ring
	}
	log := keys.Source{Kind: keys.Log, Setting: "PRIVATE+KEY+kaibao.log/test+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}
	return &Set{
		Log: load(log), Seeds: f.load(), Addresses: load(keys.Source{Kind: keys.Address, Setting: testKey("ad")}),
		LogInUse: func(*db.Tx) ([]string, error) { return nil, nil },
	}
}

func inTx(t *testing.T, d *db.DB, do func(tx *db.Tx) error) {
	t.Helper()
	if err := d.InTx(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

func promote(t *testing.T, d *db.DB, fingerprint string) (lacking []nodes.Node) {
	t.Helper()
	inTx(t, d, func(tx *db.Tx) (err error) { lacking, err = Promote(tx, keys.Seed, fingerprint); return err })
	return lacking
}

func sealing(t *testing.T, d *db.DB, ring *Ring) (fingerprint string) {
	t.Helper()
	inTx(t, d, func(tx *db.Tx) error {
		queued, err := ring.QueueSealing(tx)()
		if err != nil {
			return err
		}
		locked, err := ring.Sealing(tx)
		if queued.Fingerprint != locked.Fingerprint {
			t.Errorf("%s encrypts changed rows, %s new ones", queued.Fingerprint, locked.Fingerprint)
		}
		fingerprint = locked.Fingerprint
		return err
	})
	return fingerprint
}

// A key encrypts only after all running nodes have loaded it. The older one stays readable until it
// is retired, and can't be used again.
func TestRotation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		oldKey, newKey := testKey("01"), testKey("02")
		older, newer := fingerprintOf(t, oldKey), fingerprintOf(t, newKey)
		first, second := newKeyFile(t, oldKey), newKeyFile(t, oldKey)
		inTx(t, d, func(tx *db.Tx) error { return first.load().Initialize(tx) })
		firstSet, refreshFirst := startNode(t, d, first)
		secondSet, refreshSecond := startNode(t, d, second)

		first.write(oldKey, newKey)
		if err := refreshFirst(); err != nil {
			t.Fatal(err)
		}
		if lacking := promote(t, d, newer); len(lacking) != 1 || lacking[0].Address != second.path {
			t.Errorf("%v lack the new key, want the second node", lacking)
		}
		if got := sealing(t, d, firstSet.Seeds); got != older {
			t.Errorf("%s encrypts before all nodes have the new key, want %s", got, older)
		}

		second.write(newKey, oldKey) // the order doesn't matter
		if err := refreshSecond(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a killed command is repeated
			if lacking := promote(t, d, newer); len(lacking) != 0 {
				t.Errorf("%v lack the new key, want none", lacking)
			}
		}
		for _, set := range []*Set{firstSet, secondSet} {
			if got := sealing(t, d, set.Seeds); got != newer {
				t.Errorf("%s encrypts, want the new key %s", got, newer)
			}
		}

		first.write(newKey)
		if err := refreshFirst(); err == nil || !strings.Contains(err.Error(), older) {
			t.Errorf("a node forgot a key that rows still need: %v", err)
		}
		if _, ok := firstSet.Seeds.Find(older); !ok || firstSet.Ready() != nil {
			t.Errorf("the node must keep the loaded key and stay ready: %v", firstSet.Ready())
		}
		if _, err := nodes.Register(t.Context(), d, "third", "test", newSet(t, first).Refresh); err == nil || !strings.Contains(err.Error(), older) {
			t.Errorf("a node started without a key that rows still need: %v", err)
		}

		inTx(t, d, func(tx *db.Tx) error {
			retired, err := Retire(tx, keys.Seed)
			if !slices.Equal(retired, []string{older}) {
				t.Errorf("%v were retired, want %s", retired, older)
			}
			return err
		})
		if err := refreshFirst(); err != nil {
			t.Fatal(err)
		}
		if _, ok := firstSet.Seeds.Find(older); ok {
			t.Error("the retired key is still loaded, although it isn't in the file")
		}
		inTx(t, d, func(tx *db.Tx) error {
			uses, err := ReadUses(tx, keys.Seed)
			if at, ok := uses.RetiredAt(older); !ok || time.Since(at) > time.Hour || !slices.Equal(uses.InUse, []string{newer}) {
				t.Errorf("the keys in use are %+v", uses)
			}
			return err
		})
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := Promote(tx, keys.Seed, older); return err }); err == nil {
			t.Error("a retired key is used again")
		}
	})
}

// An unusable file changes nothing while the node runs.
func TestBrokenFileKeepsLoadedKeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		file := newKeyFile(t, testKey("01"))
		inTx(t, d, func(tx *db.Tx) error { return file.load().Initialize(tx) })
		set, refresh := startNode(t, d, file)
		for name, text := range map[string]string{"nonsense": "5ecre7", "empty": "\n", "another key": testKey("02")} {
			file.write(text)
			if err := refresh(); err == nil || !strings.Contains(err.Error(), file.path) || strings.Contains(err.Error(), "5ecre7") {
				t.Errorf("%s: %v", name, err)
			}
			if got := sealing(t, d, set.Seeds); got != fingerprintOf(t, testKey("01")) || set.Ready() != nil {
				t.Errorf("%s: the key %s encrypts, ready: %v", name, got, set.Ready())
			}
		}
		if err := os.Remove(file.path); err != nil {
			t.Fatal(err)
		}
		if err := refresh(); err == nil {
			t.Error("a missing file isn't reported")
		}
		file.write(testKey("01"), testKey("02"))
		if err := refresh(); err != nil || len(set.Seeds.Keys()) != 2 {
			t.Errorf("the repaired file isn't used: %v", err)
		}
	})
}

// A node that missed a rotation, such as one that couldn't reach the database, isn't ready and
// encrypts nothing.
func TestNodeThatMissedARotation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		file := newKeyFile(t, testKey("01"))
		inTx(t, d, func(tx *db.Tx) error { return file.load().Initialize(tx) })
		set, refresh := startNode(t, d, file)
		newer := fingerprintOf(t, testKey("02"))
		inTx(t, d, func(tx *db.Tx) error { return prefer(tx, keys.Seed, newer) })
		if err := refresh(); err == nil || !strings.Contains(err.Error(), newer) {
			t.Errorf("the missing key isn't reported: %v", err)
		}
		if err := set.Ready(); !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("the node is ready without the key: %v", err)
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := set.Seeds.QueueSealing(tx)(); return err }); !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("the node encrypts with an older key: %v", err)
		}
		file.write(testKey("01"), testKey("02"))
		if err := errors.Join(refresh(), set.Ready()); err != nil {
			t.Error(err)
		}
	})
}

// A database that begins with several keys uses the first, and those that rows are encrypted with. The
// others are older: no rotation must go back to them.
func TestOtherKeysOfANewDatabaseAreRetired(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ring := newKeyFile(t, testKey("01"), testKey("02"), testKey("03")).load()
		first, used, older := fingerprintOf(t, testKey("01")), fingerprintOf(t, testKey("02")), fingerprintOf(t, testKey("03"))
		for range 2 { // the second start changes nothing
			inTx(t, d, func(tx *db.Tx) error { return ring.Initialize(tx, used) })
		}
		inTx(t, d, func(tx *db.Tx) error {
			uses, err := ReadUses(tx, keys.Seed)
			if _, ok := uses.RetiredAt(older); !ok || len(uses.Retired) != 1 || !slices.Equal(uses.InUse, []string{first, used}) {
				t.Errorf("the keys in use are %+v", uses)
			}
			return err
		})
	})
}

// A rotation waits for transactions that are inserting encrypted rows, which it can't see yet.
func TestPromotionWaitsForNewRows(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite has a single writer")
		return
	}
	d := dbtest.Open(t, dbtest.Options(t, "postgres"))
	file := newKeyFile(t, testKey("01"))
	inTx(t, d, func(tx *db.Tx) error { return file.load().Initialize(tx) })
	file.write(testKey("01"), testKey("02"))
	ring := file.load()
	promoted := make(chan struct{})
	inTx(t, d, func(tx *db.Tx) error {
		if _, err := ring.Sealing(tx); err != nil {
			return err
		}
		go func() {
			promote(t, d, fingerprintOf(t, testKey("02")))
			close(promoted)
		}()
		for waiting := false; !waiting; {
			var err error
			waiting, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`)
			if err != nil {
				return err
			}
		}
		select {
		case <-promoted:
			t.Error("the rotation didn't wait")
		default:
		}
		return nil
	})
	<-promoted
	if got := sealing(t, d, ring); got != fingerprintOf(t, testKey("02")) {
		t.Errorf("%s encrypts after the rotation", got)
	}
}

func TestSealedTextIsBound(t *testing.T) {
	ring := newKeyFile(t, testKey("01"), testKey("02")).load()
	sealed := ring.Keys()[1].Seal([]byte("text"), []byte("context"))
	text, key, err := ring.Open(sealed, []byte("context"))
	if err != nil || string(text) != "text" || key.Fingerprint != ring.Keys()[1].Fingerprint {
		t.Errorf("opened %q with the key %s: %v", text, key.Fingerprint, err)
	}
	if _, _, err := ring.Open(sealed, []byte("another context")); err == nil {
		t.Error("the text can be opened in another context")
	}
	if _, _, err := newKeyFile(t, testKey("03")).load().Open(sealed, []byte("context")); err == nil {
		t.Error("the text can be opened with another key")
	}
}
