package main

import (
	"fmt"
	"slices"
)

// bounds are the limits of a demo pack's expected value in cents. A high of 0 means no limit.
type bounds struct{ low, high float64 }

func boundsOf(p pack) bounds {
	switch {
	case p.LootTable != nil:
		return bounds{2200, 2500}
	case p.ID == "7":
		return bounds{3800, 4200}
	case p.ID == "8":
		return bounds{45000, 0}
	default:
		return bounds{2450, 2550}
	}
}

// checkExpectedValues returns an error if a pack's expected value is outside its bounds.
func checkExpectedValues(packs []pack, catalogue map[string][]item) error {
	for _, p := range packs {
		value := p.expectedCents(catalogue[p.Series[0]])
		limits := boundsOf(p)
		if value < limits.low || limits.high > 0 && value > limits.high {
			return fmt.Errorf("pack %s: expected value %.2f cents is outside %v", p.ID, value, limits)
		}
	}
	return nil
}

// expectedCents returns the weighted mean of the tiers' mean values times the items per pack.
func (p pack) expectedCents(items []item) float64 {
	var sum, weights float64
	for _, t := range p.weightedTiers() {
		if t.weight == 0 {
			continue
		}
		sum += t.weight * mean(items, t.contains)
		weights += t.weight
	}
	return sum / weights * float64(p.ItemsPerPack)
}

type weightedTier struct {
	weight   float64
	contains func(item) bool
}

func (p pack) weightedTiers() []weightedTier {
	var tiers []weightedTier
	for _, t := range p.Tiers {
		tiers = append(tiers, weightedTier{float64(t.Weight), t.contains})
	}
	if p.LootTable == nil {
		return tiers
	}
	shares := p.LootTable.Rarities
	byRarity := func(rarity string, share float64) {
		tiers = append(tiers, weightedTier{share, func(it item) bool { return it.Rarity == rarity }})
	}
	byRarity("Common", shares.Common)
	byRarity("Rare", shares.Rare)
	byRarity("Epic", shares.Epic)
	byRarity("Legendary", shares.Legendary)
	byRarity("Mythic", shares.Mythic)
	return tiers
}

func (t tier) contains(it item) bool {
	if len(t.Items) > 0 {
		return slices.Contains(t.Items, it.ID)
	}
	return t.LowCents <= it.BaseValueCents && it.BaseValueCents < t.HighCents
}

func mean(items []item, contains func(item) bool) float64 {
	var sum, n float64
	for _, it := range items {
		if contains(it) {
			sum += float64(it.BaseValueCents)
			n++
		}
	}
	return sum / n
}
