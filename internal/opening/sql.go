package opening

import (
	"errors"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
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

// byCommitment goes back through the user's opens: who asks again asks for one of
// the last, and an index on random bytes would slow down every open.
func byCommitment(tx *db.Tx, userID string, commitment []byte) (Opening, error) {
	return db.One(tx, scanOpening, selectOpenings+`WHERE o.user_id = $1 AND o.commitment = $2 ORDER BY o.nonce DESC`, userID, commitment)
}

func byID(tx *db.Tx, userID, id string) (Opening, error) {
	return db.One(tx, scanOpening, selectOpenings+`WHERE o.user_id = $1 AND o.id = $2`, userID, id)
}

// before lists a user's opens with a nonce below, newest first.
func before(tx *db.Tx, userID string, nonce int64, limit int) ([]Opening, error) {
	return db.All(tx, scanOpening, selectOpenings+`WHERE o.user_id = $1 AND o.nonce < $2 ORDER BY o.nonce DESC LIMIT $3`,
		userID, nonce, limit)
}

func breaches(tx *db.Tx, rule, query string, args ...any) ([]ledger.Breach, error) {
	scan := func(s db.Scanner) (b ledger.Breach, err error) {
		b.Rule = rule
		return b, s.Scan(&b.Row, &b.Detail)
	}
	return db.All(tx, scan, query, args...)
}

func unpaid(tx *db.Tx) ([]ledger.Breach, error) {
	return breaches(tx, "every open has its price", `
		SELECT 'opening ' || o.id, 'price ' || o.price_cents || ', paid ' || COALESCE(t.amount_cents, 0) || ' by ' || COALESCE(t.debit, 'nobody')
		FROM openings o LEFT JOIN transfers t ON t.kind = $1 AND t.ref = o.id
		WHERE t.id IS NULL OR t.amount_cents <> o.price_cents OR t.debit <> o.user_id OR t.credit <> $2`,
		transferKind, string(ledger.Packs))
}

func itemsOff(tx *db.Tx) ([]ledger.Breach, error) {
	return breaches(tx, "every open has its items", `
		SELECT 'opening ' || o.id, 'total ' || o.total_value_cents || ', items ' || COALESCE(n.number, 0) || ' worth ' || COALESCE(n.total, 0)
		FROM openings o LEFT JOIN (SELECT opening_id, COUNT(*) AS number, SUM(pulled_value_cents) AS total,
			MAX(position) AS last FROM inventory GROUP BY opening_id) n ON n.opening_id = o.id
		WHERE n.number IS NULL OR n.total <> o.total_value_cents OR n.last <> n.number - 1`)
}

func leafless(tx *db.Tx) ([]ledger.Breach, error) {
	return breaches(tx, "every open has its leaf", `
		SELECT 'opening ' || o.id, 'no leaf' FROM openings o
		LEFT JOIN log_leaves l ON l.kind = 'open' AND l.ref = o.id
		LEFT JOIN log_waiting w ON w.kind = 'open' AND w.ref = o.id
		WHERE l.leaf_index IS NULL AND w.seq IS NULL`)
}

func gaps(tx *db.Tx) ([]ledger.Breach, error) {
	return breaches(tx, "a user's nonces have no gap", `
		SELECT 'account ' || a.user_id, 'next nonce ' || a.nonce || ', opens ' || COALESCE(o.number, 0) || ', last ' || COALESCE(o.last, -1)
		FROM accounts a LEFT JOIN (SELECT user_id, COUNT(*) AS number, MAX(nonce) AS last FROM openings GROUP BY user_id) o
			ON o.user_id = a.user_id
		WHERE a.nonce <> COALESCE(o.number, 0) OR a.nonce <> COALESCE(o.last, -1) + 1`)
}

type drawnCard struct {
	manifest catalogue.Hash
	item     string
}

func addDraws(tx *db.Tx, opens map[catalogue.Hash]int64, cards map[drawnCard]int64) error {
	manifests := db.Rows{Columns: []string{"manifest_hash", "opens"}}
	for hash, n := range opens {
		manifests.Add(hash[:], n)
	}
	items := db.Rows{Columns: []string{"manifest_hash", "item_id", "number"}}
	for card, n := range cards {
		items.Add(card.manifest[:], card.item, n)
	}
	missed := errors.New("not all draws were counted")
	if err := tx.WriteRows(manifests, `INSERT INTO drawn_manifests (manifest_hash, opens) SELECT * FROM v WHERE true
		ON CONFLICT (manifest_hash) DO UPDATE SET opens = drawn_manifests.opens + excluded.opens`, missed); err != nil {
		return err
	}
	return tx.WriteRows(items, `INSERT INTO drawn_cards (manifest_hash, item_id, number) SELECT * FROM v WHERE true
		ON CONFLICT (manifest_hash, item_id) DO UPDATE SET number = drawn_cards.number + excluded.number`, missed)
}

func allOpens(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT CAST(COALESCE(SUM(opens), 0) AS BIGINT) FROM drawn_manifests`)
}

func opensBy(tx *db.Tx, hash catalogue.Hash) (int64, error) {
	n, err := db.One(tx, db.Column[int64], `SELECT opens FROM drawn_manifests WHERE manifest_hash = $1`, hash[:])
	if errors.Is(err, db.ErrNoRow) {
		return 0, nil
	}
	return n, err
}

// drawnBy counts the cards that a manifest yielded.
func drawnBy(tx *db.Tx, hash catalogue.Hash) (map[string]int64, error) {
	type drawn struct {
		item string
		n    int64
	}
	scan := func(s db.Scanner) (d drawn, err error) { return d, s.Scan(&d.item, &d.n) }
	rows, err := db.All(tx, scan, `SELECT item_id, number FROM drawn_cards WHERE manifest_hash = $1`, hash[:])
	cards := make(map[string]int64, len(rows))
	for _, row := range rows {
		cards[row.item] = row.n
	}
	return cards, err
}
