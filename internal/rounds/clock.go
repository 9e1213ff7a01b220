package rounds

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// The clock check compares the node's clock with the beacon's. A clock that is behind would order with
// rounds that are already public.
const (
	maxEarly   = 200 * time.Millisecond  // how much earlier than its time a round may arrive, by this node's clock
	maxLate    = 2500 * time.Millisecond // how much later
	maxPeriods = 4                       // how long a check stays valid, in periods of the beacon

	checkInterval   = time.Second
	checkTimeout    = 30 * time.Second // more than a check takes with a period of 3 s
	baselineTimeout = time.Second      // for the first question to all relays
)

// sighting is the arrival of a new round.
type sighting struct {
	round    uint64 // 0 = none yet
	at       time.Time
	lateness time.Duration // from the round's time to its arrival; negative = early
}

func (s sighting) inTime() bool {
	return s.round > 0 && s.lateness >= -maxEarly && s.lateness <= maxLate
}

// ClockReady returns nil if the node's clock agrees with the beacon's, so that the node may take
// orders of sealed packs. Otherwise it returns apperr.SealedPaused.
func (s *Service) ClockReady() error {
	c := s.current()
	if c == nil {
		return errPaused.Because(errors.New("the sandbox's beacon isn't open"))
	}
	s.mutex.Lock()
	last := s.last
	s.mutex.Unlock()
	period := time.Duration(c.Period) * time.Second
	var cause error
	switch age := s.Now().Sub(last.at); {
	case last.round == 0:
		cause = fmt.Errorf("no new round of %s has been fetched yet", c.ID)
	case !last.inTime():
		cause = fmt.Errorf("round %d of %s arrived %s its time by this node's clock (allowed: %s before to %s after): the clock is wrong, or the beacon is late", last.round, c.ID, relative(last.lateness), maxEarly, maxLate)
	case age < 0 || age > maxPeriods*period:
		cause = fmt.Errorf("the last new round of %s was fetched %s ago (allowed: %s)", c.ID, age.Round(time.Millisecond), maxPeriods*period)
	default:
		return nil
	}
	return errPaused.After(period).Because(cause)
}

func relative(lateness time.Duration) string {
	if lateness < 0 {
		return fmt.Sprintf("%s before", -lateness)
	}
	return fmt.Sprintf("%s after", lateness)
}

var errPaused = apperr.New(apperr.SealedPaused, "Sealed packs are paused for a moment. You were not charged. Please try again.")

// Jobs returns the job that checks the node's clock while a sealed pack is on sale.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "beacon clock", Every: checkInterval, Limit: checkTimeout, Do: func(ctx context.Context) (int64, error) {
		return 0, s.checkClockIfActive(ctx)
	}}}
}

func (s *Service) checkClockIfActive(ctx context.Context) error {
	if s.Active == nil {
		return nil
	}
	active := false
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		active, err = s.Active(tx)
		return err
	})
	if err != nil {
		return err
	}
	s.mutex.Lock()
	s.active = active
	s.mutex.Unlock()
	if !active || !s.isCheckDue() {
		return nil
	}
	return s.checkClock(ctx)
}

// isCheckDue reports whether the next check must begin, so that it ends before the last one is too
// old: it takes up to a period.
func (s *Service) isCheckDue() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	age := s.Now().Sub(s.last.at)
	return !s.last.inTime() || age < 0 || age >= 2*s.period()-checkInterval
}

func (s *Service) period() time.Duration { return time.Duration(s.current().Period) * time.Second }

// checkClock waits for the next round and records when it arrives by the node's clock. Only a round
// that no relay had before is new; the age of any other is unknown.
func (s *Service) checkClock(ctx context.Context) error {
	c := s.current()
	known, relays, err := s.newestRound(ctx, c)
	if err != nil {
		return err
	}
	if known.lateness < -maxEarly {
		s.record(known)
		return nil
	}
	limited, end := context.WithTimeout(ctx, maxPeriods*s.period())
	defer end()
	next, err := poll(limited, relays, func(error) time.Duration { return shortPause }, func(ctx context.Context, r *relay) (sighting, error) {
		return s.sight(ctx, c, r, known.round)
	})
	if err != nil {
		return fmt.Errorf("wait for a round of %s after %d: %w", c.ID, known.round, err)
	}
	s.record(next)
	return nil
}

// sight fetches the newest round of a relay, if it is above a known one.
func (s *Service) sight(ctx context.Context, c *chain, r *relay, above uint64) (sighting, error) {
	round, err := c.latest(ctx, r, above)
	if err != nil {
		return sighting{}, err
	}
	now := s.Now()
	return sighting{round, now, now.Sub(c.Time(round))}, nil
}

func (s *Service) record(seen sighting) {
	s.counts.checks.Add(1)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last = seen
}

// newestRound asks all relays at once for their latest round. It returns the newest, and the relays
// that answered in time.
func (s *Service) newestRound(ctx context.Context, c *chain) (newest sighting, answered []*relay, err error) {
	if len(c.relays) == 0 {
		return newest, nil, errNoRelays
	}
	ctx, end := context.WithTimeout(ctx, baselineTimeout)
	defer end()
	type result struct {
		sighting
		relay *relay
		err   error
	}
	results := make(chan result)
	for _, r := range c.relays {
		go func() {
			seen, err := s.sight(ctx, c, r, 0)
			results <- result{seen, r, err}
		}()
	}
	var failures []error
	for range c.relays {
		r := <-results
		if r.err != nil {
			failures = append(failures, r.err)
			continue
		}
		answered = append(answered, r.relay)
		if r.round > newest.round {
			newest = r.sighting
		}
	}
	if answered == nil {
		return newest, nil, fmt.Errorf("no relay has a round of %s: %w", c.ID, errors.Join(failures...))
	}
	return newest, answered, nil
}
