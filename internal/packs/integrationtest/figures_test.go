package integrationtest_test

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
)

type storePack struct {
	pack
	SoldOut          bool
	TopItem          *item
	BeatsPriceChance float64
	CashBackCents    *int64
	Approximate      bool
	Distribution     struct {
		Buckets []struct {
			LowCents, HighCents int64
			Chance              float64
		}
		MedianCents int64
	}
}

type packCard struct {
	Item       item
	ValueCents int64
	Chance     float64
}

// allCards reads a pack's cards page by page.
func allCards(t *testing.T, c *apptest.Client, pack, query string) (cards []packCard) {
	t.Helper()
	for cursor := ""; ; {
		answer := c.Get(t, "/api/packs/"+pack+"/cards?limit=50&cursor="+url.QueryEscape(cursor)+query)
		var page []packCard
		answer.Want(t, http.StatusOK, &page)
		cards = append(cards, page...)
		cursor = answer.Header.Get("X-Next-Cursor")
		if cursor == "" {
			if total := answer.Header.Get("X-Total-Count"); total != fmt.Sprint(len(cards)) {
				t.Errorf("pack %s has %d cards, X-Total-Count is %s", pack, len(cards), total)
			}
			return cards
		}
	}
}

// The figures of every pack agree with the chances of its cards, the cards with the manifest.
func TestStoreFiguresOfEveryPack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for _, listed := range apptest.Get[[]storePack](t, c, "/api/packs") {
			p := apptest.Get[storePack](t, c, "/api/packs/"+listed.ID)
			if p.BeatsPriceChance != listed.BeatsPriceChance || *p.CashBackCents != *listed.CashBackCents || p.TopItem.ID != listed.TopItem.ID {
				t.Errorf("pack %s differs from the list: %+v, %+v", p.ID, p, listed)
			}
			checkFiguresOf(t, p, checkCards(t, c, p))
		}
	})
}

// checkCards compares the cards with the manifest, and returns them.
func checkCards(t *testing.T, c *apptest.Client, p storePack) []packCard {
	t.Helper()
	text := c.Get(t, "/api/fairness/manifests/"+p.ManifestHash)
	m, err := protocol.ParseManifest(text.Body)
	if err != nil {
		t.Fatal(err)
	}
	values, cards, sum := map[string]int64{}, allCards(t, c, p.ID, ""), 0.0
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			values[card.ID] = int64(card.Value)
		}
	}
	for n, card := range cards {
		sum += card.Chance
		if value, ok := values[card.Item.ID]; !ok || value != card.ValueCents || card.Item.BaseValueCents != value || card.Chance <= 0 || card.Item.Name == "" {
			t.Errorf("pack %s: card %+v, its value in the manifest is %d", p.ID, card, value)
		}
		if math.Abs(card.Chance-protocol.ChanceOf(m, nil, card.Item.ID)) > 1e-12 {
			t.Errorf("pack %s: the chance of %s is %v", p.ID, card.Item.ID, card.Chance)
		}
		if n > 0 && (cards[n-1].ValueCents < card.ValueCents || cards[n-1].ValueCents == card.ValueCents && cards[n-1].Item.ID >= card.Item.ID) {
			t.Errorf("pack %s: card %d isn't in order", p.ID, n)
		}
		delete(values, card.Item.ID)
	}
	for id := range values {
		if protocol.ChanceOf(m, nil, id) > 0 {
			t.Errorf("pack %s: card %s isn't listed", p.ID, id)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the chances of pack %s add up to %v", p.ID, sum)
	}
	return cards
}

// checkFiguresOf computes the chance of every total of an open, cent by cent.
func checkFiguresOf(t *testing.T, p storePack, cards []packCard) {
	t.Helper()
	totals := map[int64]float64{0: 1}
	averageSellBack := 0.0
	for range p.ItemsPerPack {
		next := map[int64]float64{}
		for _, card := range cards {
			for total, chance := range totals {
				next[total+card.ValueCents] += chance * card.Chance
			}
			averageSellBack += card.Chance * float64(card.ValueCents*90/100)
		}
		totals = next
	}
	atLeast := func(value int64) (sum float64) {
		for total, chance := range totals {
			if total >= value {
				sum += chance
			}
		}
		return sum
	}
	if math.Abs(p.BeatsPriceChance-atLeast(p.PriceCents)) > 1e-9 || math.Abs(float64(*p.CashBackCents)-averageSellBack) > 0.51 {
		t.Errorf("pack %s: beats the price %v, want %v; returns %d, want %v", p.ID, p.BeatsPriceChance, atLeast(p.PriceCents), *p.CashBackCents, averageSellBack)
	}
	median := p.Distribution.MedianCents
	if atLeast(median) < 0.5-1e-9 || atLeast(median+1) > 0.5+1e-9 {
		t.Errorf("pack %s: %d isn't the median", p.ID, median)
	}
	fromPrice := 0.0
	for _, b := range p.Distribution.Buckets {
		want := atLeast(b.LowCents)
		if b.HighCents > 0 {
			want -= atLeast(b.HighCents)
		}
		if math.Abs(b.Chance-want) > 1e-9 {
			t.Errorf("pack %s: bucket %+v, want %v", p.ID, b, want)
		}
		if b.LowCents >= p.PriceCents {
			fromPrice += b.Chance
		}
	}
	if math.Abs(fromPrice-p.BeatsPriceChance) > 1e-9 || p.Approximate {
		t.Errorf("pack %s: the buckets from the price on have chance %v, want %v; approximate %v", p.ID, fromPrice, p.BeatsPriceChance, p.Approximate)
	}
	if p.TopItem == nil || p.TopItem.ID != cards[0].Item.ID || p.TopItem.BaseValueCents != cards[0].ValueCents {
		t.Errorf("pack %s: the top item is %+v, want %+v", p.ID, p.TopItem, cards[0])
	}
}

func TestPackCardsAreSearchedByWords(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		cards := allCards(t, c, "2", "")
		words := strings.Fields(cards[0].Item.Name)
		search := strings.ToLower(words[len(words)-1] + " " + words[0])
		found := allCards(t, c, "2", "&search="+url.QueryEscape(search))
		if !slices.Contains(found, cards[0]) || len(found) == len(cards) {
			t.Errorf("%q finds %d of %d cards, and not %s", search, len(found), len(cards), cards[0].Item.Name)
		}
		for _, card := range found {
			if !strings.Contains(strings.ToLower(card.Item.Name), strings.ToLower(words[0])) {
				t.Errorf("%q finds %s", search, card.Item.Name)
			}
		}
		if none := allCards(t, c, "2", "&search=nothing-like-it"); len(none) != 0 {
			t.Errorf("a search without matches finds %v", none)
		}
		c.Get(t, "/api/packs/2/cards?cursor=x").Refused(t, http.StatusUnprocessableEntity, "invalid")
		c.Get(t, "/api/packs/none/cards").Refused(t, http.StatusNotFound, "not_found")
		first := c.Get(t, "/api/packs/2/cards")
		if again := c.Get(t, "/api/packs/2/cards", "If-None-Match", first.Header.Get("ETag")); again.Status != http.StatusNotModified {
			t.Errorf("status %d for a known ETag", again.Status)
		}
	})
}

// With one copy left of each card, every open takes a card off the list and changes the chances of the
// others, until the pack is sold out.
func TestFiguresFollowTheStock(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		s.MakeInstant(t, "8", clock)
		c := s.SignIn(t)
		c.Deposit(t, 10_000)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE stock SET remaining = 1 WHERE pack_id = '8'`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		left := len(allCards(t, c, "8", ""))
		for n := 0; left > 0; n++ {
			var opened struct{ Items []item }
			c.Post(t, "/api/packs/8/open", apptest.Body{"clientSeed": fmt.Sprint(n)}).Want(t, http.StatusOK, &opened)
			left--
			cards := allCards(t, c, "8", "")
			sum := 0.0
			for _, card := range cards {
				sum += card.Chance
				if card.Item.ID == opened.Items[0].ID {
					t.Fatalf("%s is listed, although it is gone", card.Item.Name)
				}
			}
			if len(cards) != left || left > 0 && math.Abs(sum-1) > 1e-12 {
				t.Fatalf("%d cards with chances that add up to %v, want %d", len(cards), sum, left)
			}
		}
		p := apptest.Get[storePack](t, c, "/api/packs/8")
		if !p.SoldOut || p.TopItem != nil || p.BeatsPriceChance != 0 || *p.CashBackCents != 0 || len(p.Distribution.Buckets) != 0 {
			t.Errorf("the sold-out pack has figures: %+v", p)
		}
		var demo struct {
			Item   item
			Chance float64
		}
		c.Get(t, "/api/packs/8/demo").Want(t, http.StatusOK, &demo)
		if demo.Item.Name == "" || demo.Chance <= 0 {
			t.Errorf("the demo of the sold-out pack draws %+v", demo)
		}
	})
}

// The house rule decides how demo opens draw. Each has the card's chance in the real pack, and moves no
// points.
func TestDemoOpens(t *testing.T) {
	for profile, uniform := range map[string]bool{"open": true, "uk-strict": false, "cn": false} {
		t.Run(profile, func(t *testing.T) {
			apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
				checkDemo(t, s.NewClient(t), uniform)
			}, apptest.Profile(profile))
		})
	}
}

func checkDemo(t *testing.T, c *apptest.Client, uniform bool) {
	t.Helper()
	cards := allCards(t, c, "7", "")
	counts, chances := make([]int64, len(cards)), make([]float64, len(cards))
	for n, card := range cards {
		chances[n] = card.Chance
		if uniform {
			chances[n] = 1 / float64(len(cards))
		}
	}
	for range 1500 {
		var demo struct {
			Item   item
			Chance float64
		}
		c.Get(t, "/api/packs/7/demo").Want(t, http.StatusOK, &demo)
		n := slices.IndexFunc(cards, func(card packCard) bool { return card.Item.ID == demo.Item.ID })
		if n < 0 || cards[n].Chance != demo.Chance || cards[n].Item != demo.Item {
			t.Fatalf("the demo draws %+v", demo)
		}
		counts[n]++
	}
	for n := len(chances) - 1; n > 0; n-- { // the test needs 5 expected draws in each class
		if chances[n]*1500 < 5 {
			chances[n-1], counts[n-1] = chances[n-1]+chances[n], counts[n-1]+counts[n]
			chances, counts = slices.Delete(chances, n, n+1), slices.Delete(counts, n, n+1)
		}
	}
	if _, _, p, ok := protocol.ChiSquare(counts, chances); !ok || p < 1e-6 {
		t.Errorf("demo draws %v don't follow the chances %v: p = %v", counts, chances, p)
	}
}
