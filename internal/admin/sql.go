package admin

import (
	"strings"
	"time"
	"unicode/utf8"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
)

// foundUser is a user with the sort key of the list.
type foundUser struct {
	UserView
	at int64
}

var newestUsers = db.Order[foundUser]{
	Keys: []db.Key[foundUser]{
		db.Number("u.created_at", func(u foundUser) int64 { return u.at }), db.Text("u.id", func(u foundUser) string { return u.ID }),
	},
	Descending: true,
}

const selectUsers = `SELECT u.id, u.wallet_address, u.first_name, u.handle, u.is_public, u.pages_hidden, u.role, a.balance_cents, u.created_at,
	(SELECT COUNT(*) FROM sessions s WHERE s.user_id = u.id), a.frozen_at <> 0, u.profile_lock_reason <> '', COALESCE(u.deleted_at, 0) FROM users u JOIN accounts a ON a.user_id = u.id WHERE `

func scanUser(s db.Scanner) (u foundUser, err error) {
	var deleted int64
	err = s.Scan(&u.ID, &u.WalletAddress, &u.FirstName, &u.Handle, &u.Public, &u.PagesHidden, &u.Role, &u.BalanceCents, &u.at, &u.Sessions, &u.Frozen, &u.ProfileLocked, &deleted)
	u.CreatedAt = httpapi.Timestamp(db.Time(u.at))
	if deleted != 0 {
		u.DeletedAt = httpapi.Timestamp(db.Time(deleted))
	}
	return u, err
}

func listUsers(tx *db.Tx, page *db.Selection[foundUser]) ([]UserView, error) {
	found, err := page.Rows(tx, scanUser, selectUsers+`TRUE`)
	views := make([]UserView, len(found))
	for n, u := range found {
		views[n] = u.UserView
	}
	return views, err
}

func findUserView(tx *db.Tx, id string) (UserView, error) {
	u, err := db.One(tx, scanUser, selectUsers+`u.id = $1`, id)
	return u.UserView, err
}

var newestFirst = db.Order[AdminActView]{
	Keys:       []db.Key[AdminActView]{db.Text("a.id", func(a AdminActView) string { return a.ID })},
	Descending: true,
}

// actsAboutUser are the ids of acts about a user ($1), their deposits or their claims. Older acts
// name the user by their address. An act about several claims names all of them.
func actsAboutUser(tx *db.Tx) string {
	subject := tx.Bytewise("x.subject")
	return `(SELECT x.id FROM admin_acts x WHERE ` + subject + ` = 'user ' || $1
		UNION SELECT x.id FROM users u JOIN admin_acts x ON ` + subject + ` = 'user ' || u.wallet_address WHERE u.id = $2
		UNION SELECT x.id FROM deposits d JOIN admin_acts x ON ` + subject + ` = 'deposit ' || d.id WHERE d.user_id = $2
		UNION SELECT x.id FROM claims c JOIN admin_acts x ON ` + subject + ` >= 'claim ' AND ` + subject + ` < 'claim!' AND x.subject LIKE '%' || c.id || '%' WHERE c.user_id = $2)`
}

// list returns a page of the admin log.
func (in *logInput) list(tx *db.Tx, page *db.Selection[AdminActView]) ([]AdminActView, error) {
	scan := func(s db.Scanner) (a AdminActView, err error) {
		var request, was, became string
		var at int64
		err = s.Scan(&a.ID, &a.Act, &a.Path, &a.AdminID, &a.WalletAddress, &request, &a.Subject, &was, &became, &a.Reason, &at)
		a.Request, a.Before, a.After = []byte(request), []byte(was), []byte(became)
		a.By, a.CreatedAt = byAdmin, httpapi.Timestamp(db.Time(at))
		if a.WalletAddress == "" {
			a.By = byProgram
		}
		return a, err
	}
	about, args := `TRUE`, []any{}
	if in.User != "" {
		about, args = `a.id IN `+actsAboutUser(tx), []any{in.User, in.User}
	}
	return page.Rows(tx, scan, `SELECT a.id, a.act, a.path, COALESCE(CAST(u.id AS TEXT), ''), COALESCE(u.wallet_address, ''), a.request, a.subject, a.was, a.became, a.reason, a.created_at
		FROM admin_acts a LEFT JOIN users u ON u.id = a.user_id WHERE `+about, args...)
}

// selection selects the lines of the admin log that match the filters.
func (in *logInput) selection(limit int, cursor string) (*db.Selection[AdminActView], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err != nil {
		return nil, err
	}
	switch in.Actor {
	case "":
	case byProgram:
		page.Where("a.user_id IS NULL")
	default:
		page.Where("u.wallet_address LIKE ? ESCAPE '!'", escape(in.Actor)+"%")
	}
	if in.Act != "" {
		page.Where("a.act = ?", in.Act)
	}
	if in.Subject != "" {
		prefix := escape(in.Subject) + "%"
		page.Where(`(a.subject LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM users s WHERE a.subject = 'user ' || s.id AND 'user ' || s.wallet_address LIKE ? ESCAPE '!'))`, prefix, prefix)
	}
	if text := strings.TrimSpace(in.Search); text != "" {
		page.Where("LOWER(a.reason || ' ' || a.subject || ' ' || a.was || ' ' || a.became || ' ' || a.request) LIKE ? ESCAPE '!'",
			"%"+escape(strings.ToLower(text))+"%")
	}
	in.NarrowIDs(page, "a.id")
	return page, nil
}

// countOpensSince counts the packs opened since a time. Ids of opens are in chronological order.
func countOpensSince(tx *db.Tx, since time.Time) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM openings WHERE id >= $1`, db.MinID(since))
}

// lastSeen returns when a user's sessions were last used; empty without a session.
func lastSeen(tx *db.Tx, user string) (string, error) {
	micros, err := db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(last_used_at), 0) FROM sessions WHERE user_id = $1`, user)
	if err != nil || micros == 0 {
		return "", err
	}
	return httpapi.Timestamp(db.Time(micros)), nil
}

var newestNotes = db.Order[Note]{
	Keys:       []db.Key[Note]{db.Text("n.id", func(n Note) string { return n.ID })},
	Descending: true,
}

func (in *notesInput) selection(limit int, cursor string) (*db.Selection[Note], error) {
	page, err := newestNotes.Select(limit, cursor)
	if err == nil {
		in.NarrowIDs(page, "n.id")
	}
	return page, err
}

func (in *notesInput) list(tx *db.Tx, page *db.Selection[Note]) ([]Note, error) {
	scan := func(s db.Scanner) (n Note, err error) {
		var at int64
		err = s.Scan(&n.ID, &n.Text, &n.WalletAddress, &at)
		n.CreatedAt = httpapi.Timestamp(db.Time(at))
		return n, err
	}
	return page.Rows(tx, scan, `SELECT n.id, n.text, u.wallet_address, n.created_at FROM user_notes n JOIN users u ON u.id = n.admin_id
		WHERE n.user_id = $1`, string(in.User))
}

func insertNote(tx *db.Tx, user, admin string, n Note) error {
	_, err := tx.Exec(`INSERT INTO user_notes (id, user_id, admin_id, text, created_at) VALUES ($1, $2, $3, $4, $5)`,
		n.ID, user, admin, n.Text, db.Micros(tx.Now))
	return err
}

func countNotes(tx *db.Tx, user string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM user_notes WHERE user_id = $1`, user)
}

func scanHit(s db.Scanner) (h Hit, err error) {
	var place int64 // only for sorting
	return h, s.Scan(&h.Kind, &h.ID, &h.UserID, &h.WalletAddress, &h.FirstName, &h.Handle, &place)
}

// findByID finds what has an id, a provider's payment id, the token of a charge or a transaction
// signature. A trade belongs to both of its users. A transfer is found by what it was for, unless that
// is found itself, or by its own id. That id has no index, but the time of the transfer in it.
func findByID(tx *db.Tx, text string) ([]Hit, error) {
	id := strings.ToLower(text)
	made := db.ID(id).Time()
	return db.All(tx, scanHit, `WITH moved AS (
			SELECT ref, debit, debit_line, credit, credit_line FROM transfers WHERE ref = $1
			UNION ALL SELECT ref, debit, debit_line, credit, credit_line FROM transfers
				WHERE created_at >= $4 AND created_at < $5 AND kind <> '`+string(ledger.KindOpen)+`' AND id = $1
			UNION ALL SELECT ref, debit, debit_line, credit, credit_line FROM transfers
				WHERE ref >= $6 AND ref < $7 AND kind = '`+string(ledger.KindOpen)+`' AND id = $1),
		found AS (
			SELECT 1 AS place, 'user' AS kind, CAST(id AS TEXT) AS id, id AS user_id FROM users WHERE id = $1
			UNION ALL SELECT 1, 'user', CAST(id AS TEXT), id FROM users WHERE tag = $2
			UNION ALL SELECT 2, 'open', CAST(id AS TEXT), user_id FROM openings WHERE id = $1
			UNION ALL SELECT 2, 'open', CAST(id AS TEXT), user_id FROM orders WHERE id = $1 AND state <> 'open'
			UNION ALL SELECT 3, 'entry', CAST(id AS TEXT), user_id FROM inventory WHERE id = $1
			UNION ALL SELECT 3, 'entry', CAST(id AS TEXT), user_id FROM inventory WHERE state = '`+string(inventory.Listed)+`' AND listing_id = $1
			UNION ALL SELECT 4, 'deposit', CAST(id AS TEXT), user_id FROM deposits WHERE id = $1
			UNION ALL SELECT 4, 'deposit', CAST(id AS TEXT), user_id FROM deposits WHERE charge_token = $3
			UNION ALL SELECT 4, 'deposit', CAST(d.id AS TEXT), d.user_id FROM deposit_payments p JOIN deposits d ON d.id = p.deposit_id
				WHERE p.provider IN ('helio', 'sandbox') AND p.payment_id = $3
			UNION ALL SELECT 4, 'deposit', CAST(d.id AS TEXT), d.user_id FROM deposit_payments p JOIN deposits d ON d.id = p.deposit_id WHERE p.signature = $3
			UNION ALL SELECT 5, 'payment', n.payment_id, d.user_id FROM payment_notices n LEFT JOIN deposits d ON d.id = n.deposit_id
				WHERE n.provider IN ('helio', 'sandbox') AND n.payment_id = $3
				AND NOT EXISTS (SELECT 1 FROM deposit_payments p WHERE p.provider = n.provider AND p.payment_id = n.payment_id)
			UNION ALL SELECT 6, 'claim', CAST(id AS TEXT), user_id FROM claims WHERE id = $1
			UNION ALL SELECT 7, 'bid', CAST(id AS TEXT), user_id FROM bids WHERE id = $1
			UNION ALL SELECT 8, 'trade', CAST(id AS TEXT), seller_id FROM trades WHERE id = $1 AND kind <> 'sell-back'
			UNION ALL SELECT 8, 'trade', CAST(id AS TEXT), buyer_id FROM trades WHERE id = $1 AND buyer_id IS NOT NULL
			UNION ALL SELECT 9, 'transfer', CAST(ref AS TEXT), `+tx.AsID("debit")+` FROM moved WHERE debit_line IS NOT NULL
			UNION ALL SELECT 9, 'transfer', CAST(ref AS TEXT), `+tx.AsID("credit")+` FROM moved WHERE credit_line IS NOT NULL)
		SELECT DISTINCT f.kind, f.id, COALESCE(CAST(u.id AS TEXT), ''), COALESCE(u.wallet_address, ''), COALESCE(u.first_name, ''), COALESCE(u.handle, ''), f.place
		FROM found f LEFT JOIN users u ON u.id = f.user_id WHERE f.place < 9 OR NOT EXISTS (SELECT 1 FROM found WHERE place < 9)
		ORDER BY f.place, 3`, id, id, text, db.Micros(made), db.Micros(made.Add(time.Millisecond)), db.MinID(made), db.MinID(made.Add(time.Millisecond)))
}

// findByIDRange finds what has an id from first to last that ends with a text, newest first. Ids begin
// with their time: those that share 8 characters are from about one minute.
func findByIDRange(tx *db.Tx, first, last, end string, limit int) ([]Hit, error) {
	within := func(table, column string) string {
		return column + ` >= $1 AND ` + column + ` <= $2 AND CAST(` + column + ` AS TEXT) LIKE $3 ORDER BY ` + column + ` DESC LIMIT $4) AS some_` + table
	}
	return db.All(tx, scanHit, `WITH found AS (
			SELECT * FROM (SELECT 1 AS place, 'user' AS kind, CAST(id AS TEXT) AS id, id AS user_id FROM users WHERE `+within("users", "users.id")+`
			UNION ALL SELECT * FROM (SELECT 2, 'open', CAST(id AS TEXT), user_id FROM openings WHERE `+within("opens", "openings.id")+`
			UNION ALL SELECT * FROM (SELECT 3, 'entry', CAST(id AS TEXT), user_id FROM inventory WHERE `+within("entries", "inventory.id")+`
			UNION ALL SELECT * FROM (SELECT 4, 'deposit', CAST(id AS TEXT), user_id FROM deposits WHERE `+within("deposits", "deposits.id")+`
			UNION ALL SELECT * FROM (SELECT 6, 'claim', CAST(id AS TEXT), user_id FROM claims WHERE `+within("claims", "claims.id")+`
			UNION ALL SELECT * FROM (SELECT 7, 'bid', CAST(id AS TEXT), user_id FROM bids WHERE `+within("bids", "bids.id")+`
			UNION ALL SELECT * FROM (SELECT 8, 'trade', CAST(id AS TEXT), seller_id FROM trades WHERE kind <> 'sell-back' AND `+within("sales", "trades.id")+`
			UNION ALL SELECT * FROM (SELECT 8, 'trade', CAST(id AS TEXT), buyer_id FROM trades WHERE buyer_id IS NOT NULL AND `+within("purchases", "trades.id")+`
			UNION ALL SELECT * FROM (SELECT 9, 'transfer', CAST(ref AS TEXT), `+tx.AsID("debit")+` FROM transfers WHERE debit_line IS NOT NULL AND `+within("debits", "transfers.ref")+`
			UNION ALL SELECT * FROM (SELECT 9, 'transfer', CAST(ref AS TEXT), `+tx.AsID("credit")+` FROM transfers WHERE credit_line IS NOT NULL AND `+within("credits", "transfers.ref")+`)
		SELECT DISTINCT f.kind, f.id, COALESCE(CAST(u.id AS TEXT), ''), COALESCE(u.wallet_address, ''), COALESCE(u.first_name, ''), COALESCE(u.handle, ''), f.place
		FROM found f LEFT JOIN users u ON u.id = f.user_id WHERE f.place < 9 OR NOT EXISTS (SELECT 1 FROM found WHERE place < 9)
		ORDER BY f.place, f.id DESC LIMIT $4`, first, last, "%"+end, limit)
}

// findByAddress finds users by the start of their address, and its end if the text has one. Upper and
// lower case are different in an address.
func findByAddress(tx *db.Tx, text searchText, limit int) ([]Hit, error) {
	address := tx.Bytewise("wallet_address")
	return db.All(tx, scanHit, `SELECT 'user', CAST(id AS TEXT), CAST(id AS TEXT), wallet_address, first_name, handle, 1 FROM users
		WHERE `+address+` >= $1 AND `+address+` < $2 AND `+endsWith("wallet_address", "$3", "$4")+`
		ORDER BY `+address+` LIMIT $5`, text.start, text.start+string(utf8.MaxRune), text.end, len(text.end)-1, limit)
}

// findBySignature finds the deposits paid by a transaction whose signature has a start and an end. The
// index is in the order of the database's locale, so z, which is last in any, bounds the range.
func findBySignature(tx *db.Tx, text searchText, limit int) ([]Hit, error) {
	return db.All(tx, scanHit, `SELECT 'deposit', CAST(d.id AS TEXT), CAST(u.id AS TEXT), u.wallet_address, u.first_name, u.handle, 4
		FROM deposit_payments p JOIN deposits d ON d.id = p.deposit_id JOIN users u ON u.id = d.user_id
		WHERE p.signature >= $1 AND p.signature <= $2 AND SUBSTR(p.signature, 1, $3) = $1 AND `+endsWith("p.signature", "$4", "$5")+`
		LIMIT $6`, text.start, text.start+strings.Repeat("z", longestSignature), len(text.start), text.end, len(text.end)-1, limit)
}

// longestSignature is the length of a transaction signature in base58.
const longestSignature = 88

// endsWith returns the condition that a column ends with the text of a placeholder. The other
// placeholder is the text's length minus one.
func endsWith(column, text, length string) string {
	return `SUBSTR(` + column + `, LENGTH(` + column + `) - ` + length + `) = ` + text
}

// findByName finds users whose name starts with a text. Upper and lower case are the same. % and _ have
// no special meaning.
func findByName(tx *db.Tx, text string, limit int) ([]Hit, error) {
	name := tx.Bytewise("LOWER(first_name)")
	return db.All(tx, scanHit, `SELECT 'user', CAST(id AS TEXT), CAST(id AS TEXT), wallet_address, first_name, handle, place FROM (
			SELECT 2 AS place, id, wallet_address, first_name, handle FROM users
				WHERE first_name <> '' AND `+name+` >= LOWER($1) AND `+name+` < LOWER($3) ORDER BY `+name+` LIMIT $2) AS by_name
		ORDER BY wallet_address`, text, limit, text+string(utf8.MaxRune))
}

// findByHandle finds users whose handle starts with a text.
func findByHandle(tx *db.Tx, text string, limit int) ([]Hit, error) {
	if text == "" {
		return nil, nil
	}
	handle := tx.Bytewise("handle")
	return db.All(tx, scanHit, `SELECT 'user', CAST(id AS TEXT), CAST(id AS TEXT), wallet_address, first_name, handle, 2 FROM users
		WHERE handle <> '' AND `+handle+` >= $1 AND `+handle+` < $2 ORDER BY `+handle+` LIMIT $3`, text, text+string(utf8.MaxRune), limit)
}
