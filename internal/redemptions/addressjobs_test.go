package redemptions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/redemptions"
)

// addressKeys loads the server's address keys.
func addressKeys(t testing.TB, s *apptest.Server) *keyring.Ring {
	t.Helper()
	ring, err := keyring.Load(keys.Source{Kind: keys.Address, Path: filepath.Join(s.Config.Data, "address.key")})
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// jobRunner returns a function that runs the claims' jobs once.
func jobRunner(t *testing.T, s *apptest.Server) func(t *testing.T) {
	service := &redemptions.Service{DB: s.DB, Keys: addressKeys(t, s)}
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
		s.AddKey(t, keys.Address)
		start := time.Now()
		rotation := s.RotateKeys(t, keys.Address)
		if rotation.Resealed != int64(count)+1 || len(rotation.Retired) != 1 {
			t.Fatalf("%+v", rotation)
		}
		t.Logf("%d addresses in %s", rotation.Resealed, time.Since(start))
		second := ann.Claim(t, entries[1])
		close(stop)
		readers.Wait()
		read(t, s, func(tx *db.Tx) error {
			used, err := redemptions.UsedKeys(tx)
			if err != nil || !slices.Equal(used, []string{rotation.Key}) {
				t.Errorf("addresses use the keys %v, want only %s: %v", used, rotation.Key, err)
			}
			return nil
		})
		// The new key is enough for all addresses, and comes first in the file.
		if loaded := addressKeys(t, s).Keys(); len(loaded) != 2 || loaded[0].Fingerprint != rotation.Key || loaded[1].Fingerprint != rotation.Retired[0] {
			t.Errorf("the file has %d keys", len(loaded))
		}
		if s.RemoveKey(t, rotation.Key) == nil {
			t.Error("the current key was removed")
		}
		if err := s.RemoveKey(t, rotation.Retired[0]); err != nil {
			t.Error(err)
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
		return redemptions.SealForTest(tx, addressKeys(t, s).First(), addresses)
	})
	if err != nil {
		t.Fatal(err)
	}
}
