package toppulls

import (
	"fmt"
	"slices"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that every list has the pulls with the highest values of its day, its week or all
// time, and the last big pull, of the opens counted so far.
func Audit(tx *db.Tx) (found []audit.Breach, err error) {
	rows, err := allLists(tx)
	if err != nil {
		return nil, err
	}
	stored, expected := map[board]list{}, map[board]list{}
	for _, r := range rows {
		stored[r.board] = r.list
		expected[r.board] = list{begins: r.begins}
	}
	err = eachCountedPull(tx, func(p pricedPull) error {
		for _, b := range p.boards(p.price) {
			if l, entered := expected[b].with(p.pull, b.period); entered {
				expected[b] = l
			}
		}
		return nil
	})
	for b, want := range expected {
		if got := stored[b]; got.begins != want.begins || !slices.Equal(got.pulls, want.pulls) {
			found = append(found, audit.Breach{
				Rule: "each list of top pulls must have the most valuable pulls of its period",
				Row:  fmt.Sprintf("top pulls of pack %q by %s", b.pack, b.period),
				Detail: fmt.Sprintf("has %d pulls since %d, but the opens give other ones: %d since %d",
					len(got.pulls), got.begins, len(want.pulls), want.begins),
			})
		}
	}
	return found, err
}
