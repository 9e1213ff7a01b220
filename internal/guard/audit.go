package guard

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

// Audit proves that how far users may go is what they chose, as the rules have it; that
// what is counted of them is what opens, trades and deposits add up to; and that trades
// count for what they brought.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, boundsOff, unasked, gaps, misjudged, countsOff)
}

// portion is how many users are looked at together.
const portion = 500

// skew is how far the clocks of nodes may be apart around the end of a span: what one did
// may count for the span that another has seen begin.
const skew = int64(1_000_000)

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
			if exact, late := c.sum(of[c.user], 0), c.sum(of[c.user], skew); !c.is(exact) && !c.is(late) {
				found = append(found, audit.Breach{Rule: "what is counted of a user is what they did", Row: "account " + c.user,
					Detail: fmt.Sprintf("%+v is counted, done was %+v", c.Play, exact)})
			}
		}
	}
}

// since is from when on anything is in a user's counters: with a second of what may count.
func since(c counted) int64 {
	first := min(Week.Began(c.CountedAt), Month.Began(c.CountedAt))
	return max(first-skew, c.from+1)
}

// sum is what the counters should be, where spans begin so much earlier.
func (c counted) sum(acts []done, early int64) ledger.Play {
	sum := ledger.Play{CountedAt: c.CountedAt}
	newest := c.from
	for _, d := range acts {
		newest = max(newest, d.at)
		for _, s := range spans {
			if d.at >= s.Began(c.CountedAt)-early {
				sum.Lost[s] += d.lost
				sum.Added[s] += d.added
			}
		}
		if d.opens > 0 {
			sum.OpenedAt = max(sum.OpenedAt, d.at)
		}
		if d.at >= Day.Began(c.CountedAt)-early {
			sum.Spent += d.paid
			sum.Opens += d.opens
		}
	}
	if len(acts) > 0 {
		sum.CountedAt = newest
	}
	return sum
}

// is tells whether the counters are a sum. An open that is older than all that was summed
// up does not stand in it.
func (c counted) is(sum ledger.Play) bool {
	first := since(c)
	opened := sum.OpenedAt == c.OpenedAt || sum.OpenedAt == 0 && c.OpenedAt < first
	return opened && sum.CountedAt == c.CountedAt && sum.Lost == c.Lost && sum.Added == c.Added && sum.Spent == c.Spent && sum.Opens == c.Opens
}
