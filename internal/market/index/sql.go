package index

import (
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// listingRow is an entry and its item, listed or no longer listed.
type listingRow struct {
	entry   string
	version int64
	listing string      // empty if not listed
	price   money.Cents // 0 if not listed
	owner   string
	vaulted bool
	item    catalogue.Item
}

const listingColumns = `n.id, n.version, COALESCE(CAST(n.listing_id AS TEXT), ''), COALESCE(n.sale_price_cents, 0), n.user_id, n.vaulted`

func (r *listingRow) fields() []any {
	return []any{&r.entry, &r.version, &r.listing, &r.price, &r.owner, &r.vaulted}
}

// forSale is the state as an SQL literal. The index isn't used for a parameter.
const forSale = `'` + string(inventory.Listed) + `'`

// read loads all listings and then their items into an empty model.
func (m *model) read(tx *db.Tx) error {
	var ids []string
	numbers := map[string]uint32{}
	if err := eachListing(tx, func(row listingRow) error {
		n, ok := numbers[row.item.ID]
		if !ok {
			n = uint32(len(ids))
			ids, numbers[row.item.ID] = append(ids, row.item.ID), n
		}
		m.listings.add(listingOf(row, n))
		return nil
	}); err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, itemsPerRead) {
		items, err := itemsOf(tx, chunk)
		if err != nil {
			return err
		}
		for _, i := range items {
			m.putItem(i)
		}
	}
	for _, l := range m.listings.all() {
		l.item = m.itemNumbers[ids[l.item]]
	}
	return nil
}

const itemsPerRead = 4096

// eachListing calls fn for every listing. Its item has only an ID.
func eachListing(tx *db.Tx, fn func(listingRow) error) error {
	var l listingRow // reused for every row: a million allocations would be most of the garbage
	fields := append(l.fields(), &l.item.ID)
	scan := func(s db.Scanner) (listingRow, error) {
		err := s.Scan(fields...)
		return l, err
	}
	return db.Each(tx, scan, fn, `SELECT `+listingColumns+`, n.item_id FROM inventory n WHERE n.state = `+forSale)
}

// listingRowsOf returns entries and their items, listed or not.
func listingRowsOf(tx *db.Tx, entries []string) ([]listingRow, error) {
	scan := func(s db.Scanner) (l listingRow, err error) {
		err = s.Scan(append(l.fields(), l.item.Fields()...)...)
		return l, err
	}
	return db.All(tx, scan, `SELECT `+listingColumns+`, `+catalogue.Columns+` FROM inventory n JOIN items i ON i.id = n.item_id
		WHERE `+tx.InList("n.id", "$1"), db.List(entries))
}

func itemsOf(tx *db.Tx, ids []string) ([]catalogue.Item, error) {
	return db.All(tx, catalogue.Scan, `SELECT `+catalogue.Columns+` FROM items i WHERE `+tx.InList("i.id", "$1"), db.List(ids))
}
