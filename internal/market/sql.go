package market

import (
	"kaibao/internal/audit"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/ledger"
)

func record(tx *db.Tx, sales []Sale) error {
	rows := db.Rows{Columns: []string{"listing_id", "inventory_id", "item_id", "seller_id", "buyer_id", "price_cents", "fee_cents", "created_at"}}
	for _, s := range sales {
		rows.Add(db.ID(s.ListingID), db.ID(s.ID), s.Item.ID, db.ID(s.Owner), db.ID(s.Buyer), s.SalePrice, s.Fee, db.Micros(tx.Now))
	}
	return tx.InsertRows("sales", rows)
}

// meant is a listing of an entry.
type meant struct{ listing, entry string }

// soldOf gives those of some listings that ended with their entry's sale.
func soldOf(tx *db.Tx, listings []meant) (map[meant]bool, error) {
	rows := db.Rows{Columns: []string{"listing", "entry"}}
	for _, m := range listings {
		rows.Add(db.ID(m.listing), db.ID(m.entry))
	}
	scan := func(s db.Scanner) (m meant, err error) { return m, s.Scan(&m.listing, &m.entry) }
	found, err := db.AllWith(tx, scan, rows, `SELECT s.listing_id, s.inventory_id
		FROM v CROSS JOIN sales s WHERE s.listing_id = v.listing AND s.inventory_id = v.entry`)
	sold := map[meant]bool{}
	for _, m := range found {
		sold[m] = true
	}
	return sold, err
}

// lastSales lists the last sales of an item.
func lastSales(tx *db.Tx, item string, most int) ([]SaleView, error) {
	scan := func(s db.Scanner) (v SaleView, err error) {
		var at int64
		err = s.Scan(&v.PriceCents, &at)
		v.At = httpkit.Timestamp(db.Time(at))
		return v, err
	}
	return db.All(tx, scan, `SELECT price_cents, created_at FROM sales WHERE item_id = $1 ORDER BY created_at DESC, listing_id LIMIT $2`, item, most)
}

// newestListings is the order of the primary key: ids of listings are in that of time.
var newestListings = db.Order[AdminSale]{
	Keys:       []db.Key[AdminSale]{db.Text("s.listing_id", func(s AdminSale) string { return s.ListingID })},
	Descending: true,
}

func allSales(tx *db.Tx, page *db.Selection[AdminSale]) ([]AdminSale, error) {
	scan := func(s db.Scanner) (v AdminSale, err error) {
		var at int64
		err = s.Scan(&v.ListingID, &v.InventoryID, &v.ItemID, &v.ItemName, &v.Seller, &v.Buyer, &v.PriceCents, &v.FeeCents, &at)
		v.CreatedAt = httpkit.Timestamp(db.Time(at))
		return v, err
	}
	return page.Rows(tx, scan, `SELECT s.listing_id, s.inventory_id, s.item_id, i.name, u.wallet_address, b.wallet_address, s.price_cents, s.fee_cents, s.created_at
		FROM sales s JOIN items i ON i.id = s.item_id JOIN users u ON u.id = s.seller_id JOIN users b ON b.id = s.buyer_id WHERE TRUE`)
}

func unpaid(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every sale is paid", `
		SELECT 'sale ' || COALESCE(s.listing_id, t.ref, f.ref), 'price ' || COALESCE(s.price_cents, 0) || ' and fee ' || COALESCE(s.fee_cents, 0) ||
			', paid ' || COALESCE(t.amount_cents, 0) || ' and ' || COALESCE(f.amount_cents, 0)
		FROM sales s
		FULL JOIN (SELECT * FROM transfers WHERE kind = $1) t ON t.ref = s.listing_id
		FULL JOIN (SELECT * FROM transfers WHERE kind = $2) f ON f.ref = s.listing_id
		WHERE s.listing_id IS NULL OR t.id IS NULL OR t.amount_cents <> s.price_cents OR t.debit <> CAST(s.buyer_id AS TEXT) OR t.credit <> CAST(s.seller_id AS TEXT)
			OR COALESCE(f.amount_cents, 0) <> s.fee_cents OR f.debit <> CAST(s.seller_id AS TEXT)
			OR t.created_at <> s.created_at OR f.created_at <> s.created_at`, ledger.KindSale, ledger.KindSaleFee)
}

// untold compares the sales with what the lives of their entries tell, both ways; who
// sells is who bought before, or pulled.
func untold(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a sale stands in its entry's life", `
		SELECT 'sale ' || COALESCE(CAST(s.listing_id AS TEXT), e.ref), 'of ' || COALESCE(s.inventory_id, e.inventory_id) || ' for ' || COALESCE(s.price_cents, 0) ||
			' from ' || COALESCE(CAST(s.seller_id AS TEXT), 'nobody') || ' to ' || COALESCE(CAST(s.buyer_id AS TEXT), 'nobody') || ', the life has ' ||
			COALESCE(e.price_cents, 0) || ' from ' || COALESCE(e.seller, 'nobody') || ' to ' || COALESCE(e.by_whom, 'nobody')
		FROM sales s FULL JOIN (
			SELECT b.*, COALESCE(LAG(b.by_whom) OVER (PARTITION BY b.inventory_id ORDER BY b.number), CAST(o.user_id AS TEXT)) AS seller
			FROM entry_events b JOIN inventory n ON n.id = b.inventory_id JOIN openings o ON o.id = n.opening_id WHERE b.act = $1) e
			ON e.ref = CAST(s.listing_id AS TEXT)
		WHERE s.listing_id IS NULL OR e.ref IS NULL OR e.inventory_id <> s.inventory_id OR e.by_whom <> CAST(s.buyer_id AS TEXT) OR e.seller <> CAST(s.seller_id AS TEXT)
			OR e.price_cents <> s.price_cents OR e.created_at <> s.created_at`, string(collection.Buying))
}

func mistaken(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a sale is of its entry, and ends its listing", `
		SELECT 'sale ' || s.listing_id, 'of item ' || s.item_id || ', the entry ' || n.id || ' is of ' || n.item_id
		FROM sales s JOIN inventory n ON n.id = s.inventory_id WHERE n.item_id <> s.item_id
		UNION ALL
		SELECT 'inventory ' || n.id, 'is for sale under listing ' || s.listing_id || ', which was sold'
		FROM inventory n JOIN sales s ON s.listing_id = n.listing_id WHERE n.state = '`+string(collection.Listed)+`'`)
}
