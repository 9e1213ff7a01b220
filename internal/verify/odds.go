package verify

import (
	"cmp"
	"encoding/hex"
	"slices"

	"kaibao/internal/protocol"
)

// Odds are what a manifest of constant stock yielded, for information: chance may
// deviate, and only a p-value far below one in a thousand tells that something
// other than chance did.
type Odds struct {
	Pack      string   `json:"pack"`
	Name      string   `json:"name"`
	Manifest  string   `json:"manifest"`
	Opens     int64    `json:"opens"`
	Apart     int64    `json:"notPlayerEntropy"` // opens of a client seed that repeats or is "random", left out below
	ChiSquare float64  `json:"chiSquare"`
	Degrees   int      `json:"degrees"`
	P         *float64 `json:"pValue"` // nil while there are too few draws to tell
}

func (r *replay) odds() []Odds {
	all := []Odds{}
	for hash, d := range r.draws {
		o := Odds{Pack: d.manifest.Pack, Name: d.manifest.Name, Manifest: hex.EncodeToString(hash[:]), Opens: d.opens, Apart: d.apart}
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
