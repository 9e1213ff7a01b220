package bids

import (
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// HasPegged reports whether the user has an open pegged bid that covers any of the items, and so
// would rise with its value.
func HasPegged(tx *db.Tx, user string, items []string) (bool, error) {
	pegged, err := openPegged(tx, user)
	if err != nil || len(pegged) == 0 {
		return false, err
	}
	byID, err := catalogue.Items(tx, items)
	if err != nil {
		return false, err
	}
	for _, b := range pegged {
		if b.Scope.Entry != "" {
			entries, err := inventory.ByIDs(tx, []string{b.Scope.Entry})
			if err != nil {
				return false, err
			}
			if slices.Contains(items, entries[b.Scope.Entry].Item.ID) {
				return true, nil
			}
			continue
		}
		for _, item := range byID {
			if b.Scope.Covers("", item) {
				return true, nil
			}
		}
	}
	return false, nil
}
