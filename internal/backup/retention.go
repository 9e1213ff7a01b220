package backup

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// Retention is how many backups a folder keeps: the last of each hour, day and month that has one.
// Backups that are more than Months older than the newest one aren't kept.
type Retention struct{ Hours, Days, Months int }

// DefaultRetention keeps backups of 24 hours, 14 days and 12 months (operations.md, section 4).
var DefaultRetention = Retention{24, 14, 12}

// expired returns the names of backups that needn't be kept. Names that aren't backups stay.
func (r Retention) expired(names []string) (expired []string) {
	made := map[string]time.Time{}
	for _, name := range names {
		if at, ok := madeAt(name); ok {
			made[name] = at
		}
	}
	newest := slices.SortedFunc(maps.Keys(made), func(a, b string) int { return made[b].Compare(made[a]) })
	kept := map[string]bool{}
	for _, period := range []struct {
		layout string
		most   int
	}{{"2006010215", r.Hours}, {"20060102", r.Days}, {"200601", r.Months}} {
		seen := map[string]bool{}
		for _, name := range newest {
			if made[name].AddDate(0, r.Months, 0).Before(made[newest[0]]) {
				break
			}
			if span := made[name].Format(period.layout); !seen[span] && len(seen) < period.most {
				seen[span], kept[name] = true, true
			}
		}
	}
	for _, name := range newest {
		if !kept[name] {
			expired = append(expired, name)
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

// Newest returns the name of the newest backup in a target. It returns fs.ErrNotExist if there is none.
func Newest(ctx context.Context, t Target) (newest string, err error) {
	names, err := t.List(ctx)
	if err != nil {
		return "", err
	}
	var last time.Time
	for _, name := range names {
		if at, ok := madeAt(name); ok && at.After(last) {
			newest, last = name, at
		}
	}
	if newest == "" {
		err = fmt.Errorf("there is no backup in %s: %w", t, fs.ErrNotExist)
	}
	return newest, err
}

// Expire deletes the backups of a target that needn't be kept.
func Expire(ctx context.Context, t Target, r Retention) error {
	names, err := t.List(ctx)
	if err != nil {
		return err
	}
	return t.Expire(ctx, r.expired(names))
}
