package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
	"kaibao/internal/publiclog"
)

// Follower is the name under which the feed reads opens from the log.
const Follower = "live opens"

// Jobs returns the jobs that add opens from the log to the feed. They run less often than other
// followers, because each run is a commit that opens wait for.
func Jobs(d *db.DB, log *publiclog.Followers) []jobs.Job {
	following := log.Add(Follower, publishOpens)
	following.Every = time.Second
	return []jobs.Job{following, opensDigest.Job(d)}
}

// opensDigest merges opens into at most one batch per second.
var opensDigest = marketevents.Digest{Name: "opens", Merge: mergeOpens}

// publishOpens adds opens, each once, when they get their place in the log.
func publishOpens(tx *db.Tx, leaves []publiclog.Draw) error {
	events := make([]marketevents.Event, len(leaves))
	for n, leaf := range leaves {
		events[n] = marketevents.Event{Kind: marketevents.Opened, Detail: leaf.ID + " " + leaf.Pack}
		for _, item := range leaf.Items {
			events[n].Price = max(events[n].Price, item.Value)
		}
	}
	return opensDigest.Add(tx, events...)
}

// maxIndividualOpens is how many opens of a second are sent individually; nobody could read more.
const maxIndividualOpens = 20

// mergeOpens keeps the most valuable opens and sums up the rest.
func mergeOpens(waiting []marketevents.Event) (merged []marketevents.Event) {
	var rest openSummary
	for _, e := range waiting {
		if e.Kind == marketevents.More {
			rest = rest.add(summaryOf(e))
		} else {
			merged = append(merged, e)
		}
	}
	slices.SortFunc(merged, func(a, b marketevents.Event) int {
		return cmp.Or(cmp.Compare(b.Price, a.Price), cmp.Compare(a.Detail, b.Detail))
	})
	few := min(len(merged), maxIndividualOpens)
	for _, e := range merged[few:] {
		_, pack := openIDAndPack(e)
		rest = rest.add(openSummary{1, []string{pack}})
	}
	merged = merged[:few]
	if rest.Count > 0 {
		merged = append(merged, rest.event())
	}
	return merged
}

// openSummary sums up opens that aren't sent individually.
type openSummary struct {
	Count   int      `json:"count"`
	PackIDs []string `json:"packIds"` // sorted, without duplicates
}

func (m openSummary) add(others openSummary) openSummary {
	packs := slices.Concat(m.PackIDs, others.PackIDs)
	slices.Sort(packs)
	return openSummary{m.Count + others.Count, slices.Compact(packs)}
}

func (m openSummary) event() marketevents.Event {
	return marketevents.Event{Kind: marketevents.More, Detail: strconv.Itoa(m.Count) + " " + strings.Join(m.PackIDs, " ")}
}

func summaryOf(e marketevents.Event) openSummary {
	count, packs, _ := strings.Cut(e.Detail, " ")
	n, _ := strconv.Atoi(count) // event wrote it, so it is a number
	return openSummary{n, strings.Fields(packs)}
}
