package trades

import (
	"errors"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
)

func insert(tx *db.Tx, trades []Trade) error {
	rows := db.Rows{Columns: []string{"id", "kind", "entry", "item", "seller", "buyer", "price", "fee", "rate", "bid", "listing", "route", "quote", "best", "back", "excess", "at"}}
	for _, t := range trades {
		rows.Add(db.ID(t.ID), string(t.Kind), db.ID(t.Entry), t.Item, db.ID(t.Seller), db.ID(t.Buyer), t.Price, t.Fee, int64(t.Rate),
			db.ID(t.Bid), db.ID(t.Listing), string(t.Route), t.HouseQuote, t.BestBid, t.Back, t.Excess, db.Micros(tx.Now))
	}
	return tx.WriteRows(rows, `INSERT INTO trades (id, kind, inventory_id, item_id, seller_id, buyer_id, price_cents, fee_cents, rate_points,
			bid_id, listing_id, route, house_quote_cents, best_bid_cents, value_cents, back_cents, excess_cents, created_at)
		SELECT v.id, v.kind, v.entry, v.item, v.seller, v.buyer, v.price, v.fee, v.rate,
			v.bid, v.listing, NULLIF(v.route, ''), NULLIF(v.quote, 0), NULLIF(v.best, 0), i.base_value_cents, v.back, v.excess, v.at
		FROM v CROSS JOIN items i WHERE i.id = v.item`, errors.New("not all trades were recorded"))
}

const selectTrades = `SELECT t.id, t.kind, t.inventory_id, t.item_id, t.seller_id, COALESCE(CAST(t.buyer_id AS TEXT), ''), t.price_cents, t.fee_cents, COALESCE(t.rate_points, -1), t.value_cents,
	COALESCE(CAST(t.bid_id AS TEXT), ''), COALESCE(CAST(t.listing_id AS TEXT), ''), COALESCE(t.route, ''),
	COALESCE(t.house_quote_cents, 0), COALESCE(t.best_bid_cents, 0), t.created_at FROM trades t `

func scanTrade(s db.Scanner) (t Trade, err error) {
	var at, rate int64
	err = s.Scan(&t.ID, &t.Kind, &t.Entry, &t.Item, &t.Seller, &t.Buyer, &t.Price, &t.Fee, &rate, &t.Value, &t.Bid, &t.Listing, &t.Route, &t.HouseQuote, &t.BestBid, &at)
	t.At, t.V1Leaf = db.Time(at), rate < 0
	t.Rate = money.BasisPoints(max(0, rate))
	return t, err
}

// LastSales returns an item's latest trades between users, newest first.
func LastSales(tx *db.Tx, item string, limit int) ([]Trade, error) {
	return db.All(tx, scanTrade, selectTrades+`WHERE t.item_id = $1 AND t.kind <> $2 ORDER BY t.created_at DESC, t.id DESC LIMIT $3`,
		item, string(SellBack), limit)
}

// Sold returns which of the listings ended in a sale, as entry IDs by listing ID.
func Sold(tx *db.Tx, listings []string) (map[string]string, error) {
	type sale struct{ listing, entry string }
	scan := func(s db.Scanner) (one sale, err error) { return one, s.Scan(&one.listing, &one.entry) }
	rows, err := db.All(tx, scan, `SELECT id, inventory_id FROM trades WHERE kind = 'listing' AND `+tx.InList("id", "$1")+`
		UNION ALL SELECT listing_id, inventory_id FROM trades WHERE kind <> 'listing' AND listing_id IS NOT NULL AND `+tx.InList("listing_id", "$1"), db.List(listings))
	sold := make(map[string]string, len(rows))
	for _, r := range rows {
		sold[r.listing] = r.entry
	}
	return sold, err
}

var newestSales = db.Order[AdminSale]{
	Keys: []db.Key[AdminSale]{
		db.Number("t.created_at", func(s AdminSale) int64 { return s.micros }), db.Text("t.id", func(s AdminSale) string { return s.ID }),
	},
	Descending: true,
}

func (in *salesInput) selection(limit int, cursor string) (*db.Selection[AdminSale], error) {
	page, err := newestSales.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "t.kind", in.Kind)
		httpapi.Equal(page, "t.id", in.ID)
		in.Narrow(page, "t.created_at")
	}
	return page, err
}

func (in *salesInput) list(tx *db.Tx, page *db.Selection[AdminSale]) ([]AdminSale, error) {
	from, args := `trades`, []any{}
	if in.User != "" {
		from, args = `(SELECT * FROM trades WHERE seller_id = $1 UNION ALL SELECT * FROM trades WHERE buyer_id = $1)`, []any{in.User}
	}
	scan := func(s db.Scanner) (v AdminSale, err error) {
		err = s.Scan(&v.ID, &v.Kind, &v.InventoryID, &v.ItemID, &v.ItemName, &v.SellerID, &v.Seller, &v.BuyerID, &v.Buyer, &v.PriceCents, &v.FeeCents, &v.ValueCents, &v.micros)
		v.CreatedAt = httpapi.Timestamp(db.Time(v.micros))
		return v, err
	}
	return page.Rows(tx, scan, `SELECT t.id, t.kind, t.inventory_id, t.item_id, i.name, s.id, s.wallet_address, b.id, b.wallet_address,
			t.price_cents, t.fee_cents, t.value_cents, t.created_at
		FROM `+from+` t JOIN items i ON i.id = t.item_id JOIN users s ON s.id = t.seller_id JOIN users b ON b.id = t.buyer_id WHERE TRUE`, args...)
}

// newestActivity matches the index on trades by time.
var newestActivity = db.Order[Activity]{
	Keys: []db.Key[Activity]{
		db.Number("t.created_at", func(a Activity) int64 { return a.micros }), db.Text("t.id", func(a Activity) string { return a.ID }),
	},
	Descending: true,
}

const activityColumnsSQL = `t.id, t.kind, t.created_at, t.item_id, t.inventory_id, t.price_cents`

func allActivity(tx *db.Tx, page *db.Selection[Activity]) ([]Activity, error) {
	return page.Rows(tx, scanActivity, `SELECT `+activityColumnsSQL+`, '' FROM trades t JOIN items i ON i.id = t.item_id WHERE TRUE`)
}

func userActivity(tx *db.Tx, user string, page *db.Selection[Activity]) ([]Activity, error) {
	return page.Rows(tx, scanActivity, `SELECT `+activityColumnsSQL+`, t.side FROM (
		SELECT *, 'sold' AS side FROM trades WHERE seller_id = $1 UNION ALL SELECT *, 'bought' FROM trades WHERE buyer_id = $1
		) t JOIN items i ON i.id = t.item_id WHERE TRUE`, user)
}

func scanActivity(s db.Scanner) (a Activity, err error) {
	err = s.Scan(&a.ID, &a.Kind, &a.micros, &a.ItemID, &a.InventoryID, &a.PriceCents, &a.Side)
	a.At = httpapi.Timestamp(db.Time(a.micros))
	return a, err
}

// pairsSince lists the pairs of users whose trades and accepted gifts since the given time moved the
// most value, largest first. A gift moves its items' whole value to the receiver.
func pairsSince(tx *db.Tx, since time.Time, most int) ([]AdminPair, error) {
	scan := func(s db.Scanner) (p AdminPair, err error) {
		var last, gainFirst, gainLast, payFirst, payLast int64
		err = s.Scan(&p.Gainer.UserID, &p.Gainer.WalletAddress, &p.Payer.UserID, &p.Payer.WalletAddress, &p.Trades, &p.MovedCents, &last, &gainFirst, &gainLast, &payFirst, &payLast)
		p.LastAt = httpapi.Timestamp(db.Time(last))
		p.Gainer.setDepositTimes(gainFirst, gainLast)
		p.Payer.setDepositTimes(payFirst, payLast)
		return p, err
	}
	return db.All(tx, scan, `WITH ways AS (
			SELECT CASE WHEN seller_id < buyer_id THEN seller_id ELSE buyer_id END AS one, CASE WHEN seller_id < buyer_id THEN buyer_id ELSE seller_id END AS other,
				CASE WHEN seller_id < buyer_id THEN price_cents - value_cents ELSE value_cents - price_cents END AS moved, created_at
			FROM trades WHERE created_at >= $1 AND buyer_id IS NOT NULL
			UNION ALL SELECT CASE WHEN giver_id < receiver_id THEN giver_id ELSE receiver_id END, CASE WHEN giver_id < receiver_id THEN receiver_id ELSE giver_id END,
				CASE WHEN giver_id < receiver_id THEN -value_cents ELSE value_cents END, ended_at
			FROM (SELECT g.giver_id, g.receiver_id, g.ended_at, (SELECT SUM(i.value_cents) FROM gift_items i WHERE i.gift_id = g.id) AS value_cents
				FROM gifts g WHERE g.state = 'accepted' AND g.ended_at >= $1) given),
		pairs AS (SELECT one, other, COUNT(*) AS number, CAST(SUM(moved) AS BIGINT) AS moved, MAX(created_at) AS last FROM ways GROUP BY one, other),
		top AS (SELECT CASE WHEN moved < 0 THEN other ELSE one END AS gainer, CASE WHEN moved < 0 THEN one ELSE other END AS payer,
			number, ABS(moved) AS moved, last FROM pairs ORDER BY 4 DESC, 5 DESC LIMIT $2)
		SELECT g.id, g.wallet_address, p.id, p.wallet_address, t.number, t.moved, t.last, `+
		depositTimeSQL("MIN", "t.gainer")+`, `+depositTimeSQL("MAX", "t.gainer")+`, `+depositTimeSQL("MIN", "t.payer")+`, `+depositTimeSQL("MAX", "t.payer")+`
		FROM top t JOIN users g ON g.id = t.gainer JOIN users p ON p.id = t.payer ORDER BY t.moved DESC, t.last DESC`,
		db.Micros(since), most)
}

// depositTimeSQL is an SQL expression for a user's first (MIN) or last (MAX) deposit time; 0 =
// never.
func depositTimeSQL(which, user string) string {
	return `COALESCE((SELECT ` + which + `(d.created_at) FROM transfers d WHERE d.credit = CAST(` + user + ` AS TEXT) AND d.credit_line IS NOT NULL
		AND d.kind IN ('` + ledger.KindDeposit + `', '` + ledger.KindGrant + `')), 0)`
}

func (p *PairSide) setDepositTimes(first, last int64) {
	if first > 0 {
		from, to := httpapi.Timestamp(db.Time(first)), httpapi.Timestamp(db.Time(last))
		p.FirstDepositAt, p.LastDepositAt = &from, &to
	}
}

// loggedTradesAfter returns the trades that have a leaf (column told), by time, after the given
// one.
func loggedTradesAfter(tx *db.Tx, last Trade, most int) ([]Trade, error) {
	if last.ID == "" {
		return db.All(tx, scanTrade, selectTrades+`WHERE t.told ORDER BY t.created_at, t.id LIMIT $1`, most)
	}
	return db.All(tx, scanTrade, selectTrades+`WHERE t.told AND (t.created_at, t.id) > ($1, $2) ORDER BY t.created_at, t.id LIMIT $3`,
		db.Micros(last.At), last.ID, most)
}

// findPaymentMismatches finds trades whose transfers don't match: a listing is paid from the
// buyer's balance, a bid from its hold, a counter-offer from both, and a sell-back by Kaibao.
func findPaymentMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each trade's payment and fee must match the transfers", `
		SELECT 'trade ' || t.id, t.kind || ' for ' || t.price_cents || ', fee ' || t.fee_cents || '; but the transfers have ' ||
			(COALESCE(p.amount_cents, 0) + COALESCE(h.amount_cents, 0)) || ', fee ' || COALESCE(f.amount_cents, 0)
		FROM trades t
		LEFT JOIN transfers p ON p.ref = t.id AND p.kind = CASE t.kind WHEN $1 THEN $2 WHEN $8 THEN $9 ELSE $3 END
		LEFT JOIN transfers h ON h.ref = t.id AND h.kind = $4
		LEFT JOIN transfers f ON f.ref = t.id AND f.kind = $5
		WHERE COALESCE(p.amount_cents, 0) + COALESCE(h.amount_cents, 0) <> t.price_cents OR COALESCE(f.amount_cents, 0) <> t.fee_cents
			OR p.id IS NOT NULL AND t.kind = $6 OR h.id IS NOT NULL AND t.kind = $1
			OR p.debit <> CAST(t.buyer_id AS TEXT) OR h.debit <> $7 || CAST(t.buyer_id AS TEXT)
			OR p.credit <> CAST(t.seller_id AS TEXT) OR h.credit <> CAST(t.seller_id AS TEXT) OR f.debit <> CAST(t.seller_id AS TEXT)
			OR p.created_at <> t.created_at OR h.created_at <> t.created_at OR f.created_at <> t.created_at`,
		string(SellBack), ledger.KindSellBack, ledger.KindSale, ledger.KindBidFill, ledger.KindSaleFee, string(Bid), string(ledger.BidsAccount("")), string(Counter), ledger.KindCounter)
}

func findPaymentsWithoutTrade(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each payment for a trade must have a matching trade", `
		SELECT 'transfer ' || p.id, p.kind || ' of ' || p.amount_cents || ' for ' || p.ref
		FROM transfers p LEFT JOIN trades t ON t.id = p.ref
		WHERE p.kind IN ($1, $2, $3, $4, $6) AND (t.id IS NULL OR (p.kind = $1) <> (t.kind = $5) OR p.kind = $2 AND t.kind <> $7 OR p.kind = $6 AND t.kind <> $8)`,
		ledger.KindSellBack, ledger.KindSale, ledger.KindSaleFee, ledger.KindBidFill, string(SellBack), ledger.KindCounter, string(Listing), string(Counter))
}

// tradeEvents is an SQL query for the entry events that are trades, each with its trade's ID.
func tradeEvents(tx *db.Tx) string {
	return `(SELECT inventory_id, number, act, by_whom, price_cents, created_at,
		CASE act WHEN '` + string(inventory.SellingBack) + `' THEN inventory_id ELSE ` + tx.AsID("ref") + ` END AS trade
		FROM entry_events WHERE act IN ('` + string(inventory.Buying) + `', '` + string(inventory.FillingBid) + `', '` + string(inventory.SellingBack) + `'))`
}

// findEventMismatches compares trades with the events of their entries, in both directions.
func findEventMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each trade must match an event of its entry", `
		SELECT 'trade ' || COALESCE(t.id, e.trade), COALESCE(t.kind, 'nothing') || ' of entry ' || COALESCE(t.inventory_id, e.inventory_id) ||
			' for ' || COALESCE(t.price_cents, 0) || ', but the entry has ' || COALESCE(e.act, 'nothing') || ' by ' || COALESCE(e.by_whom, 'nobody') ||
			' for ' || COALESCE(e.price_cents, 0)
		FROM `+tradeEvents(tx)+` e FULL JOIN trades t ON t.id = e.trade
		WHERE t.id IS NULL OR e.trade IS NULL OR e.inventory_id <> t.inventory_id OR e.price_cents <> t.price_cents OR e.created_at <> t.created_at
			OR e.act <> CASE t.kind WHEN $1 THEN $2 WHEN $3 THEN $4 ELSE $5 END
			OR e.by_whom <> CAST(COALESCE(t.buyer_id, t.seller_id) AS TEXT)`,
		string(Listing), string(inventory.Buying), string(SellBack), string(inventory.SellingBack), string(inventory.FillingBid))
}

// findWrongSellers finds trades whose seller neither pulled the entry nor bought it or got it as a gift
// last.
func findWrongSellers(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each seller must have pulled the entry, or got it last", `
		SELECT 'trade ' || x.id, 'sold entry ' || x.inventory_id || ' of user ' || x.seller_id || ', but its owner was user ' || COALESCE(x.before, o.user_id)
		FROM (SELECT id, inventory_id, seller_id, LAG(new_owner) OVER (PARTITION BY inventory_id ORDER BY number) AS before
			FROM (SELECT t.id, t.inventory_id, t.seller_id, t.buyer_id AS new_owner, e.number
				FROM trades t JOIN `+tradeEvents(tx)+` e ON e.inventory_id = t.inventory_id AND e.trade = t.id
				UNION ALL SELECT NULL, inventory_id, NULL, `+tx.AsID("by_whom")+`, number FROM entry_events WHERE act = '`+string(inventory.AcceptingGift)+`') moves) x
		JOIN inventory n ON n.id = x.inventory_id JOIN openings o ON o.id = n.opening_id
		WHERE x.seller_id <> COALESCE(x.before, o.user_id)`)
}

func findItemMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each trade must have its entry's item", `
		SELECT 'trade ' || t.id, 'has item ' || t.item_id || ', but entry ' || n.id || ' has item ' || n.item_id
		FROM trades t JOIN inventory n ON n.id = t.inventory_id WHERE n.item_id <> t.item_id`)
}

func findUnknownValues(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each trade must have a value that its item had", `
		SELECT 'trade ' || t.id, 'has value ' || t.value_cents || ', but item ' || t.item_id || ' never had that value'
		FROM trades t WHERE NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = t.item_id AND v.value_cents = t.value_cents)`)
}

func findSoldListings(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "no listing may stay open after its sale", `
		SELECT 'inventory ' || n.id, 'is for sale with listing ' || t.listing_id || ', which trade ' || t.id || ' already sold'
		FROM inventory n JOIN trades t ON t.listing_id = n.listing_id WHERE n.state = '`+string(inventory.Listed)+`'`)
}

// PersonalData are the queries of a user's rows for their export. The other side isn't in it.
var PersonalData = []userrows.Query{
	{File: "trades", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("side"), userrows.Text("kind"), userrows.Text("itemEntryId"), userrows.Text("itemId"),
		userrows.Number("priceCents"), userrows.Number("feeCents"), userrows.Number("valueCents"), userrows.Text("yourBidId"), userrows.Time("createdAt")},
		SQL: `SELECT id, side, kind, inventory_id, item_id, price_cents, fee_cents, value_cents, bid, created_at FROM (
			SELECT *, 'sold' AS side, '' AS bid FROM trades WHERE seller_id = $1
			UNION ALL SELECT *, 'bought', COALESCE(CAST(bid_id AS TEXT), '') FROM trades WHERE buyer_id = $1) AS t ORDER BY created_at, id`},
}
