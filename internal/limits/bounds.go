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

// Bound is something that a user sets for themselves.
type Bound string

// The bounds. Of the first six the value is cents, of realityCheck minutes, of the rest a
// time.
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

// none is the value of a bound that is not set.
const none = int64(ledger.NoLimit)

// doing is what was done to a bound.
type doing string

// What can be done.
const (
	setting    doing = "set"     // in force at once
	asking     doing = "ask"     // of more: in force when it is confirmed
	confirming doing = "confirm" // what was asked before
)

// act is something that a user did to a bound, as it is kept.
type act struct {
	bound Bound
	doing doing
	value int64
	at    time.Time
}

// choice is what a user wants of a limit; ledger.NoLimit = none.
type choice struct {
	bound Bound
	most  money.Cents
}

// in is where a play has the limit of a bound.
func in(p *ledger.Play, b Bound) *money.Cents {
	if n := slices.Index(lossLimits[:], b); n >= 0 {
		return &p.MostLost[n]
	}
	return &p.MostAdded[slices.Index(depositLimits[:], b)]
}

// choose sets limits that are lower than those in force, and notes others as asked for.
// What is set as it is in force takes back what was asked.
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

// more tells whether a limit lets more pass than another.
func more(a, b money.Cents) bool {
	return b != ledger.NoLimit && (a == ledger.NoLimit || a > b)
}

// check sets after how many minutes a user is shown how long they play; none = never.
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

// Early says from when on something can be confirmed.
type Early struct {
	From string `json:"from"`
}

// confirm has what was asked of a limit come into force.
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

// confirmable is from when on what was asked can be confirmed.
func confirmable(asked act) time.Time { return asked.at.Add(policy.RaisedAfter) }

// expires is the time from which a requested limit can't be confirmed any more.
func expires(asked act) time.Time { return confirmable(asked).Add(policy.RaisedWithin) }

// pause stops a user's play for some days.
func (s *Service) pause(tx *db.Tx, user string, days int64) error {
	if err := apperr.Within("days", days, policy.LeastTimeOut, policy.MostTimeOut); err != nil {
		return err
	}
	return s.stop(tx, user, timeOut, db.Micros(tx.Now.Add(time.Duration(days)*24*time.Hour)))
}

// exclude stops a user's play for policy.ExcludedMonths, or for good.
func (s *Service) exclude(tx *db.Tx, user string, forGood bool) error {
	until := db.Micros(tx.Now.AddDate(0, policy.ExcludedMonths, 0))
	if forGood {
		until = Forever
	}
	return s.stop(tx, user, exclusion, until)
}

// stop stops a user's play until a time at least, and ends what they bid. Nothing shortens
// it.
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

// lock reads a user's play and keeps rivals off it.
func lock(tx *db.Tx, user string) (ledger.Play, error) {
	held, err := ledger.LockAll(tx, []string{user})
	return held[user].Play, err
}

// note keeps what a user did, and how far they may go since.
func note(tx *db.Tx, user string, p ledger.Play, acts []act) error {
	if err := ledger.Bound(tx, user, p); err != nil {
		return err
	}
	return insert(tx, user, acts)
}
