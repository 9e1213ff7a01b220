package limits

import (
	"context"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// LimitView is a user's view of a limit.
type LimitView struct {
	Limit     Bound        `json:"limit"`
	Cents     *money.Cents `json:"cents" nullable:"true" doc:"null for no limit."`
	UsedCents money.Cents  `json:"usedCents" doc:"Used in the current period. Below 0 if pulls returned more than opens cost."`
	LeftCents *money.Cents `json:"leftCents" nullable:"true" doc:"null for no limit."`
	RenewsAt  string       `json:"renewsAt" doc:"End of the current day, week (from Monday) or month, in UTC."`
	Wanted    *RaiseView   `json:"wanted,omitempty" doc:"A higher limit that the caller has requested and must confirm."`
}

// RaiseView is a request for a higher limit or none.
type RaiseView struct {
	Cents       *money.Cents `json:"cents" nullable:"true" doc:"null for no limit."`
	ConfirmFrom string       `json:"confirmFrom" doc:"Earliest time to confirm it."`
	ConfirmBy   string       `json:"confirmBy" doc:"When the request expires."`
}

// LimitsView is a user's view of all their limits.
type LimitsView struct {
	Limits         []LimitView `json:"limits" nullable:"false"`
	RealityMinutes *int64      `json:"realityMinutes" nullable:"true" doc:"Minutes between reminders of the time spent; null for never."`
	TimedOut       *Until      `json:"timedOut,omitempty" doc:"Present during a time-out."`
	Excluded       *Until      `json:"excluded,omitempty" doc:"Present during an exclusion."`
}

type limitsInput struct {
	Body struct {
		Limits []struct {
			Limit Bound        `json:"limit"`
			Cents *money.Cents `json:"cents" nullable:"true" minimum:"0" maximum:"100000000" doc:"null for no limit."`
		} `json:"limits,omitempty" maxItems:"6" doc:"Lower limits apply at once. Higher limits, or none, need a confirmation after 24 hours."`
		RealityMinutes *int64 `json:"realityMinutes,omitempty" minimum:"0" maximum:"720" doc:"0 for never."`
	}
}

type confirmInput struct {
	Body struct {
		Limit Bound `json:"limit"`
	}
}

type timeOutInput struct {
	Body struct {
		Days int64 `json:"days" minimum:"1" maximum:"42"`
	}
}

type exclusionInput struct {
	Body struct {
		ForGood bool `json:"forGood,omitempty" doc:"Exclude for good instead of six months."`
	}
}

// allowFrozen lets users whose account is frozen protect themselves, too.
func allowFrozen(route httpapi.Route) httpapi.Route {
	route.AllowFrozen = true
	return route
}

// Routes registers the calls by which users see and set their limits, and those for admins.
func (s *Service) Routes(api *httpapi.API) {
	adminRoutes(api)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/limits", "get-limits", "The caller's limits and how much of them is used"),
		func(ctx context.Context, _ *struct{}) (LimitsView, error) {
			return s.applyAndView(ctx, s.DB.Read, func(*db.Tx, string) error { return nil })
		})
	httpapi.JSON(api, allowFrozen(httpapi.Put(httpapi.Session, "/api/limits", "set-limits", "Lower limits at once, or request higher ones")),
		func(ctx context.Context, in *limitsInput) (LimitsView, error) {
			return s.applyAndView(ctx, s.DB.InTx, func(tx *db.Tx, user string) error { return in.apply(tx, user) })
		})
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/limits/confirm", "confirm-limit", "Confirm a higher limit, or none, from 24 hours after the request, for 7 days", apperr.Conflict, apperr.TooEarly),
		func(ctx context.Context, in *confirmInput) (LimitsView, error) {
			return s.applyAndView(ctx, s.DB.InTx, func(tx *db.Tx, user string) error { return confirmRaise(tx, user, in.Body.Limit) })
		})
	httpapi.JSON(api, allowFrozen(httpapi.Post(httpapi.Session, "/api/limits/time-out", "take-time-out", "Block opening, buying and topping up for some days; can't be shortened")),
		func(ctx context.Context, in *timeOutInput) (LimitsView, error) {
			return s.stopPlay(ctx, func(tx *db.Tx, user string) error { return s.timeOut(tx, user, in.Body.Days) })
		})
	httpapi.JSON(api, allowFrozen(httpapi.Post(httpapi.Session, "/api/limits/exclusion", "exclude-self", "Block opening, buying and topping up for six months or for good; can't be shortened")),
		func(ctx context.Context, in *exclusionInput) (LimitsView, error) {
			return s.stopPlay(ctx, func(tx *db.Tx, user string) error { return s.exclude(tx, user, in.Body.ForGood) })
		})
}

// apply applies the caller's choices.
func (in *limitsInput) apply(tx *db.Tx, user string) error {
	choices := make([]limitChoice, len(in.Body.Limits))
	for n, l := range in.Body.Limits {
		choices[n] = limitChoice{l.Limit, ledger.NoLimit}
		if l.Cents != nil {
			choices[n].limit = *l.Cents
		}
	}
	if err := setLimits(tx, user, choices); err != nil || in.Body.RealityMinutes == nil {
		return err
	}
	minutes := *in.Body.RealityMinutes
	if minutes == 0 {
		minutes = noLimit
	}
	return setRealityCheck(tx, user, minutes)
}

// stopPlay stops a user's play. It then ends bids and gifts that were made concurrently.
func (s *Service) stopPlay(ctx context.Context, stop func(tx *db.Tx, user string) error) (LimitsView, error) {
	if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return stop(tx, httpapi.Caller(ctx).UserID) }); err != nil {
		return LimitsView{}, err
	}
	return s.applyAndView(ctx, s.DB.InTx, s.EndOffers)
}

// applyAndView runs an act for the caller and returns their limits.
func (s *Service) applyAndView(ctx context.Context, in func(context.Context, func(*db.Tx) error) error, do func(tx *db.Tx, user string) error) (v LimitsView, err error) {
	user := httpapi.Caller(ctx).UserID
	err = in(ctx, func(tx *db.Tx) error {
		if err := do(tx, user); err != nil {
			return err
		}
		held, err := ledger.Find(tx, user)
		if err != nil {
			return err
		}
		v, err = viewOf(tx, held)
		return err
	})
	return v, err
}

// viewOf returns the limits of an account.
func viewOf(tx *db.Tx, account ledger.AccountRow) (LimitsView, error) {
	last, err := lastActs(tx, account.UserID)
	return newLimitsView(account.Play, last, tx.Now), err
}

func newLimitsView(p ledger.PlayLimits, last map[Bound]limitAct, now time.Time) (v LimitsView) {
	p = resetSpans(p, now)
	for _, s := range spans {
		v.Limits = append(v.Limits, newLimitView(s, lossLimits[s], p.LossLimits[s], p.Lost[s], last, now))
	}
	for _, s := range spans {
		v.Limits = append(v.Limits, newLimitView(s, depositLimits[s], p.DepositLimits[s], p.Deposited[s], last, now))
	}
	if check, set := last[realityCheck]; set && check.value != noLimit {
		v.RealityMinutes = &check.value
	}
	if p.TimedOut > db.Micros(now) {
		v.TimedOut = &Until{formatEnd(p.TimedOut)}
	}
	if Excluded(p, now) {
		v.Excluded = &Until{formatEnd(p.Excluded)}
	}
	return v
}

func newLimitView(s Span, b Bound, most, used money.Cents, last map[Bound]limitAct, now time.Time) LimitView {
	v := LimitView{Limit: b, Cents: limitOrNil(most), UsedCents: used, RenewsAt: httpapi.Timestamp(s.Ends(now))}
	if most != ledger.NoLimit {
		v.LeftCents = new(max(0, most-used))
	}
	if asked := last[b]; asked.kind == requestAct && now.Before(expiresAt(asked)) {
		v.Wanted = &RaiseView{limitOrNil(money.Cents(asked.value)), httpapi.Timestamp(confirmableFrom(asked)), httpapi.Timestamp(expiresAt(asked))}
	}
	return v
}

// limitOrNil returns a limit, or nil for none.
func limitOrNil(most money.Cents) *money.Cents {
	if most == ledger.NoLimit {
		return nil
	}
	return &most
}
