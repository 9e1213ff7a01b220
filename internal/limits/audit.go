package limits

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

// Audit proves that users' limits are those they chose under the rules; that their counters are the
// sums of their opens, trades and deposits; and that trades count for their proceeds.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongBounds, findUnrequestedRaises, findGaps, findWrongTradeAmounts, findWrongCounters)
}

// auditPortion is the number of users audited at a time.
const auditPortion = 500

func findWrongCounters(tx *db.Tx) (found []audit.Breach, err error) {
	for last := ""; ; {
		users, err := countersAfter(tx, last, auditPortion)
		if err != nil || len(users) == 0 {
			return found, err
		}
		last = users[len(users)-1].user
		acts, err := countedActsSince(tx, users, countedFrom)
		if err != nil {
			return nil, err
		}
		actsOf := map[string][]countedAct{}
		for _, act := range acts {
			actsOf[act.user] = append(actsOf[act.user], act)
		}
		for _, c := range users {
			if least, most := c.bounds(actsOf[c.user]); !c.isBetween(least, most) {
				found = append(found, audit.Breach{Rule: "a user's counters for limits must match their acts", Row: "account " + c.user,
					Detail: fmt.Sprintf("counters are %+v, but the acts add up to %+v", c.PlayLimits, least)})
			}
		}
	}
}

// countedFrom returns the time from which acts are in a user's counters.
func countedFrom(c counters) int64 {
	first := min(Week.Began(c.CountedAt), Month.Began(c.CountedAt))
	return max(first-audit.MaxDelay, c.from+1)
}

// bounds returns the minimum and maximum of the counters. They only differ for acts just before a
// span began: an act that waited counts for the span that has begun when it is counted.
func (c counters) bounds(acts []countedAct) (least, most ledger.PlayLimits) {
	least.CountedAt = c.CountedAt
	if len(acts) > 0 {
		least.CountedAt = max(c.from, c.inherited.CountedAt)
	}
	for _, s := range spans {
		if c.inherited.CountedAt != 0 && c.inherited.CountedAt >= s.Began(c.CountedAt) {
			for _, p := range []*ledger.PlayLimits{&least, &most} {
				addToCounters(p, s, countedAct{lost: c.inherited.Lost[s], deposited: c.inherited.Deposited[s], spent: c.inherited.Spent, opens: c.inherited.Opens})
			}
		}
	}
	for _, act := range acts {
		least.CountedAt = max(least.CountedAt, act.at)
		if act.isOpen {
			least.OpenedAt = max(least.OpenedAt, act.at)
		}
		for _, s := range spans {
			switch began := s.Began(c.CountedAt); {
			case act.at >= began:
				addToCounters(&least, s, act)
				addToCounters(&most, s, act)
			case act.at >= began-audit.MaxDelay:
				addToCounters(&least, s, countedAct{lost: min(0, act.lost)})
				addToCounters(&most, s, countedAct{lost: max(0, act.lost), deposited: act.deposited, spent: act.spent, opens: act.opens})
			}
		}
	}
	return least, most
}

// addToCounters adds an act to the counters of a span.
func addToCounters(p *ledger.PlayLimits, s Span, act countedAct) {
	p.Lost[s] += act.lost
	p.Deposited[s] += act.deposited
	if s == Day {
		p.Spent += act.spent
		p.Opens += act.opens
	}
}

// isBetween reports whether the counters are within the two sums. The sums don't include an open
// before countedFrom. An account without opens has the time of the last open that it inherited.
func (c counters) isBetween(least, most ledger.PlayLimits) bool {
	for _, s := range spans {
		if c.Lost[s] < least.Lost[s] || c.Lost[s] > most.Lost[s] || c.Deposited[s] < least.Deposited[s] || c.Deposited[s] > most.Deposited[s] {
			return false
		}
	}
	opened := c.OpenedAt == max(least.OpenedAt, c.inherited.OpenedAt) ||
		least.OpenedAt == 0 && c.OpenedAt >= c.inherited.OpenedAt && c.OpenedAt < countedFrom(c)
	return opened && c.CountedAt == least.CountedAt &&
		least.Spent <= c.Spent && c.Spent <= most.Spent && least.Opens <= c.Opens && c.Opens <= most.Opens
}
