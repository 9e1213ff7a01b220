package inventory

import (
	"cmp"
	"math/big"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Paid returns what their owners paid for entries, by entry: for a pull, its part of the pack's price; for
// a purchase, the price, as the seller pays the fee; for a gift, 0.
func Paid(tx *db.Tx, entries []Entry) (map[string]money.Cents, error) {
	var openings, acquired []string
	for _, e := range entries {
		if e.Pulled() {
			openings = append(openings, e.OpeningID)
		} else {
			acquired = append(acquired, e.ID)
		}
	}
	slices.Sort(openings)
	paid, err := openPrices(tx, slices.Compact(openings))
	if err != nil {
		return nil, err
	}
	return paid, addLastPrices(tx, acquired, paid)
}

// openedEntry is a pulled entry with what splitting the open's price needs.
type openedEntry struct {
	entry, opening string
	price          money.Cents // of the open
	value          money.Cents // at the draw
}

// splitPrices returns what each entry cost its puller, by entry. entries has all entries of the opens, by
// open and in the order drawn.
func splitPrices(entries []openedEntry) map[string]money.Cents {
	paid := make(map[string]money.Cents, len(entries))
	for len(entries) > 0 {
		size := 1
		for size < len(entries) && entries[size].opening == entries[0].opening {
			size++
		}
		values := make([]money.Cents, size)
		for n, e := range entries[:size] {
			values[n] = e.value
		}
		for n, part := range splitPrice(entries[0].price, values) {
			paid[entries[n].entry] = part
		}
		entries = entries[size:]
	}
	return paid
}

// splitPrice splits a price in proportion to values, into whole cents that add up to it. Parts are
// rounded down; the cents left over go to the largest remainders, among equal ones to the first. If all
// values are 0, the parts are equal.
func splitPrice(price money.Cents, values []money.Cents) []money.Cents {
	total := big.NewInt(0)
	for _, v := range values {
		total.Add(total, big.NewInt(int64(v)))
	}
	if total.Sign() == 0 {
		values = slices.Repeat([]money.Cents{1}, len(values))
		total.SetInt64(int64(len(values)))
	}
	parts, remainders, order, left := make([]money.Cents, len(values)), make([]*big.Int, len(values)), make([]int, len(values)), price
	for n, v := range values {
		part, remainder := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(int64(price)), big.NewInt(int64(v))), total, new(big.Int))
		parts[n], remainders[n], order[n] = money.Cents(part.Int64()), remainder, n
		left -= parts[n]
	}
	slices.SortStableFunc(order, func(a, b int) int { return remainders[b].Cmp(remainders[a]) })
	for _, n := range order[:left] {
		parts[n]++
	}
	return parts
}

// ownership is a period in which a user owned an entry.
type ownership struct {
	item     string
	from, to int64 // in microseconds; to is exclusive, and maxMicros while it lasts
	paid     money.Cents
}

// ownerChange is an act that gave an entry a new owner or ended it. An entry without such acts has one
// ownerChange with an empty act.
type ownerChange struct {
	openedEntry
	item, puller string
	pulledAt     int64 // in microseconds
	act          Act
	by           string      // the new owner's id, if there is one
	paid         money.Cents // by the new owner
	at           int64       // in microseconds
}

// ownerships returns the periods in which a user owned entries, sorted by item. changes is sorted by open,
// position in the open and time.
func ownerships(user string, changes []ownerChange) (periods []ownership) {
	var opened []openedEntry
	for n, c := range changes {
		if c.puller == user && (n == 0 || changes[n-1].entry != c.entry) {
			opened = append(opened, c.openedEntry)
		}
	}
	paid := splitPrices(opened)
	for n := 0; n < len(changes); {
		first := changes[n]
		owner, current := first.puller, ownership{item: first.item, from: first.pulledAt, paid: paid[first.entry]}
		end := func(at int64) {
			current.to = at
			if owner == user && current.from < at {
				periods = append(periods, current)
			}
		}
		for ; n < len(changes) && changes[n].entry == first.entry; n++ {
			c := changes[n]
			if c.act == "" {
				continue
			}
			end(c.at)
			owner = ""
			if transitions[c.act].source != "" {
				owner, current = c.by, ownership{item: first.item, from: c.at, paid: c.paid}
			}
		}
		end(maxMicros)
	}
	slices.SortStableFunc(periods, func(a, b ownership) int { return cmp.Compare(a.item, b.item) })
	return periods
}
