package toppulls

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// Audit checks that every list has the pulls with the highest values of its day, its week or all
// time, and the last big pull, of the opens counted so far.
func Audit(tx *db.Tx) (found []audit.Breach, err error) {
	rows, err := allLists(tx)
	if err != nil {
		return nil, err
	}
	stored, expected := map[listKey]list{}, map[listKey]list{}
	for _, r := range rows {
		stored[r.key] = r.list
		expected[r.key] = list{begins: r.begins}
	}
	err = eachCountedPull(tx, func(p pricedPull) error {
		for _, key := range p.lists(p.price) {
			if l, inserted := expected[key].insert(p.pull, key.kind); inserted {
				expected[key] = l
			}
		}
		return nil
	})
	for key, want := range expected {
		if detail := difference(stored[key], want); detail != "" {
			found = append(found, audit.Breach{
				Rule:   "each list of top pulls must have the most valuable pulls of its period",
				Row:    key.String(),
				Detail: detail,
			})
		}
	}
	return found, err
}

// difference describes the first difference between a stored list and the one that the opens give, or
// returns "".
func difference(stored, want list) string {
	if stored.begins != want.begins {
		return fmt.Sprintf("begins at %s; by the opens, at %s", httpapi.Timestamp(db.Time(stored.begins)), httpapi.Timestamp(db.Time(want.begins)))
	}
	describe := func(pulls []pull, n int) string {
		if n >= len(pulls) {
			return "missing"
		}
		return pulls[n].String()
	}
	for n := range max(len(stored.pulls), len(want.pulls)) {
		if n >= len(stored.pulls) || n >= len(want.pulls) || stored.pulls[n] != want.pulls[n] {
			return fmt.Sprintf("pull %d is %s; by the opens, %s", n+1, describe(stored.pulls, n), describe(want.pulls, n))
		}
	}
	return ""
}

func (p pull) String() string {
	return fmt.Sprintf("item %s for $%s at position %d of open %s of pack %s at %s", p.Item, p.Value, p.Position, p.Open, p.Pack, httpapi.Timestamp(db.Time(p.At)))
}
