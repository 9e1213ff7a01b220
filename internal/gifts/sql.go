package gifts

import (
	"errors"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
)

func saveChallenge(tx *db.Tx, user string, c challenge) error {
	return tx.ExecOne(`INSERT INTO gift_challenges (user_id, nonce, issued_at, expires_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id) DO UPDATE SET nonce = excluded.nonce, issued_at = excluded.issued_at, expires_at = excluded.expires_at`,
		user, c.nonce, db.Micros(c.issuedAt), db.Micros(c.expiresAt))
}

// consumeChallenge deletes and returns the user's challenge, or returns db.ErrNoRow.
func consumeChallenge(tx *db.Tx, user string) (challenge, error) {
	scan := func(s db.Scanner) (c challenge, err error) {
		var issued, expires int64
		err = s.Scan(&c.nonce, &issued, &expires)
		c.issuedAt, c.expiresAt = db.Time(issued), db.Time(expires)
		return c, err
	}
	return db.One(tx, scan, `DELETE FROM gift_challenges WHERE user_id = $1 RETURNING nonce, issued_at, expires_at`, user)
}

const giftColumns = `g.id, g.giver_id, COALESCE(g.wallet, ''), g.secret_hash, COALESCE(CAST(g.receiver_id AS TEXT), ''), g.state, COALESCE(g.withheld_at, 0),
	g.message, g.signature, g.created_at, g.expires_at, COALESCE(g.ended_at, 0)`

func scanGift(s db.Scanner) (g Gift, err error) {
	err = g.scan(s)
	return g, err
}

// scan reads giftColumns and then the columns for more.
func (g *Gift) scan(s db.Scanner, more ...any) error {
	var withheld, created, expires, ended int64
	err := s.Scan(append([]any{&g.ID, &g.Giver, &g.Wallet, &g.SecretHash, &g.Receiver, &g.State, &withheld, &g.Message, &g.Signature, &created, &expires, &ended}, more...)...)
	g.CreatedAt, g.ExpiresAt, g.WithheldAt, g.EndedAt = db.Time(created), db.Time(expires), timeOrZero(withheld), timeOrZero(ended)
	return err
}

// timeOrZero converts microseconds, where 0 means the zero time.
func timeOrZero(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return db.Time(micros)
}

func insertGift(tx *db.Tx, g Gift) error {
	var wallet, secretHash any
	if g.isLink() {
		secretHash = g.SecretHash
	} else {
		wallet = g.Wallet
	}
	return tx.ExecOne(`INSERT INTO gifts (id, giver_id, wallet, secret_hash, state, message, signature, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, g.ID, g.Giver, wallet, secretHash, string(g.State), g.Message, g.Signature, db.Micros(g.CreatedAt), db.Micros(g.ExpiresAt))
}

func insertItems(tx *db.Tx, items []Item) error {
	rows := db.Rows{Columns: []string{"gift_id", "position", "inventory_id", "value_cents"}}
	for i, item := range items {
		rows.Add(db.ID(item.Gift), int64(i), db.ID(item.Entry), item.Value)
	}
	return tx.InsertRows("gift_items", rows)
}

// findGift returns a gift, or db.ErrNoRow.
func findGift(tx *db.Tx, id string) (Gift, error) {
	return db.One(tx, scanGift, `SELECT `+giftColumns+` FROM gifts g WHERE g.id = $1`, id)
}

// lockGifts locks and returns gifts, in the order of their ids.
func lockGifts(tx *db.Tx, ids []string) ([]Gift, error) {
	return db.All(tx, scanGift, `SELECT `+giftColumns+` FROM gifts g WHERE `+tx.InList("g.id", "$1")+` ORDER BY g.id`+tx.ForUpdate(), db.List(ids))
}

// loadItems returns the items of gifts, sorted by gift and position.
func loadItems(tx *db.Tx, gifts []string) ([]Item, error) { return queryItems(tx, gifts, "") }

// lockItems is like loadItems but locks the items of locked gifts.
func lockItems(tx *db.Tx, gifts []string) ([]Item, error) {
	return queryItems(tx, gifts, tx.ForUpdate())
}

func queryItems(tx *db.Tx, gifts []string, lock string) ([]Item, error) {
	scan := func(s db.Scanner) (item Item, err error) { return item, s.Scan(&item.Gift, &item.Entry, &item.Value) }
	return db.All(tx, scan, `SELECT gift_id, inventory_id, value_cents FROM gift_items WHERE `+tx.InList("gift_id", "$1")+` ORDER BY gift_id, position`+lock, db.List(gifts))
}

// firstItems returns the id of the first item of each gift.
func firstItems(tx *db.Tx, gifts []string) (map[string]string, error) {
	first := map[string]string{}
	type row struct{ gift, item string }
	scan := func(s db.Scanner) (r row, err error) { return r, s.Scan(&r.gift, &r.item) }
	err := db.Each(tx, scan, func(r row) error {
		first[r.gift] = r.item
		return nil
	}, `SELECT i.gift_id, n.item_id FROM gift_items i JOIN inventory n ON n.id = i.inventory_id WHERE i.position = 0 AND `+tx.InList("i.gift_id", "$1"), db.List(gifts))
	return first, err
}

var errNotWaiting = errors.New("a gift ended after it was locked")

// endGifts stores the ends of locked gifts.
func endGifts(tx *db.Tx, ended []Gift) error {
	rows := db.Rows{Columns: []string{"id", "state", "receiver", "ended"}}
	for _, g := range ended {
		rows.Add(db.ID(g.ID), string(g.State), db.ID(g.Receiver), db.Micros(g.EndedAt))
	}
	if err := tx.WriteRows(rows, `UPDATE gifts SET state = v.state, receiver_id = v.receiver, ended_at = v.ended
		FROM v WHERE gifts.id = v.id AND gifts.state = '`+string(Waiting)+`'`, errNotWaiting); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE gift_items SET waiting = FALSE WHERE `+tx.InList("gift_id", "$1"), db.List(giftIDs(ended)))
	return err
}

// withhold hides locked gifts from their receiver for good.
func withhold(tx *db.Tx, gifts []string) error {
	if len(gifts) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE gifts SET withheld_at = $2 WHERE `+tx.InList("id", "$1"), db.List(gifts), db.Micros(tx.Now))
	return err
}

// waitingIDs returns the ids of the gifts that wait from a user or for their wallet.
func waitingIDs(tx *db.Tx, user, wallet string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM gifts WHERE giver_id = $1 AND state = '`+string(Waiting)+`'
		UNION SELECT id FROM gifts WHERE wallet = $2 AND state = '`+string(Waiting)+`' ORDER BY 1`, user, wallet)
}

// HasWaiting reports whether a gift that the user gave still waits. If the user's account is stopped and
// locked, none can follow.
func HasWaiting(tx *db.Tx, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM gifts WHERE giver_id = $1 AND state = '`+string(Waiting)+`')`, user)
}

// countWaiting counts the gifts that wait from a user for a wallet, including those that its owner
// can't accept.
func countWaiting(tx *db.Tx, giver, wallet string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM gifts WHERE giver_id = $1 AND wallet = $2 AND state = '`+string(Waiting)+`' AND expires_at > $3`,
		giver, wallet, db.Micros(tx.Now))
}

// given is how much a user has given.
type given struct {
	items int64
	value money.Cents
}

// givenSince returns what a user has given since a time in microseconds.
func givenSince(tx *db.Tx, giver string, since int64) (given, error) {
	scan := func(s db.Scanner) (sum given, err error) { return sum, s.Scan(&sum.items, &sum.value) }
	return db.One(tx, scan, `SELECT COUNT(*), CAST(COALESCE(SUM(i.value_cents), 0) AS BIGINT)
		FROM gifts g JOIN gift_items i ON i.gift_id = g.id WHERE g.giver_id = $1 AND g.created_at >= $2`, giver, since)
}

// expiredIDs returns the ids of waiting gifts that have expired, the earliest first.
func expiredIDs(tx *db.Tx, limit int) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM gifts WHERE state = '`+string(Waiting)+`' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`, db.Micros(tx.Now), limit)
}

// offered is a gift that waits for a wallet, with the id of its first item.
type offered struct{ gift, item string }

// waitingFor returns the gifts that wait for a wallet, the oldest first.
func waitingFor(tx *db.Tx, wallet string) ([]offered, error) {
	scan := func(s db.Scanner) (o offered, err error) { return o, s.Scan(&o.gift, &o.item) }
	return db.All(tx, scan, `SELECT g.id, n.item_id FROM gifts g JOIN gift_items i ON i.gift_id = g.id AND i.position = 0 JOIN inventory n ON n.id = i.inventory_id
		WHERE g.wallet = $1 AND g.state = '`+string(Waiting)+`' AND g.expires_at > $2 AND g.withheld_at IS NULL ORDER BY g.id`, wallet, db.Micros(tx.Now))
}

// newestFirst sorts lists. Ids are unique in a list, because no user is on both sides of a gift.
var newestFirst = db.Order[sidedGift]{
	Keys:       []db.Key[sidedGift]{db.Text("g.id", func(g sidedGift) string { return g.ID })},
	Descending: true,
}

// listGifts returns a page of the gifts that a user gave, accepted, refused or can accept. Gifts for the
// user's wallet are left out if they were withheld, their giver is blocked or the user has turned gifts
// off, unless the user has accepted or refused them.
func listGifts(tx *db.Tx, user httpapi.Principal, page *db.Selection[sidedGift]) ([]sidedGift, error) {
	scan := func(s db.Scanner) (g sidedGift, err error) {
		err = g.scan(s, &g.side)
		return g, err
	}
	return page.Rows(tx, scan, `SELECT `+giftColumns+`, g.side FROM (
		SELECT *, '`+string(Given)+`' AS side FROM gifts WHERE giver_id = $1
		UNION ALL SELECT r.*, '`+string(Received)+`' FROM gifts r WHERE r.wallet = $2 AND r.withheld_at IS NULL AND (r.receiver_id IS NOT NULL
			OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.gifts_off)
			AND NOT EXISTS (SELECT 1 FROM gift_blocks b WHERE b.user_id = $1 AND b.giver_id = r.giver_id))
		UNION ALL SELECT l.*, '`+string(Received)+`' FROM gifts l WHERE l.receiver_id = $1 AND l.wallet IS NULL
		) g WHERE TRUE`, user.UserID, user.Address)
}

func isBlocked(tx *db.Tx, user, giver string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM gift_blocks WHERE user_id = $1 AND giver_id = $2)`, user, giver)
}

func insertBlock(tx *db.Tx, user, giver string) error {
	_, err := tx.Exec(`INSERT INTO gift_blocks (id, user_id, giver_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (user_id, giver_id) DO NOTHING`,
		tx.NewID(), user, giver, db.Micros(tx.Now))
	return err
}

// deleteBlock deletes a user's block, or returns db.ErrNoRow. It selects the row first, because a
// DELETE with a malformed id would fail.
func deleteBlock(tx *db.Tx, user, id string) error {
	found, err := db.One(tx, db.Column[string], `SELECT id FROM gift_blocks WHERE id = $1 AND user_id = $2`, id, user)
	if err != nil {
		return err
	}
	return tx.ExecOne(`DELETE FROM gift_blocks WHERE id = $1`, found)
}

var newestBlocks = db.Order[block]{
	Keys:       []db.Key[block]{db.Text("id", func(b block) string { return b.id })},
	Descending: true,
}

func blocksOf(tx *db.Tx, user string, page *db.Selection[block]) ([]block, error) {
	scan := func(s db.Scanner) (b block, err error) { return b, s.Scan(&b.id, &b.giver, &b.at) }
	return page.Rows(tx, scan, `SELECT id, giver_id, created_at FROM gift_blocks WHERE user_id = $1`, user)
}

// CountByState counts the gifts in every state.
func CountByState(tx *db.Tx) ([]db.StateCount[State], error) {
	return db.CountByState(tx, "gifts", states)
}

// Erase erases what identifies a deleted user in gifts. The signatures of gifts from or for the user are
// erased. The placeholder replaces the user's wallet, and the wallets of gifts from the user that no user
// accepted or refused.
func Erase(tx *db.Tx, user, address, placeholder string) error {
	_, err := tx.Exec(`UPDATE gifts SET message = '', signature = '',
		wallet = CASE WHEN wallet = $2 OR giver_id = $1 AND wallet IS NOT NULL AND receiver_id IS NULL THEN $3 ELSE wallet END
		WHERE giver_id = $1 OR wallet = $2`, user, address, placeholder)
	return err
}

// EraseChallenge deletes what a user was asked to sign.
func EraseChallenge(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM gift_challenges WHERE user_id = $1`, user)
	return err
}

// EraseBlocks deletes a user's blocks, and those of the user.
func EraseBlocks(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM gift_blocks WHERE user_id = $1 OR giver_id = $1`, user)
	return err
}

// PersonalData has the queries for a user's export. They leave out other users' wallets, also in the
// signed texts.
var PersonalData = []userrows.Query{
	{File: "gifts", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("side"), userrows.Bool("byLink"), userrows.Text("state"), userrows.Text("signedMessage"), userrows.Text("signature"),
		userrows.Time("createdAt"), userrows.Time("expiresAt"), userrows.Time("endedAt")},
		SQL: `SELECT id, side, wallet IS NULL, state, message, signature, created_at, expires_at, COALESCE(ended_at, 0) FROM (
			SELECT id, 'given' AS side, wallet, state, REPLACE(message, COALESCE(wallet, ''), '[wallet]') AS message, signature, created_at, expires_at, ended_at
				FROM gifts WHERE giver_id = $1
			UNION ALL SELECT r.id, 'received', r.wallet, CASE r.state WHEN '` + string(Ended) + `' THEN '` + string(Canceled) + `' ELSE r.state END, '', '', r.created_at, r.expires_at, r.ended_at
				FROM gifts r JOIN users u ON u.id = $1 WHERE r.receiver_id = $1 OR r.wallet = u.wallet_address AND r.receiver_id IS NULL AND r.withheld_at IS NULL) AS g ORDER BY id`},
	{File: "gift-items", Columns: []userrows.Column{userrows.Text("giftId"), userrows.Text("itemEntryId"), userrows.Number("valueCents")},
		SQL: `SELECT i.gift_id, i.inventory_id, i.value_cents FROM gift_items i JOIN gifts g ON g.id = i.gift_id
			WHERE g.giver_id = $1 OR g.receiver_id = $1 ORDER BY i.gift_id, i.position`},
	{File: "blocked-givers", Columns: []userrows.Column{userrows.Text("id"), userrows.Time("createdAt")},
		SQL: `SELECT id, created_at FROM gift_blocks WHERE user_id = $1 ORDER BY id`},
}

// eachSignedGift calls visit for every gift with what it was signed for.
func eachSignedGift(tx *db.Tx, visit func(signedGift) error) error {
	scan := func(s db.Scanner) (g signedGift, err error) {
		err = g.scan(s, &g.giverWallet, &g.erased, &g.entryIDs)
		return g, err
	}
	return db.Each(tx, scan, visit, `SELECT `+giftColumns+`, u.wallet_address,
		u.deleted_at IS NOT NULL OR EXISTS (SELECT 1 FROM users d WHERE d.wallet_address = g.wallet AND d.deleted_at IS NOT NULL),
		COALESCE((SELECT STRING_AGG(CAST(i.inventory_id AS TEXT), ' ' ORDER BY i.position) FROM gift_items i WHERE i.gift_id = g.id), '')
		FROM gifts g JOIN users u ON u.id = g.giver_id ORDER BY g.id`)
}

// findEntryEventMismatches compares gifts with the events of their entries, in both directions.
func findEntryEventMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each gift must match the events of its entries", `
		WITH wanted AS (
			SELECT CAST(g.id AS TEXT) AS ref, i.inventory_id, $1 AS act, CAST(g.giver_id AS TEXT) AS by_whom, g.created_at
				FROM gifts g JOIN gift_items i ON i.gift_id = g.id
			UNION ALL SELECT CAST(g.id AS TEXT), i.inventory_id, CASE g.state WHEN $4 THEN $2 ELSE $3 END,
				CASE g.state WHEN $4 THEN CAST(g.receiver_id AS TEXT) WHEN $5 THEN CAST(g.giver_id AS TEXT) ELSE $6 END, g.ended_at
				FROM gifts g JOIN gift_items i ON i.gift_id = g.id WHERE g.ended_at IS NOT NULL),
		have AS (SELECT ref, inventory_id, act, by_whom, created_at FROM entry_events WHERE act IN ($1, $2, $3))
		SELECT 'gift ' || COALESCE(w.ref, h.ref), 'entry ' || COALESCE(w.inventory_id, h.inventory_id) || ': ' || COALESCE(w.act, 'nothing') || ' by ' || COALESCE(w.by_whom, 'nobody') ||
			' at ' || COALESCE(w.created_at, 0) || ', but the entry has ' || COALESCE(h.act, 'nothing') || ' by ' || COALESCE(h.by_whom, 'nobody') || ' at ' || COALESCE(h.created_at, 0)
		FROM (SELECT ref, inventory_id, act FROM wanted UNION SELECT ref, inventory_id, act FROM have) k
			LEFT JOIN wanted w ON w.ref = k.ref AND w.inventory_id = k.inventory_id AND w.act = k.act
			LEFT JOIN have h ON h.ref = k.ref AND h.inventory_id = k.inventory_id AND h.act = k.act
		WHERE w.ref IS NULL OR h.ref IS NULL OR w.by_whom <> h.by_whom OR w.created_at <> h.created_at`,
		string(inventory.OfferingGift), string(inventory.AcceptingGift), string(inventory.ReturningGift), string(Accepted), string(Canceled), inventory.House)
}

// findStateMismatches finds entries in state giving without a waiting gift of their owner, and waiting
// gifts with entries in another state.
func findStateMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an entry must be in state giving exactly while its gift waits", `
		SELECT 'gift ' || i.gift_id, 'is ' || g.state || ', but entry ' || n.id || ' of user ' || n.user_id || ' is ' || n.state || CASE WHEN i.waiting THEN ' and marked as waiting' ELSE ' and not marked as waiting' END
		FROM gifts g JOIN gift_items i ON i.gift_id = g.id JOIN inventory n ON n.id = i.inventory_id
		WHERE i.waiting <> (g.state = $1) OR g.state = $1 AND (n.state <> $2 OR n.user_id <> g.giver_id)
		UNION ALL SELECT 'inventory ' || n.id, 'is in state giving, but no gift with it waits' FROM inventory n
		WHERE n.state = $2 AND NOT EXISTS (SELECT 1 FROM gift_items i WHERE i.inventory_id = n.id AND i.waiting)`, string(Waiting), string(inventory.Giving))
}

// findWrongReceivers finds gifts that were accepted or refused by their own giver, or by a user with
// another wallet than the gift's.
func findWrongReceivers(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a gift must be accepted or refused by its receiver", `
		SELECT 'gift ' || g.id, 'was for wallet ' || COALESCE(g.wallet, 'any') || ' and by user ' || g.giver_id || ', but ' || g.state || ' by user ' || r.id || ' with wallet ' || r.wallet_address
		FROM gifts g JOIN users r ON r.id = g.receiver_id WHERE r.wallet_address <> g.wallet OR g.receiver_id = g.giver_id`)
}

// findWrongItems finds gifts with no items, too many or gaps in their numbers, and items with a value that
// was never one of their valuations.
func findWrongItems(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a gift's items must be numbered without gaps and have one of their past values", `
		SELECT 'gift ' || g.id, 'has ' || COUNT(i.gift_id) || ' items, but the last has number ' || COALESCE(MAX(i.position), -1)
		FROM gifts g LEFT JOIN gift_items i ON i.gift_id = g.id GROUP BY g.id
		HAVING COUNT(i.gift_id) <> COALESCE(MAX(i.position), -2) + 1 OR COUNT(i.gift_id) > $1
		UNION ALL SELECT 'gift ' || g.id, 'entry ' || i.inventory_id || ' never had the value ' || i.value_cents
		FROM gifts g JOIN gift_items i ON i.gift_id = g.id JOIN inventory n ON n.id = i.inventory_id
		WHERE NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = n.item_id AND v.value_cents = i.value_cents AND v.created_at <= g.created_at + $2)`, policy.MaxGiftItems, audit.MaxDelay)
}

// findWrongTimes finds gifts with a wrong lifetime, and those that were accepted or refused after they
// had expired.
func findWrongTimes(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a gift must end within its time", `
		SELECT 'gift ' || id, 'was made at ' || created_at || ', expires at ' || expires_at || ', was withheld at ' || COALESCE(withheld_at, 0) || ' and is ' || state || ' since ' || COALESCE(ended_at, 0)
		FROM gifts WHERE expires_at <> created_at + $1 OR ended_at < created_at - $5 OR withheld_at < created_at - $5
			OR state IN ($2, $3) AND ended_at >= expires_at OR state = $4 AND ended_at < expires_at`,
		policy.GiftLife.Microseconds(), string(Accepted), string(Refused), string(Expired), audit.MaxDelay)
}
