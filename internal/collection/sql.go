package collection

import (
	"encoding/json"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// spelt is a list of states as SQL writes it: an index over some states is not used
// for a parameter.
func spelt(states ...State) string {
	words := make([]string, len(states))
	for n, s := range states {
		words[n] = "'" + string(s) + "'"
	}
	return strings.Join(words, ", ")
}

// Add hands entries over to their owners.
func Add(tx *db.Tx, entries []Entry) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "item_id", "opening_id", "position", "pulled_value_cents",
		"sell_back_floor_cents", "sell_back_until", "state", "acquired_from", "acquired_at"}}
	for _, e := range entries {
		rows.Add(e.ID, e.Owner, e.Item.ID, e.OpeningID, e.Position, e.PulledValue,
			e.SellBackFloor, db.Micros(e.SellBackUntil), string(e.State), string(e.AcquiredFrom), db.Micros(e.AcquiredAt))
	}
	return tx.InsertRows("inventory", rows)
}

const selectEntries = `SELECT n.id, n.user_id, n.opening_id, n.position, p.name, n.pulled_value_cents, n.sell_back_floor_cents,
	n.sell_back_until, n.state, n.vaulted, n.acquired_from, n.acquired_at,
	COALESCE(n.listing_id, ''), COALESCE(n.ended_listing_id, ''), COALESCE(n.sale_price_cents, 0), i.id, i.series, i.name, i.rarity,
	COALESCE(i.grade_tenths, 0), i.grader, i.cert_number, i.image_url, i.base_value_cents, i.is_active
	FROM inventory n JOIN items i ON i.id = n.item_id JOIN openings o ON o.id = n.opening_id JOIN packs p ON p.id = o.pack_id `

func scanEntry(s db.Scanner) (e Entry, err error) {
	var floorUntil, at int64
	i := &e.Item
	err = s.Scan(&e.ID, &e.Owner, &e.OpeningID, &e.Position, &e.PackName, &e.PulledValue, &e.SellBackFloor,
		&floorUntil, &e.State, &e.Vaulted, &e.AcquiredFrom, &at, &e.ListingID, &e.EndedListing, &e.SalePrice, &i.ID, &i.Series, &i.Name, &i.Rarity,
		&i.GradeTenths, &i.Grader, &i.CertNumber, &i.ImageURL, &i.BaseValue, &i.Active)
	e.AcquiredAt = db.Time(at)
	if floorUntil != 0 {
		e.SellBackUntil = db.Time(floorUntil)
	}
	return e, err
}

// until is how the end of a floor is stored: 0 where there is none.
func until(end time.Time) int64 {
	if end.IsZero() {
		return 0
	}
	return db.Micros(end)
}

// valued adds what the items of some entries count for in quotes.
func valued(tx *db.Tx, entries []Entry, err error) ([]Entry, error) {
	if err != nil || len(entries) == 0 {
		return entries, err
	}
	ids := make([]string, len(entries))
	for n, e := range entries {
		ids[n] = e.Item.ID
	}
	values, err := catalogue.QuoteValues(tx, ids)
	for n := range entries {
		entries[n].QuoteValue = values[entries[n].Item.ID]
	}
	return entries, err
}

// ByOpenings lists what came out of some opens, each in the order drawn,
// whoever owns it now.
func ByOpenings(tx *db.Tx, openings []string) (map[string][]Entry, error) {
	ids, err := json.Marshal(openings)
	if err != nil {
		return nil, err
	}
	rows, err := db.All(tx, scanEntry, selectEntries+`WHERE `+tx.InList("n.opening_id", "$1")+
		` ORDER BY n.opening_id, n.position`, string(ids))
	rows, err = valued(tx, rows, err)
	found := make(map[string][]Entry, len(openings))
	for _, e := range rows {
		found[e.OpeningID] = append(found[e.OpeningID], e)
	}
	return found, err
}

// find reads an entry, or db.ErrNoRow.
func find(tx *db.Tx, id string) (Entry, error) {
	e, err := db.One(tx, scanEntry, selectEntries+`WHERE n.id = $1`, id)
	found, err := valued(tx, []Entry{e}, err)
	return found[0], err
}

// Lock reads an entry and keeps rivals off it until the end of the transaction,
// or is db.ErrNoRow.
func Lock(tx *db.Tx, id string) (Entry, error) {
	// A lock on the whole join would hold the item and the pack, too.
	if _, err := db.One(tx, db.Column[string], `SELECT id FROM inventory WHERE id = $1`+tx.ForUpdate(), id); err != nil {
		return Entry{}, err
	}
	return find(tx, id)
}

// LockOwn is Lock for an entry of a user's: another's, or one that has ended, is as
// good as none.
func LockOwn(tx *db.Tx, owner, id string) (Entry, error) {
	e, err := Lock(tx, id)
	if err == nil && (e.Owner != owner || e.Ended()) {
		err = db.ErrNoRow
	}
	return e, err
}

// save writes what an act made of an entry that is still as it was before.
func save(tx *db.Tx, before, e Entry) error {
	return tx.ExecOne(`UPDATE inventory SET user_id = $4, state = $5, vaulted = $6, listing_id = NULLIF($7, ''),
		ended_listing_id = NULLIF($8, ''), sale_price_cents = NULLIF(CAST($9 AS BIGINT), 0), sell_back_floor_cents = $10,
		sell_back_until = $11, acquired_from = $12, acquired_at = $13 WHERE id = $1 AND user_id = $2 AND state = $3`,
		e.ID, before.Owner, string(before.State), e.Owner, string(e.State), e.Vaulted, e.ListingID, e.EndedListing, e.SalePrice,
		e.SellBackFloor, until(e.SellBackUntil), string(e.AcquiredFrom), db.Micros(e.AcquiredAt))
}

// OnMarket is where selectEntries has what a filter asks for among the listings.
var OnMarket = catalogue.Shelf[Entry]{
	Item:        func(e Entry) catalogue.Item { return e.Item },
	ID:          db.Text("n.listing_id", func(e Entry) string { return e.ListingID }),
	Price:       db.Number("n.sale_price_cents", func(e Entry) money.Cents { return e.SalePrice }),
	NewestFirst: true,
}

// ForSale lists everybody's listed entries, for people to whom the house quotes nothing.
func ForSale(tx *db.Tx, page *db.Selection[Entry]) ([]Entry, error) {
	return page.Rows(tx, scanEntry, selectEntries+`WHERE n.state = `+spelt(Listed))
}

// oldest locks the oldest entry of an item that a user has outside the vault in a
// state, or is db.ErrNoRow. A rival that waited for the lock gets the next one.
func oldest(tx *db.Tx, user, item string, state State) (string, error) {
	return db.One(tx, db.Column[string], `SELECT id FROM inventory
		WHERE user_id = $1 AND item_id = $2 AND state = $3 AND NOT vaulted
		ORDER BY acquired_at, id LIMIT 1`+tx.ForUpdate(), user, item, string(state))
}

// shelf is where selectEntries has what a filter asks for.
var shelf = catalogue.Shelf[Entry]{
	Item:        func(e Entry) catalogue.Item { return e.Item },
	ID:          db.Text("n.id", func(e Entry) string { return e.ID }),
	Price:       db.Number("i.base_value_cents", func(e Entry) money.Cents { return e.Item.BaseValue }),
	NewestFirst: true,
}

// inVault lists a user's entries in the vault. What was claimed is leaving it.
func inVault(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error) {
	found, err := page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND n.vaulted AND n.state IN (`+spelt(Held, Listed)+`)`, user)
	return valued(tx, found, err)
}

// owned lists a user's entries; an empty state or rarity takes all.
func owned(tx *db.Tx, user string, state State, rarity string, page *db.Selection[Entry]) ([]Entry, error) {
	found, err := page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND n.state IN (`+spelt(present...)+`)
		AND ($2 = '' OR n.state = $2) AND ($3 = '' OR i.rarity = $3)`, user, string(state), rarity)
	return valued(tx, found, err)
}

func summarise(tx *db.Tx, user string) (Summary, error) {
	scan := func(s db.Scanner) (t Summary, err error) {
		return t, s.Scan(&t.Count, &t.ValueCents, &t.Listed, &t.Rarities, &t.VaultedCount, &t.VaultedValueCents)
	}
	return db.One(tx, scan, `SELECT COUNT(*), COALESCE(SUM(i.base_value_cents), 0),
		COALESCE(SUM(CASE WHEN n.state = `+spelt(Listed)+` THEN 1 ELSE 0 END), 0), COUNT(DISTINCT i.rarity),
		COALESCE(SUM(CASE WHEN n.vaulted THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN n.vaulted THEN i.base_value_cents ELSE 0 END), 0)
		FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.user_id = $1 AND n.state IN (`+spelt(Held, Listed)+`)`, user)
}

func ownerless(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every item has one owner", `SELECT 'inventory ' || n.id, 'no account of user ' || n.user_id
		FROM inventory n LEFT JOIN accounts a ON a.user_id = n.user_id WHERE a.user_id IS NULL`)
}

// quotesOff leaves open whether an entry that was sold keeps its puller's floor,
// which is of no use to its buyer, or has none.
func quotesOff(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an entry's floor is the quote of its draw", `
		SELECT 'inventory ' || n.id, 'pulled at ' || n.pulled_value_cents || ', drawn at ' || o.created_at ||
			', floor ' || n.sell_back_floor_cents || ' until ' || n.sell_back_until
		FROM inventory n JOIN openings o ON o.id = n.opening_id
		WHERE (n.sell_back_floor_cents <> n.pulled_value_cents * $1 / 100 OR n.sell_back_until <> o.created_at + $2)
			AND NOT (n.acquired_from <> $3 AND n.sell_back_floor_cents = 0 AND n.sell_back_until = 0)`,
		int64(terms.SellBackRate), terms.FloorLife.Microseconds(), string(FromPack))
}
