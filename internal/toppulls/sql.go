package toppulls

import (
	"encoding/json"
	"errors"
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/publiclog"
)

type listRow struct {
	key listKey
	list
}

func scanList(s db.Scanner) (r listRow, err error) {
	var text string
	if err := s.Scan(&r.key.pack, &r.key.kind, &r.begins, &text); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(text), &r.pulls); err != nil {
		return r, fmt.Errorf("%s: %w", r.key, err)
	}
	return r, nil
}

// readLists returns the lists of the given packs; "" is all packs together.
func readLists(tx *db.Tx, packs []string) (map[listKey]list, error) {
	return byKey(db.All(tx, scanList, selectLists+tx.InList("pack_id", "$1"), db.List(packs)))
}

// readListsOf is readLists for one kind of list.
func readListsOf(tx *db.Tx, kind listKind, packs []string) (map[listKey]list, error) {
	return byKey(db.All(tx, scanList, selectLists+tx.InList("pack_id", "$1")+` AND period = $2`, db.List(packs), string(kind)))
}

const selectLists = `SELECT pack_id, period, begins_at, list FROM top_pulls WHERE `

func byKey(rows []listRow, err error) (map[listKey]list, error) {
	lists := make(map[listKey]list, len(rows))
	for _, r := range rows {
		lists[r.key] = r.list
	}
	return lists, err
}

func saveLists(tx *db.Tx, lists map[listKey]list) error {
	rows := db.Rows{Columns: []string{"pack_id", "period", "begins_at", "list"}}
	for key, l := range lists {
		text, err := json.Marshal(l.pulls)
		if err != nil {
			return err
		}
		rows.Add(key.pack, string(key.kind), l.begins, string(text))
	}
	return tx.UpsertRows("top_pulls", rows, `(pack_id, period) DO UPDATE SET begins_at = excluded.begins_at, list = excluded.list`,
		errors.New("not all lists of top pulls were written"))
}

// packNames returns the names of packs, by id.
func packNames(tx *db.Tx, ids []string) (map[string]PackNames, error) {
	names := map[string]PackNames{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var p PackNames
		err = s.Scan(&p.ID, &p.Name, &p.NameZH)
		names[p.ID] = p
		return none, err
	}
	_, err := db.All(tx, scan, `SELECT id, name, name_zh FROM packs WHERE `+tx.InList("id", "$1"), db.List(ids))
	return names, err
}

// openPlayer is who opened a pack, and whether they share the open.
type openPlayer struct {
	user   string
	shared bool
}

// openPlayers returns the players of opens, by open.
func openPlayers(tx *db.Tx, opens []string) (map[string]openPlayer, error) {
	players := make(map[string]openPlayer, len(opens))
	scan := func(s db.Scanner) (none struct{}, err error) {
		var open string
		var p openPlayer
		err = s.Scan(&open, &p.user, &p.shared)
		players[open] = p
		return none, err
	}
	_, err := db.All(tx, scan, `SELECT o.id, o.user_id, s.opening_id IS NOT NULL FROM openings o LEFT JOIN shared_pulls s ON s.opening_id = o.id
		WHERE `+tx.InList("o.id", "$1"), db.List(opens))
	return players, err
}

func allLists(tx *db.Tx) ([]listRow, error) {
	return db.All(tx, scanList, selectLists+`TRUE ORDER BY pack_id, period`)
}

// pricedPull is a pull with the price of its open.
type pricedPull struct {
	pull
	price money.Cents
}

// eachCountedPull visits every pull of the opens that have been counted so far.
func eachCountedPull(tx *db.Tx, visit func(pricedPull) error) error {
	unread, err := publiclog.UnreadOpens(tx, followerName)
	if err != nil {
		return err
	}
	scan := func(s db.Scanner) (p pricedPull, err error) {
		err = s.Scan(&p.Open, &p.Position, &p.Pack, &p.Item, &p.Value, &p.At, &p.price)
		p.At -= p.At % 1000 // leaves have milliseconds
		return p, err
	}
	return db.Each(tx, scan, visit, `SELECT o.id, n.position, o.pack_id, n.item_id, n.pulled_value_cents, o.created_at, o.price_cents
		FROM openings o JOIN inventory n ON n.opening_id = o.id WHERE NOT `+tx.InList("o.id", "$1"), db.List(unread))
}
