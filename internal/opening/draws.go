package opening

import (
	"context"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/httpkit"
	"kaibao/internal/jobs"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
)

// drawsCounter is whose position in the log the counts go by.
const drawsCounter = "draws"

// Jobs count what the opens in the log drew.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{publiclog.Follow(d, drawsCounter, countDraws)}
}

// countDraws adds some opens to what was drawn by each manifest. It follows the
// log, so that no open waits for a row that all of them would write.
func countDraws(tx *db.Tx, placed []fair.OpenLeaf) error {
	opens, cards := map[packs.Hash]int64{}, map[drawnCard]int64{}
	for _, open := range placed {
		opens[open.Manifest]++
		for _, item := range open.Items {
			cards[drawnCard{open.Manifest, item.Card}]++
		}
	}
	return addDraws(tx, opens, cards)
}

// Draws is what came out of all draws, beside what was promised.
type Draws struct {
	Opens      int64           `json:"opens" doc:"In the log, of all packs and manifests."`
	CountedTo  int64           `json:"countedTo" doc:"The leaves with a smaller index in the log that grows are counted here; 0 while those of a log that ended are."`
	Checkpoint *publiclog.Head `json:"checkpoint,omitempty" doc:"The last signed tree; absent before the first."`
	Packs      []PackDraws     `json:"packs" nullable:"false"`
}

// PackDraws is what a pack's manifest in force yielded.
type PackDraws struct {
	PackID    string      `json:"packId"`
	Name      string      `json:"name"`
	Manifest  string      `json:"manifest"`
	Since     string      `json:"since" doc:"The manifest is in force from then on."`
	Opens     int64       `json:"opens"`
	Tiers     []TierDraws `json:"tiers" nullable:"false"`
	ChiSquare float64     `json:"chiSquare"`
	Degrees   int         `json:"degrees"`
	PValue    *float64    `json:"pValue" nullable:"true" doc:"How likely a deviation as large is by chance; null while there are too few draws to tell, or when stock moves the odds."`
}

// TierDraws is one tier's share.
type TierDraws struct {
	Label    string  `json:"label"`
	Weight   uint64  `json:"weight"`
	Chance   float64 `json:"chance" doc:"Published, after fallbacks."`
	Count    int64   `json:"count"`
	Expected float64 `json:"expected"`
}

func (s *Service) draws(ctx context.Context, _ *struct{}) (d Draws, err error) {
	if d.Checkpoint, err = s.Log.Head(ctx); err != nil {
		return d, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		d.Packs = []PackDraws{}
		if d.CountedTo, err = publiclog.Position(tx, drawsCounter); err != nil {
			return err
		}
		if d.Opens, err = allOpens(tx); err != nil {
			return err
		}
		sold, err := s.Packs.OnSale(tx)
		if err != nil {
			return err
		}
		for _, p := range sold {
			pack, err := packDraws(tx, p)
			if err != nil {
				return err
			}
			d.Packs = append(d.Packs, pack)
		}
		return nil
	})
	return d, err
}

func packDraws(tx *db.Tx, pack *packs.Deck) (PackDraws, error) {
	v := PackDraws{
		PackID: pack.ID, Name: pack.Name, Manifest: pack.Current.Hash.String(), Since: httpkit.Timestamp(pack.Current.EffectiveAt), Tiers: []TierDraws{},
	}
	var err error
	if v.Opens, err = opensBy(tx, pack.Current.Hash); err != nil {
		return v, err
	}
	drawn, err := drawnBy(tx, pack.Current.Hash)
	if err != nil {
		return v, err
	}
	m := pack.Current.Manifest
	counts := m.CountTiers(drawn)
	var chances []float64
	for n, odds := range fair.Odds(m, nil) {
		chances = append(chances, odds.Chance)
		if odds.Weight == 0 && counts[n] == 0 {
			continue
		}
		v.Tiers = append(v.Tiers, TierDraws{
			Label: odds.Label, Weight: odds.Weight, Chance: odds.Chance, Count: counts[n],
			Expected: odds.Chance * float64(v.Opens) * float64(m.Items),
		})
	}
	statistic, degrees, p, ok := fair.ChiSquare(counts, chances)
	v.Degrees = degrees
	if ok && !m.Finite() {
		v.ChiSquare, v.PValue = statistic, &p
	}
	return v, nil
}
