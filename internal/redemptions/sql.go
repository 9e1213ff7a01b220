package redemptions

import (
	"errors"
	"strings"
	"time"

	"kaibao/internal/approval"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
	"kaibao/internal/searchtext"
)

// loadManifestHashes returns the hashes of the manifests from which the entries were drawn, by open.
func loadManifestHashes(tx *db.Tx, entries []inventory.Entry) (map[string]packs.Hash, error) {
	opens := make([]string, len(entries))
	for i, e := range entries {
		opens[i] = e.OpeningID
	}
	hashes := map[string]packs.Hash{}
	type draw struct {
		open string
		hash []byte
	}
	scan := func(s db.Scanner) (d draw, err error) { return d, s.Scan(&d.open, &d.hash) }
	err := db.Each(tx, scan, func(d draw) error {
		hashes[d.open] = packs.Hash(d.hash)
		return nil
	}, `SELECT id, manifest_hash FROM openings WHERE `+tx.InList("id", "$1"), db.List(opens))
	return hashes, err
}

func saveChallenge(tx *db.Tx, user string, c challenge) error {
	_, err := tx.Exec(`INSERT INTO claim_challenges (user_id, nonce, shipping_cents, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id) DO UPDATE SET nonce = excluded.nonce, shipping_cents = excluded.shipping_cents,
		issued_at = excluded.issued_at, expires_at = excluded.expires_at`,
		user, c.Nonce, c.Price, db.Micros(c.IssuedAt), db.Micros(c.ExpiresAt))
	return err
}

// consumeChallenge deletes and returns the user's challenge, or returns db.ErrNoRow.
func consumeChallenge(tx *db.Tx, user string) (challenge, error) {
	scan := func(s db.Scanner) (c challenge, err error) {
		var issued, expires int64
		err = s.Scan(&c.Nonce, &c.Price, &issued, &expires)
		c.IssuedAt, c.ExpiresAt = db.Time(issued), db.Time(expires)
		return c, err
	}
	return db.One(tx, scan, `DELETE FROM claim_challenges WHERE user_id = $1 RETURNING nonce, shipping_cents, issued_at, expires_at`, user)
}

const selectClaims = `SELECT c.id, c.user_id, c.state, c.shipping_cents, c.message, c.signature, c.carrier, c.tracking, c.version, c.created_at
	FROM claims c WHERE `

func scanClaim(s db.Scanner) (c Claim, err error) {
	var at int64
	err = s.Scan(&c.ID, &c.User, &c.State, &c.Shipping, &c.Message, &c.Signature, &c.Carrier, &c.Tracking, &c.Version, &at)
	c.CreatedAt = db.Time(at)
	return c, err
}

// CountByState counts the claims in every state.
func CountByState(tx *db.Tx) ([]db.StateCount[State], error) {
	return db.CountByState(tx, "claims", states)
}

func insertClaim(tx *db.Tx, c Claim) error {
	_, err := tx.Exec(`INSERT INTO claims (id, user_id, state, shipping_cents, message, signature, version, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, c.ID, c.User, string(c.State), c.Shipping, c.Message, c.Signature, c.Version, db.Micros(c.CreatedAt))
	return err
}

// findClaim returns a claim, or db.ErrNoRow.
func findClaim(tx *db.Tx, id string) (Claim, error) {
	return db.One(tx, scanClaim, selectClaims+`c.id = $1`, id)
}

// loadClaims returns the claims with the given ids, sorted by id.
func loadClaims(tx *db.Tx, ids []string) ([]Claim, error) { return queryClaims(tx, ids, "") }

// lockClaims is like loadClaims but locks the claims.
func lockClaims(tx *db.Tx, ids []string) ([]Claim, error) {
	return queryClaims(tx, ids, tx.ForUpdate())
}

func queryClaims(tx *db.Tx, ids []string, lock string) ([]Claim, error) {
	return db.All(tx, scanClaim, selectClaims+tx.InList("c.id", "$1")+` ORDER BY c.id`+lock, db.List(ids))
}

// updateClaims writes the changes of a step to locked claims.
func updateClaims(tx *db.Tx, claims []Claim) error {
	rows := db.Rows{Columns: []string{"id", "state", "carrier", "tracking", "version"}}
	for _, c := range claims {
		rows.Add(db.ID(c.ID), string(c.State), c.Carrier, c.Tracking, c.Version)
	}
	return tx.WriteRows(rows, `UPDATE claims SET state = v.state, carrier = v.carrier, tracking = v.tracking, version = v.version
		FROM v WHERE claims.id = v.id AND claims.version = v.version - 1`, errors.New("some claims have changed since they were read"))
}

func insertItems(tx *db.Tx, items []Item) error {
	rows := db.Rows{Columns: []string{"claim_id", "position", "inventory_id", "value_cents"}}
	for i, item := range items {
		rows.Add(db.ID(item.Claim), int64(i), db.ID(item.Entry), item.Value)
	}
	return tx.InsertRows("claim_items", rows)
}

func updateRefunds(tx *db.Tx, items []Item) error {
	rows := db.Rows{Columns: []string{"claim", "entry", "refund"}}
	for _, item := range items {
		rows.Add(db.ID(item.Claim), db.ID(item.Entry), *item.Refund)
	}
	return tx.WriteRows(rows, `UPDATE claim_items SET refund_cents = v.refund FROM v
		WHERE claim_items.claim_id = v.claim AND claim_items.inventory_id = v.entry`, errors.New("some refunds were not stored"))
}

// loadItems returns the items of the claims, sorted by claim and position.
func loadItems(tx *db.Tx, claims []Claim) ([]Item, error) {
	scan := func(s db.Scanner) (item Item, err error) {
		return item, s.Scan(&item.Claim, &item.Entry, &item.Value, &item.Refund)
	}
	return db.All(tx, scan, `SELECT claim_id, inventory_id, value_cents, refund_cents FROM claim_items
		WHERE `+tx.InList("claim_id", "$1")+` ORDER BY claim_id, position`, db.List(claimIDs(claims)))
}

func insertEvents(tx *db.Tx, events []Event) error {
	rows := db.Rows{Columns: []string{"claim_id", "number", "act", "by_whom", "note", "created_at"}}
	for _, e := range events {
		rows.Add(db.ID(e.Claim), e.Number, string(e.Step), e.UserID, e.Note, db.Micros(e.At))
	}
	return tx.InsertRows("claim_events", rows)
}

func scanEvent(s db.Scanner) (e Event, err error) {
	var at int64
	err = s.Scan(&e.Claim, &e.Number, &e.Step, &e.UserID, &e.Note, &at)
	e.At = db.Time(at)
	return e, err
}

// loadEvents returns the events of the claims, sorted by claim and number.
func loadEvents(tx *db.Tx, claims []Claim) ([]Event, error) {
	return db.All(tx, scanEvent, `SELECT claim_id, number, act, by_whom, note, created_at FROM claim_events
		WHERE `+tx.InList("claim_id", "$1")+` ORDER BY claim_id, number`, db.List(claimIDs(claims)))
}

func insertAddress(tx *db.Tx, s sealedAddress) error {
	_, err := tx.Exec(`INSERT INTO claim_addresses (claim_id, key_id, sealed) VALUES ($1, $2, $3)`, s.claimID, s.keyID, s.ciphertext)
	return err
}

func scanSealed(s db.Scanner) (a sealedAddress, err error) {
	return a, s.Scan(&a.claimID, &a.keyID, &a.ciphertext)
}

// loadAddresses returns the addresses of the claims that have not been deleted yet.
func loadAddresses(tx *db.Tx, claims []Claim) ([]sealedAddress, error) {
	return db.All(tx, scanSealed, `SELECT claim_id, key_id, sealed FROM claim_addresses WHERE `+tx.InList("claim_id", "$1"), db.List(claimIDs(claims)))
}

// loadUsedKeyIDs returns the ids of the keys that stored addresses are encrypted with.
func loadUsedKeyIDs(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT key_id FROM claim_addresses ORDER BY key_id`)
}

func countByKey(tx *db.Tx) (map[string]int64, error) {
	type use struct {
		key   string
		count int64
	}
	scan := func(s db.Scanner) (u use, err error) { return u, s.Scan(&u.key, &u.count) }
	count := map[string]int64{}
	return count, db.Each(tx, scan, func(u use) error {
		count[u.key] = u.count
		return nil
	}, `SELECT key_id, COUNT(*) FROM claim_addresses GROUP BY key_id`)
}

// lockAddressesUnderOtherKeys locks up to limit addresses encrypted with other keys, skipping those that
// another node has locked.
func lockAddressesUnderOtherKeys(tx *db.Tx, key string, limit int) ([]sealedAddress, error) {
	return db.All(tx, scanSealed, `SELECT claim_id, key_id, sealed FROM claim_addresses WHERE key_id < $1 OR key_id > $1
		LIMIT $2`+tx.ForUpdateSkipLocked(), key, limit)
}

func updateAddresses(tx *db.Tx, addresses []sealedAddress) error {
	if len(addresses) == 0 {
		return nil
	}
	rows := db.Rows{Columns: []string{"claim", "key", "sealed"}}
	for _, a := range addresses {
		rows.Add(db.ID(a.claimID), a.keyID, a.ciphertext)
	}
	return tx.WriteRows(rows, `UPDATE claim_addresses SET key_id = v.key, sealed = v.sealed FROM v WHERE claim_addresses.claim_id = v.claim`,
		errors.New("some addresses were not re-encrypted"))
}

// setAddressExpiry sets when the claims' addresses are deleted.
func setAddressExpiry(tx *db.Tx, claims []Claim, at time.Time) error {
	rows := db.Rows{Columns: []string{"claim", "at"}}
	for _, c := range claims {
		rows.Add(db.ID(c.ID), db.Micros(at))
	}
	return tx.WriteRows(rows, `UPDATE claim_addresses SET forget_at = v.at FROM v WHERE claim_addresses.claim_id = v.claim`,
		errors.New("some claims have no address"))
}

// deleteExpiredAddresses deletes up to limit expired addresses and returns their number.
func deleteExpiredAddresses(tx *db.Tx, expired time.Time, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM claim_addresses WHERE claim_id IN (
		SELECT claim_id FROM claim_addresses WHERE forget_at <= $1 ORDER BY forget_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.Micros(expired), limit)
}

var byID = []db.Key[Claim]{db.Text("c.id", func(c Claim) string { return c.ID })}

var (
	newestFirst = db.Order[Claim]{Keys: byID, Descending: true}
	oldestFirst = db.Order[Claim]{Keys: byID}
)

func listClaims(tx *db.Tx, page *db.Selection[Claim]) ([]Claim, error) {
	return page.Rows(tx, scanClaim, selectClaims+`TRUE`)
}

// addSearchCondition restricts a list to claims that match a search text.
func addSearchCondition(page *db.Selection[Claim], text string) {
	literal := strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
	prefix := literal + "%"
	args := []any{"%" + strings.ToLower(prefix), strings.ToUpper(prefix), prefix, prefix}
	nameCondition := "FALSE"
	if words := searchtext.Words(text); len(words) > 0 {
		nameCondition = "TRUE" + strings.Repeat(" AND i.search LIKE ?", len(words))
		for _, word := range words {
			args = append(args, "%"+word+"%")
		}
	}
	page.Where(`(CAST(c.id AS TEXT) LIKE ? ESCAPE '!' OR c.tracking LIKE ? ESCAPE '!'
		OR EXISTS (SELECT 1 FROM users u WHERE u.id = c.user_id AND u.wallet_address LIKE ? ESCAPE '!')
		OR EXISTS (SELECT 1 FROM claim_items ci JOIN inventory n ON n.id = ci.inventory_id JOIN items i ON i.id = n.item_id
			WHERE ci.claim_id = c.id AND (i.cert_number LIKE ? ESCAPE '!' OR `+nameCondition+`)))`, args...)
}

// eachClaimEvent calls visit for every event of every claim, in order, and once for a claim without events.
func eachClaimEvent(tx *db.Tx, visit func(claimWithEvent) error) error {
	scan := func(s db.Scanner) (l claimWithEvent, err error) {
		var created, at int64
		c, e := &l.Claim, &l.event
		err = s.Scan(&c.ID, &c.User, &c.State, &c.Carrier, &c.Tracking, &c.Version, &created, &e.Number, &e.Step, &e.UserID, &e.Note, &at)
		c.CreatedAt, e.At = db.Time(created), db.Time(at)
		return l, err
	}
	return db.Each(tx, scan, visit, `SELECT c.id, c.user_id, c.state, c.carrier, c.tracking, c.version, c.created_at,
		COALESCE(e.number, 0), COALESCE(e.act, ''), COALESCE(e.by_whom, ''), COALESCE(e.note, ''), COALESCE(e.created_at, 0)
		FROM claims c LEFT JOIN claim_events e ON e.claim_id = c.id ORDER BY c.id, e.number`)
}

// eachSignedClaim calls visit for every claim with its signed message.
func eachSignedClaim(tx *db.Tx, visit func(signedClaim) error) error {
	var current signedClaim
	scan := func(s db.Scanner) (next signedClaim, err error) {
		return next, s.Scan(&next.id, &next.user, &next.message, &next.signature, &next.wallet, &next.shipping, &next.entryIDs)
	}
	err := db.Each(tx, scan, func(next signedClaim) error {
		if next.id == current.id {
			current.entryIDs += " " + next.entryIDs
			return nil
		}
		complete := current
		current = next
		if complete.id == "" {
			return nil
		}
		return visit(complete)
	}, `SELECT c.id, c.user_id, c.message, c.signature, u.wallet_address, c.shipping_cents, COALESCE(CAST(i.inventory_id AS TEXT), '')
		FROM claims c JOIN users u ON u.id = c.user_id LEFT JOIN claim_items i ON i.claim_id = c.id ORDER BY c.id, i.position`)
	if err != nil || current.id == "" {
		return err
	}
	return visit(current)
}

// findEntryEventMismatches compares claims' events with the events of their entries, in both directions.
func findEntryEventMismatches(tx *db.Tx) ([]audit.Breach, error) {
	entryAct, all := entryActsSQL()
	return audit.Query(tx, "each step of a claim must match the events of its entries", `
		WITH c AS (SELECT CAST(e.claim_id AS TEXT) AS ref, i.inventory_id, `+entryAct+` AS act, e.by_whom, e.created_at,
				CASE WHEN e.act = 'refund' THEN COALESCE(i.refund_cents, 0) ELSE 0 END AS paid
			FROM claim_events e JOIN claim_items i ON i.claim_id = e.claim_id),
		l AS (SELECT * FROM entry_events WHERE act IN (`+all+`))
		SELECT 'claim ' || k.ref, 'entry ' || k.inventory_id || ': ' || COALESCE(c.act, 'nothing') ||
			' for ' || COALESCE(c.paid, 0) || ', but the entry has ' || COALESCE(l.act, 'nothing') || ' by ' || COALESCE(l.by_whom, 'nobody') || ' for ' || COALESCE(l.price_cents, 0)
		FROM (SELECT ref, inventory_id, act, created_at FROM l UNION SELECT ref, inventory_id, act, created_at FROM c) k
			LEFT JOIN c ON c.ref = k.ref AND c.inventory_id = k.inventory_id AND c.act = k.act AND c.created_at = k.created_at
			LEFT JOIN l ON l.ref = k.ref AND l.inventory_id = k.inventory_id AND l.act = k.act AND l.created_at = k.created_at
		WHERE c.ref IS NULL OR l.ref IS NULL OR l.by_whom NOT IN (c.by_whom, 'house') OR l.price_cents <> c.paid`)
}

// findStepsWithoutAdminAct finds steps by Kaibao that are missing in the admin log.
func findStepsWithoutAdminAct(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each step by an admin must be in the admin log", `
		SELECT 'claim ' || e.claim_id, e.act || ' by ' || e.by_whom || ' has no entry in the admin log'
		FROM claim_events e JOIN claims c ON c.id = e.claim_id
			LEFT JOIN admin_acts a ON a.act = 'step-claims' AND a.created_at = e.created_at AND CAST(a.user_id AS TEXT) = e.by_whom
		WHERE NOT (e.by_whom = CAST(c.user_id AS TEXT) AND e.act IN ('request', 'cancel')) AND a.id IS NULL`)
}

// findUnapprovedCompensations finds refunds and replacements that no second admin approved, unless their amount
// counted toward the admin's daily total. The amount of a replacement is not stored elsewhere, so it is
// not compared.
func findUnapprovedCompensations(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each refund or replacement must be within the admin's daily total or approved by a second admin", `
		SELECT 'claim ' || c.id, e.act || ' by user ' || e.by_whom || ' is neither'
		FROM claims c JOIN claim_events e ON e.claim_id = c.id AND e.act IN ($1, $2)
			LEFT JOIN approvals p ON p.kind = e.act AND p.state = 'approved' AND p.subject = 'claim ' || c.id
				AND CAST(p.asked_by AS TEXT) = e.by_whom AND p.decided_at = e.created_at
			LEFT JOIN solo_acts s ON s.road = e.act AND s.subject = 'claim ' || c.id AND CAST(s.user_id AS TEXT) = e.by_whom AND s.created_at = e.created_at
				AND (e.act = $2 OR s.amount_cents = c.shipping_cents + (SELECT COALESCE(SUM(i.refund_cents), 0) FROM claim_items i WHERE i.claim_id = c.id))
		WHERE p.id IS NULL AND s.user_id IS NULL`, string(approval.ByRefund), string(approval.ByReplacement))
}

// findPaymentMismatches compares claims' charges and refunds with the transfers, in both directions.
func findPaymentMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a claim's shipping and refunds must match the transfers", `
		WITH w AS (SELECT id, $1 AS kind, user_id, shipping_cents AS amount, created_at AS at FROM claims WHERE shipping_cents > 0
			UNION ALL SELECT c.id, $2, c.user_id, c.shipping_cents, e.created_at FROM claims c JOIN claim_events e ON e.claim_id = c.id
				WHERE c.shipping_cents > 0 AND e.act IN ('cancel', 'refund')
			UNION ALL SELECT c.id, $3, c.user_id, CAST(SUM(i.refund_cents) AS BIGINT), e.created_at
				FROM claims c JOIN claim_events e ON e.claim_id = c.id JOIN claim_items i ON i.claim_id = c.id
				WHERE e.act = 'refund' GROUP BY c.id, c.user_id, e.created_at HAVING SUM(i.refund_cents) > 0),
		t AS (SELECT ref, kind, CASE WHEN kind = $1 THEN debit ELSE credit END AS who, amount_cents, created_at
			FROM transfers WHERE kind IN ($1, $2, $3))
		SELECT 'claim ' || k.id, k.kind || ' of ' || COALESCE(w.amount, 0) || ' by user ' || COALESCE(CAST(w.user_id AS TEXT), 'nobody') ||
			', but the transfer has ' || COALESCE(t.amount_cents, 0) || ' by user ' || COALESCE(t.who, 'nobody')
		FROM (SELECT id, kind FROM w UNION SELECT ref, kind FROM t) k
			LEFT JOIN w ON w.id = k.id AND w.kind = k.kind LEFT JOIN t ON t.ref = k.id AND t.kind = k.kind
		WHERE w.id IS NULL OR t.ref IS NULL OR t.amount_cents <> w.amount OR t.who <> CAST(w.user_id AS TEXT) OR t.created_at <> w.at`,
		ledger.KindShipping, ledger.KindShippingRefund, ledger.KindLossRefund)
}

// findValueMismatches finds items whose value was never a valuation of the item, and refunds that don't agree
// with the claim's state.
func findValueMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each claimed item's value and refund must be a valuation of the item", `
		SELECT 'claim ' || c.id, 'entry ' || i.inventory_id || ' valued at ' || i.value_cents || ', refund ' || COALESCE(i.refund_cents, 0)
		FROM claims c JOIN claim_items i ON i.claim_id = c.id JOIN inventory n ON n.id = i.inventory_id
		WHERE NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = n.item_id AND v.value_cents = i.value_cents AND v.created_at <= c.created_at + $1)
			OR (i.refund_cents IS NOT NULL) <> (c.state = 'refunded')
			OR i.refund_cents <> i.value_cents
				AND NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = n.item_id AND v.value_cents = i.refund_cents)
		UNION ALL SELECT 'claim ' || c.id, 'has ' || COUNT(i.claim_id) || ' items, but the last has number ' || COALESCE(MAX(i.position), -1)
		FROM claims c LEFT JOIN claim_items i ON i.claim_id = c.id GROUP BY c.id HAVING COUNT(i.claim_id) <> COALESCE(MAX(i.position), -2) + 1`, audit.MaxDelay)
}

// findAddressRetentionErrors finds addresses that are missing while needed, or whose deletion time is wrong.
func findAddressRetentionErrors(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an address must be kept while its claim needs it, and deleted after", `
		SELECT 'claim ' || c.id, 'is ' || c.state || ', but its address ' || CASE WHEN a.claim_id IS NULL THEN 'is missing' ELSE 'is to be deleted at ' || COALESCE(a.forget_at, 0) END
		FROM claims c JOIN claim_events e ON e.claim_id = c.id AND e.number = c.version LEFT JOIN claim_addresses a ON a.claim_id = c.id
		WHERE CASE WHEN c.state IN (`+stateListSQL(true)+`) THEN a.claim_id IS NOT NULL AND COALESCE(a.forget_at, 0) <> e.created_at + $1
			ELSE a.claim_id IS NULL OR a.forget_at IS NOT NULL END`, policy.AddressKept.Microseconds())
}

// findLostItemsSoldBack finds lost entries that were sold back, which would return their cards to stock: only
// sell-backs write stock leaves.
func findLostItemsSoldBack(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a lost item must not be sold back", `
		SELECT 'claim ' || e.claim_id, 'entry ' || i.inventory_id || ' was lost, and then sold back'
		FROM claim_events e JOIN claim_items i ON i.claim_id = e.claim_id JOIN sell_backs s ON s.trade_id = i.inventory_id
		WHERE e.act = 'lose'`)
}

// PersonalData are the queries of a user's rows for their export. PersonalAddresses has the addresses.
var PersonalData = []userrows.Query{
	{File: "shipments", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("state"), userrows.Number("shippingCents"), userrows.Text("carrier"), userrows.Text("tracking"),
		userrows.Text("signedMessage"), userrows.Text("signature"), userrows.Time("createdAt")},
		SQL: `SELECT id, state, shipping_cents, carrier, tracking, message, signature, created_at FROM claims WHERE user_id = $1 ORDER BY id`},
	{File: "shipment-items", Columns: []userrows.Column{userrows.Text("shipmentId"), userrows.Text("itemEntryId"), userrows.Number("valueCents"), userrows.Number("refundCents")},
		SQL: `SELECT i.claim_id, i.inventory_id, i.value_cents, COALESCE(i.refund_cents, 0) FROM claim_items i JOIN claims c ON c.id = i.claim_id
			WHERE c.user_id = $1 ORDER BY i.claim_id, i.position`},
	{File: "shipment-steps", Columns: []userrows.Column{userrows.Text("shipmentId"), userrows.Number("number"), userrows.Text("step"), userrows.Text("by"), userrows.Text("note"), userrows.Time("createdAt")},
		SQL: `SELECT e.claim_id, e.number, e.act, CASE WHEN e.by_whom = CAST(c.user_id AS TEXT) THEN 'you' ELSE 'Kaibao' END, e.note, e.created_at
			FROM claim_events e JOIN claims c ON c.id = e.claim_id WHERE c.user_id = $1 ORDER BY e.claim_id, e.number`},
}

// UnderWay reports whether a user has a claim that isn't finished.
func UnderWay(tx *db.Tx, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM claims WHERE user_id = $1 AND state IN (`+stateListSQL(false)+`))`, user)
}

// EraseClaims erases what identifies a user in their finished claims: the wallet, which the
// placeholder replaces, the signature, the parcels and the notes.
func EraseClaims(tx *db.Tx, user, address, placeholder string) error {
	if _, err := tx.Exec(`UPDATE claims SET message = REPLACE(message, $2, $3), signature = '', carrier = '', tracking = '' WHERE user_id = $1`, user, address, placeholder); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE claim_events SET note = '' WHERE claim_id IN (SELECT id FROM claims WHERE user_id = $1)`, user)
	return err
}

// EraseChallenge deletes what a user was asked to sign. A concurrent claim, which uses it up, has
// then either failed or been made.
func EraseChallenge(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM claim_challenges WHERE user_id = $1`, user)
	return err
}

// EraseAddresses erases the addresses of a user's finished claims.
func EraseAddresses(tx *db.Tx, user string) error {
	_, err := tx.Exec(`DELETE FROM claim_addresses WHERE claim_id IN (SELECT id FROM claims WHERE user_id = $1)`, user)
	return err
}

// IDsOf returns the ids of a user's claims.
func IDsOf(tx *db.Tx, user string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM claims WHERE user_id = $1 ORDER BY id`, user)
}

// claimsOf returns all claims of a user.
func claimsOf(tx *db.Tx, user string) ([]Claim, error) {
	return db.All(tx, scanClaim, selectClaims+`c.user_id = $1 ORDER BY c.id`, user)
}
