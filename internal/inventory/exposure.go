package inventory

import (
	"maps"
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Exposure is what Kaibao would pay if all users sold back all entries now. It includes entries that are
// listed, claimed or being given, because all of these can be cancelled.
type Exposure struct {
	Entries int64
	Worst   money.Cents
	ByFloor money.Cents // the part of Worst that current floors add to the values
}

// floorGroup counts entries of an item with the same floor.
type floorGroup struct {
	item   string
	floor  money.Cents
	number int64
}

// ComputeExposure sums the quotes (Entry.Quote) of all owned entries. owned is the number of
// entries per item. It queries only entries whose floor began or was extended within policy.FloorLife.
func ComputeExposure(tx *db.Tx, owned map[string]int64) (e Exposure, err error) {
	values, err := catalogue.QuoteValues(tx, slices.AppendSeq([]string{}, maps.Keys(owned)))
	if err != nil {
		return e, err
	}
	for item, n := range owned {
		e.Entries += n
		e.Worst += money.Cents(n) * policy.SellBack(values[item])
	}
	groups, err := entriesWithFloor(tx, tx.Now.Add(-policy.FloorLife))
	for _, g := range groups {
		e.ByFloor += money.Cents(g.number) * max(g.floor-policy.SellBack(values[g.item]), 0)
	}
	e.Worst += e.ByFloor
	return e, err
}
