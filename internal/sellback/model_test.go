package sellback_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

const boxPrice = 20_00

// addBox adds a pack with two each of four cards worth $10 and of a grail worth $100. Once the
// cheap cards are gone, every roll yields a grail.
func addBox(t *testing.T, s *apptest.Server) *packs.Service {
	t.Helper()
	shop := &packs.Service{DB: s.DB, Delay: s.Config.ManifestDelay}
	low := []string{"box-1", "box-2", "box-3", "box-4"}
	box := packs.Pack{
		ID: "box", Name: "Box", Series: []string{"Box"}, Price: boxPrice, ItemsPerPack: 1, Supply: packs.Unlimited, OddsUnit: 1000,
		Definition: packs.Definition{InitialStock: 2, Tiers: []packs.TierRule{
			{Label: "low", Weight: 900, Items: low}, {Label: "grail", Weight: 100, Items: []string{"box-9"}},
		}},
	}
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for _, id := range append(slices.Clone(low), "box-9") {
			i := catalogue.Item{ID: id, Series: "Box", Name: "Box card " + id, Rarity: "Rare", BaseValue: 10_00, Active: true}
			if id == "box-9" {
				i.BaseValue = 100_00
			}
			if err := catalogue.Add(tx, i, ""); err != nil {
				return err
			}
		}
		if err := shop.Add(tx, box); err != nil {
			return err
		}
		return shop.Activate(tx, "box", nil)
	}); err != nil {
		t.Fatal(err)
	}
	return shop
}

// valuation is a value in an item's history. A raised value counts for quotes from countsFrom.
type valuation struct {
	cents      int64
	countsFrom time.Time
}

// modelEntry is an entry in the model.
type modelEntry struct {
	owner   int
	state   string // held, listed or sold-back
	item    string
	fromBox bool
	price   int64 // while listed
	vaulted bool
	pulled  int64
	until   time.Time // of the floor; zero for a buyer
}

// model is a simple reference implementation that predicts the result of each act.
type model struct {
	*rand.Rand
	*testing.T
	server   *apptest.Server
	clock    *dbtest.Clock
	shop     *packs.Service
	admin    *apptest.Client
	users    []*apptest.Client
	balances []int64
	entries  map[string]*modelEntry
	order    []string // entry IDs in a fixed order, so that random choices depend only on the seed
	values   map[string][]valuation
	stock    map[string]int64
	counts   map[string]int
}

func (m *model) value(item string) int64 {
	history := m.values[item]
	last := len(history) - 1
	for history[last].countsFrom.After(m.clock.Now()) {
		last--
	}
	lowest := history[last].cents
	for _, v := range history[last:] {
		lowest = min(lowest, v.cents)
	}
	return lowest
}

func (m *model) quote(e *modelEntry) int64 {
	now := m.value(e.item) * 90 / 100
	if m.clock.Now().Before(e.until) {
		return max(now, e.pulled*90/100)
	}
	return now
}

// entryIDs returns the ids of the matching entries.
func (m *model) entryIDs(matches func(*modelEntry) bool) (ids []string) {
	for _, id := range m.order {
		if matches(m.entries[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m *model) randomEntry(matches func(*modelEntry) bool) (string, bool) {
	ids := m.entryIDs(matches)
	if len(ids) == 0 {
		return "", false
	}
	return ids[m.IntN(len(ids))], true
}

func (m *model) post(user int, path string, body payload, into any) {
	m.Helper()
	m.users[user].Post(m.T, path, body).Want(m.T, http.StatusOK, into)
}

// paused reports whether a draw from the box is expected to pay back more than it costs, by the
// current and announced manifests.
func (m *model) paused() (paused, soldOut bool) {
	err := m.server.DB.Read(m.Context(), func(tx *db.Tx) error {
		bodies, err := db.All(tx, db.Column[string], `SELECT m.body FROM publications p JOIN manifests m ON m.hash = p.hash
			WHERE p.pack_id = 'box' AND p.number >= (SELECT MAX(number) FROM publications WHERE pack_id = 'box' AND effective_at <= $1) ORDER BY p.number`, db.Micros(tx.Now))
		if err != nil {
			return err
		}
		highest := map[string]money.Cents{}
		var current *protocol.Manifest
		for n, body := range bodies {
			parsed, err := protocol.ParseManifest([]byte(body))
			if err != nil {
				return err
			}
			if n == 0 {
				current = parsed
			}
			for _, tier := range parsed.Tiers {
				for _, card := range tier.Cards {
					highest[card.ID] = max(highest[card.ID], card.Value)
				}
			}
		}
		stock := protocol.Stock(maps.Clone(m.stock))
		expected := protocol.ExpectedValueBy(current, stock, func(c protocol.Card) money.Cents { return highest[c.ID] })
		paused, soldOut = policy.SellBack(expected) > boxPrice, protocol.SoldOut(current, stock)
		return nil
	})
	if err != nil {
		m.Fatal(err)
	}
	return paused, soldOut
}

func (m *model) open(pack string, price int64) {
	user := m.IntN(len(m.users))
	paused, soldOut := false, false
	if pack == "box" {
		paused, soldOut = m.paused()
	}
	var p openResponse
	answer := m.users[user].Post(m.T, "/api/packs/"+pack+"/open", payload{"clientSeed": fmt.Sprint(m.Uint64())})
	switch {
	case paused:
		answer.Refused(m.T, http.StatusGone, "inactive")
		m.counts["refused by the guard"]++
		return
	case soldOut:
		answer.Refused(m.T, http.StatusGone, "sold_out")
		return
	}
	answer.Want(m.T, http.StatusOK, &p)
	m.balances[user] -= price
	for _, i := range p.Items {
		m.entries[i.InventoryID] = &modelEntry{
			owner: user, state: "held", item: i.ID, fromBox: pack == "box", pulled: i.BaseValueCents, until: m.clock.Now().Add(24 * time.Hour),
		}
		m.order = append(m.order, i.InventoryID)
		if pack == "box" {
			m.stock[i.ID]--
		}
	}
}

func (m *model) sellBack() {
	id, ok := m.randomEntry(func(e *modelEntry) bool { return e.state == "held" })
	if !ok {
		return
	}
	owner := m.entries[id].owner
	ids := m.entryIDs(func(e *modelEntry) bool { return e.state == "held" && e.owner == owner })
	m.Shuffle(len(ids), func(a, b int) { ids[a], ids[b] = ids[b], ids[a] })
	ids = ids[:1+m.IntN(min(4, len(ids)))]
	var want int64
	for _, id := range ids {
		want += m.quote(m.entries[id])
	}
	if quoted := quote(m.T, m.users[owner], ids...); quoted.TotalCents != want {
		m.Fatalf("quoted %+v, want %d", quoted, want)
	}
	m.users[owner].Post(m.T, "/api/inventory/sell-back", payload{"inventoryIds": ids, "minPayoutCents": want + 1}).Refused(m.T, http.StatusConflict, "price_changed")
	var got sellBackResponse
	m.post(owner, "/api/inventory/sell-back", payload{"inventoryIds": ids, "minPayoutCents": want}, &got)
	m.balances[owner] += want
	for n, id := range ids {
		e := m.entries[id]
		if got.Sold[n].PayoutCents != m.quote(e) || got.BalanceCents != m.balances[owner] {
			m.Fatalf("sold %+v, want %d for %s", got, m.quote(e), id)
		}
		e.state = "sold-back"
		if e.fromBox {
			m.stock[e.item]++
		}
	}
	m.counts["sold back"] += len(ids)
}

func (m *model) revalue() {
	item := slices.Sorted(maps.Keys(m.stock))[m.IntN(len(m.stock))]
	if id, ok := m.randomEntry(func(e *modelEntry) bool { return e.state == "held" }); ok && m.IntN(2) == 0 {
		item = m.entries[id].item
	}
	cents := m.values[item][0].cents * (50 + m.Int64N(150)) / 100
	m.server.SetValue(m.T, m.admin, item, cents)
	m.values[item] = append(m.values[item], valuation{cents, m.clock.Now().Add(2 * m.server.Config.ManifestDelay)})
}

func (m *model) list() {
	id, ok := m.randomEntry(func(e *modelEntry) bool { return e.state == "held" })
	if !ok {
		return
	}
	e := m.entries[id]
	e.state, e.price = "listed", 1+m.Int64N(50_00)
	m.post(e.owner, "/api/marketplace/list", payload{"inventoryId": id, "priceCents": e.price, "confirmedCents": e.price}, nil)
	m.users[e.owner].Post(m.T, "/api/inventory/sell-back", payload{"inventoryIds": []string{id}}).Refused(m.T, http.StatusConflict, "already_listed")
}

func (m *model) buy() {
	id, ok := m.randomEntry(func(e *modelEntry) bool { return e.state == "listed" })
	if !ok {
		return
	}
	e := m.entries[id]
	if m.IntN(4) == 0 {
		m.post(e.owner, "/api/marketplace/delist", payload{"inventoryId": id}, nil)
		e.state = "held"
		return
	}
	buyer := (e.owner + 1) % len(m.users)
	m.post(buyer, "/api/marketplace/buy", payload{"inventoryId": id, "expectedPriceCents": e.price}, nil)
	m.balances[buyer] -= e.price
	m.balances[e.owner] += e.price - int64(protocol.FirstRates.Fee(protocol.TradeListing, money.Cents(e.price)))
	e.owner, e.state, e.until = buyer, "held", time.Time{}
	m.counts["bought"]++
}

func (m *model) vault() {
	if id, ok := m.randomEntry(func(e *modelEntry) bool { return e.state == "held" && !e.vaulted }); ok {
		m.post(m.entries[id].owner, "/api/inventory/vault", payload{"inventoryId": id}, nil)
		m.entries[id].vaulted = true
	}
}

func (m *model) restock() {
	card := fmt.Sprint("box-", 1+m.IntN(4))
	err := m.server.DB.InTx(m.Context(), func(tx *db.Tx) error {
		return m.shop.Publish(tx, "box", protocol.Restock{Card: card, Count: 1})
	})
	if err != nil {
		m.Fatal(err)
	}
	m.stock[card]++
}

// wait advances the clock by some hours and signs everyone in again.
func (m *model) wait() {
	m.clock.Advance(time.Duration(m.IntN(12)) * time.Hour)
	for _, c := range append(slices.Clone(m.users), m.admin) {
		c.SignIn(m.T)
	}
}

// check compares the server with the model and runs the audit.
func (m *model) check() {
	m.Helper()
	for n, c := range m.users {
		if got := balance(m.T, c); got != m.balances[n] {
			m.Fatalf("user %d: balance %d, want %d", n, got, m.balances[n])
		}
	}
	stock := map[string]int64{}
	if err := m.server.DB.Read(m.Context(), func(tx *db.Tx) error {
		left, err := packs.Stock(tx, "box")
		maps.Copy(stock, left)
		return err
	}); err != nil {
		m.Fatal(err)
	}
	if !maps.Equal(stock, m.stock) {
		m.Fatalf("stock %v, want %v", stock, m.stock)
	}
	m.server.Audit(m.T)
	m.checkBooks()
}

// checkBooks compares the public books, a minute later, with the model's sums.
func (m *model) checkBooks() {
	m.Helper()
	m.clock.Advance(time.Minute)
	var users, worst, entries int64
	for _, held := range m.balances {
		users += held
	}
	for _, e := range m.entries {
		if e.state != "sold-back" {
			entries++
			worst += m.quote(e)
		}
	}
	got := apptest.Get[struct {
		Points   struct{ OutstandingCents, SoldBack int64 }
		Ledger   struct{ UsersCents, BalanceCents int64 }
		Exposure struct{ Entries, WorstCents int64 }
	}](m.T, m.users[0], "/api/books")
	if got.Ledger.UsersCents != users || got.Ledger.BalanceCents != 0 || got.Points.OutstandingCents != users ||
		got.Points.SoldBack != int64(m.counts["sold back"]) || got.Exposure.Entries != entries || got.Exposure.WorstCents != worst {
		m.Fatalf("books %+v, want user balances %d, %d entries and worst-case payouts %d", got, users, entries, worst)
	}
}

// After any sequence of acts, balances and stock match the model. Packs refuse opens only if they
// are sold out or expected to pay back more than they cost. The audit passes after each step, and
// the log's replay passes at the end.
func TestServerMatchesModel(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		m := &model{
			Rand: rand.New(rand.NewPCG(4, 3)), T: t, server: s, clock: clock, shop: addBox(t, s), admin: s.Admin(t), counts: map[string]int{},
			entries: map[string]*modelEntry{}, values: map[string][]valuation{}, stock: map[string]int64{},
		}
		for range 3 {
			c := s.SignIn(t)
			c.Deposit(t, 5000)
			m.users, m.balances = append(m.users, c), append(m.balances, 5000_00)
		}
		for _, i := range apptest.Get[[]struct {
			ID             string
			BaseValueCents int64
		}](t, m.admin, "/api/items?series=Box") {
			m.values[i.ID] = []valuation{{i.BaseValueCents, clock.Now()}}
			m.stock[i.ID] = 2
		}
		for _, i := range apptest.Get[[]struct {
			ID             string
			BaseValueCents int64
		}](t, m.admin, "/api/items?series=Starter&limit=200") {
			m.values[i.ID] = []valuation{{i.BaseValueCents, clock.Now()}}
		}
		acts := []func(){
			func() { m.open("box", boxPrice) }, func() { m.open("box", boxPrice) }, func() { m.open("box", boxPrice) },
			func() { m.open("box", boxPrice) }, func() { m.open("demo-pack-1", 25_00) }, m.sellBack, m.sellBack, m.revalue, m.list, m.buy, m.vault, m.restock,
			func() { clock.Advance(time.Duration(1+m.IntN(12)) * time.Minute) }, m.wait,
		}
		for range 60 {
			acts[m.IntN(len(acts))]()
			m.check()
		}
		t.Log(m.counts)
		if m.counts["sold back"] == 0 {
			t.Error("nothing was sold back")
		}
		s.VerifyLog(t)
	})
}
