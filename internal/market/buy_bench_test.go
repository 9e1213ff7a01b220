package market_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
)

// BenchmarkBuying measures the time per listing when one transaction, commit included, buys many
// listings among many users.
func BenchmarkBuying(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		for _, size := range []int{1, 32, 256} {
			b.Run(fmt.Sprintf("%s/%d", engine, size), func(b *testing.B) {
				s := apptest.Start(b, apptest.Config(b, engine))
				traders := newTraders(b, s, size)
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					if n%size != 0 {
						continue
					}
					b.StopTimer()
					orders := traders.offer(b, s)
					b.StartTimer()
					if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error {
						outcomes, err := (&match.Service{Sandbox: true}).Buy(tx, orders)
						for _, o := range outcomes {
							err = errors.Join(err, o.Err)
						}
						return err
					}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// traders are users in a ring and the entries they trade, at most one each.
type traders struct {
	users, entries []string
	next           map[string]string
}

func newTraders(b *testing.B, s *apptest.Server, entries int) *traders {
	b.Helper()
	t := &traders{next: map[string]string{}}
	for range max(2, entries) {
		c := s.SignIn(b)
		c.Deposit(b, 10_000)
		c.Post(b, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(b, http.StatusOK, nil)
		t.users = append(t.users, apptest.Get[struct{ ID string }](b, c, "/api/auth/user").ID)
		t.entries = append(t.entries, apptest.Get[[]struct{ ID string }](b, c, "/api/inventory/me")[0].ID)
	}
	for n, user := range t.users {
		t.next[user] = t.users[(n+1)%len(t.users)]
	}
	t.entries = t.entries[:entries]
	return t
}

// offer lists the entries and returns the orders in which each is bought by its owner's neighbor.
func (t *traders) offer(b *testing.B, s *apptest.Server) (orders []match.Order) {
	b.Helper()
	if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error {
		orders = nil
		found, err := inventory.LockAll(tx, t.entries)
		if err != nil {
			return err
		}
		acts := inventory.NewActBatch(tx, found)
		for _, id := range t.entries {
			owner := found[id].Owner
			e, err := acts.Do(id, inventory.Event{Act: inventory.Listing, By: owner, Price: 100, Ref: tx.NewID()})
			if err != nil {
				return err
			}
			orders = append(orders, match.Order{Buyer: t.next[owner], Entry: e.ID, Price: e.SalePrice})
		}
		return acts.Save()
	}); err != nil {
		b.Fatal(err)
	}
	return orders
}
