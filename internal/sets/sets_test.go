package sets

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// A cart holds the 50 cheapest cards; of the others, those for sale and those not for sale are counted.
func TestFinishingTakesTheCheapest(t *testing.T) {
	asks, missing := map[string]match.LowestAsk{}, []string{"unsold"}
	for i := range 60 {
		id := fmt.Sprintf("card-%02d", i)
		missing = append(missing, id)
		asks[id] = match.LowestAsk{Entry: "entry of " + id, Price: money.Cents(100 - i)}
	}
	f := finishing(missing, asks)
	if len(f.lines) != policy.MaxCartSize || f.more != 10 || !slices.Equal(f.notForSale, []string{"unsold"}) {
		t.Fatalf("%d lines, %d more, %v not for sale", len(f.lines), f.more, f.notForSale)
	}
	if first, last := f.lines[0], f.lines[policy.MaxCartSize-1]; first.item != "card-59" || first.Price != 41 || last.item != "card-10" || last.Price != 90 {
		t.Errorf("the lines are from %+v to %+v", first, last)
	}
}

// It keeps the same copy as the page's selection of duplicates: one that can't be sold, else one in the
// vault, else the one with the lowest offer, else the oldest.
func TestSellableDuplicates(t *testing.T) {
	now := time.Now()
	copyOf := func(item, id string, state inventory.State, vaulted bool, value money.Cents) inventory.Entry {
		return inventory.Entry{ID: id, Owner: "ann", Item: catalogue.Item{ID: item}, State: state, Vaulted: vaulted, QuoteValue: value}
	}
	for _, c := range []struct {
		name   string
		copies []inventory.Entry
		want   []string
	}{
		{"one copy", []inventory.Entry{copyOf("a", "1", inventory.Held, false, 100)}, nil},
		{"a listed one stays", []inventory.Entry{copyOf("a", "1", inventory.Held, true, 100), copyOf("a", "2", inventory.Listed, false, 100)}, []string{"1"}},
		{"a claimed one stays", []inventory.Entry{copyOf("a", "1", inventory.Claimed, true, 100), copyOf("a", "2", inventory.Held, false, 100)}, []string{"2"}},
		{"one in the vault stays", []inventory.Entry{copyOf("a", "1", inventory.Held, false, 100), copyOf("a", "2", inventory.Held, true, 200)}, []string{"1"}},
		{"the cheapest stays", []inventory.Entry{copyOf("a", "1", inventory.Held, false, 200), copyOf("a", "2", inventory.Held, false, 100)}, []string{"1"}},
		{"of equal ones the oldest stays", []inventory.Entry{copyOf("a", "2", inventory.Held, false, 100), copyOf("a", "1", inventory.Held, false, 100)}, []string{"2"}},
		{"none of two listed ones", []inventory.Entry{copyOf("a", "1", inventory.Listed, false, 1), copyOf("a", "2", inventory.Listed, false, 1)}, nil},
		{"other items don't count", []inventory.Entry{copyOf("a", "1", inventory.Held, false, 1), copyOf("b", "2", inventory.Held, false, 1)}, nil},
	} {
		var got []string
		for _, e := range sellableDuplicates(c.copies, "ann", now) {
			got = append(got, e.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v are to be sold, want %v", c.name, got, c.want)
		}
	}
}
