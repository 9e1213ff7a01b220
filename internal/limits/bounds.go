package limits

import (
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Bound is a limit, reality check, time-out or exclusion that users set for themselves.
type Bound string

// The bounds. Values of the first six are cents, that of realityCheck is minutes, and those of the
// others are times.
const (
	lossDay      Bound = "loss-day"
	lossWeek     Bound = "loss-week"
	lossMonth    Bound = "loss-month"
	depositDay   Bound = "deposit-day"
	depositWeek  Bound = "deposit-week"
	depositMonth Bound = "deposit-month"
	realityCheck Bound = "reality-check"
	timeOut      Bound = "time-out"
	exclusion    Bound = "exclusion"
)

var (
	lossLimits    = [3]Bound{lossDay, lossWeek, lossMonth}
	depositLimits = [3]Bound{depositDay, depositWeek, depositMonth}
	limits        = slices.Concat(lossLimits[:], depositLimits[:])
)

// Schema implements huma.SchemaProvider.
func (Bound) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, b := range limits {
		s.Enum = append(s.Enum, string(b))
	}
	s.PrecomputeMessages()
	return s
}

// noLimit is the value of an unset bound.
const noLimit = int64(ledger.NoLimit)

// actKind is a kind of change to a bound.
type actKind string

// The kinds of changes.
const (
	setAct     actKind = "set"     // effective immediately
	requestAct actKind = "ask"     // a request for more, effective once confirmed
	confirmAct actKind = "confirm" // of an earlier request
)

// limitAct is a recorded change to a bound.
type limitAct struct {
	bound Bound
	kind  actKind
	value int64
	at    time.Time
}

// limitChoice is a user's desired limit; ledger.NoLimit removes it.
type limitChoice struct {
	bound Bound
	limit money.Cents
}

// limitField returns a pointer to the limit of a bound in p.
func limitField(p *ledger.PlayLimits, b Bound) *money.Cents {
	if n := slices.Index(lossLimits[:], b); n >= 0 {
		return &p.LossLimits[n]
	}
	return &p.DepositLimits[slices.Index(depositLimits[:], b)]
}

// setLimits applies limits lower than the current ones and records the others as requests. Setting
// a limit to its current value cancels a request.
func setLimits(tx *db.Tx, user string, choices []limitChoice) error {
	p, err := lock(tx, user)
	if err != nil {
		return err
	}
	acts, seen := make([]limitAct, len(choices)), map[Bound]bool{}
	for n, c := range choices {
		if !slices.Contains(limits, c.bound) || seen[c.bound] {
			return apperr.InvalidField("limit", "is unknown, or given twice")
		}
		seen[c.bound] = true
		if err := apperr.CheckRange("cents", int64(c.limit), noLimit, int64(policy.MaxLimit)); err != nil {
			return err
		}
		most, do := limitField(&p, c.bound), requestAct
		if !isHigher(c.limit, *most) {
			do, *most = setAct, c.limit
		}
		acts[n] = limitAct{bound: c.bound, kind: do, value: int64(c.limit)}
	}
	return saveLimits(tx, user, p, acts)
}

// isHigher reports whether limit a allows more than limit b.
func isHigher(a, b money.Cents) bool {
	return b != ledger.NoLimit && (a == ledger.NoLimit || a > b)
}

// setRealityCheck sets the interval of a user's reality check in minutes; noLimit disables it.
func setRealityCheck(tx *db.Tx, user string, minutes int64) error {
	if minutes != noLimit {
		if err := apperr.CheckRange("realityMinutes", minutes, policy.MinRealityMinutes, policy.MaxRealityMinutes); err != nil {
			return err
		}
	}
	if _, err := lock(tx, user); err != nil {
		return err
	}
	return insert(tx, user, []limitAct{{bound: realityCheck, kind: setAct, value: minutes}})
}

var (
	errNoRequest = apperr.New(apperr.Conflict, "There is no change to confirm for this limit.")
	errExpired   = apperr.New(apperr.Conflict, "Your request for a higher limit has expired. Request it again.")
	errTooEarly  = apperr.New(apperr.TooEarly, "You can confirm raising or removing a limit 24 hours after your request.")
)

// Early is the time from which a request can be confirmed.
type Early struct {
	From string `json:"from"`
}

// confirmRaise puts a requested limit into effect.
func confirmRaise(tx *db.Tx, user string, b Bound) error {
	p, err := lock(tx, user)
	if err != nil {
		return err
	}
	last, err := lastActs(tx, user)
	asked := last[b]
	switch {
	case err != nil:
		return err
	case !slices.Contains(limits, b) || asked.kind != requestAct:
		return errNoRequest
	case tx.Now.Before(confirmableFrom(asked)):
		return errTooEarly.WithDetails(Early{httpapi.Timestamp(confirmableFrom(asked))})
	case !tx.Now.Before(expiresAt(asked)):
		return errExpired
	}
	*limitField(&p, b) = money.Cents(asked.value)
	return saveLimits(tx, user, p, []limitAct{{bound: b, kind: confirmAct, value: asked.value}})
}

// confirmableFrom returns the time from which a request can be confirmed.
func confirmableFrom(asked limitAct) time.Time { return asked.at.Add(policy.LimitRaisedAfter) }

// expiresAt returns the time from which a request can't be confirmed any more.
func expiresAt(asked limitAct) time.Time { return confirmableFrom(asked).Add(policy.LimitRaisedWithin) }

// timeOut starts a time-out of some days.
func (s *Service) timeOut(tx *db.Tx, user string, days int64) error {
	if err := apperr.CheckRange("days", days, policy.MinTimeOutDays, policy.MaxTimeOutDays); err != nil {
		return err
	}
	return s.stopUntil(tx, user, timeOut, db.Micros(tx.Now.Add(time.Duration(days)*24*time.Hour)))
}

// exclude excludes a user for policy.ExcludedMonths, or permanently.
func (s *Service) exclude(tx *db.Tx, user string, forGood bool) error {
	until := db.Micros(tx.Now.AddDate(0, policy.ExcludedMonths, 0))
	if forGood {
		until = Forever
	}
	return s.stopUntil(tx, user, exclusion, until)
}

// stopUntil blocks a user's play at least until a time and ends their bids and gifts. It never shortens an
// earlier stop.
func (s *Service) stopUntil(tx *db.Tx, user string, b Bound, until int64) error {
	if err := s.EndOffers(tx, user); err != nil {
		return err
	}
	p, err := lock(tx, user)
	if err != nil {
		return err
	}
	end := &p.TimedOut
	if b == exclusion {
		end = &p.Excluded
	}
	*end = max(*end, until)
	return saveLimits(tx, user, p, []limitAct{{bound: b, kind: setAct, value: *end}})
}

// lock locks a user's account and returns its limits and counters.
func lock(tx *db.Tx, user string) (ledger.PlayLimits, error) {
	held, err := ledger.LockAll(tx, []string{user})
	return held[user].Play, err
}

// saveLimits stores a user's new limits and the acts that changed them.
func saveLimits(tx *db.Tx, user string, p ledger.PlayLimits, acts []limitAct) error {
	if err := ledger.SaveLimits(tx, user, p); err != nil {
		return err
	}
	return insert(tx, user, acts)
}
