package redemptions_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/redemptions"
)

func keyring(s *apptest.Server) redemptions.Keyring {
	return redemptions.Keyring{Path: filepath.Join(s.Config.Data, "address.key")}
}

// jobRunner returns a function that runs the claims' jobs once.
func jobRunner(s *apptest.Server) func(t *testing.T) {
	service := &redemptions.Service{DB: s.DB, Keys: keyring(s)}
	return func(t *testing.T) {
		t.Helper()
		for _, job := range service.Jobs() {
			if _, err := job.Do(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The key is rotated while users claim and read their claims. Every address must stay readable, and
// in the end none may be encrypted with the old key. KAIBAO_ADDRESSES sets the number of addresses.
func TestKeyRotationUnderLoad(t *testing.T) {
	count := 300
	if text := os.Getenv("KAIBAO_ADDRESSES"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		first := ann.Claim(t, entries[0])
		insertCopies(t, s, first, count)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if own := apptest.Get[claim](t, ann, "/api/redemptions/"+first); own.Delivery == nil {
						t.Error("an address can't be read during the rotation")
					}
				}
			}
		})
		start := time.Now()
		if err := keyring(s).AddKey(rand.Reader); err != nil {
			t.Fatal(err)
		}
		resealed, err := redemptions.Reseal(t.Context(), s.DB, keyring(s))
		if err != nil || resealed != int64(count)+1 {
			t.Errorf("%d addresses re-encrypted: %v", resealed, err)
		}
		t.Logf("%d addresses in %s", resealed, time.Since(start))
		second := ann.Claim(t, entries[1])
		close(stop)
		readers.Wait()
		var keys int64
		read(t, s, func(tx *db.Tx) (err error) {
			keys, err = db.One(tx, db.Column[int64], `SELECT COUNT(DISTINCT key_id) FROM claim_addresses`)
			return err
		})
		if keys != 1 {
			t.Errorf("addresses use %d keys", keys)
		}
		// The new key is enough for all addresses; the old key isn't.
		text, err := os.ReadFile(keyring(s).Path)
		lines := strings.Fields(string(text))
		if err != nil || len(lines) != 2 {
			t.Fatalf("%d keys: %v", len(lines), err)
		}
		newKey := redemptions.Keyring{Setting: lines[0]}
		oldKey := redemptions.Keyring{Setting: lines[1]}
		if newKey.Check(t.Context(), s.DB) != nil || oldKey.Check(t.Context(), s.DB) == nil {
			t.Error("want the new key to be enough, and the old key not")
		}
		if own := apptest.Get[claim](t, ann, "/api/redemptions/"+second); own.Delivery == nil {
			t.Error("a newer claim can't be read")
		}
	})
}

// insertCopies inserts copies of a claim with dummy addresses.
func insertCopies(t *testing.T, s *apptest.Server, sourceClaim string, count int) {
	t.Helper()
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		rows, addresses := db.Rows{Columns: []string{"id", "user_id", "state", "shipping_cents", "message", "signature", "version", "created_at"}}, []string{}
		user, err := db.One(tx, db.Column[string], `SELECT user_id FROM claims WHERE id = $1`, sourceClaim)
		if err != nil {
			return err
		}
		for i := range count {
			id := dbtest.ID(fmt.Sprintf("copy-%d", i))
			rows.Add(db.ID(id), db.ID(user), "requested", int64(0), "", "", int64(1), int64(0))
			addresses = append(addresses, id)
		}
		if err := tx.InsertRows("claims", rows); err != nil {
			return err
		}
		return redemptions.SealForTest(tx, keyring(s), addresses)
	})
	if err != nil {
		t.Fatal(err)
	}
}
