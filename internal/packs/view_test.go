package packs

import (
	"fmt"
	"slices"
	"testing"

	"kaibao/internal/catalogue"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// The definition decides which cards a pack presents, whatever its id: listed items that can run
// out make it a deluxe box, listed items that can't make it a base box.
func TestShowcaseFollowsDefinition(t *testing.T) {
	var items []catalogue.Item
	var ids []string // the most valuable first
	stock := protocol.Stock{}
	for n := range 12 {
		id := fmt.Sprintf("card-%02d", n)
		items = append(items, catalogue.Item{ID: id, BaseValue: 100_00 - money.Cents(n)})
		ids = append(ids, id)
		stock[id] = 25
	}
	listed := []TierRule{{Label: "all", Weight: 1, Items: ids}}
	for name, c := range map[string]struct {
		definition Definition
		stock      protocol.Stock
		want       []string
	}{
		"by value":   {Definition{Tiers: []TierRule{{Label: "all", Weight: 1}}}, nil, ids[:10]},
		"base box":   {Definition{Tiers: listed}, nil, ids},
		"deluxe box": {Definition{Tiers: listed, InitialStock: 25}, stock, []string{ids[0], ids[6], ids[2], ids[3], ids[4], ids[5]}},
	} {
		t.Run(name, func(t *testing.T) {
			p := Pack{ID: "p", Name: "Pack", Price: 1, ItemsPerPack: 1, Definition: c.definition}
			body := buildManifest(p, items, c.stock)
			m, err := protocol.ParseManifest(body.Format())
			if err != nil {
				t.Fatal(err)
			}
			live := &LivePack{Pack: p, Current: PublishedManifest{Manifest: m}, Stock: c.stock}
			var got []string
			for _, card := range live.showcase(protocol.Chances(m, c.stock)) {
				got = append(got, card.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the showcase has %v, want %v", got, c.want)
			}
		})
	}
}
