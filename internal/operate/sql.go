package operate

import (
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// Record keeps for good what an admin did, named by its operation, with the path and
// the body that asked for it, and returns the act's id.
func Record(tx *db.Tx, admin, act, path string, request []byte) (id string, err error) {
	id = tx.NewID()
	_, err = tx.Exec(`INSERT INTO admin_acts (id, user_id, act, path, request, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		id, admin, act, path, string(request), db.Micros(tx.Now))
	return id, err
}

var newestFirst = db.Order[AdminActView]{
	Keys:       []db.Key[AdminActView]{db.Text("a.id", func(a AdminActView) string { return a.ID })},
	Descending: true,
}

// acts lists what admins did.
func acts(tx *db.Tx, page *db.Selection[AdminActView]) ([]AdminActView, error) {
	scan := func(s db.Scanner) (a AdminActView, err error) {
		var request string
		var at int64
		err = s.Scan(&a.ID, &a.Act, &a.Path, &a.WalletAddress, &request, &at)
		a.Request, a.CreatedAt = []byte(request), httpkit.Timestamp(db.Time(at))
		return a, err
	}
	return page.Rows(tx, scan, `SELECT a.id, a.act, a.path, u.wallet_address, a.request, a.created_at
		FROM admin_acts a JOIN users u ON u.id = a.user_id WHERE TRUE`)
}
