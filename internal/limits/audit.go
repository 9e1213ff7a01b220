package limits

import (
	"fmt"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

// Audit proves that users' limits are those they chose under the rules; that their counters are the
// sums of their opens, trades and deposits; and that trades count for their proceeds.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, boundsOff, unasked, gaps, misjudged, countsOff)
}

// portion is the number of users audited at a time.
const portion = 500

// late is the maximum age of an act when it is counted, in microseconds. It may have waited for its
// user's account, and nodes' clocks differ slightly. Around the end of a span, an act counts for
// the span that has begun when it is counted.
const late = int64(2 * db.CallTime / time.Microsecond)

func countsOff(tx *db.Tx) (found []audit.Breach, err error) {
	for last := ""; ; {
		some, err := countedAfter(tx, last, portion)
		if err != nil || len(some) == 0 {
			return found, err
		}
		last = some[len(some)-1].user
		acts, err := doneSince(tx, some, since)
		if err != nil {
			return nil, err
		}
		of := map[string][]done{}
		for _, d := range acts {
			of[d.user] = append(of[d.user], d)
		}
		for _, c := range some {
			if least, most := c.sums(of[c.user]); !c.between(least, most) {
				found = append(found, audit.Breach{Rule: "what is counted of a user is what they did", Row: "account " + c.user,
					Detail: fmt.Sprintf("%+v is counted, done was %+v", c.Play, least)})
			}
		}
	}
}

// since returns the time from which acts are in a user's counters.
func since(c counted) int64 {
	first := min(Week.Began(c.CountedAt), Month.Began(c.CountedAt))
	return max(first-late, c.from+1)
}

// sums returns the minimum and maximum of the counters. They only differ for acts just before a
// span began.
func (c counted) sums(acts []done) (least, most ledger.Play) {
	least.CountedAt = c.CountedAt
	if len(acts) > 0 {
		least.CountedAt = c.from
	}
	for _, d := range acts {
		least.CountedAt = max(least.CountedAt, d.at)
		if d.opens > 0 {
			least.OpenedAt = max(least.OpenedAt, d.at)
		}
		for _, s := range spans {
			switch began := s.Began(c.CountedAt); {
			case d.at >= began:
				count(&least, s, d)
				count(&most, s, d)
			case d.at >= began-late:
				count(&least, s, done{lost: min(0, d.lost)})
				count(&most, s, done{lost: max(0, d.lost), added: d.added, paid: d.paid, opens: d.opens})
			}
		}
	}
	return least, most
}

// count adds an act to the counters of a span.
func count(p *ledger.Play, s Span, d done) {
	p.Lost[s] += d.lost
	p.Added[s] += d.added
	if s == Day {
		p.Spent += d.paid
		p.Opens += d.opens
	}
}

// between reports whether the counters are within the two sums. The sums don't include an open
// before the time from since.
func (c counted) between(least, most ledger.Play) bool {
	for _, s := range spans {
		if c.Lost[s] < least.Lost[s] || c.Lost[s] > most.Lost[s] || c.Added[s] < least.Added[s] || c.Added[s] > most.Added[s] {
			return false
		}
	}
	opened := c.OpenedAt == least.OpenedAt || least.OpenedAt == 0 && c.OpenedAt < since(c)
	return opened && c.CountedAt == least.CountedAt &&
		least.Spent <= c.Spent && c.Spent <= most.Spent && least.Opens <= c.Opens && c.Opens <= most.Opens
}
