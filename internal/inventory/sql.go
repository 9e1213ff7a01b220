package inventory

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
)

// stateList formats states as an SQL list of literals, because a partial index over some states
// isn't used with parameters.
func stateList(states ...State) string {
	words := make([]string, len(states))
	for n, s := range states {
		words[n] = "'" + string(s) + "'"
	}
	return strings.Join(words, ", ")
}

// Owns reports whether the user owns any of the items.
func Owns(tx *db.Tx, user string, items []string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM inventory WHERE user_id = $1 AND state IN (`+stateList(ownedStates...)+`)
		AND `+tx.InList("item_id", "$2")+`)`, user, db.List(items))
}

// CountOwned counts, for each item, the entries that their current owners acquired at or after the
// given time.
func CountOwned(tx *db.Tx, since map[string]time.Time) (map[string]int64, error) {
	rows := db.Rows{Columns: []string{"item", "since"}}
	for item, at := range since {
		rows.Add(item, at.UnixMicro())
	}
	owned := map[string]int64{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var item string
		var number int64
		err = s.Scan(&item, &number)
		owned[item] = number
		return none, err
	}
	_, err := db.AllWith(tx, scan, rows, `SELECT n.item_id, COUNT(*) FROM inventory n JOIN v ON v.item = n.item_id
		WHERE n.state IN (`+stateList(ownedStates...)+`) AND n.acquired_at >= v.since GROUP BY n.item_id`)
	return owned, err
}

// Add inserts new entries.
func Add(tx *db.Tx, entries []Entry) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "item_id", "opening_id", "position", "pulled_value_cents",
		"sell_back_floor_cents", "sell_back_until", "state", "acquired_from", "acquired_at"}}
	for _, e := range entries {
		rows.Add(db.ID(e.ID), db.ID(e.Owner), e.Item.ID, db.ID(e.OpeningID), e.Position, e.PulledValue,
			e.SellBackFloor, db.Micros(e.SellBackUntil), string(e.State), string(e.AcquiredFrom), db.Micros(e.AcquiredAt))
	}
	return tx.InsertRows("inventory", rows)
}

// entryColumns are the columns of the entry's own row.
const entryColumns = `n.id, n.user_id, n.item_id, n.opening_id, n.position, n.pulled_value_cents, n.sell_back_floor_cents,
	n.sell_back_until, n.state, n.vaulted, n.acquired_from, n.acquired_at,
	COALESCE(CAST(n.listing_id AS TEXT), ''), COALESCE(CAST(n.ended_listing_id AS TEXT), ''), COALESCE(n.sale_price_cents, 0), COALESCE(n.lowest_bid_cents, 0), n.version`

const selectEntries = `SELECT ` + entryColumns + `, p.name, p.name_zh, ` + catalogue.Columns + `
	FROM inventory n JOIN items i ON i.id = n.item_id JOIN openings o ON o.id = n.opening_id JOIN packs p ON p.id = o.pack_id `

func scanEntry(s db.Scanner) (e Entry, err error) {
	err = e.scan(s, append([]any{&e.PackName, &e.PackNameZH}, e.Item.Fields()...)...)
	return e, err
}

// scan reads entryColumns, followed by more.
func (e *Entry) scan(s db.Scanner, more ...any) error {
	var floorUntil, at int64
	err := s.Scan(append([]any{
		&e.ID, &e.Owner, &e.Item.ID, &e.OpeningID, &e.Position, &e.PulledValue, &e.SellBackFloor, &floorUntil, &e.State,
		&e.Vaulted, &e.AcquiredFrom, &at, &e.ListingID, &e.EndedListing, &e.SalePrice, &e.MinimumBid, &e.Version,
	}, more...)...)
	e.AcquiredAt = db.Time(at)
	if floorUntil != 0 {
		e.SellBackUntil = db.Time(floorUntil)
	}
	return err
}

// floorMicros encodes the end of a floor for the database: 0 if there is none.
func floorMicros(end time.Time) int64 {
	if end.IsZero() {
		return 0
	}
	return db.Micros(end)
}

// withQuoteValues sets the quote values of the entries.
func withQuoteValues(tx *db.Tx, entries []Entry, err error) ([]Entry, error) {
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

// ByOpenings returns the entries pulled in the openings, in the order drawn, regardless of their
// current owner.
func ByOpenings(tx *db.Tx, openings []string) (map[string][]Entry, error) {
	rows, err := db.All(tx, scanEntry, selectEntries+`WHERE `+tx.InList("n.opening_id", "$1")+
		` ORDER BY n.opening_id, n.position`, db.List(openings))
	rows, err = withQuoteValues(tx, rows, err)
	found := make(map[string][]Entry, len(openings))
	for _, e := range rows {
		found[e.OpeningID] = append(found[e.OpeningID], e)
	}
	return found, err
}

// ByIDs returns the entries with the given ids, keyed by id.
func ByIDs(tx *db.Tx, ids []string) (map[string]Entry, error) {
	rows, err := db.All(tx, scanEntry, selectEntries+`WHERE `+tx.InList("n.id", "$1"), db.List(ids))
	rows, err = withQuoteValues(tx, rows, err)
	found := make(map[string]Entry, len(rows))
	for _, e := range rows {
		found[e.ID] = e
	}
	return found, err
}

// LockAll is like ByIDs but locks the entries until the transaction ends. It locks in the order of
// ids to avoid deadlocks.
func LockAll(tx *db.Tx, ids []string) (map[string]Entry, error) {
	// Locking the whole join would lock the items and the packs, too.
	_, err := db.All(tx, db.Column[string], `SELECT id FROM inventory WHERE `+tx.InList("id", "$1")+` ORDER BY id`+tx.ForUpdate(), db.List(ids))
	if err != nil {
		return nil, err
	}
	return ByIDs(tx, ids)
}

// LockRows is like LockAll but faster, for acts that don't need the item or the pack: it sets only
// the item's id, and no pack name or quote value.
func LockRows(tx *db.Tx, ids []string) (map[string]Entry, error) {
	scan := func(s db.Scanner) (e Entry, err error) {
		err = e.scan(s)
		return e, err
	}
	rows, err := db.All(tx, scan, `SELECT `+entryColumns+` FROM inventory n WHERE `+tx.InList("n.id", "$1")+` ORDER BY n.id`+tx.ForUpdate(), db.List(ids))
	found := make(map[string]Entry, len(rows))
	for _, e := range rows {
		found[e.ID] = e
	}
	return found, err
}

// Lock is LockAll for one entry; the error is db.ErrNoRow if there is none.
func Lock(tx *db.Tx, id string) (Entry, error) {
	found, err := LockAll(tx, []string{id})
	e, ok := found[id]
	if err == nil && !ok {
		err = db.ErrNoRow
	}
	return e, err
}

// lockOffered locks all of a user's entries that are listed or offered as gifts.
func lockOffered(tx *db.Tx, user string) ([]Entry, error) {
	ids, err := db.All(tx, db.Column[string], `SELECT id FROM inventory WHERE user_id = $1 AND state IN (`+stateList(Listed, Giving)+`) ORDER BY id`, user)
	if err != nil {
		return nil, err
	}
	found, err := LockAll(tx, ids)
	offered := make([]Entry, 0, len(ids))
	for _, id := range ids {
		if e := found[id]; e.Owner == user && (e.State == Listed || e.State == Giving) {
			offered = append(offered, e)
		}
	}
	return offered, err
}

// lockWithFloor locks the entries that a user owns with a price floor that ends after a time.
func lockWithFloor(tx *db.Tx, user string, after time.Time) ([]Entry, error) {
	ids, err := db.All(tx, db.Column[string], `SELECT id FROM inventory WHERE user_id = $1 AND state IN (`+stateList(Held, Claimed)+`) AND sell_back_until > $2 ORDER BY id`,
		user, db.Micros(after))
	if err != nil {
		return nil, err
	}
	found, err := LockAll(tx, ids)
	entries := make([]Entry, 0, len(ids))
	for _, id := range ids {
		if e := found[id]; e.Owner == user && e.Allows(ExtendingFloor, House) && e.SellBackUntil.After(after) {
			entries = append(entries, e)
		}
	}
	return entries, err
}

// OwnedValue returns the sum of the current values of a user's entries.
func OwnedValue(tx *db.Tx, user string) (money.Cents, error) {
	return db.One(tx, db.Column[money.Cents], `SELECT CAST(COALESCE(SUM(i.base_value_cents), 0) AS BIGINT) FROM inventory n JOIN items i ON i.id = n.item_id
		WHERE n.user_id = $1 AND n.state IN (`+stateList(ownedStates...)+`)`, user)
}

// HasListings reports whether the user has anything listed.
func HasListings(tx *db.Tx, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM inventory WHERE user_id = $1 AND state IN (`+stateList(Listed)+`))`, user)
}

// LockOwn is like Lock but also returns db.ErrNoRow if the entry is another user's or has ended.
func LockOwn(tx *db.Tx, owner, id string) (Entry, error) {
	e, err := Lock(tx, id)
	if err == nil && (e.Owner != owner || e.Ended()) {
		err = db.ErrNoRow
	}
	return e, err
}

// saveEntries writes the changed entries. versions has their previous versions, which must still
// match.
func saveEntries(tx *db.Tx, entries map[string]Entry, versions map[string]int64) error {
	rows := db.Rows{Columns: []string{"id", "was", "version", "owner", "state", "vaulted", "listing", "ended_listing", "price", "lowest_bid", "floor", "floor_until", "source", "acquired"}}
	for id, version := range versions {
		e, vaulted := entries[id], int64(0)
		if e.Vaulted {
			vaulted = 1
		}
		rows.Add(db.ID(e.ID), version, e.Version, db.ID(e.Owner), string(e.State), vaulted, db.ID(e.ListingID), db.ID(e.EndedListing), e.SalePrice, e.MinimumBid,
			e.SellBackFloor, floorMicros(e.SellBackUntil), string(e.AcquiredFrom), db.Micros(e.AcquiredAt))
	}
	return tx.WriteRows(rows, `UPDATE inventory SET version = v.version, user_id = v.owner, state = v.state, vaulted = (v.vaulted = 1),
		listing_id = v.listing, ended_listing_id = v.ended_listing, sale_price_cents = NULLIF(v.price, 0), lowest_bid_cents = NULLIF(v.lowest_bid, 0),
		sell_back_floor_cents = v.floor, sell_back_until = v.floor_until, acquired_from = v.source, acquired_at = v.acquired
		FROM v WHERE inventory.id = v.id AND inventory.version = v.was`, errors.New("an entry was changed after it was read"))
}

func insertEvents(tx *db.Tx, events []Event) error {
	rows := db.Rows{Columns: []string{"inventory_id", "number", "act", "by_whom", "price_cents", "ref", "created_at"}}
	for _, e := range events {
		rows.Add(db.ID(e.Entry), e.Number, string(e.Act), e.By, e.Price, e.Ref, db.Micros(e.At))
	}
	return tx.InsertRows("entry_events", rows)
}

// eventsOf returns an entry's events in order.
func eventsOf(tx *db.Tx, entry string) ([]Event, error) {
	scan := func(s db.Scanner) (e Event, err error) {
		var at int64
		err = s.Scan(&e.Number, &e.Act, &e.By, &e.Price, &e.Ref, &at)
		e.Entry, e.At = entry, db.Time(at)
		return e, err
	}
	return db.All(tx, scan, `SELECT number, act, by_whom, price_cents, ref, created_at FROM entry_events
		WHERE inventory_id = $1 ORDER BY number`, entry)
}

// pullOf returns the user and time of an open.
func pullOf(tx *db.Tx, opening string) (user string, at time.Time, err error) {
	scan := func(s db.Scanner) (micros int64, err error) {
		err = s.Scan(&user, &micros)
		return micros, err
	}
	micros, err := db.One(tx, scan, `SELECT user_id, created_at FROM openings WHERE id = $1`, opening)
	return user, db.Time(micros), err
}

// actList formats the acts whose transition matches as an SQL list of literals.
func actList(matches func(transition) bool) string {
	var acts []string
	for act, t := range transitions {
		if matches(t) {
			acts = append(acts, "'"+string(act)+"'")
		}
	}
	slices.Sort(acts)
	return strings.Join(acts, ", ")
}

// acquires matches the acts that give an entry a new owner. changesOwner also matches those that end it.
func acquires(t transition) bool     { return t.source != "" }
func changesOwner(t transition) bool { return acquires(t) || t.to != "" && Entry{State: t.to}.Ended() }

// openPrices returns what the entries of the opens cost their pullers, by entry.
func openPrices(tx *db.Tx, openings []string) (map[string]money.Cents, error) {
	scan := func(s db.Scanner) (e openedEntry, err error) {
		return e, s.Scan(&e.entry, &e.opening, &e.price, &e.value)
	}
	entries, err := db.All(tx, scan, `SELECT n.id, o.id, o.price_cents, n.pulled_value_cents FROM openings o JOIN inventory n ON n.opening_id = o.id
		WHERE `+tx.InList("o.id", "$1")+` ORDER BY o.id, n.position`, db.List(openings))
	return splitPrices(entries), err
}

// addLastPrices adds to paid the price of each entry's last change of owner.
func addLastPrices(tx *db.Tx, entries []string, paid map[string]money.Cents) error {
	type sale struct {
		entry string
		price money.Cents
	}
	scan := func(s db.Scanner) (last sale, err error) { return last, s.Scan(&last.entry, &last.price) }
	set := func(s sale) error { paid[s.entry] = s.price; return nil } // later rows overwrite earlier ones
	return db.Each(tx, scan, set, `SELECT inventory_id, price_cents FROM entry_events WHERE `+tx.InList("inventory_id", "$1")+`
		AND act IN (`+actList(acquires)+`) ORDER BY inventory_id, number`, db.List(entries))
}

// ownerChanges returns the owner changes of every entry that a user ever owned, sorted as ownerships
// needs them. Entries that the user got from others are found with the index entry_events_acquiring, so
// the query repeats its condition.
func ownerChanges(tx *db.Tx, user string) ([]ownerChange, error) {
	scan := func(s db.Scanner) (c ownerChange, err error) {
		return c, s.Scan(&c.entry, &c.item, &c.opening, &c.value, &c.puller, &c.pulledAt, &c.price, &c.act, &c.by, &c.paid, &c.at)
	}
	return db.All(tx, scan, `WITH mine AS (
			SELECT n.id FROM openings o JOIN inventory n ON n.opening_id = o.id WHERE o.user_id = $1
			UNION SELECT inventory_id FROM entry_events WHERE by_whom = $2 AND by_whom <> 'house'
				AND act NOT IN ('send to vault', 'list', 'reprice', 'delist', 'sell back', 'claim', 'cancel the claim') AND act IN (`+actList(acquires)+`))
		SELECT n.id, n.item_id, n.opening_id, n.pulled_value_cents, o.user_id, o.created_at, o.price_cents,
			COALESCE(e.act, ''), COALESCE(e.by_whom, ''), COALESCE(e.price_cents, 0), COALESCE(e.created_at, 0)
		FROM mine m JOIN inventory n ON n.id = m.id JOIN openings o ON o.id = n.opening_id
			LEFT JOIN entry_events e ON e.inventory_id = n.id AND e.act IN (`+actList(changesOwner)+`)
		ORDER BY n.opening_id, n.position, e.number`, user, user)
}

// SetMinimumBid sets the minimum bid of a locked entry; 0 means no minimum.
func SetMinimumBid(tx *db.Tx, entry string, minimum money.Cents) error {
	return tx.ExecOne(`UPDATE inventory SET lowest_bid_cents = NULLIF($2, 0) WHERE id = $1`, entry, minimum)
}

// eachReplayRow calls visit for every event of every entry, in order, and once for an entry without
// events.
func eachReplayRow(tx *db.Tx, visit func(replayRow) error) error {
	scan := func(s db.Scanner) (r replayRow, err error) {
		var floorUntil, acquired, pulled, at int64
		stored, ev := &r.current, &r.event
		err = s.Scan(&stored.ID, &stored.Owner, &stored.SellBackFloor, &floorUntil, &stored.State, &stored.Vaulted, &stored.AcquiredFrom, &acquired,
			&stored.ListingID, &stored.EndedListing, &stored.SalePrice, &stored.Version, &r.pulledValue, &r.puller, &pulled,
			&ev.Number, &ev.Act, &ev.By, &ev.Price, &ev.Ref, &at)
		stored.AcquiredAt, r.pulledAt, ev.Entry, ev.At = db.Time(acquired), db.Time(pulled), stored.ID, db.Time(at)
		if floorUntil != 0 {
			stored.SellBackUntil = db.Time(floorUntil)
		}
		return r, err
	}
	return db.Each(tx, scan, visit, `SELECT n.id, n.user_id, n.sell_back_floor_cents, n.sell_back_until, n.state, n.vaulted, n.acquired_from,
		n.acquired_at, COALESCE(CAST(n.listing_id AS TEXT), ''), COALESCE(CAST(n.ended_listing_id AS TEXT), ''), COALESCE(n.sale_price_cents, 0), n.version,
		n.pulled_value_cents, o.user_id, o.created_at, COALESCE(e.number, 0), COALESCE(e.act, ''), COALESCE(e.by_whom, ''),
		COALESCE(e.price_cents, 0), COALESCE(e.ref, ''), COALESCE(e.created_at, 0)
		FROM inventory n JOIN openings o ON o.id = n.opening_id LEFT JOIN entry_events e ON e.inventory_id = n.id
		ORDER BY n.id, e.number`)
}

// OnMarket tells catalogue filters which columns of selectEntries to use for listings.
var OnMarket = catalogue.ItemList[Entry]{
	Item:        func(e Entry) catalogue.Item { return e.Item },
	ID:          db.Text("n.listing_id", func(e Entry) string { return e.ListingID }),
	Price:       db.Number("n.sale_price_cents", func(e Entry) money.Cents { return e.SalePrice }),
	NewestFirst: true,
}

// ListedEntries returns listed entries of all users, without quote values.
func ListedEntries(tx *db.Tx, page *db.Selection[Entry]) ([]Entry, error) {
	return page.Rows(tx, scanEntry, selectEntries+`WHERE n.state = `+stateList(Listed))
}

// StillListed returns which of the listings are active. It reads a covering index only: the entry,
// owner, price and custody of a listing never change.
func StillListed(tx *db.Tx, listings []string) (map[string]bool, error) {
	listed := make(map[string]bool, len(listings))
	mark := func(id string) error { listed[id] = true; return nil }
	err := db.Each(tx, db.Column[string], mark, `SELECT listing_id FROM inventory WHERE state = `+stateList(Listed)+` AND `+tx.InList("listing_id", "$1"), db.List(listings))
	return listed, err
}

// CountListings counts listings by the properties that a filter's facets distinguish, among those
// that pass its search words and price range. It scans the whole index of listings by item and
// price: 0.3 s for a million listings on SQLite.
func CountListings(tx *db.Tx, f catalogue.Filter) ([]catalogue.KindCount, error) {
	scan := func(s db.Scanner) (a catalogue.KindCount, err error) {
		err = s.Scan(&a.Kind.Series, &a.Kind.Category, &a.Kind.Rarity, &a.Kind.Grader, &a.Kind.GradeTenths, &a.Count)
		if a.Kind.Category == "" {
			a.Kind.Category = catalogue.CategoryOf(a.Kind.Series, "")
		}
		return a, err
	}
	lowest, highest, _ := f.PriceRange()
	condition, words, err := f.SearchCondition(2)
	if err != nil {
		return nil, err
	}
	return db.All(tx, scan, `SELECT i.series, `+catalogue.StarterCategory()+`, i.rarity, i.grader, COALESCE(i.grade_tenths, 0), CAST(SUM(n.number) AS BIGINT)
		FROM (SELECT item_id, COUNT(*) AS number FROM inventory WHERE state = `+stateList(Listed)+`
			AND sale_price_cents >= $1 AND sale_price_cents <= $2 GROUP BY item_id) n
		JOIN items i ON i.id = n.item_id WHERE `+condition+` GROUP BY 1, 2, 3, 4, 5`, append([]any{lowest, highest}, words...)...)
}

// NthNewestListing returns the id of the nth newest listing, counted from 1, or an empty string if
// there are fewer.
func NthNewestListing(tx *db.Tx, n int) (string, error) {
	id, err := db.One(tx, db.Column[string], `SELECT n.listing_id FROM inventory n WHERE n.state = `+stateList(Listed)+`
		ORDER BY n.listing_id DESC LIMIT 1 OFFSET $1`, n-1)
	if errors.Is(err, db.ErrNoRow) {
		err = nil
	}
	return id, err
}

// CheapestForSale returns the listed entries of an item, cheapest first.
func CheapestForSale(tx *db.Tx, item string, limit int) ([]Entry, error) {
	return db.All(tx, scanEntry, selectEntries+`WHERE n.state = `+stateList(Listed)+` AND n.item_id = $1
		ORDER BY n.sale_price_cents, n.listing_id LIMIT $2`, item, limit)
}

// NewestListingsOf returns a user's listed entries, the newest listing first, without quote values.
func NewestListingsOf(tx *db.Tx, user string, limit int) ([]Entry, error) {
	return db.All(tx, scanEntry, selectEntries+`WHERE n.state = `+stateList(Listed)+` AND n.user_id = $1
		ORDER BY n.listing_id DESC LIMIT $2`, user, limit)
}

// CheapestOfEach returns each item's cheapest listed entry that isn't the user's own; among equal prices,
// the one with the oldest listing. Only ID, ListingID, SalePrice and Item.ID of the entries are set.
func CheapestOfEach(tx *db.Tx, items []string, user string) ([]Entry, error) {
	scan := func(s db.Scanner) (e Entry, err error) {
		return e, s.Scan(&e.Item.ID, &e.ID, &e.ListingID, &e.SalePrice)
	}
	return db.All(tx, scan, `SELECT n.item_id, n.id, n.listing_id, n.sale_price_cents FROM items i JOIN inventory n ON n.id = (
			SELECT m.id FROM inventory m WHERE m.state = `+stateList(Listed)+` AND m.item_id = i.id AND m.user_id IS DISTINCT FROM $2
			ORDER BY m.sale_price_cents, m.listing_id LIMIT 1)
		WHERE `+tx.InList("i.id", "$1"), db.List(items), db.ID(user))
}

// SetName names a set of a series, or, with no Set, the items of the series outside sets.
type SetName struct{ Series, Set string }

// SetCount is how many of a set's items a user owns, and in how many entries.
type SetCount struct{ Items, Entries int64 }

// CountBySet counts the active items that a user owns, by set.
func CountBySet(tx *db.Tx, user string) (map[SetName]SetCount, error) {
	return countBySet(tx, `inventory`, user)
}

// CountNewestBySet is CountBySet for the last entries that were pulled, at most limit, of those that are
// or last were the user's.
func CountNewestBySet(tx *db.Tx, user string, limit int) (map[SetName]SetCount, error) {
	return countBySet(tx, `(SELECT user_id, item_id, state FROM inventory WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`, user, limit)
}

func countBySet(tx *db.Tx, entries string, args ...any) (map[SetName]SetCount, error) {
	counts := map[SetName]SetCount{}
	type row struct {
		SetName
		SetCount
	}
	scan := func(s db.Scanner) (r row, err error) { return r, s.Scan(&r.Series, &r.Set, &r.Items, &r.Entries) }
	add := func(r row) error { counts[r.SetName] = r.SetCount; return nil }
	err := db.Each(tx, scan, add, `SELECT i.series, i.set_name, COUNT(DISTINCT i.id), COUNT(*) FROM `+entries+` n JOIN items i ON i.id = n.item_id
		WHERE n.user_id = $1 AND n.state IN (`+stateList(ownedStates...)+`) AND i.is_active GROUP BY i.series, i.set_name`, args...)
	return counts, err
}

// HasMoreThan reports whether more than a number of entries are or last were a user's.
func HasMoreThan(tx *db.Tx, user string, number int) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT COUNT(*) > $2 FROM (SELECT id FROM inventory WHERE user_id = $1 LIMIT $2 + 1) some_entries`, user, number)
}

// OwnedInSet returns the ids of a user's entries by item, the oldest first, for the active items of a
// set, or, with no Set, of the whole series.
func OwnedInSet(tx *db.Tx, user string, name SetName) (map[string][]string, error) {
	owned := map[string][]string{}
	type row struct{ item, entry string }
	scan := func(s db.Scanner) (r row, err error) { return r, s.Scan(&r.item, &r.entry) }
	add := func(r row) error { owned[r.item] = append(owned[r.item], r.entry); return nil }
	err := db.Each(tx, scan, add, `SELECT n.item_id, n.id FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.user_id = $1
		AND n.state IN (`+stateList(ownedStates...)+`) AND i.is_active AND i.series = $2 AND ($3 = '' OR i.set_name = $3) ORDER BY n.id`, user, name.Series, name.Set)
	return owned, err
}

// CheapestUpTo returns the ids of an item's cheapest listed entries that are not the user's own and
// cost at most highest. Equal prices are ordered by listing age.
func CheapestUpTo(tx *db.Tx, item, user string, highest money.Cents, limit int) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM inventory WHERE state = `+stateList(Listed)+` AND item_id = $1 AND user_id <> $2 AND sale_price_cents <= $3
		ORDER BY sale_price_cents, listing_id LIMIT $4`, item, user, highest, limit)
}

// ListingCriteria describes listings for a bid that pays a percentage of the quote value, up to
// MaxPrice. Empty fields match anything.
type ListingCriteria struct {
	Series, Grader, Rarity string
	MinGrade               int64 // in tenths
	Peg                    money.Percent
	MaxPrice               money.Cents
	ExcludedUser           string
}

// ListingsForBid returns the entries listed for no more than the bid pays, those with the lowest
// price relative to their quote value first. Quote values never exceed base values, so they are
// only looked up for entries that pass by base value.
func ListingsForBid(tx *db.Tx, c ListingCriteria, limit int) ([]string, error) {
	return db.All(tx, db.Column[string], `WITH near AS MATERIALIZED (
			SELECT n.id, n.item_id, n.listing_id, n.sale_price_cents FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.state = `+stateList(Listed)+`
			AND ($1 = '' OR i.series = $1) AND ($2 = '' OR i.grader = $2) AND ($3 = '' OR i.rarity = $3) AND ($4 = 0 OR i.grade_tenths >= $4)
			AND n.sale_price_cents <= $5 AND n.sale_price_cents <= i.base_value_cents * $6 / 100 AND n.user_id <> $7
		), worth AS MATERIALIZED (
			SELECT d.item_id, `+catalogue.QuoteValueOf("d.item_id", "$9")+` AS value_cents FROM (SELECT DISTINCT item_id FROM near) d
		) SELECT n.id FROM near n JOIN worth w ON w.item_id = n.item_id WHERE n.sale_price_cents <= w.value_cents * $6 / 100
		ORDER BY CAST(n.sale_price_cents AS DOUBLE PRECISION) / w.value_cents, n.listing_id LIMIT $8`,
		c.Series, c.Grader, c.Rarity, c.MinGrade, c.MaxPrice, int64(c.Peg), c.ExcludedUser, limit, db.Micros(tx.Now))
}

// oldestInState locks a user's oldest entry of an item outside the vault in a state, or returns
// db.ErrNoRow. A concurrent transaction that waited for the lock gets the next one.
func oldestInState(tx *db.Tx, user, item string, state State) (string, error) {
	return db.One(tx, db.Column[string], `SELECT id FROM inventory
		WHERE user_id = $1 AND item_id = $2 AND state = $3 AND NOT vaulted
		ORDER BY acquired_at, id LIMIT 1`+tx.ForUpdate(), user, item, string(state))
}

// entryList tells catalogue filters which columns of selectEntries to use.
var entryList = catalogue.ItemList[Entry]{
	Item:        func(e Entry) catalogue.Item { return e.Item },
	ID:          db.Text("n.id", func(e Entry) string { return e.ID }),
	Price:       db.Number("i.base_value_cents", func(e Entry) money.Cents { return e.Item.BaseValue }),
	NewestFirst: true,
}

// vaultedEntries returns a user's entries in the vault. Claimed ones are left out because they are
// being shipped.
func vaultedEntries(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error) {
	found, err := page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND n.vaulted AND n.state IN (`+stateList(Held, Listed, Giving)+`)`, user)
	return withQuoteValues(tx, found, err)
}

// ownedEntries returns a user's entries; an empty state matches all.
func ownedEntries(tx *db.Tx, user string, state State, page *db.Selection[Entry]) ([]Entry, error) {
	found, err := page.Rows(tx, scanEntry, selectEntries+`WHERE n.user_id = $1 AND n.state IN (`+stateList(ownedStates...)+`)
		AND ($2 = '' OR n.state = $2)`, user, string(state))
	return withQuoteValues(tx, found, err)
}

var newestFirst = db.Order[Entry]{Keys: []db.Key[Entry]{entryList.ID}, Descending: true}

func (in *adminInput) selection(limit int, cursor string) (*db.Selection[Entry], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "n.user_id", in.User)
		httpapi.Equal(page, "n.id", in.ID)
		httpapi.Equal(page, "n.state", in.State)
		httpapi.Equal(page, "n.acquired_from", in.Kind)
		in.NarrowIDs(page, "n.id")
	}
	return page, err
}

func listAll(tx *db.Tx, page *db.Selection[Entry]) ([]Entry, error) {
	return page.Rows(tx, scanEntry, selectEntries+`WHERE TRUE`)
}

// Summarize returns the totals of a user's items, without those being shipped.
func Summarize(tx *db.Tx, user string) (Summary, error) {
	scan := func(s db.Scanner) (t Summary, err error) {
		return t, s.Scan(&t.Count, &t.ValueCents, &t.Listed, &t.Rarities, &t.VaultedCount, &t.VaultedValueCents)
	}
	return db.One(tx, scan, `SELECT COUNT(*), COALESCE(SUM(i.base_value_cents), 0),
		COALESCE(SUM(CASE WHEN n.state = `+stateList(Listed)+` THEN 1 ELSE 0 END), 0), COUNT(DISTINCT i.rarity),
		COALESCE(SUM(CASE WHEN n.vaulted THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN n.vaulted THEN i.base_value_cents ELSE 0 END), 0)
		FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.user_id = $1 AND n.state IN (`+stateList(Held, Listed, Giving)+`)`, user)
}

func auditOwners(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each entry must have an owner and a catalogue item", `SELECT 'inventory ' || n.id,
		CASE WHEN a.user_id IS NULL THEN 'has no account of user ' || n.user_id ELSE 'has no catalogue item ' || n.item_id END
		FROM inventory n LEFT JOIN accounts a ON a.user_id = n.user_id LEFT JOIN items i ON i.id = n.item_id
		WHERE a.user_id IS NULL OR i.id IS NULL`)
}

// CountChanges returns, for each item, the number of entries pulled minus those ended in [from,
// to). Both times must be whole milliseconds; a zero to means no end. Opens are found by the time
// in their ids.
func CountChanges(tx *db.Tx, from, to time.Time) (map[string]int64, error) {
	before, beforeID := int64(math.MaxInt64), db.MaxID
	if !to.IsZero() {
		before, beforeID = db.Micros(to), db.MinID(to)
	}
	changes := map[string]int64{}
	scan := func(s db.Scanner) (g floorGroup, err error) { return g, s.Scan(&g.item, &g.number) }
	err := db.Each(tx, scan, func(g floorGroup) error { changes[g.item] += g.number; return nil }, `
		SELECT n.item_id, COUNT(*) FROM inventory n WHERE n.id >= $1 AND n.id < $2 GROUP BY n.item_id
		UNION ALL SELECT n.item_id, -COUNT(*) FROM entry_events e JOIN inventory n ON n.id = e.inventory_id
		WHERE e.act IN ('sell back', 'deliver', 'refund') AND e.created_at >= $3 AND e.created_at < $4 GROUP BY n.item_id`,
		db.MinID(from), beforeID, db.Micros(from), before)
	return changes, err
}

// entriesWithFloor counts the entries whose floor still applies: it began, or was extended, since the
// given time.
func entriesWithFloor(tx *db.Tx, since time.Time) ([]floorGroup, error) {
	scan := func(s db.Scanner) (g floorGroup, err error) { return g, s.Scan(&g.item, &g.floor, &g.number) }
	return db.All(tx, scan, `SELECT n.item_id, n.sell_back_floor_cents, COUNT(*) FROM (
			SELECT m.id FROM inventory m WHERE m.id >= $1
			UNION SELECT e.inventory_id FROM entry_events e WHERE e.act = 'extend the floor' AND e.created_at >= $2
		) recent JOIN inventory n ON n.id = recent.id
		WHERE n.sell_back_until > $3 AND n.state IN (`+stateList(ownedStates...)+`) GROUP BY 1, 2`, db.MinID(since), db.Micros(since), db.Micros(tx.Now))
}

// topPulls returns the most valuable pulls since the given time. It reads the partial index
// inventory_by_value from the top; the minimum is a literal because the index isn't used with a
// parameter.
func topPulls(tx *db.Tx, since time.Time, limit int) ([]TopPull, error) {
	scan := func(s db.Scanner) (p TopPull, err error) {
		var state State
		var at int64
		err = s.Scan(&p.InventoryID, &p.ItemName, &p.Rarity, &p.ValueCents, &state, &p.PackName, &p.PackNameZH, &p.UserID, &p.WalletAddress, &p.FirstName, &at)
		p.Ended, p.CreatedAt = Entry{State: state}.Ended(), httpapi.Timestamp(db.Time(at))
		return p, err
	}
	return db.All(tx, scan, `SELECT n.id, i.name, i.rarity, n.pulled_value_cents, n.state, p.name, p.name_zh, u.id, u.wallet_address, u.first_name, o.created_at
		FROM inventory n JOIN openings o ON o.id = n.opening_id JOIN packs p ON p.id = o.pack_id
		JOIN items i ON i.id = n.item_id JOIN users u ON u.id = o.user_id
		WHERE n.pulled_value_cents >= `+strconv.FormatInt(int64(policy.TopPull), 10)+` AND n.id >= $1
		ORDER BY n.pulled_value_cents DESC, n.id DESC LIMIT $2`, db.MinID(since), limit)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "items", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("itemId"), userrows.Text("name"), userrows.Text("state"), userrows.Bool("inVault"),
		userrows.Text("acquiredFrom"), userrows.Time("acquiredAt"), userrows.Number("pulledValueCents"), userrows.Number("sellBackFloorCents"), userrows.Time("sellBackUntil"),
		userrows.Number("listedAtCents"), userrows.Number("lowestBidCents"), userrows.Text("openId")},
		SQL: `SELECT n.id, n.item_id, i.name, n.state, n.vaulted, n.acquired_from, n.acquired_at, n.pulled_value_cents, n.sell_back_floor_cents, n.sell_back_until,
			COALESCE(n.sale_price_cents, 0), COALESCE(n.lowest_bid_cents, 0), n.opening_id FROM inventory n JOIN items i ON i.id = n.item_id WHERE n.user_id = $1 ORDER BY n.id`},
	{File: "item-history", Columns: []userrows.Column{userrows.Text("itemEntryId"), userrows.Number("number"), userrows.Text("act"), userrows.Number("priceCents"),
		userrows.Text("ref"), userrows.Time("createdAt")},
		SQL: `SELECT inventory_id, number, act, price_cents, ref, created_at FROM entry_events WHERE by_whom = $1 ORDER BY created_at, inventory_id, number`},
}
