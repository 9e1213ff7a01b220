package inventory

import (
	"fmt"
	"slices"

	"kaibao/internal/apperr"
)

// Refusal is a reason why a user can't do something with an entry.
type Refusal struct {
	Applies func(e Entry, user string) bool
	Error   *apperr.Error
}

// Refused is the detail of a refusal: the entries that it applies to.
type Refused struct {
	InventoryIDs []string `json:"inventoryIds"`
}

// CheckIDs refuses a list of entries that is empty, too long or has duplicates.
func CheckIDs(ids []string, limit int64) error {
	if err := apperr.CheckRange("inventoryIds", int64(len(ids)), 1, limit); err != nil {
		return err
	}
	seen := map[string]bool{}
	for n, id := range ids {
		if seen[id] {
			return apperr.InvalidField(fmt.Sprintf("inventoryIds[%d]", n), "is listed twice")
		}
		seen[id] = true
	}
	return nil
}

// Permitted returns the entries in the order of ids. If a refusal applies to one of them, it refuses all;
// of several refusals, the first is reported. Unknown entries have no owner.
func Permitted(entriesByID map[string]Entry, ids []string, user string, refusals []Refusal) ([]Entry, error) {
	for _, r := range refusals {
		refused := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !r.Applies(entriesByID[id], user) })
		if len(refused) > 0 {
			return nil, r.Error.WithDetails(Refused{refused})
		}
	}
	entries := make([]Entry, len(ids))
	for n, id := range ids {
		entries[n] = entriesByID[id]
	}
	return entries, nil
}
