package limits

import (
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
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

// none is the value of an unset bound.
const none = int64(ledger.NoLimit)

// doing is a kind of change to a bound.
type doing string

// The kinds of changes.
const (
	setting    doing = "set"     // effective immediately
	asking     doing = "ask"     // a request for more, effective once confirmed
	confirming doing = "confirm" // of an earlier request
)

// act is a recorded change to a bound.
type act struct {
	bound Bound
	doing doing
	value int64
	at    time.Time
}

// choice is a user's desired limit; ledger.NoLimit removes it.
type choice struct {
	bound Bound
	most  money.Cents
}

// in returns a pointer to the limit of a bound in p.
func in(p *ledger.Play, b Bound) *money.Cents {
	if n := slices.Index(lossLimits[:], b); n >= 0 {
		return &p.MostLost[n]
	}
	return &p.MostAdded[slices.Index(depositLimits[:], b)]
}

// choose applies limits lower than the current ones and records the others as requests. Setting a
// limit to its current value cancels a request.
func choose(tx *db.Tx, user string, choices []choice) error {
	p, err := lock(tx, user)
	if err != nil {
		return err
	}
	acts, seen := make([]act, len(choices)), map[Bound]bool{}
	for n, c := range choices {
		if !slices.Contains(limits, c.bound) || seen[c.bound] {
			return apperr.InvalidField("limit", "is none, or named before")
		}
		seen[c.bound] = true
		if err := apperr.Within("cents", int64(c.most), none, int64(policy.HighestLimit)); err != nil {
			return err
		}
		most, do := in(&p, c.bound), asking
		if !more(c.most, *most) {
			do, *most = setting, c.most
		}
		acts[n] = act{bound: c.bound, doing: do, value: int64(c.most)}
	}
	return note(tx, user, p, acts)
}

// more reports whether limit a allows more than limit b.
func more(a, b money.Cents) bool {
	return b != ledger.NoLimit && (a == ledger.NoLimit || a > b)
}

// check sets the interval of a user's reality check in minutes; none disables it.
func check(tx *db.Tx, user string, minutes int64) error {
	if minutes != none {
		if err := apperr.Within("realityMinutes", minutes, policy.LeastReality, policy.MostReality); err != nil {
			return err
		}
	}
	if _, err := lock(tx, user); err != nil {
		return err
	}
	return insert(tx, user, []act{{bound: realityCheck, doing: setting, value: minutes}})
}

var (
	errNotAsked = apperr.New(apperr.Conflict, "There is nothing to be confirmed of this limit.")
	errExpired  = apperr.New(apperr.Conflict, "Your request for a higher limit has expired. Request it again.")
	errEarly    = apperr.New(apperr.TooEarly, "A limit is raised or taken away 24 hours after you asked, when you confirm it again.")
)

// Early is the time from which a request can be confirmed.
type Early struct {
	From string `json:"from"`
}

// confirm puts a requested limit into effect.
func confirm(tx *db.Tx, user string, b Bound) error {
	p, err := lock(tx, user)
	if err != nil {
		return err
	}
	last, err := lasts(tx, user)
	asked := last[b]
	switch {
	case err != nil:
		return err
	case !slices.Contains(limits, b) || asked.doing != asking:
		return errNotAsked
	case tx.Now.Before(confirmable(asked)):
		return errEarly.WithDetails(Early{timestamp(confirmable(asked))})
	case !tx.Now.Before(expires(asked)):
		return errExpired
	}
	*in(&p, b) = money.Cents(asked.value)
	return note(tx, user, p, []act{{bound: b, doing: confirming, value: asked.value}})
}

// confirmable returns the time from which a request can be confirmed.
func confirmable(asked act) time.Time { return asked.at.Add(policy.RaisedAfter) }

// expires returns the time from which a request can't be confirmed any more.
func expires(asked act) time.Time { return confirmable(asked).Add(policy.RaisedWithin) }

// pause starts a time-out of some days.
func (s *Service) pause(tx *db.Tx, user string, days int64) error {
	if err := apperr.Within("days", days, policy.LeastTimeOut, policy.MostTimeOut); err != nil {
		return err
	}
	return s.stop(tx, user, timeOut, db.Micros(tx.Now.Add(time.Duration(days)*24*time.Hour)))
}

// exclude excludes a user for policy.ExcludedMonths, or permanently.
func (s *Service) exclude(tx *db.Tx, user string, forGood bool) error {
	until := db.Micros(tx.Now.AddDate(0, policy.ExcludedMonths, 0))
	if forGood {
		until = Forever
	}
	return s.stop(tx, user, exclusion, until)
}

// stop blocks a user's play at least until a time and ends their bids. It never shortens an earlier
// stop.
func (s *Service) stop(tx *db.Tx, user string, b Bound, until int64) error {
	if err := s.End(tx, user); err != nil {
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
	return note(tx, user, p, []act{{bound: b, doing: setting, value: *end}})
}

// lock locks a user's account and returns its play.
func lock(tx *db.Tx, user string) (ledger.Play, error) {
	held, err := ledger.LockAll(tx, []string{user})
	return held[user].Play, err
}

// note stores a user's new limits and the acts that changed them.
func note(tx *db.Tx, user string, p ledger.Play, acts []act) error {
	if err := ledger.Bound(tx, user, p); err != nil {
		return err
	}
	return insert(tx, user, acts)
}
