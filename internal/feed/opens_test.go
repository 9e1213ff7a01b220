package feed

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

func open(n int, pack string, value money.Cents) marketevents.Event {
	return marketevents.Event{Kind: marketevents.Opened, Detail: fmt.Sprintf("open-%04d %s", n, pack), Price: value}
}

// The twenty most valuable opens of a second are sent individually and the rest summed up, in
// whatever order they arrive.
func TestMostValuableOpensAreSentIndividually(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var all, waiting []marketevents.Event
		for n := range random.IntN(90) {
			all = append(all, open(n, fmt.Sprint(random.IntN(5)), money.Cents(random.IntN(40))))
		}
		for chunk := range slices.Chunk(all, 1+random.IntN(30)) {
			waiting = mergeOpens(append(waiting, chunk...))
		}
		checkMerged(t, all, waiting)
	}
}

func checkMerged(t *testing.T, all, merged []marketevents.Event) {
	t.Helper()
	slices.SortStableFunc(all, func(a, b marketevents.Event) int { return int(b.Price - a.Price) })
	individual, rest := all[:min(len(all), 20)], all[min(len(all), 20):]
	var counted openSummary
	if len(rest) > 0 {
		counted = summaryOf(merged[len(merged)-1])
		merged = merged[:len(merged)-1]
	}
	if len(merged) != len(individual) {
		t.Fatalf("%d of %d opens are sent individually, want %d", len(merged), len(all), len(individual))
	}
	for n, e := range merged {
		if e.Kind != marketevents.Opened || e.Price != individual[n].Price {
			t.Errorf("open %d is worth %d, want %d", n, e.Price, individual[n].Price)
		}
	}
	var packs []string
	for _, e := range all {
		if !slices.ContainsFunc(merged, func(other marketevents.Event) bool { return other.Detail == e.Detail }) {
			_, pack := openIDAndPack(e)
			packs = append(packs, pack)
		}
	}
	slices.Sort(packs)
	if want := (openSummary{len(packs), slices.Compact(packs)}); len(rest) > 0 && !reflect.DeepEqual(counted, want) {
		t.Errorf("the other opens are summed up as %+v, want %+v", counted, want)
	}
}

// An open by a user who has since excluded themselves is summed up instead of causing a reset.
func TestOpenOfExcludedUserIsSummedUp(t *testing.T) {
	kind, data := references{}.payload(marketevents.Event{Kind: marketevents.Opened, Detail: "open-0001 2"})
	if text, err := json.Marshal(data); kind != "more" || err != nil || string(text) != `{"count":1,"packIds":["2"]}` {
		t.Errorf("event %q with %s (%v), want \"more\" with one open of pack 2", kind, text, err)
	}
}
