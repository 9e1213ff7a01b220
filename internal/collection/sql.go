package collection

import (
	"encoding/json"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Add hands entries over to their owners.
func Add(tx *db.Tx, entries []Entry) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "item_id", "opening_id", "position", "pulled_value_cents",
		"sell_back_floor_cents", "sell_back_until", "state", "acquired_from", "acquired_at"}}
	for _, e := range entries {
		rows.Add(e.ID, e.Owner, e.Item.ID, e.OpeningID, e.Position, e.PulledValue,
			e.SellBackFloor, db.Micros(e.SellBackUntil), e.State, e.AcquiredFrom, db.Micros(e.AcquiredAt))
	}
	return tx.InsertRows("inventory", rows)
}

const selectEntries = `SELECT n.id, n.user_id, n.opening_id, n.position, p.name, n.pulled_value_cents, n.sell_back_floor_cents,
	n.sell_back_until, n.state, n.vaulted, n.acquired_from, n.acquired_at,
	COALESCE(n.listing_id, ''), COALESCE(n.ended_listing_id, ''), COALESCE(n.sale_price_cents, 0), i.id, i.series, i.name, i.rarity,
	COALESCE(i.grade_tenths, 0), i.cert_type, i.cert_number, i.image_url, i.base_value_cents, i.is_active
	FROM inventory n JOIN items i ON i.id = n.item_id JOIN openings o ON o.id = n.opening_id JOIN packs p ON p.id = o.pack_id `

func scanEntry(s db.Scanner) (e Entry, err error) {
	var until, at int64
	i := &e.Item
	err = s.Scan(&e.ID, &e.Owner, &e.OpeningID, &e.Position, &e.PackName, &e.PulledValue, &e.SellBackFloor,
		&until, &e.State, &e.Vaulted, &e.AcquiredFrom, &at, &e.ListingID, &e.EndedListing, &e.SalePrice, &i.ID, &i.Series, &i.Name, &i.Rarity,
		&i.GradeTenths, &i.CertType, &i.CertNumber, &i.ImageURL, &i.BaseValue, &i.Active)
	e.AcquiredAt = db.Time(at)
	if until != 0 {
		e.SellBackUntil = db.Time(until)
	}
	return e, err
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
	found := make(map[string][]Entry, len(openings))
	for _, e := range rows {
		found[e.OpeningID] = append(found[e.OpeningID], e)
	}
	return found, err
}

// find reads an entry, or db.ErrNoRow.
func find(tx *db.Tx, id string) (Entry, error) {
	return db.One(tx, scanEntry, selectEntries+`WHERE n.id = $1`, id)
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

// List offers a held entry for a price, under a new listing.
func List(tx *db.Tx, e *Entry, price money.Cents) error {
	e.State, e.ListingID, e.SalePrice = "listed", tx.NewID(), price
	return tx.ExecOne(`UPDATE inventory SET state = 'listed', listing_id = $2, sale_price_cents = $3 WHERE id = $1 AND state = 'held'`,
		e.ID, e.ListingID, price)
}

// Delist takes a listed entry back.
func Delist(tx *db.Tx, e *Entry) error {
	e.State, e.EndedListing, e.ListingID, e.SalePrice = "held", e.ListingID, "", 0
	return tx.ExecOne(`UPDATE inventory SET state = 'held', ended_listing_id = listing_id, listing_id = NULL, sale_price_cents = NULL
		WHERE id = $1 AND state = 'listed'`, e.ID)
}

// HandOver gives an entry to another owner, who holds it. Where it lies does not
// change, and the sell-back floor, which was its puller's alone, ends.
func HandOver(tx *db.Tx, e Entry, owner, from string) error {
	return tx.ExecOne(`UPDATE inventory SET user_id = $3, state = 'held', ended_listing_id = COALESCE(listing_id, ended_listing_id), listing_id = NULL,
		sale_price_cents = NULL, sell_back_floor_cents = 0, sell_back_until = 0, acquired_from = $4, acquired_at = $5
		WHERE id = $1 AND user_id = $2`, e.ID, e.Owner, owner, from, db.Micros(tx.Now))
}

// OnMarket is where selectEntries has what a filter asks for among the listings.
var OnMarket = catalogue.Shelf[Entry]{
	Item:        func(e Entry) catalogue.Item { return e.Item },
	ID:          db.Text("n.listing_id", func(e Entry) string { return e.ListingID }),
	Price:       db.Number("n.sale_price_cents", func(e Entry) money.Cents { return e.SalePrice }),
	NewestFirst: true,
}

// Listed lists everybody's listed entries.
func Listed(tx *db.Tx, page *db.Selection[Entry]) ([]Entry, error) {
	return page.Rows(tx, scanEntry, selectEntries+`WHERE n.state = 'listed'`)
}

// outside lists the states of what a user has outside the vault: one entry, or all
// of an item; an empty id takes any.
func outside(tx *db.Tx, user, id, item string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT state FROM inventory WHERE user_id = $1 AND ($2 = '' OR id = $2)
		AND ($3 = '' OR item_id = $3) AND NOT vaulted`, user, id, item)
}

// vaultEntry puts a user's held entry into the vault; where item is not empty,
// only if it is one of it. It is db.ErrNoRow if there is no such entry outside.
func vaultEntry(tx *db.Tx, user, id, item string) (string, error) {
	return db.One(tx, db.Column[string], `UPDATE inventory SET vaulted = TRUE WHERE id = $1 AND user_id = $2
		AND ($3 = '' OR item_id = $3) AND state = 'held' AND NOT vaulted RETURNING id`, id, user, item)
}

// vaultOldest puts the oldest held entry of an item that a user has outside the
// vault into it, or is db.ErrNoRow. The lock makes a rival that waited for the
// entry look for the next one.
func vaultOldest(tx *db.Tx, user, item string) (string, error) {
	return db.One(tx, db.Column[string], `UPDATE inventory SET vaulted = TRUE WHERE id = (SELECT id FROM inventory
		WHERE user_id = $1 AND item_id = $2 AND state = 'held' AND NOT vaulted
		ORDER BY acquired_at, id LIMIT 1`+tx.ForUpdate()+`) RETURNING id`, user, item)
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
	return page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND n.vaulted AND n.state <> 'claimed'`, user)
}

// owned lists a user's entries; an empty state or rarity takes all.
func owned(tx *db.Tx, user, state, rarity string, page *db.Selection[Entry]) ([]Entry, error) {
	return page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND ($2 = '' OR n.state = $2) AND ($3 = '' OR i.rarity = $3)`,
		user, state, rarity)
}

func summarise(tx *db.Tx, user string) (Summary, error) {
	scan := func(s db.Scanner) (t Summary, err error) {
		return t, s.Scan(&t.Count, &t.ValueCents, &t.Listed, &t.Rarities, &t.VaultedCount, &t.VaultedValueCents)
	}
	return db.One(tx, scan, `SELECT COUNT(*), COALESCE(SUM(i.base_value_cents), 0),
		COALESCE(SUM(CASE WHEN n.state = 'listed' THEN 1 ELSE 0 END), 0), COUNT(DISTINCT i.rarity),
		COALESCE(SUM(CASE WHEN n.vaulted THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN n.vaulted THEN i.base_value_cents ELSE 0 END), 0)
		FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.user_id = $1 AND n.state <> 'claimed'`, user)
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
			AND NOT (n.acquired_from <> 'pack' AND n.sell_back_floor_cents = 0 AND n.sell_back_until = 0)`,
		int64(terms.SellBackRate), terms.FloorLife.Microseconds())
}
