package fees

import (
	"context"
	"sync/atomic"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/money"
)

// FeeRates are the fee rates from a given time on, in basis points: 500 is 5%.
type FeeRates struct {
	Listing     money.BasisPoints `json:"listing" doc:"Share of a listing's price."`
	Bid         money.BasisPoints `json:"bid" doc:"Share of a bid's price."`
	Counter     money.BasisPoints `json:"counter" doc:"Share of a counter-offer's price."`
	EffectiveAt *string           `json:"effectiveAt" nullable:"true" doc:"When the rates take effect; null = from the beginning."`
}

// CurrentRates are the rates in force and the announced changes.
type CurrentRates struct {
	FeeRates
	Announced []FeeRates `json:"announced" nullable:"false" doc:"In the order in which they take effect."`
}

func newFeeRates(c rateChange) FeeRates {
	v := FeeRates{Listing: c.Listing, Bid: c.Bid, Counter: c.Counter}
	if c.Number > 0 {
		at := httpapi.Timestamp(c.Effective)
		v.EffectiveAt = &at
	}
	return v
}

type changeInput struct {
	action.Idempotent
	Body struct {
		Listing     int64      `json:"listing" minimum:"0" maximum:"2000" doc:"In basis points: 500 is 5 %."`
		Bid         int64      `json:"bid" minimum:"0" maximum:"2000"`
		Counter     int64      `json:"counter" minimum:"0" maximum:"2000"`
		EffectiveAt *time.Time `json:"effectiveAt,omitempty" doc:"Earliest time to take effect, within a year. Never less than a day after a second admin's approval, nor before the change announced last."`
		Reason      string     `json:"reason" minLength:"1" maxLength:"500"`
	}
}

// changeOperation names rate changes in the API and in the admin log, both requests and announcements.
const changeOperation = "change-rates"

// pendingChange is the record of a requested change in the admin log.
type pendingChange struct {
	Approval string `json:"approval"`
}

// Service serves the rates and handles requests to change them.
type Service struct {
	cache     *httpcache.Cache[struct{}, CurrentRates]
	lastKnown atomic.Pointer[CurrentRates] // the last successful read
}

// cacheTime is how long a node caches the rates. Changes are announced a day ahead, so that is safe.
const cacheTime = time.Second

// New returns a service that reads from d.
func New(d *db.DB) *Service {
	return &Service{cache: httpcache.New(d.Now, cacheTime, func(ctx context.Context, _ struct{}) (v CurrentRates, err error) {
		err = d.Read(ctx, func(tx *db.Tx) error {
			v, err = loadCurrent(tx)
			return err
		})
		return v, err
	})}
}

// First returns the rates that apply before any change.
func First() CurrentRates {
	return CurrentRates{FeeRates: newFeeRates(firstRates()), Announced: []FeeRates{}}
}

// Latest returns the rates for pages, at most cacheTime old. If they can't be read, it returns the last
// known ones.
func (s *Service) Latest(ctx context.Context) CurrentRates {
	if now, err := s.cache.Get(ctx, struct{}{}); err == nil {
		s.lastKnown.Store(&now)
	}
	if known := s.lastKnown.Load(); known != nil {
		return *known
	}
	return First()
}

// Routes registers the public route and the admin route.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/rates", "get-rates", "The seller's fees by kind of sale, and announced changes"), s.cache)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/rates", changeOperation, "Request a change of fees, which a second admin approves; it is announced at least a day before it takes effect", apperr.Conflict, apperr.RequestWaiting),
		func(tx *db.Tx, admin httpapi.Principal, in *changeInput) (approval.Waiting, error) {
			b := in.Body
			waiting, err := requestChange(tx, b.Listing, b.Bid, b.Counter, b.EffectiveAt, admin.UserID, b.Reason)
			if err == nil {
				in.Changed(adminlog.Change{Subject: subject, After: pendingChange{waiting.ID}, Reason: b.Reason})
			}
			return waiting, err
		})
}

func loadCurrent(tx *db.Tx) (CurrentRates, error) {
	now, err := queueInForce(tx)()
	if err != nil {
		return CurrentRates{}, err
	}
	v := CurrentRates{FeeRates: newFeeRates(now), Announced: []FeeRates{}}
	changes, err := announcedChanges(tx)
	for _, c := range changes {
		v.Announced = append(v.Announced, newFeeRates(c))
	}
	return v, err
}
