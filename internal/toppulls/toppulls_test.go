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
		if slices.Contains(p.boards(25_00), board{"2", lastBig}) {
			last, _ = last.with(p, lastBig)
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
		l, _ = l.with(pull{Open: fmt.Sprintf("%02d", n), Value: money.Cents(n * 7 % 10), At: int64(n)}, AllTime)
	}
	if len(l.pulls) != policy.TopPullsListed || !slices.IsSortedFunc(l.pulls, AllTime.compare) || l.pulls[0] != (pull{Open: "07", Value: 9, At: 7}) || l.pulls[19].Value != 6 {
		t.Errorf("the list is %v", l.pulls)
	}
	if after, entered := l.with(pull{Open: "51", Value: 6, At: 51}, AllTime); entered || !slices.Equal(after.pulls, l.pulls) {
		t.Error("a later pull of the same value as the last one enters a full list")
	}
}

// A new day starts a new list; opens of the day before that are logged later don't count.
func TestNewDayStartsNewList(t *testing.T) {
	midnight := time.Date(2026, 3, 8, 24, 0, 0, 0, time.UTC) // also the start of a week
	for _, period := range []Period{Today, Week} {
		var l list
		for n, c := range []struct {
			at   time.Duration
			want int
		}{{-time.Hour, 1}, {-time.Millisecond, 2}, {0, 1}, {-time.Minute, 1}, {time.Hour, 2}} {
			l, _ = l.with(pull{Open: fmt.Sprint(n), Value: 1, At: db.Micros(midnight.Add(c.at))}, period)
			if len(l.pulls) != c.want {
				t.Errorf("%s: %d pulls after number %d, want %d", period, len(l.pulls), n, c.want)
			}
		}
	}
}
