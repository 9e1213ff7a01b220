package opening_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
)

// exec runs a statement directly on the server's database.
func exec(t *testing.T, s *apptest.Server, query string) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(query)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func queryInt(t *testing.T, s *apptest.Server, query string, args ...any) (n int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSupplyIsNotOversold(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		exec(t, s, `UPDATE packs SET supply = 7 WHERE id = '3'`)
		publish(t, s, "3")
		buyers := make([]*apptest.Client, 20)
		for i := range buyers {
			buyers[i] = s.SignIn(t)
			buyers[i].Deposit(t, 25)
		}
		got := callConcurrently(t, len(buyers), func(i int) apptest.Answer { return buyers[i].Post(t, "/api/packs/3/open", body("x")) })
		if got[http.StatusOK] != 7 || got[http.StatusGone] != 13 {
			t.Errorf("statuses are %v, want seven 200 and thirteen 410", got)
		}
		var paid int
		for _, b := range buyers {
			if balance(t, b) == 0 {
				paid++
			}
		}
		var pack struct{ Sold, Supply int64 }
		buyers[0].Get(t, "/api/packs/3").Want(t, http.StatusOK, &pack)
		if paid != 7 || pack.Sold != 7 || pack.Supply != 7 {
			t.Errorf("%d buyers paid and the pack sold %d of %d, want 7, 7 and 7", paid, pack.Sold, pack.Supply)
		}
		buyers[0].Deposit(t, 25)
		buyers[0].Post(t, "/api/packs/3/open", body("x")).Refused(t, http.StatusGone, "sold_out")
		s.Audit(t)
	})
}

// Fourteen toys with a stock of one each, and twenty concurrent buyers: each toy is pulled once,
// and replaying the draws by drawSeq from the published stock gives the same result.
func TestFiniteStockRunsOutAndCanBeReplayed(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		s.MakeInstant(t, "8", clock)
		reduceStockToOne(t, s, "8")
		clock.Advance(s.Config.ManifestDelay)
		buyers := make([]*apptest.Client, 20)
		for i := range buyers {
			buyers[i] = s.SignIn(t)
			buyers[i].Deposit(t, 450)
		}
		opened := make([]result, len(buyers))
		got := callConcurrently(t, len(buyers), func(i int) apptest.Answer {
			answer := buyers[i].Post(t, "/api/packs/8/open", body(fmt.Sprint(i)))
			if answer.Status == http.StatusOK {
				answer.Want(t, http.StatusOK, &opened[i])
			}
			return answer
		})
		if got[http.StatusOK] != 14 || got[http.StatusGone] != 6 {
			t.Fatalf("statuses are %v, want fourteen 200 and six 410", got)
		}
		bySeq := map[int64]result{}
		for _, r := range opened {
			if r.OpenID != "" {
				bySeq[r.DrawSeq] = r
			}
		}
		stock := protocol.Stock{}
		for seq := int64(4); seq <= 17; seq++ { // 1 to 3 are the publications
			r, ok := bySeq[seq]
			if !ok {
				t.Fatalf("no open has drawSeq %d, want one", seq)
			}
			leaf := verifyOpen(t, buyers[0], r, stock)
			stock[leaf.Items[0].Card] = 0
		}
		if left := queryInt(t, s, `SELECT SUM(remaining) FROM stock`); len(stock) != 14 || left != 0 {
			t.Errorf("%d different toys were pulled and %d are left, want 14 and none", len(stock), left)
		}
		s.Audit(t)
	})
}

// reduceStockToOne reduces each card's stock in a pack to one.
func reduceStockToOne(t *testing.T, s *apptest.Server, pack string) {
	t.Helper()
	p := s.Shop(t)
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		stock, err := packs.Stock(tx, pack)
		if err != nil {
			return err
		}
		var restocks []protocol.Restock
		for _, card := range slices.Sorted(maps.Keys(stock)) {
			restocks = append(restocks, protocol.Restock{Card: card, Count: 1 - stock[card]})
		}
		return p.Publish(tx, pack, restocks...)
	}); err != nil {
		t.Fatal(err)
	}
}

// publish announces the pack's current manifest, as the server would.
func publish(t *testing.T, s *apptest.Server, pack string) {
	t.Helper()
	p := s.Shop(t)
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return p.Publish(tx, pack) }); err != nil {
		t.Fatal(err)
	}
}

func TestManifestsTakeEffectAndExpireOnTime(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.SignIn(t)
		c.Deposit(t, 1000)
		before := open(t, c, "2", body("x")).ManifestHash

		s.SetValue(t, s.Admin(t), "pkm-001", 21943)
		publish(t, s, "2") // nothing has changed since: no new publication
		if n := queryInt(t, s, `SELECT COUNT(*) FROM publications WHERE pack_id = '2'`); n != 2 {
			t.Fatalf("the pack has %d publications, want 2", n)
		}
		var after string
		openWith := func(manifest string) apptest.Answer {
			return c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x", "manifest": manifest})
		}
		manifestOf := func(answer apptest.Answer) string {
			var r result
			answer.Want(t, http.StatusOK, &r)
			return r.ManifestHash
		}

		clock.Advance(9*time.Minute + 59*time.Second)
		if got := manifestOf(openWith("")); got != before {
			t.Errorf("the new manifest was used before it took effect")
		}
		clock.Advance(time.Second)
		after = manifestOf(openWith(""))
		if after == before {
			t.Errorf("the new manifest is not used ten minutes after its announcement")
		}
		if got := manifestOf(openWith(before)); got != before {
			t.Errorf("the replaced manifest is not used right after the change")
		}
		clock.Advance(9*time.Minute + 59*time.Second)
		if got := manifestOf(openWith(before)); got != before {
			t.Errorf("the replaced manifest is not used within ten minutes")
		}
		clock.Advance(time.Second)
		openWith(before).Refused(t, http.StatusConflict, "manifest_changed")
		if got := manifestOf(openWith(after)); got != after {
			t.Errorf("the manifest in force is not used")
		}
		s.Audit(t)
	})
}

// Opening by a replaced manifest costs that manifest's price, and the response shows the balance
// after it.
func TestReplacedManifestKeepsItsPrice(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		before := open(t, c, "2", body("x"))
		s.Admin(t).Call(t, http.MethodPatch, "/api/admin/packs/2", map[string]any{"priceCents": 2600}).Want(t, http.StatusOK, nil)
		clock.Advance(10 * time.Minute)
		for n, manifest := range []string{before.ManifestHash, ""} {
			request := map[string]any{"clientSeed": "x", "manifest": manifest}
			r := open(t, c, "2", request)
			if price := []int64{2500, 2600}[n]; r.PriceCents != price || r.BalanceCents != balance(t, c) {
				t.Errorf("opened by manifest %q, the price is %d and the balance %d, want %d and %d", manifest, r.PriceCents, r.BalanceCents, price, balance(t, c))
			}
		}
		s.Audit(t)
	})
}

func TestManifestIsRefusedBeforeItTakesEffect(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		s.SetValue(t, s.Admin(t), "pkm-001", 21943)
		var announced packs.Hash
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			hash, err := db.One(tx, db.Column[[]byte], `SELECT hash FROM publications WHERE pack_id = '2' ORDER BY effective_at DESC LIMIT 1`)
			announced = packs.Hash(hash)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x", "manifest": announced.String()}).
			Refused(t, http.StatusConflict, "manifest_changed")
	})
}

func TestInactivePackCannotBeOpened(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		exec(t, s, `UPDATE packs SET is_active = FALSE WHERE id = '1'`)
		c.Post(t, "/api/packs/1/open", body("x")).Refused(t, http.StatusGone, "inactive")
	})
}

// An open that reaches the accepted loss of a pack with negative margin makes the margin guard block
// the pack.
func TestMarginGuardBlocksPackAtAcceptedLoss(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		// Only toys worth $6,000 or more are left, so the first draw causes the loss.
		exec(t, s, `UPDATE stock SET remaining = 0 WHERE item_id NOT IN (SELECT id FROM items WHERE base_value_cents >= 600000)`)
		exec(t, s, `UPDATE packs SET accepted_loss_cents = 100000 WHERE id = '8'`)
		c := s.SignIn(t)
		c.Deposit(t, 900)
		c.OpenSealed(t, "8", "x")
		c.Post(t, "/api/packs/8/open", body("x")).Refused(t, http.StatusGone, "inactive")
		var pack struct{ IsActive bool }
		c.Get(t, "/api/packs/8").Want(t, http.StatusOK, &pack)
		if pack.IsActive || balance(t, c) != 45000 {
			t.Errorf("the pack's isActive is %v and the balance %d, want false and 45000", pack.IsActive, balance(t, c))
		}
	})
}

func TestUnusedSeedsAreEncrypted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		var sealed []byte
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			sealed, err = db.One(tx, db.Column[[]byte], `SELECT sealed_seed FROM accounts`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for start := range len(sealed) - 31 {
			if now := commitment(t, c).Commitment; fmt.Sprintf("%x", protocol.Commitment([32]byte(sealed[start:start+32]))) == now {
				t.Fatal("the seed is stored unencrypted")
			}
		}
	})
}
