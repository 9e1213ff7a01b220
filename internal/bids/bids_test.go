package bids_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

func TestPegIsRoundedDownAndCapped(t *testing.T) {
	for _, c := range []struct {
		price bids.Price
		value money.Cents
		want  money.Cents
	}{
		{bids.Price{Max: 500}, 1, 500},
		{bids.Price{Peg: 90, Max: 500}, 101, 90},
		{bids.Price{Peg: 90, Max: 500}, 1000, 500},
		{bids.Price{Peg: 50, Max: 500}, 1, 0},
		{bids.Price{Peg: 120, Max: policy.MaxPrice}, policy.MaxPrice, policy.MaxPrice},
	} {
		if got := c.price.For(c.value); got != c.want {
			t.Errorf("%+v at a value of %s is %s, want %s", c.price, c.value, got, c.want)
		}
	}
}

// Best finds the best bids for entries of any value, however many other bids there are.
func TestBestFindsTheBestBids(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			var now time.Time
			all := insertRandomBids(t, rt, d, &now)
			var items []catalogue.Item
			var queries []bids.Query
			for range rapid.IntRange(1, 3).Draw(rt, "items") {
				item := randomItem(rt)
				item.BaseValue = money.Cents(rapid.Int64Range(0, 2000).Draw(rt, "value"))
				items = append(items, item)
				queries = append(queries, bids.Query{Keys: bids.KeysFor("e", item), Value: item.BaseValue, Limit: rapid.IntRange(1, 20).Draw(rt, "limit")})
			}
			var found []bids.Bid
			if err := d.InTx(t.Context(), func(tx *db.Tx) (err error) {
				tx.Now = now
				found, err = bids.Best(tx, queries)
				if err == nil {
					_, err = tx.Exec(`DELETE FROM bids`)
				}
				return err
			}); err != nil {
				rt.Fatal(err)
			}
			for n, item := range items {
				want := best(all, item, now, queries[n].Limit)
				if got := best(found, item, now, queries[n].Limit); !slices.EqualFunc(got, want, func(a, b bids.Bid) bool { return a.ID == b.ID }) {
					rt.Fatalf("best bids are %+v, want %+v, of %+v", got, want, all)
				}
			}
		})
	})
}

// best returns the best open bids that cover the item, by comparing all of them.
func best(all []bids.Bid, item catalogue.Item, now time.Time, limit int) (found []bids.Bid) {
	for _, b := range all {
		if b.Scope.Covers("e", item) && b.IsOpen(now) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b bids.Bid) int { return bids.Compare(a, b, item.BaseValue) })
	return found[:min(len(found), limit)]
}

// insertRandomBids inserts random bids, each by its own user.
func insertRandomBids(t *testing.T, rt *rapid.T, d *db.DB, now *time.Time) (all []bids.Bid) {
	number := rapid.IntRange(0, 60).Draw(rt, "bids")
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		all, *now = nil, tx.Now
		for range number {
			id := tx.NewID()
			if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $2, $3, 0)`, id, id, []byte{}); err != nil {
				return err
			}
			if err := ledger.CreateAccount(tx, id, ledger.Seed{Commitment: []byte(id), Sealed: []byte{}}); err != nil {
				return err
			}
			b := bids.Bid{
				ID: tx.NewID(), User: id, Scope: randomScope(rt), Quantity: 1, Remaining: 1, Place: tx.NewID(), Hold: tx.NewID(), State: bids.Open,
				CreatedAt: tx.Now.Add(-time.Hour), ExpiresAt: tx.Now.Add(time.Duration(rapid.IntRange(-1, 3).Draw(rt, "left")) * time.Second),
				Price: bids.Price{Max: money.Cents(rapid.Int64Range(50, 2000).Draw(rt, "price"))},
			}
			if b.Scope.Entry == "" && b.Scope.Item == "" || rapid.Bool().Draw(rt, "pegged") {
				b.Price.Peg = money.Percent(rapid.Int64Range(50, 54).Draw(rt, "peg"))
			}
			all = append(all, b)
		}
		return bids.Insert(tx, all...)
	}); err != nil {
		rt.Fatal(err)
	}
	return all
}
