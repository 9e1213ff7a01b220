package verify

import (
	"cmp"
	"encoding/hex"
	"slices"

	"kaibao/internal/protocol"
)

// Odds are the realized odds of a manifest with unlimited stock. They are informational: results
// vary by chance, and only a p-value far below 0.001 suggests another cause.
type Odds struct {
	Pack             string   `json:"pack"`
	Name             string   `json:"name"`
	Manifest         string   `json:"manifest"`
	Opens            int64    `json:"opens"`
	NotPlayerEntropy int64    `json:"notPlayerEntropy"` // excluded below: client seed repeated or "random"
	ChiSquare        float64  `json:"chiSquare"`
	Degrees          int      `json:"degrees"`
	P                *float64 `json:"pValue"` // nil if there are too few draws
}

func realizedOdds(draws map[[32]byte]*manifestDraws) []Odds {
	all := []Odds{}
	for hash, d := range draws {
		o := Odds{Pack: d.manifest.Pack, Name: d.manifest.Name, Manifest: hex.EncodeToString(hash[:]), Opens: d.opens, NotPlayerEntropy: d.notPlayerEntropy}
		var chances []float64
		for _, tier := range protocol.Odds(d.manifest, nil) {
			chances = append(chances, tier.Chance)
		}
		statistic, degrees, p, ok := protocol.ChiSquare(d.manifest.CountTiers(d.cards), chances)
		o.Degrees = degrees
		if ok {
			o.ChiSquare, o.P = statistic, &p
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b Odds) int {
		return cmp.Or(cmp.Compare(a.Pack, b.Pack), cmp.Compare(a.Manifest, b.Manifest))
	})
	return all
}
