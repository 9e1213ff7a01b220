package bids

import (
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// Rising reports whether the user has an open pegged bid that covers any of the items, and so would
// rise with its value.
func Rising(tx *db.Tx, user string, items []string) (bool, error) {
	bids, err := pegged(tx, user)
	if err != nil || len(bids) == 0 {
		return false, err
	}
	found, err := catalogue.Items(tx, items)
	if err != nil {
		return false, err
	}
	for _, b := range bids {
		if b.Scope.Entry != "" {
			of, err := inventory.ByIDs(tx, []string{b.Scope.Entry})
			if err != nil {
				return false, err
			}
			if slices.Contains(items, of[b.Scope.Entry].Item.ID) {
				return true, nil
			}
			continue
		}
		for _, item := range found {
			if b.Scope.Covers("", item) {
				return true, nil
			}
		}
	}
	return false, nil
}
