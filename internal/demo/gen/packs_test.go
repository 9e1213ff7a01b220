package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func readPacks(t *testing.T) map[string]pack {
	t.Helper()
	packs := map[string]pack{}
	for _, p := range read[[]pack](t, "packs.json") {
		packs[p.ID] = p
	}
	return packs
}

func TestPacksMatchSpecification(t *testing.T) {
	packs := readPacks(t)
	if len(packs) != 10 {
		t.Errorf("%d packs, want 8 and two demo packs", len(packs))
	}
	want := []struct {
		id, name      string
		price, listed int64
		isNew         bool
	}{
		{"1", "Basketball", 2500, 2500, false}, {"2", "Pokemon", 2500, 2500, false}, {"3", "One Piece", 2500, 2500, false},
		{"4", "Football", 2500, 2500, false}, {"5", "Soccer", 2500, 2500, false}, {"6", "Baseball", 2500, 2500, false},
		{"7", "Labubu Base Box", 4000, 4000, true}, {"8", "Labubu Deluxe Box", 45000, 45000, true},
	}
	for _, w := range want {
		p := packs[w.id]
		if p.Name != w.name || p.PriceCents != w.price || p.ListedExpectedCents != w.listed || p.IsNew != w.isNew {
			t.Errorf("pack %s is %q, %d, %d, new %v", w.id, p.Name, p.PriceCents, p.ListedExpectedCents, p.IsNew)
		}
		if p.ItemsPerPack != 1 || p.Supply != -1 {
			t.Errorf("pack %s has %d items per pack and a supply of %d", w.id, p.ItemsPerPack, p.Supply)
		}
	}
	for _, id := range []string{"demo-pack-1", "demo-pack-2"} {
		p := packs[id]
		if p.PriceCents != 2500 || p.ItemsPerPack != 5 || p.LootTable == nil || *p.LootTable != (lootTable{rarityShares{0.6, 0.25, 0.1, 0.04, 0.01}, 5}) {
			t.Errorf("%s: %+v", id, p)
		}
	}
}

func TestOddsMatchSpecification(t *testing.T) {
	packs := readPacks(t)
	usual := "[298 392 231 72 14 2]"
	want := map[string]string{"1": usual, "2": usual, "3": "[298 392 231 72 16 0]", "4": usual, "5": usual, "6": usual,
		"7": "[3233 3233 3233 300]", "8": "[65 25 8 2]"}
	for id, weights := range want {
		var got []int64
		for _, tier := range packs[id].Tiers {
			got = append(got, tier.Weight)
		}
		if fmt.Sprint(got) != weights {
			t.Errorf("pack %s has weights %v, want %s", id, got, weights)
		}
	}
}

func TestExpectedValues(t *testing.T) {
	bySeries := readItems(t)
	for id, p := range readPacks(t) {
		value := p.expectedCents(bySeries[p.Series[0]])
		limits := boundsOf(p)
		if math.IsNaN(value) || value < limits.low || limits.high > 0 && value > limits.high {
			t.Errorf("pack %s: expected value %.2f cents, want %v", id, value, limits)
		}
	}
}

func TestNamedItemsMatchTheirTier(t *testing.T) {
	packs := readPacks(t)
	for _, id := range []string{"7", "8"} {
		p := packs[id]
		values := map[string]int64{}
		for _, it := range readItems(t)[p.Series[0]] {
			values[it.ID] = it.BaseValueCents
		}
		for _, tier := range p.Tiers {
			for _, item := range tier.Items {
				value, known := values[item]
				if !known || value < tier.LowCents || tier.HighCents > 0 && value >= tier.HighCents {
					t.Errorf("pack %s, tier %s: %s is worth %d, known %v", id, tier.Label, item, value, known)
				}
				delete(values, item)
			}
		}
		if len(values) > 0 {
			t.Errorf("pack %s has no tier for %v", id, values)
		}
	}
	if packs["8"].Stock != 25 {
		t.Errorf("pack 8 has a stock of %d of each toy", packs["8"].Stock)
	}
}

func TestDescriptionsAreShortWithoutPromises(t *testing.T) {
	for id, p := range readPacks(t) {
		for _, description := range []string{p.Description.EN, p.Description.ZH} {
			if description == "" || len([]rune(description)) > 120 {
				t.Errorf("pack %s: %d characters of description", id, len([]rune(description)))
			}
			for _, promise := range []string{"profit", "guarantee", "invest", "win", "保证", "稳赚", "盈利", "投资"} {
				if strings.Contains(strings.ToLower(description), promise) {
					t.Errorf("pack %s: the description promises something: %q", id, description)
				}
			}
		}
	}
}
