package inventory

import (
	"maps"
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Exposure is what the house would pay if everybody sold back everything at once, what
// is listed or claimed included: both can be taken back.
type Exposure struct {
	Entries int64
	Worst   money.Cents
	ByFloor money.Cents // of Worst, what floors that still hold add to what the values give
}

// pile is entries of an item that have the same floor.
type pile struct {
	item   string
	floor  money.Cents
	number int64
}

// Exposed adds up what entries are quoted at (Entry.Quote), by how many of each item
// somebody owns; it looks at none but those that were pulled within the life of a floor.
func Exposed(tx *db.Tx, owned map[string]int64) (e Exposure, err error) {
	values, err := catalogue.QuoteValues(tx, slices.AppendSeq([]string{}, maps.Keys(owned)))
	if err != nil {
		return e, err
	}
	for item, n := range owned {
		e.Entries += n
		e.Worst += money.Cents(n) * policy.SellBack(values[item])
	}
	piles, err := floored(tx, tx.Now.Add(-policy.FloorLife))
	for _, p := range piles {
		e.ByFloor += money.Cents(p.number) * max(p.floor-policy.SellBack(values[p.item]), 0)
	}
	e.Worst += e.ByFloor
	return e, err
}
