package opening

import (
	"strconv"
	"strings"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/publiclog"
)

func insert(tx *db.Tx, openings []Opening) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "pack_id", "manifest_hash", "nonce", "commitment", "server_seed",
		"client_seed", "price_cents", "total_value_cents", "draw_seq", "created_at"}}
	for _, o := range openings {
		rows.Add(o.ID, o.UserID, o.PackID, o.ManifestHash[:], o.Nonce, o.Commitment[:], o.ServerSeed[:],
			[]byte(o.ClientSeed), o.Price, o.TotalValue, o.DrawSeq, db.Micros(o.At))
	}
	return tx.InsertRows("openings", rows)
}

const selectOpenings = `SELECT o.id, o.user_id, o.pack_id, p.name, o.manifest_hash, o.nonce, o.commitment, o.server_seed,
	o.client_seed, o.price_cents, o.total_value_cents, o.draw_seq, o.created_at
	FROM openings o JOIN packs p ON p.id = o.pack_id `

func scanOpening(s db.Scanner) (o Opening, err error) {
	var hash, commitment, serverSeed, clientSeed []byte
	var at int64
	err = s.Scan(&o.ID, &o.UserID, &o.PackID, &o.PackName, &hash, &o.Nonce, &commitment, &serverSeed,
		&clientSeed, &o.Price, &o.TotalValue, &o.DrawSeq, &at)
	copy(o.ManifestHash[:], hash)
	copy(o.Commitment[:], commitment)
	copy(o.ServerSeed[:], serverSeed)
	o.ClientSeed, o.At = string(clientSeed), db.Time(at)
	return o, err
}

// holder is a user with the nonce of their unused seed.
type holder struct {
	userID, tag string
	nonce       int64
}

// holders lists users after an id.
func holders(tx *db.Tx, after string, limit int) ([]holder, error) {
	scan := func(s db.Scanner) (h holder, err error) { return h, s.Scan(&h.userID, &h.tag, &h.nonce) }
	return db.All(tx, scan, `SELECT a.user_id, u.tag, a.nonce FROM accounts a JOIN users u ON u.id = a.user_id
		WHERE a.user_id > $1 ORDER BY a.user_id LIMIT $2`, after, limit)
}

// byCommitment finds the user's open that used a commitment up. It goes back through
// all of them, as an index on random bytes would slow down every open: not to be
// asked while others wait.
func byCommitment(tx *db.Tx, userID string, commitment []byte) (id string, err error) {
	return db.One(tx, db.Column[string], `SELECT id FROM openings WHERE user_id = $1 AND commitment = $2 ORDER BY nonce DESC LIMIT 1`,
		userID, commitment)
}

func byID(tx *db.Tx, userID, id string) (Opening, error) {
	return db.One(tx, scanOpening, selectOpenings+`WHERE o.user_id = $1 AND o.id = $2`, userID, id)
}

var newestFirst = db.Order[Opening]{
	Keys:       []db.Key[Opening]{db.Number("o.nonce", func(o Opening) int64 { return o.Nonce })},
	Descending: true,
}

// ofUser lists a user's opens.
func ofUser(tx *db.Tx, userID string, page *db.Selection[Opening]) ([]Opening, error) {
	return page.Rows(tx, scanOpening, selectOpenings+`WHERE o.user_id = $1`, userID)
}

func unpaid(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every open has its price", `
		SELECT 'opening ' || o.id, 'price ' || o.price_cents || ', paid ' || COALESCE(t.amount_cents, 0) || ' by ' || COALESCE(t.debit, 'nobody')
		FROM openings o LEFT JOIN transfers t ON t.kind = $1 AND t.ref = o.id
		WHERE t.id IS NULL OR t.amount_cents <> o.price_cents OR t.debit <> o.user_id OR t.created_at <> o.created_at`, ledger.KindOpen)
}

func paidForNothing(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every price has its open", `
		SELECT 'transfer ' || t.id, 'no opening ' || t.ref
		FROM transfers t LEFT JOIN openings o ON o.id = t.ref WHERE t.kind = $1 AND o.id IS NULL`, ledger.KindOpen)
}

// itemsOff looks at the places alone; what lies there is the leaf's to say.
func itemsOff(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an open's items are numbered without gaps", `
		SELECT 'opening ' || opening_id, COUNT(*) || ' items up to number ' || MAX(position)
		FROM inventory GROUP BY opening_id HAVING MAX(position) <> COUNT(*) - 1`)
}

// strayLeaves are about nothing, or stand in the log and still wait for it.
func strayLeaves(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every leaf has its fact", `
		SELECT 'leaf ' || l.kind || ' ' || l.ref, 'there is no such opening or account'
		FROM (SELECT kind, ref FROM log_leaves UNION ALL SELECT kind, ref FROM log_waiting) l
			LEFT JOIN openings o ON o.id = l.ref LEFT JOIN accounts a ON a.user_id = substr(l.ref, 1, 36)
		WHERE (l.kind = $1 AND o.id IS NULL) OR (l.kind = $2 AND a.user_id IS NULL)
		UNION ALL
		SELECT 'leaf ' || w.kind || ' ' || w.ref, 'is in the tree and waits for its place'
		FROM log_waiting w JOIN log_leaves l ON l.kind = w.kind AND l.ref = w.ref`, publiclog.KindOpen, publiclog.KindCommit)
}

// eachWritten shows all opens, in no order.
func eachWritten(tx *db.Tx, see func(written) error) error {
	scan := func(s db.Scanner) (w written, err error) {
		var hash, commitment, serverSeed, clientSeed []byte
		var at int64
		var items string
		err = s.Scan(&w.ID, &w.PackID, &hash, &w.Nonce, &commitment, &serverSeed, &clientSeed, &w.Price, &w.TotalValue,
			&w.DrawSeq, &at, &w.tag, &w.leaf, &items)
		copy(w.ManifestHash[:], hash)
		copy(w.Commitment[:], commitment)
		copy(w.ServerSeed[:], serverSeed)
		w.ClientSeed, w.At = string(clientSeed), db.Time(at)
		if err == nil {
			w.items, err = readItems(items)
		}
		return w, err
	}
	return db.Each(tx, scan, see, `SELECT o.id, o.pack_id, o.manifest_hash, o.nonce, o.commitment, o.server_seed, o.client_seed,
		o.price_cents, o.total_value_cents, o.draw_seq, o.created_at, u.tag, COALESCE(l.body, w.body, ''),
		COALESCE((SELECT string_agg(n.item_id || ':' || n.pulled_value_cents, ' ' ORDER BY n.position)
			FROM inventory n WHERE n.opening_id = o.id), '')
		FROM openings o JOIN users u ON u.id = o.user_id
		LEFT JOIN log_leaves l ON l.kind = $1 AND l.ref = o.id
		LEFT JOIN log_waiting w ON w.kind = $1 AND w.ref = o.id`, publiclog.KindOpen)
}

// readItems reads "id:value id:value …" of eachWritten.
func readItems(list string) (items []fair.LeafItem, err error) {
	for pair := range strings.FieldsSeq(list) {
		id, value, _ := strings.Cut(pair, ":")
		cents, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, err
		}
		items = append(items, fair.LeafItem{Card: id, Value: money.Cents(cents)})
	}
	return items, nil
}

// eachPromise shows what every user was promised.
func eachPromise(tx *db.Tx, see func(promise) error) error {
	scan := func(s db.Scanner) (p promise, err error) {
		var commitment []byte
		err = s.Scan(&p.user, &p.tag, &p.nonce, &commitment, &p.first, &p.last)
		copy(p.commitment[:], commitment)
		return p, err
	}
	return db.Each(tx, scan, see, `SELECT a.user_id, u.tag, a.nonce, a.commitment,
		COALESCE(c.body, cw.body, ''), COALESCE(l.body, lw.body, CASE WHEN o.id IS NULL THEN '' ELSE 'none' END)
		FROM accounts a JOIN users u ON u.id = a.user_id
		LEFT JOIN log_leaves c ON c.kind = $1 AND c.ref = a.user_id
		LEFT JOIN log_waiting cw ON cw.kind = $1 AND cw.ref = a.user_id
		LEFT JOIN openings o ON o.user_id = a.user_id AND o.nonce = a.nonce - 1
		LEFT JOIN log_leaves l ON l.kind = $2 AND l.ref = o.id
		LEFT JOIN log_waiting lw ON lw.kind = $2 AND lw.ref = o.id`, publiclog.KindCommit, publiclog.KindOpen)
}

func gaps(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a user's nonces have no gap", `
		SELECT 'account ' || a.user_id, 'next nonce ' || a.nonce || ', opens ' || COALESCE(o.number, 0) || ', last ' || COALESCE(o.last, -1)
		FROM accounts a LEFT JOIN (SELECT user_id, COUNT(*) AS number, MAX(nonce) AS last FROM openings GROUP BY user_id) o
			ON o.user_id = a.user_id
		WHERE a.nonce <> COALESCE(o.number, 0) OR a.nonce <> COALESCE(o.last, -1) + 1`)
}
