package sellback

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/trades"
)

func insert(tx *db.Tx, backs []SellBack) error {
	rows := db.Rows{Columns: []string{"trade_id", "value_cents", "quote", "draw_seq"}}
	for _, b := range backs {
		rows.Add(db.ID(b.ID), b.QuoteValue, string(b.By), b.DrawSeq)
	}
	return tx.InsertRows("sell_backs", rows)
}

// packOpen is an open with its pack and manifest.
type packOpen struct {
	id, pack string
	manifest packs.Hash
}

// opensOf returns the opens in which the entries were drawn, by id.
func opensOf(tx *db.Tx, backs []SellBack) (map[string]packOpen, error) {
	ids := make([]string, len(backs))
	for n, b := range backs {
		ids[n] = b.OpeningID
	}
	scan := func(s db.Scanner) (d packOpen, err error) {
		var hash []byte
		err = s.Scan(&d.id, &d.pack, &hash)
		copy(d.manifest[:], hash)
		return d, err
	}
	rows, err := db.All(tx, scan, `SELECT id, pack_id, manifest_hash FROM openings WHERE `+tx.InList("id", "$1"), db.List(ids))
	opens := make(map[string]packOpen, len(rows))
	for _, d := range rows {
		opens[d.id] = d
	}
	return opens, err
}

// newestFirst matches the indexes on trades by time and by seller.
var newestFirst = db.Order[AdminSellBack]{
	Keys: []db.Key[AdminSellBack]{
		db.Number("t.created_at", func(s AdminSellBack) int64 { return s.micros }), db.Text("t.id", func(s AdminSellBack) string { return s.InventoryID }),
	},
	Descending: true,
}

func (in *adminInput) selection(limit int, cursor string) (*db.Selection[AdminSellBack], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "t.seller_id", in.User)
		httpapi.Equal(page, "t.id", in.ID)
		httpapi.Equal(page, "s.quote", in.Kind)
		in.Narrow(page, "t.created_at")
	}
	return page, err
}

func listAll(tx *db.Tx, page *db.Selection[AdminSellBack]) ([]AdminSellBack, error) {
	scan := func(s db.Scanner) (v AdminSellBack, err error) {
		err = s.Scan(&v.InventoryID, &v.ItemID, &v.ItemName, &v.UserID, &v.WalletAddress, &v.ValueCents, &v.Quote, &v.PayoutCents, &v.micros)
		v.CreatedAt = httpapi.Timestamp(db.Time(v.micros))
		return v, err
	}
	return page.Rows(tx, scan, `SELECT t.inventory_id, i.id, i.name, u.id, u.wallet_address, s.value_cents, s.quote, t.price_cents, t.created_at
		FROM sell_backs s JOIN trades t ON t.id = s.trade_id JOIN items i ON i.id = t.item_id JOIN users u ON u.id = t.seller_id WHERE TRUE`)
}

// findUnquotedSellBacks finds sell-back trades without a quote, quotes without a trade, and those
// that differ from the events of their entries.
func findUnquotedSellBacks(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each sell-back must have a quote that matches its entry's event", `
		SELECT 'sell-back ' || COALESCE(t.id, s.trade_id), 'quote is by ' || COALESCE(s.quote, 'nothing') || ', but the event has ' || COALESCE(e.ref, 'nothing')
		FROM (SELECT * FROM trades WHERE kind = $1) t FULL JOIN sell_backs s ON s.trade_id = t.id
		LEFT JOIN (SELECT * FROM entry_events WHERE act = $2) e ON e.inventory_id = s.trade_id
		WHERE t.id IS NULL OR s.trade_id IS NULL OR e.ref IS NULL OR e.ref <> s.quote`, string(trades.SellBack), string(inventory.SellingBack))
}

// findWrongQuotes finds sell-backs whose payout fits no quote: neither a value the item had, nor a
// higher floor that still applied.
func findWrongQuotes(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each sell-back must pay its quote", `
		SELECT 'sell-back ' || t.id, 'paid ' || t.price_cents || ' by ' || s.quote || ' at ' || t.created_at || ', but the value was ' || s.value_cents ||
			', floor ' || n.sell_back_floor_cents || ' until ' || n.sell_back_until
		FROM sell_backs s JOIN trades t ON t.id = s.trade_id JOIN inventory n ON n.id = t.inventory_id
		WHERE NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = n.item_id AND v.value_cents = s.value_cents)
			OR CASE WHEN t.created_at < n.sell_back_until AND n.sell_back_floor_cents > s.value_cents * $1 / 100
				THEN s.quote <> $2 OR t.price_cents <> n.sell_back_floor_cents
				ELSE s.quote <> $3 OR t.price_cents <> s.value_cents * $1 / 100 END`,
		int64(policy.SellBackPercent), string(inventory.ByFloor), string(inventory.ByValue))
}

// findWrongBeyondQuotes compares what each pack paid beyond the quotes of its draws with its
// sell-backs.
func findWrongBeyondQuotes(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a pack's loss beyond its quotes must match its sell-backs", `
		SELECT 'pack ' || p.id, 'counts a loss of ' || p.beyond_quotes_cents || ', but its sell-backs give ' || COALESCE(l.beyond, 0)
		FROM packs p LEFT JOIN (
			SELECT o.pack_id, SUM(t.price_cents - n.pulled_value_cents * $1 / 100) AS beyond
			FROM trades t JOIN inventory n ON n.id = t.inventory_id JOIN openings o ON o.id = n.opening_id
			WHERE t.kind = $2 AND t.price_cents > n.pulled_value_cents * $1 / 100 GROUP BY o.pack_id) l ON l.pack_id = p.id
		WHERE p.beyond_quotes_cents <> COALESCE(l.beyond, 0)`, int64(policy.SellBackPercent), string(trades.SellBack))
}

// stockReturn is a sell-back whose card returned to the stock.
type stockReturn struct {
	entry, pack, card string
	manifest          packs.Hash
	seq               int64
	at                time.Time
}

// leaf returns the leaf that the log must contain for the return.
func (r stockReturn) leaf() string {
	return string(protocol.StockLeaf{Pack: r.pack, Draw: uint64(r.seq), Card: r.card, Count: 1, Reason: packs.SellBackReason, Time: r.at}.Format())
}

// allReturns lists the sell-backs whose cards returned to a stock.
func allReturns(tx *db.Tx) ([]stockReturn, error) {
	scan := func(s db.Scanner) (r stockReturn, err error) {
		var hash []byte
		var at int64
		err = s.Scan(&r.entry, &r.pack, &r.card, &hash, &r.seq, &at)
		copy(r.manifest[:], hash)
		r.at = db.Time(at)
		return r, err
	}
	return db.All(tx, scan, `
		SELECT t.id, o.pack_id, n.item_id, o.manifest_hash, s.draw_seq, t.created_at
		FROM sell_backs s JOIN trades t ON t.id = s.trade_id JOIN inventory n ON n.id = t.inventory_id JOIN openings o ON o.id = n.opening_id WHERE s.draw_seq > 0`)
}
