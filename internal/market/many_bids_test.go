package market_test

import (
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// bidCountVariable names the environment variable for the number of competing bids. Results for
// 10,000 and 100,000 are in docs/performance.md.
const bidCountVariable = "KAIBAO_BIDS"

func bidCount(t *testing.T) int {
	t.Helper()
	size, err := strconv.Atoi(os.Getenv(bidCountVariable))
	if err != nil {
		size = 700
	}
	return size
}

// insertUsers creates users with one dollar each.
func insertUsers(t *testing.T, s *apptest.Server, size int) (users []string) {
	t.Helper()
	for done := 0; done < size; done += 1000 {
		var some []string
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			some = nil
			people := db.Rows{Columns: []string{"id", "wallet_address", "tag", "tag_salt", "created_at"}}
			accounts := db.Rows{Columns: []string{"user_id", "nonce", "commitment", "sealed_seed"}}
			var given []ledger.Transfer
			for range min(1000, size-done) {
				id := tx.NewID()
				some = append(some, id)
				people.Add(db.ID(id), id, id, []byte{}, int64(0))
				accounts.Add(db.ID(id), int64(0), []byte(id), []byte{})
				given = append(given, ledger.Transfer{Debit: ledger.Sandbox, Credit: ledger.Account(id), Amount: 100, Kind: "sandbox-deposit", Ref: id})
			}
			if err := tx.InsertRows("users", people); err != nil {
				return err
			}
			if err := tx.InsertRows("accounts", accounts); err != nil {
				return err
			}
			_, err := ledger.Move(tx, given...)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		users = append(users, some...)
	}
	return users
}

// insertBids stores an open bid for each user directly in the database.
func insertBids(t *testing.T, s *apptest.Server, users []string, bid func(n int) (bids.Scope, bids.Price)) {
	t.Helper()
	number := 0
	for some := range slices.Chunk(users, 1000) {
		first := number
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			batch, err := ledger.LockBatch(tx, some)
			if err != nil {
				return err
			}
			placed := make([]bids.Bid, len(some))
			for n, user := range some {
				b := bids.Bid{ID: tx.NewID(), User: user, Quantity: 1, Remaining: 1, Place: tx.NewID(), State: bids.Open, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(policy.BidLife)}
				b.Scope, b.Price = bid(first + n)
				placed[n], err = b.TakeHold(batch, tx.NewID())
				if err != nil {
					return err
				}
			}
			if err := batch.Save(); err != nil {
				return err
			}
			return bids.Insert(tx, placed...)
		}); err != nil {
			t.Fatal(err)
		}
		number += len(some)
	}
	if s.DB.Engine() == "postgres" { // autovacuum would do this after a while
		exec(t, s, "ANALYZE")
	}
}

func elapsed(act func()) time.Duration {
	begun := time.Now()
	act()
	return time.Since(begun)
}

// Selling back an entry with many bids is as fast as without, and other users can trade while the
// bids are ended.
func TestSellBackOfEntryWithManyBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, others := newCollector(t, s, "Ben")
		lone, wanted := mostValuable(owned), owned[1]
		if lone.ID == wanted.ID {
			wanted = owned[0]
		}
		users := insertUsers(t, s, bidCount(t))
		insertBids(t, s, users, func(int) (bids.Scope, bids.Price) { return bids.Scope{Entry: lone.ID}, bids.Price{Max: 50} })
		sellBack := func(id string) time.Duration {
			return elapsed(func() {
				ann.Post(t, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": []string{id}}).Want(t, http.StatusOK, nil)
			})
		}
		alone, sold := sellBack(wanted.ID), sellBack(lone.ID)
		var longest time.Duration
		ended := elapsed(func() {
			for countOpenBids(t, s) > 0 {
				longest = max(longest, elapsed(func() { listEntry(t, ben, others[0].ID, 5000) }), elapsed(func() {
					ben.Post(t, "/api/marketplace/delist", apptest.Body{"inventoryId": others[0].ID}).Want(t, http.StatusOK, nil)
				}))
			}
		})
		t.Logf("%d bids: sell-back took %s, without bids %s; all bids ended after %s, listings in between took at most %s", len(users), sold, alone, ended, longest)
		wantMoneyReturned(t, s, users)
	})
}

// wantMoneyReturned checks that the users have their full balance again.
func wantMoneyReturned(t *testing.T, s *apptest.Server, users []string) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		short, err := db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM accounts WHERE `+tx.InList("user_id", "$1")+` AND (balance_cents <> 100 OR in_bids_cents <> 0)`, db.List(users))
		if err != nil || short > 0 {
			t.Errorf("%d users didn't get their money back (%v)", short, err)
		}
		breaches, err := bids.Audit(tx)
		for _, b := range breaches {
			t.Errorf("%s: %s: %s", b.Rule, b.Row, b.Detail)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func mostValuable(owned []entry) entry {
	return slices.MaxFunc(owned, func(a, b entry) int { return int(a.Item.BaseValueCents - b.Item.BaseValueCents) })
}

// openPacks opens more packs of five and returns all entries the user owns.
func openPacks(t *testing.T, c *apptest.Client, packs int) []entry {
	t.Helper()
	for range packs {
		c.Deposit(t, 25)
		c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	}
	return get[[]entry](t, c, "/api/inventory/me?limit=200")
}

// A quote for more entries than one quick sell takes is computed batch by batch, and counts each
// bid only once.
func TestQuoteCountsEachBidOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, _ := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		var ids []string
		series := ""
		for _, e := range openPacks(t, ann, 21) {
			ids, series = append(ids, e.ID), e.Item.Series
		}
		placeBid(t, ben, apptest.Body{"scope": apptest.Body{"series": series}, "pegPercent": 120, "capCents": 5000, "confirmedCents": 5000})
		quote := func(ids []string) (total int64, bids int) {
			offers := post[struct {
				TotalCents int64
				Lines      []struct{ Best string }
			}](t, ann, "/api/inventory/quotes", apptest.Body{"inventoryIds": ids})
			for _, l := range offers.Lines {
				if l.Best == "bid" {
					bids++
				}
			}
			return offers.TotalCents, bids
		}
		total, bought := quote(ids)
		_, first := quote(ids[:100])
		_, rest := quote(ids[100:])
		if bought != 1 || first+rest != 2 {
			t.Errorf("a bid for one item is quoted for %d of %d entries, or in two requests for %d and %d", bought, len(ids), first, rest)
		}
		var sold int64
		for lot := range slices.Chunk(ids, 100) {
			sold += post[struct{ PayoutCents int64 }](t, ann, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": lot}).PayoutCents
		}
		if sold != total {
			t.Errorf("sold for %d, quoted %d", sold, total)
		}
		s.Audit(t)
	})
}

// The best bid for one or a hundred entries is found despite many bids with higher percentages and
// low caps.
func TestBestBidFoundAmongManyCappedBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		all := openPacks(t, ann, 19)
		of := mostValuable(owned).Item
		look := func() (best money.Cents, one, many time.Duration) {
			var offers struct {
				Lines []struct{ BestBidCents money.Cents }
			}
			ask := func(ids ...string) {
				ann.Post(t, "/api/inventory/quotes", apptest.Body{"inventoryIds": ids}).Want(t, http.StatusOK, &offers)
			}
			one = time.Hour
			for range 5 {
				one = min(one, elapsed(func() { ask(mostValuable(owned).ID) }))
			}
			best = offers.Lines[0].BestBidCents
			ids := make([]string, len(all))
			for n, e := range all {
				ids[n] = e.ID
			}
			return best, one, elapsed(func() { ask(ids...) })
		}
		users := insertUsers(t, s, bidCount(t)+1)
		insertBids(t, s, users[:1], func(int) (bids.Scope, bids.Price) {
			return bids.Scope{Item: of.ID}, bids.Price{Peg: protocol.MinPeg, Max: 90}
		})
		_, oneBefore, manyBefore := look()
		for name, scope := range map[string]bids.Scope{"the item": {Item: of.ID}, "the series": {Criterion: bids.Criterion{Series: of.Series}}} {
			insertBids(t, s, users[1:], func(n int) (bids.Scope, bids.Price) {
				return scope, bids.Price{Peg: protocol.MinPeg + 1 + money.Percent(n)%(protocol.MaxPeg-protocol.MinPeg), Max: 50}
			})
			best, one, many := look()
			if want := min(money.Cents(of.BaseValueCents).Share(protocol.MinPeg), 90); best != want {
				t.Errorf("best bid %s, want %s", best, want)
			}
			t.Logf("%d bids for %s ahead of the best: one entry took %s (%s without), %d entries took %s (%s)", len(users)-1, name, one, oneBefore, len(all), many, manyBefore)
		}
	})
}
