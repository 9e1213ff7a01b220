package profiles

import (
	"strconv"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
)

// ownsOpen reports whether a user opened an open.
func ownsOpen(tx *db.Tx, user, open string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM openings WHERE id = $1 AND user_id = $2)`, open, user)
}

func insertShared(tx *db.Tx, user, open, language string) error {
	return tx.ExecOne(`INSERT INTO shared_pulls (opening_id, user_id, language, shared_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (opening_id) DO UPDATE SET language = excluded.language`, open, user, language, db.Micros(tx.Now))
}

func deleteShared(tx *db.Tx, open string) error {
	_, err := tx.Exec(`DELETE FROM shared_pulls WHERE opening_id = $1`, open)
	return err
}

func deleteSharedOf(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM shared_pulls WHERE user_id = $1`, user)
	return err
}

// findShared returns a shared open, or db.ErrNoRow.
func findShared(tx *db.Tx, open string) (pull, error) {
	scan := func(s db.Scanner) (p pull, err error) {
		return p, s.Scan(&p.id, &p.owner, &p.language, &p.pack.ID, &p.pack.Name, &p.pack.NameZH, &p.price, &p.total, &p.at)
	}
	return db.One(tx, scan, `SELECT o.id, o.user_id, s.language, p.id, p.name, p.name_zh, o.price_cents, o.total_value_cents, o.created_at
		FROM shared_pulls s JOIN openings o ON o.id = s.opening_id JOIN packs p ON p.id = o.pack_id WHERE s.opening_id = $1`, open)
}

// pulledItems returns the items of an open, the most valuable first.
func pulledItems(tx *db.Tx, open string) ([]shownItem, error) {
	scan := func(s db.Scanner) (i shownItem, err error) {
		return i, s.Scan(append([]any{&i.value}, i.item.Fields()...)...)
	}
	return db.All(tx, scan, `SELECT n.pulled_value_cents, `+catalogue.Columns+` FROM inventory n JOIN items i ON i.id = n.item_id
		WHERE n.opening_id = $1 ORDER BY n.pulled_value_cents DESC, n.position`, open)
}

// Which of a user's opens are searched for the best pulls, which bounds the time that a profile takes: those
// with the highest values of at least policy.TopPull, found by an index, and of the latest ones.
const (
	bestOpens   = 100
	latestOpens = 500
)

// bestPulls returns a user's most valuable pulls, the most valuable first; of equal ones, the latest.
func bestPulls(tx *db.Tx, user string, limit int) ([]bestPull, error) {
	scan := func(s db.Scanner) (b bestPull, err error) {
		return b, s.Scan(append([]any{&b.open, &b.shared, &b.at, &b.pack.ID, &b.pack.Name, &b.pack.NameZH, &b.value}, b.item.Fields()...)...)
	}
	const opens = `SELECT id, pack_id, created_at, total_value_cents FROM openings WHERE user_id = $1 `
	topPull := strconv.FormatInt(int64(policy.TopPull), 10) // a literal, because the index isn't used with a parameter
	return db.All(tx, scan, `WITH best AS (`+opens+`AND total_value_cents >= `+topPull+` ORDER BY total_value_cents DESC, id DESC LIMIT $2),
		latest AS (`+opens+`ORDER BY nonce DESC LIMIT $3),
		searched AS (SELECT * FROM best UNION SELECT * FROM (SELECT * FROM latest ORDER BY total_value_cents DESC, id DESC LIMIT $2) l),
		pulls AS (SELECT n.opening_id, n.position, n.item_id, n.pulled_value_cents, o.pack_id, o.created_at
			FROM searched o JOIN inventory n ON n.opening_id = o.id ORDER BY n.pulled_value_cents DESC, n.opening_id DESC, n.position LIMIT $4)
		SELECT b.opening_id, s.opening_id IS NOT NULL, b.created_at, p.id, p.name, p.name_zh, b.pulled_value_cents, `+catalogue.Columns+`
		FROM pulls b JOIN items i ON i.id = b.item_id JOIN packs p ON p.id = b.pack_id LEFT JOIN shared_pulls s ON s.opening_id = b.opening_id
		ORDER BY b.pulled_value_cents DESC, b.opening_id DESC, b.position`, user, bestOpens, latestOpens, limit)
}

func showcaseIDs(tx *db.Tx, user string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT inventory_id FROM showcase WHERE user_id = $1 ORDER BY position`, user)
}

func deleteShowcase(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM showcase WHERE user_id = $1`, user)
	return err
}

func insertShowcase(tx *db.Tx, user string, entries []string) error {
	rows := db.Rows{Columns: []string{"user_id", "position", "inventory_id"}}
	for i, id := range entries {
		rows.Add(db.ID(user), i, db.ID(id))
	}
	return tx.InsertRows("showcase", rows)
}

// findWrongSharers finds shared opens of other users than those who opened them.
func findWrongSharers(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a shared open must be its user's own, and shared after it", `
		SELECT 'shared open ' || s.opening_id, 'is shared by user ' || s.user_id || ' at ' || s.shared_at || ', but user ' || o.user_id || ' opened it at ' || o.created_at
		FROM shared_pulls s JOIN openings o ON o.id = s.opening_id WHERE s.user_id <> o.user_id OR s.shared_at < o.created_at - $1`, audit.MaxDelay)
}

// findDeletedSharers finds what deleted users show.
func findDeletedSharers(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a deleted user shows nothing", `
		SELECT 'user ' || u.id, 'is deleted, but still shows something' FROM users u WHERE u.deleted_at IS NOT NULL
		AND (EXISTS (SELECT 1 FROM shared_pulls s WHERE s.user_id = u.id) OR EXISTS (SELECT 1 FROM showcase c WHERE c.user_id = u.id))`)
}

// findForeignEntries finds showcased entries that their user never owned.
func findForeignEntries(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a showcased entry must have been its user's", `
		SELECT 'showcase of ' || c.user_id, 'has entry ' || c.inventory_id || ' at position ' || c.position || ', which they never owned'
		FROM showcase c JOIN inventory n ON n.id = c.inventory_id JOIN openings o ON o.id = n.opening_id
		WHERE n.user_id <> c.user_id AND o.user_id <> c.user_id
		AND NOT EXISTS (SELECT 1 FROM entry_events e WHERE e.inventory_id = c.inventory_id AND e.by_whom = CAST(c.user_id AS TEXT))`)
}

// findGaps finds showcases with gaps.
func findGaps(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a showcase must be numbered without gaps", `
		SELECT 'showcase of ' || user_id, 'has ' || COUNT(*) || ' entries, but the last has position ' || MAX(position)
		FROM showcase GROUP BY user_id HAVING COUNT(*) <> MAX(position) + 1`)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "shared-pulls", Columns: []userrows.Column{userrows.Text("openId"), userrows.Text("language"), userrows.Time("sharedAt")},
		SQL: `SELECT opening_id, language, shared_at FROM shared_pulls WHERE user_id = $1 ORDER BY opening_id`},
	{File: "showcase", Columns: []userrows.Column{userrows.Number("position"), userrows.Text("itemEntryId")},
		SQL: `SELECT position, inventory_id FROM showcase WHERE user_id = $1 ORDER BY position`},
}
