package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Retention is how many backups a folder keeps: the last of each hour, day and month that has one.
// Backups that are more than Months older than the newest one aren't kept.
type Retention struct{ Hours, Days, Months int }

// DefaultRetention keeps backups of 24 hours, 14 days and 12 months (operations.md, section 4).
var DefaultRetention = Retention{24, 14, 12}

// ClockTolerance is how far in the future a time may be, since clocks of machines differ.
const ClockTolerance = 5 * time.Minute

// IsFuture reports whether a time is so far in the future that a clock is or was wrong.
func IsFuture(at, now time.Time) bool { return at.Sub(now) > ClockTolerance }

// ErrNone means that a target contains no backup.
var ErrNone = errors.New("there is no backup")

// Stored is a backup in a target.
type Stored struct {
	File
	At time.Time // when it began, as its name says
}

// Stock are the backups in a target.
type Stock struct {
	Backups []Stored // newest first
	Future  []Stored // dated in the future by a wrong clock, newest first: it is unknown how old they are
}

// Backups returns the backups in a target. Other files are left out.
func Backups(ctx context.Context, t Target, now time.Time) (Stock, error) {
	files, err := t.List(ctx)
	if err != nil {
		return Stock{}, fmt.Errorf("list the backups in %s: %w", t, err)
	}
	return stockOf(files, now), nil
}

func stockOf(files []File, now time.Time) (s Stock) {
	for _, file := range files {
		at, ok := madeAt(file.Name)
		switch {
		case !ok:
		case IsFuture(at, now):
			s.Future = append(s.Future, Stored{file, at})
		default:
			s.Backups = append(s.Backups, Stored{file, at})
		}
	}
	newestFirst := func(a, b Stored) int { return b.At.Compare(a.At) }
	slices.SortStableFunc(s.Backups, newestFirst)
	slices.SortStableFunc(s.Future, newestFirst)
	return s
}

// Warning returns what to do about the backups that are dated in the future, or "" if there are none.
func (s Stock) Warning() string {
	if len(s.Future) == 0 {
		return ""
	}
	names := make([]string, len(s.Future))
	for n, stored := range s.Future {
		names[n] = stored.Name
	}
	return fmt.Sprintf("dated in the future and ignored: %s. Check the clock; then rename or delete them", strings.Join(names, ", "))
}

// expired returns the names of backups that needn't be kept. It keeps those that are dated in the
// future.
func (r Retention) expired(s Stock) (expired []string) {
	kept := map[string]bool{}
	for _, period := range []struct {
		layout string
		most   int
	}{{"2006010215", r.Hours}, {"20060102", r.Days}, {"200601", r.Months}} {
		seen := map[string]bool{}
		for _, b := range s.Backups {
			if b.At.AddDate(0, r.Months, 0).Before(s.Backups[0].At) {
				break
			}
			if span := b.At.Format(period.layout); !seen[span] && len(seen) < period.most {
				seen[span], kept[b.Name] = true, true
			}
		}
	}
	for _, b := range s.Backups {
		if !kept[b.Name] {
			expired = append(expired, b.Name)
		}
	}
	return expired
}

// madeAt returns the time in a backup's name.
func madeAt(name string) (time.Time, bool) {
	text, ok := strings.CutPrefix(name, "kaibao-")
	text = strings.TrimSuffix(text, encryptedSuffix)
	text, isBackup := strings.CutSuffix(text, suffix)
	at, err := time.Parse(nameTime, text)
	return at, ok && isBackup && err == nil
}

// Newest returns the name of the newest backup in a target, and a warning about those that are dated in
// the future, which it ignores. It returns ErrNone if there is no other.
func Newest(ctx context.Context, t Target, now time.Time) (newest, warning string, err error) {
	stock, err := Backups(ctx, t, now)
	if err != nil {
		return "", "", err
	}
	warning = stock.Warning()
	if len(stock.Backups) == 0 {
		err := fmt.Errorf("%w in %s", ErrNone, t)
		if warning != "" {
			err = fmt.Errorf("%w but some are %s, or give the name of one", err, warning)
		}
		return "", warning, err
	}
	return stock.Backups[0].Name, warning, nil
}

// Expire deletes the backups of a target that needn't be kept, but never the one that was just made. It
// returns a warning about those that are dated in the future, which it leaves.
func Expire(ctx context.Context, t Target, r Retention, justMade string, now time.Time) (warning string, err error) {
	stock, err := Backups(ctx, t, now)
	if err != nil {
		return "", err
	}
	old := slices.DeleteFunc(r.expired(stock), func(name string) bool { return name == justMade })
	return stock.Warning(), t.Expire(ctx, old)
}
