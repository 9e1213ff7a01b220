package integrationtest_test

import (
	"errors"
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
)

func TestNodeNotReadyOnOldDatabase(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.WaitForLog(t)
		c := s.NewClient(t)
		c.Get(t, "/log/checkpoint").Want(t, http.StatusOK, nil)
		c.Get(t, "/readyz").Want(t, http.StatusOK, nil)
		change(t, s.DB, `UPDATE log_tree SET size = 1, signed_size = 1`)
		c.Get(t, "/log/checkpoint").Refused(t, http.StatusServiceUnavailable, "log_forked")
		for c.Get(t, "/readyz").Status == http.StatusOK {
			if t.Context().Err() != nil {
				t.Fatal("the node is still ready")
			}
		}
		c.Get(t, "/readyz").Refused(t, http.StatusServiceUnavailable, "log_forked")
	})
}

// In a database other than the one it signed, whether older or diverged, a node changes nothing,
// reveals no seed and shows no commitment, from the first call on. Back in its own database it
// continues.
func TestForkedDatabaseRefusesEverything(t *testing.T) {
	for name, swap := range map[string]func(testing.TB, *db.DB){
		"an older one": func(t testing.TB, d *db.DB) {
			change(t, d, `UPDATE log_tree SET size = size - 1, signed_size = signed_size - 1`)
		},
		"one with another end": func(t testing.TB, d *db.DB) { change(t, d, `UPDATE log_tree SET root = $1`, make([]byte, 32)) },
		"a diverged one": func(t testing.TB, d *db.DB) {
			change(t, d, `UPDATE log_tiles SET hashes = $1 WHERE level = 0 AND number = 0`, make([]byte, 64*32))
			change(t, d, `UPDATE log_tree SET size = 64`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, s *apptest.Server) {
				c := s.SignIn(t)
				c.Deposit(t, 100)
				var opened struct {
					Items []struct{ InventoryID string }
				}
				c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusOK, &opened)
				s.WaitForLog(t)
				entry := opened.Items[0].InventoryID
				acts := map[string]any{
					"/api/packs/2/open":          map[string]any{"clientSeed": "seed"},
					"/api/wallet/deposit/manual": map[string]any{"amount": 5},
					"/api/inventory/vault":       map[string]any{"inventoryId": entry},
					"/api/marketplace/list":      map[string]any{"inventoryId": entry, "priceCents": 500, "confirmedCents": 500},
				}
				back := remember(t, s.DB)
				swap(t, s.DB)
				for path, body := range acts {
					c.Post(t, path, body, "Idempotency-Key", path).Refused(t, http.StatusServiceUnavailable, "log_forked")
				}
				c.Get(t, "/api/fairness/commitment").Refused(t, http.StatusServiceUnavailable, "log_forked")
				back()
				var wallet struct{ BalanceCents int }
				c.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
				if wallet.BalanceCents != 75_00 {
					t.Errorf("after the refusals the balance is %d", wallet.BalanceCents)
				}
				for _, path := range []string{"/api/packs/2/open", "/api/wallet/deposit/manual", "/api/inventory/vault", "/api/marketplace/list"} {
					c.Post(t, path, acts[path], "Idempotency-Key", path).Want(t, http.StatusOK, nil)
				}
				s.WaitForLog(t)
				s.Audit(t)
			})
		})
	}
}

// remember saves the tree and returns a function that restores it.
func remember(t testing.TB, d *db.DB) (back func()) {
	t.Helper()
	type tree struct {
		size, signed int64
		root, tile   []byte
	}
	scan := func(s db.Scanner) (h tree, err error) { return h, s.Scan(&h.size, &h.signed, &h.root, &h.tile) }
	var kept tree
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		kept, err = db.One(tx, scan, `SELECT size, signed_size, root, hashes FROM log_tree JOIN log_tiles ON level = 0 AND number = 0`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		// In one transaction: with only the tiles restored, the tree would look as if it had grown,
		// and the node would sign it.
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(tx.ExecOne(`UPDATE log_tiles SET hashes = $1 WHERE level = 0 AND number = 0`, kept.tile),
				tx.ExecOne(`UPDATE log_tree SET size = $1, signed_size = $2, root = $3`, kept.size, kept.signed, kept.root))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func change(t testing.TB, d *db.DB, query string, args ...any) {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return tx.ExecOne(query, args...) }); err != nil {
		t.Fatal(err)
	}
}
