package toppulls

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// A pull worth five times the price is big. The last big pull is the newest one, and of one open the
// most valuable.
func TestLastBigPull(t *testing.T) {
	monday := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
	var last list
	for n, c := range []struct {
		open   string
		value  money.Cents
		at     time.Duration
		isLast bool
	}{
		{"a", 124_99, 0, false}, {"a", 125_00, 0, true}, {"b", 2000_00, time.Second, true}, {"c", 125_00, 2 * time.Second, true},
		{"c", 130_00, 2 * time.Second, true}, {"c", 126_00, 2 * time.Second, false}, {"b", 3000_00, time.Second, false},
	} {
		p := pull{Open: c.open, Position: n, Pack: "2", Item: "x", Value: c.value, At: db.Micros(monday.Add(c.at))}
		if slices.Contains(p.lists(25_00), listKey{"2", lastBigPull}) {
			last, _ = last.insert(p, lastBigPull)
		}
		if got := len(last.pulls) == 1 && last.pulls[0] == p; got != c.isLast {
			t.Errorf("pull %d of %s: it is the last big pull: %v, want %v", n, c.value, got, c.isLast)
		}
	}
}

// A list keeps the most valuable pulls; of equal ones, the earlier.
func TestListKeepsTheMostValuablePulls(t *testing.T) {
	var l list
	for n := range 50 {
		l, _ = l.insert(pull{Open: fmt.Sprintf("%02d", n), Value: money.Cents(n * 7 % 10), At: int64(n)}, topAllTime)
	}
	if len(l.pulls) != policy.TopPullsListed || !slices.IsSortedFunc(l.pulls, topAllTime.compare) || l.pulls[0] != (pull{Open: "07", Value: 9, At: 7}) || l.pulls[19].Value != 6 {
		t.Errorf("the list is %v", l.pulls)
	}
	if after, inserted := l.insert(pull{Open: "51", Value: 6, At: 51}, topAllTime); inserted || !slices.Equal(after.pulls, l.pulls) {
		t.Error("a later pull of the same value as the last one enters a full list")
	}
}

// A new day starts a new list; opens of the day before that are logged later don't count.
func TestNewDayStartsNewList(t *testing.T) {
	midnight := time.Date(2026, 3, 8, 24, 0, 0, 0, time.UTC) // also the start of a week
	for _, kind := range []listKind{topToday, topThisWeek} {
		var l list
		for n, c := range []struct {
			at   time.Duration
			want int
		}{{-time.Hour, 1}, {-time.Millisecond, 2}, {0, 1}, {-time.Minute, 1}, {time.Hour, 2}} {
			l, _ = l.insert(pull{Open: fmt.Sprint(n), Value: 1, At: db.Micros(midnight.Add(c.at))}, kind)
			if len(l.pulls) != c.want {
				t.Errorf("%s: %d pulls after number %d, want %d", kind, len(l.pulls), n, c.want)
			}
		}
	}
}

// The audit names the first pull that differs.
func TestAuditNamesTheFirstDifference(t *testing.T) {
	first := pull{Open: "a", Pack: "2", Item: "x", Value: 12_00, At: db.Micros(time.Date(2026, 3, 9, 8, 0, 0, 0, time.UTC))}
	second := pull{Open: "b", Position: 3, Pack: "7", Item: "y", Value: 11_00, At: first.At}
	const firstText = "item x for $12.00 at position 0 of open a of pack 2 at 2026-03-09T08:00:00.000Z"
	const secondText = "item y for $11.00 at position 3 of open b of pack 7 at 2026-03-09T08:00:00.000Z"
	want := list{pulls: []pull{first, second}}
	for expected, stored := range map[string]list{
		"": want,
		"pull 2 is missing; by the opens, " + secondText:                                {pulls: []pull{first}},
		"pull 1 is " + secondText + "; by the opens, " + firstText:                      {pulls: []pull{second, first}},
		"pull 3 is " + firstText + "; by the opens, missing":                            {pulls: []pull{first, second, first}},
		"begins at 2026-03-09T08:00:00.000Z; by the opens, at 1970-01-01T00:00:00.000Z": {begins: first.At, pulls: want.pulls},
	} {
		if got := difference(stored, want); got != expected {
			t.Errorf("%q, want %q", got, expected)
		}
	}
}
