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
	SpentCents money.Cents `json:"spentCents" doc:"Total price of the caller's opens."`
	BackCents  money.Cents `json:"backCents" doc:"Value that the pulls returned. Each counts at most what Kaibao would have paid then."`
	NetCents   money.Cents `json:"netCents" doc:"Returned value minus spend: below 0 is a loss. Kept items don't count."`
	Minutes    int64       `json:"minutes" doc:"Time spent opening packs. Pauses of more than 15 minutes don't count."`
	Luck       *Luck       `json:"luck,omitempty" doc:"Absent without opens."`
}

// Luck compares the value drawn with its expectation.
type Luck struct {
	DrawnCents     money.Cents `json:"drawnCents" doc:"Value of all drawn items at the time of the draw."`
	ExpectedCents  money.Cents `json:"expectedCents" doc:"Expected value of the same opens, from their manifests."`
	DeviationCents money.Cents `json:"deviationCents" doc:"Standard deviation of that value."`
	Z              float64     `json:"z" doc:"Difference between drawn and expected, in standard deviations."`
	P              float64     `json:"p" doc:"Share of people with the same opens whose result is at least as far from the expected value, by the normal approximation."`
}

// group sums the opens by one manifest.
type group struct {
	manifest packs.Hash
	opens    int64
	drawn    money.Cents
}

// computeLuck compares the value drawn with its distribution; it returns nil without opens. Opens
// are independent, so the means and variances of their values (protocol.ValueMoments, exact) add
// up. Z is the distance from the mean in standard deviations, and P the two-sided probability of at
// least that distance under a normal distribution. The sum of many opens is nearly normal. With few
// opens of a pack whose value is in rare cards it is not, and then only a P of a few per mille or
// less means anything.
func computeLuck(groups []group, manifest func(packs.Hash) (*protocol.Manifest, error)) (*Luck, error) {
	mean, variance := new(big.Rat), new(big.Rat)
	var l Luck
	for _, g := range groups {
		m, err := manifest(g.manifest)
		if err != nil {
			return nil, err
		}
		oneMean, oneVariance := protocol.ValueMoments(m)
		times := new(big.Rat).SetInt64(g.opens)
		mean.Add(mean, oneMean.Mul(oneMean, times))
		variance.Add(variance, oneVariance.Mul(oneVariance, times))
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

// figures computes a user's figures since a given time.
func (s *Service) figures(tx *db.Tx, user string, since time.Time) (OwnFigures, error) {
	groups, err := opensByManifest(tx, user, since)
	if err != nil {
		return OwnFigures{}, err
	}
	f, err := findFigures(tx, user, since)
	if err != nil {
		return f, err
	}
	f.NetCents = f.BackCents - f.SpentCents
	f.Luck, err = computeLuck(groups, func(h packs.Hash) (*protocol.Manifest, error) { return s.Packs.Manifest(tx, h) })
	return f, err
}

type figuresInput struct {
	Since time.Time `query:"since" doc:"Start of the period; everything by default."`
}

// Routes registers the endpoint for a user's own figures.
func (s *Service) Routes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/limits/figures", "get-figures", "The caller's spend, return and luck"),
		func(ctx context.Context, in *figuresInput) (f OwnFigures, err error) {
			since := in.Since
			if since.Before(db.Time(0)) {
				since = db.Time(0)
			}
			err = s.DB.Search(ctx, func(tx *db.Tx) error {
				f, err = s.figures(tx, httpapi.Caller(ctx).UserID, since)
				return err
			})
			return f, err
		})
}
