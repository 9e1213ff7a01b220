// Package playstats summarizes a user's play: points spent and returned, time played, and how their
// pulls compare with the odds.
package playstats

import (
	"context"
	"math"
	"math/big"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
)

// Service computes users' play statistics.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
}

// OwnFigures are a user's statistics since a given time.
type OwnFigures struct {
	Opens      int64       `json:"opens"`
	SpentCents money.Cents `json:"spentCents" doc:"Prices of the caller's opens."`
	BackCents  money.Cents `json:"backCents" doc:"What their pulls brought, each at most what the house would have paid then."`
	NetCents   money.Cents `json:"netCents" doc:"What came back less what was spent: below 0 is a loss. What is kept does not count."`
	Minutes    int64       `json:"minutes" doc:"How long packs were opened: pauses of more than 15 minutes do not count."`
	Luck       *Luck       `json:"luck,omitempty" doc:"Absent without opens."`
}

// Luck compares the value drawn with its expectation.
type Luck struct {
	DrawnCents     money.Cents `json:"drawnCents" doc:"What everything drawn was worth when it was drawn."`
	ExpectedCents  money.Cents `json:"expectedCents" doc:"What the same opens are worth on average, by their manifests."`
	DeviationCents money.Cents `json:"deviationCents" doc:"By how much such opens ordinarily differ from that: the standard deviation of the sum."`
	Z              float64     `json:"z" doc:"How many deviations lie between drawn and expected."`
	P              float64     `json:"p" doc:"How many of a hundred (as a part of 1) who open the same are at least as far from the expected, by the normal approximation."`
}

// group sums the opens by one manifest.
type group struct {
	manifest packs.Hash
	opens    int64
	drawn    money.Cents
}

// judge compares the value drawn with its distribution; it returns nil without opens. Opens are
// independent, so the means and variances of their values (protocol.Spread, exact) add up. Z is the
// distance from the mean in standard deviations, and P the two-sided probability of at least that
// distance under a normal distribution. The sum of many opens is nearly normal. With few opens of a
// pack whose value is in rare cards it is not, and then only a P of a few per mille or less means
// anything.
func judge(groups []group, manifest func(packs.Hash) (*protocol.Manifest, error)) (*Luck, error) {
	mean, variance := new(big.Rat), new(big.Rat)
	var l Luck
	for _, g := range groups {
		m, err := manifest(g.manifest)
		if err != nil {
			return nil, err
		}
		one, spread := protocol.Spread(m)
		times := new(big.Rat).SetInt64(g.opens)
		mean.Add(mean, one.Mul(one, times))
		variance.Add(variance, spread.Mul(spread, times))
		l.DrawnCents += g.drawn
	}
	if len(groups) == 0 {
		return nil, nil
	}
	expected, _ := mean.Float64()
	squared, _ := variance.Float64()
	deviation := math.Sqrt(squared)
	l.ExpectedCents, l.DeviationCents, l.P = money.Cents(math.Round(expected)), money.Cents(math.Round(deviation)), 1
	if deviation > 0 {
		l.Z = (float64(l.DrawnCents) - expected) / deviation
		l.P = math.Erfc(math.Abs(l.Z) / math.Sqrt2)
	}
	return &l, nil
}

// of computes a user's figures since a given time.
func (s *Service) of(tx *db.Tx, user string, since time.Time) (OwnFigures, error) {
	groups, err := opened(tx, user, since)
	if err != nil {
		return OwnFigures{}, err
	}
	f, err := played(tx, user, since)
	if err != nil {
		return f, err
	}
	f.NetCents = f.BackCents - f.SpentCents
	f.Luck, err = judge(groups, func(h packs.Hash) (*protocol.Manifest, error) { return s.Packs.Manifest(tx, h) })
	return f, err
}

type figuresInput struct {
	Since time.Time `query:"since" doc:"Of what was done since then; of everything unless given."`
}

// Routes registers the endpoint for a user's own figures.
func (s *Service) Routes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/limits/figures", "get-figures", "What the caller's play came to, and whether it was luck"),
		func(ctx context.Context, in *figuresInput) (f OwnFigures, err error) {
			since := in.Since
			if since.Before(db.Time(0)) {
				since = db.Time(0)
			}
			err = s.DB.Search(ctx, func(tx *db.Tx) error {
				f, err = s.of(tx, httpapi.Caller(ctx).UserID, since)
				return err
			})
			return f, err
		})
}
