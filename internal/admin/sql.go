package admin

import (
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
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

const selectUsers = `SELECT u.id, u.wallet_address, u.first_name, u.role, a.balance_cents, u.created_at,
	(SELECT COUNT(*) FROM sessions s WHERE s.user_id = u.id) FROM users u JOIN accounts a ON a.user_id = u.id WHERE `

func scanUser(s db.Scanner) (u foundUser, err error) {
	err = s.Scan(&u.ID, &u.WalletAddress, &u.FirstName, &u.Role, &u.BalanceCents, &u.at, &u.Sessions)
	u.CreatedAt = httpapi.Timestamp(db.Time(u.at))
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

// listActs returns a page of the admin log.
func listActs(tx *db.Tx, page *db.Selection[AdminActView]) ([]AdminActView, error) {
	scan := func(s db.Scanner) (a AdminActView, err error) {
		var request, was, became string
		var at int64
		err = s.Scan(&a.ID, &a.Act, &a.Path, &a.WalletAddress, &request, &a.Subject, &was, &became, &a.Reason, &at)
		a.Request, a.Before, a.After = []byte(request), []byte(was), []byte(became)
		a.By, a.CreatedAt = byAdmin, httpapi.Timestamp(db.Time(at))
		if a.WalletAddress == "" {
			a.By = byProgram
		}
		return a, err
	}
	return page.Rows(tx, scan, `SELECT a.id, a.act, a.path, COALESCE(u.wallet_address, ''), a.request, a.subject, a.was, a.became, a.reason, a.created_at
		FROM admin_acts a LEFT JOIN users u ON u.id = a.user_id WHERE TRUE`)
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
	if !in.From.IsZero() {
		page.Where("a.created_at >= ?", db.Micros(in.From))
	}
	if !in.To.IsZero() {
		page.Where("a.created_at < ?", db.Micros(in.To))
	}
	return page, nil
}

// countOpensSince counts the packs opened since a time. Ids of opens are in chronological order.
func countOpensSince(tx *db.Tx, since time.Time) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM openings WHERE id >= $1`, db.MinID(since))
}
