package opening

import (
	"cmp"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/protocol"
)

func insertOpens(tx *db.Tx, openings []Open) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "pack_id", "manifest_hash", "nonce", "server_seed", "next_commitment",
		"client_seed", "price_cents", "total_value_cents", "draw_seq", "created_at"}}
	for _, o := range openings {
		rows.Add(db.ID(o.ID), db.ID(o.UserID), o.PackID, o.ManifestHash[:], o.Nonce, o.ServerSeed[:], o.NextCommitment[:],
			[]byte(o.ClientSeed), o.Price, o.TotalValue, o.DrawSeq, db.Micros(o.At))
	}
	return tx.InsertRows("openings", rows)
}

// insertOrders adds orders that are paid.
func insertOrders(tx *db.Tx, orders []Open) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "pack_id", "manifest_hash", "nonce", "commitment", "sealed_seed", "next_commitment",
		"client_seed", "price_cents", "items", "draw_seq", "beacon", "round", "created_at"}}
	for _, o := range orders {
		rows.Add(db.ID(o.ID), db.ID(o.UserID), o.PackID, o.ManifestHash[:], o.Nonce, o.Commitment[:], o.Order.seed.Sealed, o.NextCommitment[:],
			[]byte(o.ClientSeed), o.Price, int64(o.Order.Items), o.DrawSeq, o.Order.Beacon[:], int64(o.Order.Round), db.Micros(o.Order.At))
	}
	return tx.InsertRows("orders", rows)
}

// orderColumns are an order's own columns; those of an instant open are NULL.
const orderColumns = `r.created_at, r.items, r.beacon, r.round, r.signature, r.void_reason, r.sealed_seed, r.commitment`

// openingColumns are the columns of an open in drawnOpens or allOpens (as o), and of its order (as r).
const openingColumns = `o.state, o.id, o.user_id, COALESCE(u.tag, ''), o.pack_id, o.manifest_hash, o.nonce, o.server_seed, o.next_commitment,
	o.client_seed, o.price_cents, o.total_value_cents, o.draw_seq, o.created_at, ` + orderColumns

const (
	// drawnOpens has the columns of all opens that are drawn.
	drawnOpens = `SELECT 'open' AS state, id, user_id, pack_id, manifest_hash, nonce, server_seed, next_commitment, client_seed, price_cents,
		total_value_cents, draw_seq, created_at FROM openings`
	// undrawnOrders has the same columns of the orders that aren't drawn yet, or were voided.
	undrawnOrders = `SELECT state, id, user_id, pack_id, manifest_hash, nonce, void_seed AS server_seed, next_commitment, client_seed, price_cents,
		0 AS total_value_cents, draw_seq, COALESCE(settled_at, created_at) AS created_at FROM orders WHERE state <> 'open'`
	allOpens = drawnOpens + ` UNION ALL ` + undrawnOrders
)

var selectOpenings = selectOpeningsFrom(allOpens)

// selectOpeningsFrom selects opens for scanOpen from a query with the columns of drawnOpens.
func selectOpeningsFrom(opens string) string {
	return `SELECT ` + openingColumns + `, p.name, p.name_zh, EXISTS (SELECT 1 FROM shared_pulls s WHERE s.opening_id = o.id)
	FROM (` + opens + `) o LEFT JOIN orders r ON r.id = o.id JOIN users u ON u.id = o.user_id JOIN packs p ON p.id = o.pack_id `
}

func scanOpen(s db.Scanner) (Open, error) {
	var name, nameZH string
	var shared bool
	o, err := scanOpenAnd(s, &name, &nameZH, &shared)
	o.PackName, o.PackNameZH, o.Shared = name, nameZH, shared
	return o, err
}

// scanOpenAnd scans openingColumns followed by more columns.
func scanOpenAnd(s db.Scanner, more ...any) (o Open, err error) {
	var hash, serverSeed, next, clientSeed []byte
	var at int64
	var r orderRow
	err = s.Scan(slices.Concat([]any{
		&o.State, &o.ID, &o.UserID, &o.UserTag, &o.PackID, &hash, &o.Nonce, &serverSeed, &next,
		&clientSeed, &o.Price, &o.TotalValue, &o.DrawSeq, &at,
	}, r.targets(), more)...)
	copy(o.ManifestHash[:], hash)
	copy(o.ServerSeed[:], serverSeed)
	copy(o.NextCommitment[:], next)
	o.ClientSeed, o.At, o.Order = string(clientSeed), db.Time(at), r.order()
	if o.Order != nil {
		copy(o.Commitment[:], r.commitment)
		o.Order.seed.Nonce = o.Nonce
	} else {
		o.Commitment = protocol.Commitment(o.ServerSeed)
	}
	return o, err
}

// orderRow has the orderColumns of a row.
type orderRow struct {
	createdAt, items, round                   *int64
	beacon, signature, sealedSeed, commitment []byte
	reason                                    *string
}

func (r *orderRow) targets() []any {
	return []any{&r.createdAt, &r.items, &r.beacon, &r.round, &r.signature, &r.reason, &r.sealedSeed, &r.commitment}
}

// order returns the order, or nil for an instant open.
func (r *orderRow) order() *Order {
	if r.createdAt == nil {
		return nil
	}
	o := &Order{At: db.Time(*r.createdAt), Items: int(*r.items), Round: uint64(*r.round), Reason: protocol.VoidReason(*r.reason),
		seed: ledger.Seed{Commitment: r.commitment, Sealed: r.sealedSeed}}
	copy(o.Beacon[:], r.beacon)
	copy(o.Signature[:], r.signature)
	return o
}

// firstPendingRounds returns the first round with pending orders of each beacon.
func firstPendingRounds(tx *db.Tx) ([]dueRound, error) {
	return db.All(tx, scanDueRound, `SELECT beacon, MIN(round) FROM orders WHERE state = 'sealed' GROUP BY beacon`)
}

func scanDueRound(s db.Scanner) (d dueRound, err error) {
	var beacon []byte
	err = s.Scan(&beacon, &d.round)
	copy(d.beacon[:], beacon)
	return d, err
}

// pendingOfPack are the pending orders of a pack that one beacon draws.
type pendingOfPack struct {
	PendingOrders
	due dueRound // the first
}

// pendingByPack returns the packs with pending orders, the longest waiting first.
func pendingByPack(tx *db.Tx) ([]pendingOfPack, error) {
	scan := func(s db.Scanner) (w pendingOfPack, err error) {
		var beacon []byte
		var oldest int64
		err = s.Scan(&w.PackID, &w.PackName, &w.PackNameZH, &beacon, &w.Orders, &oldest, &w.due.round)
		copy(w.due.beacon[:], beacon)
		w.Oldest = db.Time(oldest)
		return w, err
	}
	return db.All(tx, scan, `SELECT r.pack_id, p.name, p.name_zh, r.beacon, COUNT(*), MIN(r.created_at), MIN(r.round)
		FROM orders r JOIN packs p ON p.id = r.pack_id WHERE r.state = 'sealed'
		GROUP BY r.pack_id, p.name, p.name_zh, r.beacon ORDER BY MIN(r.created_at), r.pack_id`)
}

// pendingRound is a round with its number of pending orders.
type pendingRound struct {
	round  uint64
	orders int64
}

// pendingRounds returns a beacon's first rounds with pending orders.
func pendingRounds(tx *db.Tx, beacon [32]byte, limit int) ([]pendingRound, error) {
	scan := func(s db.Scanner) (p pendingRound, err error) { return p, s.Scan(&p.round, &p.orders) }
	return db.All(tx, scan, `SELECT round, COUNT(*) FROM orders WHERE beacon = $1 AND state = 'sealed' GROUP BY round ORDER BY round LIMIT $2`, beacon[:], limit)
}

// hasEarlierOrders reports whether orders of an earlier round of the beacon are pending.
func hasEarlierOrders(tx *db.Tx, d dueRound) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM orders WHERE beacon = $1 AND round < $2 AND state = 'sealed')`, d.beacon[:], int64(d.round))
}

// orderIDs returns the ids of a round's pending orders.
func orderIDs(tx *db.Tx, d dueRound) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM orders WHERE beacon = $1 AND round = $2 AND state = 'sealed'`, d.beacon[:], int64(d.round))
}

const selectOrders = `SELECT ` + openingColumns + ` FROM (
		SELECT *, void_seed AS server_seed, 0 AS total_value_cents FROM orders
	) o JOIN orders r ON r.id = o.id JOIN users u ON u.id = o.user_id `

// pendingOrders returns a round's pending orders: those without drawSeq first, then those of each
// pack in the order of their drawSeq.
func pendingOrders(tx *db.Tx, d dueRound, limit int) ([]Open, error) {
	return db.All(tx, scanOrder, selectOrders+`WHERE o.beacon = $1 AND o.round = $2 AND o.state = 'sealed' ORDER BY o.draw_seq, o.id LIMIT $3`, d.beacon[:], int64(d.round), limit)
}

// lockOrders locks those of the orders that are pending, and returns them in the order of their drawSeq.
// It waits for orders of limited cards, because none may be drawn before an earlier one. It skips others
// that another transaction has locked.
//
// Orders are found by id only. With state = 'sealed', PostgreSQL may choose the index of pending orders,
// whose statistics are from before a drop, and read all of the drop for each batch.
func lockOrders(tx *db.Tx, ids []string) ([]Open, error) {
	pending := `SELECT id FROM orders WHERE ` + tx.InList("id", "$1") + ` AND settled_at IS NULL AND `
	locked, err := db.All(tx, db.Column[string], pending+`draw_seq > 0 ORDER BY id`+tx.ForUpdate(), db.List(ids))
	if err != nil {
		return nil, err
	}
	others, err := db.All(tx, db.Column[string], pending+`draw_seq = 0 ORDER BY id`+tx.ForUpdateSkipLocked(), db.List(ids))
	locked = append(locked, others...)
	if err != nil || len(locked) == 0 {
		return nil, err
	}
	return db.All(tx, scanOrder, selectOrders+`WHERE `+tx.InList("o.id", "$1")+` ORDER BY o.draw_seq, o.id`, db.List(locked))
}

func scanOrder(s db.Scanner) (Open, error) { return scanOpenAnd(s) }

// markDrawn marks locked pending orders as drawn, and deletes their encrypted seeds, which the opens reveal.
func markDrawn(tx *db.Tx, orders []Open) error {
	rows := db.Rows{Columns: []string{"id", "settled_at", "signature"}}
	for _, o := range orders {
		rows.Add(db.ID(o.ID), db.Micros(o.At), o.Order.Signature[:])
	}
	return tx.WriteRows(rows, `UPDATE orders SET state = 'open', settled_at = v.settled_at, signature = v.signature, sealed_seed = NULL
		FROM v WHERE orders.id = v.id`, errors.New("some orders don't exist"))
}

// markVoided marks locked pending orders as voided.
func markVoided(tx *db.Tx, orders []Open) error {
	rows := db.Rows{Columns: []string{"id", "settled_at", "reason", "seed"}}
	for _, o := range orders {
		rows.Add(db.ID(o.ID), db.Micros(o.At), string(o.Order.Reason), o.ServerSeed[:])
	}
	return tx.WriteRows(rows, `UPDATE orders SET state = 'void', settled_at = v.settled_at, void_reason = v.reason, void_seed = v.seed, sealed_seed = NULL
		FROM v WHERE orders.id = v.id`, errors.New("some orders don't exist"))
}

// seedOwner is a user with the nonce of their unused seed.
type seedOwner struct {
	userID, tag string
	nonce       int64
}

// seedOwnersAfter lists the users whose id is greater than after, by id.
func seedOwnersAfter(tx *db.Tx, after string, limit int) ([]seedOwner, error) {
	scan := func(s db.Scanner) (o seedOwner, err error) { return o, s.Scan(&o.userID, &o.tag, &o.nonce) }
	return db.All(tx, scan, `SELECT a.user_id, u.tag, a.nonce FROM accounts a JOIN users u ON u.id = a.user_id
		WHERE a.user_id > $1 ORDER BY a.user_id LIMIT $2`, after, limit)
}

const selectSeeds = `SELECT user_id, nonce, commitment, sealed_seed FROM accounts `

func scanSeed(s db.Scanner) (seed sealedSeed, err error) {
	return seed, s.Scan(&seed.userID, &seed.Nonce, &seed.Commitment, &seed.Sealed)
}

// lockSeeds locks the accounts of users that no other transaction has locked, and returns their
// seeds.
func lockSeeds(tx *db.Tx, users []string) ([]sealedSeed, error) {
	return db.All(tx, scanSeed, selectSeeds+`WHERE `+tx.InList("user_id", "$1")+` ORDER BY user_id`+tx.ForUpdateSkipLocked(), db.List(users))
}

func eachSeed(tx *db.Tx, visit func(sealedSeed) error) error {
	return db.Each(tx, scanSeed, visit, selectSeeds)
}

const selectOrderSeeds = `SELECT id, user_id, nonce, commitment, sealed_seed FROM orders WHERE `

func scanSealedOrder(s db.Scanner) (o sealedOrder, err error) {
	return o, s.Scan(&o.id, &o.userID, &o.Nonce, &o.Commitment, &o.Sealed)
}

func eachOrderSeed(tx *db.Tx, visit func(sealedOrder) error) error {
	return db.Each(tx, scanSealedOrder, visit, selectOrderSeeds+`state = 'sealed'`)
}

// lockOrderSeeds locks those of the orders that are pending and not locked by others, and returns their
// seeds.
func lockOrderSeeds(tx *db.Tx, ids []string) ([]sealedOrder, error) {
	return db.All(tx, scanSealedOrder, selectOrderSeeds+tx.InList("id", "$1")+` AND settled_at IS NULL ORDER BY id`+tx.ForUpdateSkipLocked(), db.List(ids))
}

func updateOrderSeeds(tx *db.Tx, orders []sealedOrder) error {
	rows := db.Rows{Columns: []string{"id", "sealed_seed"}}
	for _, o := range orders {
		rows.Add(db.ID(o.id), o.Sealed)
	}
	return tx.WriteRows(rows, `UPDATE orders SET sealed_seed = v.sealed_seed FROM v WHERE orders.id = v.id`,
		errors.New("some seeds were not replaced"))
}

// logOrigins returns the origins of all epochs, the current one first. Seeds are bound to them.
func logOrigins(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT origin FROM log_tree ORDER BY epoch DESC`)
}

// byCommitment finds the user's open that used up a commitment. It scans all of their opens, newest
// first: an index on random bytes would slow down every open. Don't call it while holding locks.
func byCommitment(tx *db.Tx, userID string, commitment [32]byte) (id string, err error) {
	id, err = db.One(tx, db.Column[string], `SELECT id FROM orders WHERE user_id = $1 AND commitment = $2`, userID, commitment[:])
	if !errors.Is(err, db.ErrNoRow) {
		return id, err
	}
	type used struct {
		id   string
		seed []byte
	}
	found := errors.New("found")
	scan := func(s db.Scanner) (u used, err error) { return u, s.Scan(&u.id, &u.seed) }
	err = db.Each(tx, scan, func(u used) error {
		if protocol.Commitment([32]byte(u.seed)) == commitment {
			id = u.id
			return found
		}
		return nil
	}, `SELECT id, server_seed FROM openings WHERE user_id = $1 ORDER BY nonce DESC`, userID)
	if err == nil {
		return "", db.ErrNoRow
	}
	if errors.Is(err, found) {
		err = nil
	}
	return id, err
}

func byID(tx *db.Tx, userID, id string) (Open, error) {
	return db.One(tx, scanOpen, selectOpenings+`WHERE o.user_id = $1 AND o.id = $2`, userID, id)
}

var newestFirst = db.Order[Open]{
	Keys:       []db.Key[Open]{db.Number("o.nonce", func(o Open) int64 { return o.Nonce })},
	Descending: true,
}

// userOpens selects a user's ($1) opens and orders in a state ($4; empty = all) with nonces beyond $2, at
// most $3. Each table yields its rows from its own index: SQLite would read and sort all of a user's rows
// for a page of their union.
func userOpens(beyond, direction string) string {
	page := ` AND user_id = $1 AND nonce ` + beyond + ` $2 ORDER BY nonce ` + direction + ` LIMIT $3) AS `
	return selectOpeningsFrom(`SELECT * FROM (`+drawnOpens+` WHERE $4 IN ('', 'open')`+page+`drawn UNION ALL
		SELECT * FROM (`+undrawnOrders+` AND $4 IN ('', state)`+page+`undrawn`) + `ORDER BY o.nonce ` + direction + ` LIMIT $3`
}

// opensOf lists a user's opens and orders in a state; empty means all.
func opensOf(tx *db.Tx, userID string, state State, page *db.Selection[Open]) ([]Open, error) {
	after, skip := page.Start()
	before := int64(math.MaxInt64)
	if after != nil {
		before = after[0].(int64)
	}
	found, err := db.All(tx, scanOpen, userOpens("<", "DESC"), userID, before, skip+page.Limit()+1, string(state))
	found = found[min(skip, len(found)):]
	if len(found) > page.Limit() {
		found = found[:page.Limit()]
		page.EndAt(found[len(found)-1])
	}
	return found, err
}

var allNewestFirst = db.Order[AdminOpen]{
	Keys:       []db.Key[AdminOpen]{db.Text("o.id", func(o AdminOpen) string { return o.OpenID })},
	Descending: true,
}

// userNewestFirst is the order of one user's opens, which matches their index.
var userNewestFirst = db.Order[AdminOpen]{
	Keys:       []db.Key[AdminOpen]{db.Number("o.nonce", func(o AdminOpen) int64 { return o.Nonce })},
	Descending: true,
}

func (in *opensInput) selection(limit int, cursor string) (*db.Selection[AdminOpen], error) {
	order := allNewestFirst
	if in.User != "" {
		order = userNewestFirst
	}
	page, err := order.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "o.user_id", in.User)
		httpapi.Equal(page, "o.id", in.ID)
		in.NarrowIDs(page, "o.id")
	}
	return page, err
}

// adminOpens reads a page of all opens, those that are drawn and the orders that aren't. Each table yields
// its rows from its own index.
func (in *opensInput) adminOpens(tx *db.Tx, page *db.Selection[AdminOpen]) ([]AdminOpen, error) {
	found, err := selectAdminOpens(tx, page, drawnOpens+` WHERE TRUE`)
	if err != nil {
		return nil, err
	}
	hasMore := page.Next() != ""
	if hasMore { // orders before them are on later pages; most are drawn, so searching them all would be slow
		last := found[len(found)-1]
		if in.User != "" {
			page.Where("o.nonce >= ?", last.Nonce)
		} else {
			page.Where("o.id >= ?", last.OpenID)
		}
	}
	undrawn, err := selectAdminOpens(tx, page, undrawnOrders)
	if err != nil || len(undrawn) == 0 && !hasMore {
		return found, err
	}
	found = append(found, undrawn...)
	slices.SortFunc(found, func(a, b AdminOpen) int {
		if in.User != "" {
			return cmp.Compare(b.Nonce, a.Nonce)
		}
		return cmp.Compare(b.OpenID, a.OpenID)
	})
	hasMore = hasMore || page.Next() != "" || len(found) > page.Limit()
	found = found[:min(len(found), page.Limit())]
	if hasMore {
		page.EndAt(found[len(found)-1])
	}
	return found, nil
}

// selectAdminOpens reads a page of drawnOpens or undrawnOrders.
func selectAdminOpens(tx *db.Tx, page *db.Selection[AdminOpen], opens string) ([]AdminOpen, error) {
	scan := func(s db.Scanner) (o AdminOpen, err error) {
		var at int64
		var hash []byte
		err = s.Scan(&o.State, &o.OpenID, &o.UserID, &o.WalletAddress, &o.PackID, &o.PackName, &o.PackNameZH, &o.PriceCents, &o.TotalValueCents, &o.Nonce, &hash, &at)
		o.ManifestHash, o.CreatedAt = hex.EncodeToString(hash), httpapi.Timestamp(db.Time(at))
		return o, err
	}
	return page.Rows(tx, scan, `SELECT o.state, o.id, u.id, u.wallet_address, p.id, p.name, p.name_zh, o.price_cents, o.total_value_cents, o.nonce, o.manifest_hash, o.created_at
		FROM (`+opens+`) o JOIN users u ON u.id = o.user_id JOIN packs p ON p.id = o.pack_id WHERE TRUE`)
}

// payments lists when each open was to be paid, and by whom: an instant open with its draw, others
// with their order. An order of a pack whose cards can run out may carry the later time of the order
// before it.
const payments = `(SELECT o.id, o.user_id, o.price_cents, o.created_at AS earliest, o.created_at AS latest
		FROM openings o WHERE NOT EXISTS (SELECT 1 FROM orders r WHERE r.id = o.id)
	UNION ALL SELECT id, user_id, price_cents, CASE WHEN draw_seq = 0 THEN created_at ELSE 0 END, created_at FROM orders)`

func auditPayments(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each open must be paid by its user", `
		SELECT 'opening ' || o.id, 'price is ' || o.price_cents || ', but the transfer has ' || COALESCE(t.amount_cents, 0) || ' from ' || COALESCE(t.debit, 'nobody')
		FROM `+payments+` o LEFT JOIN transfers t ON t.kind = $1 AND t.ref = o.id
		WHERE t.id IS NULL OR t.amount_cents <> o.price_cents OR t.debit <> CAST(o.user_id AS TEXT) OR t.created_at < o.earliest OR t.created_at > o.latest`, ledger.KindOpen)
}

func auditOrphanPayments(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each payment for an open must have its open", `
		SELECT 'transfer ' || t.id, 'opening ' || t.ref || ' does not exist'
		FROM transfers t LEFT JOIN openings o ON o.id = t.ref LEFT JOIN orders r ON r.id = t.ref WHERE t.kind = $1 AND o.id IS NULL AND r.id IS NULL`, ledger.KindOpen)
}

// auditRefunds checks that exactly the voided orders are refunded.
func auditRefunds(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a voided order must be refunded, and no other", `
		SELECT 'order ' || r.id, 'is ' || r.state || ' with a price of ' || r.price_cents || ', but ' || COALESCE(t.amount_cents, 0) || ' went back to ' || COALESCE(t.credit, 'nobody')
		FROM orders r LEFT JOIN transfers t ON t.kind = $1 AND t.ref = r.id
		WHERE (r.state = 'void') <> (t.id IS NOT NULL) OR t.amount_cents <> r.price_cents OR t.credit <> CAST(r.user_id AS TEXT) OR t.created_at <> r.settled_at
		UNION ALL SELECT 'transfer ' || t.id, 'order ' || t.ref || ' does not exist'
		FROM transfers t LEFT JOIN orders r ON r.id = t.ref WHERE t.kind = $1 AND r.id IS NULL`, ledger.KindOrderRefund)
}

// auditDrawnOrders checks that exactly the drawn orders have an open, which repeats them.
func auditDrawnOrders(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a drawn order must have its open", `
		SELECT 'order ' || r.id, 'is ' || r.state || ', but its open ' || CASE WHEN o.id IS NULL THEN 'does not exist' ELSE 'differs from it' END
		FROM orders r LEFT JOIN openings o ON o.id = r.id
		WHERE (r.state = 'open') <> (o.id IS NOT NULL) OR o.user_id <> r.user_id OR o.pack_id <> r.pack_id OR o.manifest_hash <> r.manifest_hash
			OR o.nonce <> r.nonce OR o.next_commitment <> r.next_commitment OR o.client_seed <> r.client_seed OR o.price_cents <> r.price_cents
			OR o.draw_seq <> r.draw_seq OR o.created_at <> r.settled_at
			OR r.state = 'open' AND r.items <> (SELECT COUNT(*) FROM inventory n WHERE n.opening_id = r.id)`)
}

// auditItemPositions checks only that positions are contiguous; auditLeaves compares the items with
// the leaf.
func auditItemPositions(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an open's items must be numbered without gaps", `
		SELECT 'opening ' || n.opening_id, CASE WHEN o.id IS NULL THEN 'does not exist, but has ' || n.number || ' items' ELSE 'has ' || n.number || ' items, but the last has number ' || n.last END
		FROM (SELECT opening_id, COUNT(*) AS number, MAX(position) AS last FROM inventory GROUP BY opening_id) n
		LEFT JOIN openings o ON o.id = n.opening_id
		WHERE o.id IS NULL OR n.last <> n.number - 1`)
}

// storedOpensAfter reads the opens whose id is greater than id, by id.
func storedOpensAfter(tx *db.Tx, id string, limit int) ([]storedOpen, error) {
	scan := func(s db.Scanner) (o storedOpen, err error) {
		var items string
		o.Open, err = scanOpenAnd(s, &items)
		if err == nil {
			o.items, err = readItems(items)
		}
		return o, err
	}
	return db.All(tx, scan, `SELECT `+openingColumns+`,
		COALESCE((SELECT string_agg(n.item_id || ':' || n.pulled_value_cents, ' ' ORDER BY n.position)
			FROM inventory n WHERE n.opening_id = o.id), '')
		FROM (`+allOpens+`) o LEFT JOIN orders r ON r.id = o.id LEFT JOIN users u ON u.id = o.user_id WHERE o.id > $1 ORDER BY o.id LIMIT $2`, id, limit)
}

// readItems parses the "id:value id:value …" list that storedOpensAfter selects.
func readItems(list string) (items []protocol.LeafItem, err error) {
	for pair := range strings.FieldsSeq(list) {
		id, value, _ := strings.Cut(pair, ":")
		cents, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, err
		}
		items = append(items, protocol.LeafItem{Card: id, Value: money.Cents(cents)})
	}
	return items, nil
}

// currentCommitments lists the users after an id whose commitment is not the one promised by their
// last open. Such a commitment needs a commit leaf of its own.
func currentCommitments(tx *db.Tx, after string, limit int) ([]currentCommitment, error) {
	scan := func(s db.Scanner) (c currentCommitment, err error) {
		var commitment []byte
		var nonce int64
		err = s.Scan(&c.user, &c.leaf.User, &nonce, &commitment)
		c.leaf.Nonce = uint64(nonce)
		copy(c.leaf.Commitment[:], commitment)
		return c, err
	}
	return db.All(tx, scan, `SELECT a.user_id, u.tag, a.nonce, a.commitment
		FROM accounts a JOIN users u ON u.id = a.user_id
		LEFT JOIN openings o ON o.user_id = a.user_id AND o.nonce = a.nonce - 1
		LEFT JOIN orders r ON r.user_id = a.user_id AND r.nonce = a.nonce - 1
		WHERE a.user_id > $1 AND COALESCE(o.next_commitment = a.commitment, r.next_commitment = a.commitment, FALSE) = FALSE ORDER BY a.user_id LIMIT $2`, after, limit)
}

func auditNonces(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a user's nonces must have no gaps", `
		SELECT 'account ' || a.user_id, 'next nonce is ' || a.nonce || ', but the user has ' || COALESCE(o.number, 0) || ' opens, the last with nonce ' || COALESCE(o.last, -1)
		FROM accounts a LEFT JOIN (SELECT user_id, COUNT(*) AS number, MAX(nonce) AS last FROM (
			SELECT user_id, nonce FROM openings UNION ALL SELECT user_id, nonce FROM orders WHERE state <> 'open') n GROUP BY user_id) o
			ON o.user_id = a.user_id
		WHERE a.nonce <> COALESCE(o.number, 0) OR a.nonce <> COALESCE(o.last, -1) + 1`)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "opens", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("packId"), userrows.Number("nonce"), userrows.Number("priceCents"),
		userrows.Number("totalValueCents"), userrows.Number("drawSeq"), userrows.Time("createdAt")},
		SQL: `SELECT id, pack_id, nonce, price_cents, total_value_cents, draw_seq, created_at FROM openings WHERE user_id = $1 ORDER BY nonce`},
	{File: "orders", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("packId"), userrows.Number("nonce"), userrows.Number("priceCents"),
		userrows.Number("items"), userrows.Number("drawSeq"), userrows.Number("round"), userrows.Time("createdAt"), userrows.Text("state"), userrows.Time("settledAt"), userrows.Text("voidReason")},
		SQL: `SELECT id, pack_id, nonce, price_cents, items, draw_seq, round, created_at, state, COALESCE(settled_at, 0), void_reason FROM orders WHERE user_id = $1 ORDER BY nonce`},
}

// HasOpened reports whether a user opened a pack.
func HasOpened(tx *db.Tx, userID string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM openings WHERE user_id = $1)`, userID)
}

// Pending counts the pending orders. oldest is when the first of them was placed, zero if there is none.
func Pending(tx *db.Tx) (count int64, oldest time.Time, err error) {
	type sum struct{ count, oldest int64 }
	scan := func(s db.Scanner) (p sum, err error) { return p, s.Scan(&p.count, &p.oldest) }
	p, err := db.One(tx, scan, `SELECT COUNT(*), COALESCE(MIN(created_at), 0) FROM orders WHERE state = 'sealed'`)
	if p.count > 0 {
		oldest = db.Time(p.oldest)
	}
	return p.count, oldest, err
}

// HasPendingOrder reports whether an order of a user is neither drawn nor voided.
func HasPendingOrder(tx *db.Tx, userID string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM orders WHERE user_id = $1 AND state = 'sealed')`, userID)
}

// opensAfter returns up to limit of a user's opens and orders after a nonce, oldest first.
func opensAfter(tx *db.Tx, userID string, nonce int64, limit int) ([]Open, error) {
	return db.All(tx, scanOpen, userOpens(">", ""), userID, nonce, limit, "")
}
