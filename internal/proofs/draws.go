package proofs

import (
	"context"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Draws are the results of all draws next to the published odds.
type Draws struct {
	Opens      int64           `json:"opens" doc:"Opens in the log, across all packs and manifests."`
	CountedTo  int64           `json:"countedTo" doc:"Number of leaves of the current log counted so far; 0 while leaves of earlier logs are being counted."`
	Checkpoint *publiclog.Head `json:"checkpoint,omitempty" doc:"The last signed tree; absent before the first one."`
	Packs      []PackDraws     `json:"packs" nullable:"false"`
}

// PackDraws are the results of a pack's manifest in force.
type PackDraws struct {
	PackID    string      `json:"packId"`
	Name      string      `json:"name"`
	NameZH    string      `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
	Manifest  string      `json:"manifest"`
	Since     string      `json:"since" doc:"When the manifest took effect."`
	Opens     int64       `json:"opens"`
	Tiers     []TierDraws `json:"tiers" nullable:"false"`
	ChiSquare float64     `json:"chiSquare"`
	Degrees   int         `json:"degrees"`
	PValue    *float64    `json:"pValue" nullable:"true" doc:"Probability of a deviation this large by chance; null with too few draws, or if stock changes the odds."`
}

// TierDraws is the share of one tier.
type TierDraws struct {
	Label    string  `json:"label"`
	Weight   uint64  `json:"weight"`
	Chance   float64 `json:"chance" doc:"Listed odds, after fallbacks."`
	Count    int64   `json:"count"`
	Expected float64 `json:"expected"`
}

func (s *Service) draws(ctx context.Context, _ *struct{}) (d Draws, err error) {
	d.Checkpoint, err = s.Log.Head(ctx)
	if err != nil {
		return d, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		d.CountedTo, err = publiclog.FollowerPosition(tx, follower)
		if err != nil {
			return err
		}
		d.Opens, err = countOpens(tx)
		if err != nil {
			return err
		}
		onSale, err := s.Packs.OnSale(tx)
		if err != nil {
			return err
		}
		d.Packs = make([]PackDraws, len(onSale))
		for n, p := range onSale {
			d.Packs[n], err = packDraws(tx, p)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return d, err
}

func packDraws(tx *db.Tx, pack *packs.LivePack) (PackDraws, error) {
	opens, err := opensOfManifest(tx, pack.Current.Hash)
	if err != nil {
		return PackDraws{}, err
	}
	drawn, err := cardsOfManifest(tx, pack.Current.Hash)
	if err != nil {
		return PackDraws{}, err
	}
	v := PackDraws{
		PackID: pack.ID, Name: pack.Name, NameZH: pack.NameZH, Manifest: pack.Current.Hash.String(), Since: httpapi.Timestamp(pack.Current.EffectiveAt),
		Opens: opens, Tiers: []TierDraws{},
	}
	m := pack.Current.Manifest
	counts := m.CountTiers(drawn)
	var chances []float64
	for n, odds := range protocol.Odds(m, nil) {
		chances = append(chances, odds.Chance)
		if odds.Weight == 0 && counts[n] == 0 {
			continue
		}
		v.Tiers = append(v.Tiers, TierDraws{
			Label: odds.Label, Weight: odds.Weight, Chance: odds.Chance, Count: counts[n],
			Expected: odds.Chance * float64(opens) * float64(m.Items),
		})
	}
	statistic, degrees, p, ok := protocol.ChiSquare(counts, chances)
	v.Degrees = degrees
	if ok && !m.Finite() {
		v.ChiSquare, v.PValue = statistic, &p
	}
	return v, nil
}
