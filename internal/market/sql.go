package market

import (
	"kaibao/internal/audit"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

func record(tx *db.Tx, s Sale) error {
	_, err := tx.Exec(`INSERT INTO sales (listing_id, inventory_id, item_id, seller_id, buyer_id, price_cents, fee_cents, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.ListingID, s.ID, s.Item.ID, s.Owner, s.Buyer, s.SalePrice, s.Fee, db.Micros(tx.Now))
	return err
}

// wasSold tells whether a listing of an entry ended with its sale.
func wasSold(tx *db.Tx, listing, entry string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM sales WHERE listing_id = $1 AND inventory_id = $2)`, listing, entry)
}

func unpaid(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "every sale is paid", `
		SELECT 'sale ' || COALESCE(s.listing_id, t.ref, f.ref), 'price ' || COALESCE(s.price_cents, 0) || ' and fee ' || COALESCE(s.fee_cents, 0) ||
			', paid ' || COALESCE(t.amount_cents, 0) || ' and ' || COALESCE(f.amount_cents, 0)
		FROM sales s
		FULL JOIN (SELECT * FROM transfers WHERE kind = $1) t ON t.ref = s.listing_id
		FULL JOIN (SELECT * FROM transfers WHERE kind = $2) f ON f.ref = s.listing_id
		WHERE s.listing_id IS NULL OR t.id IS NULL OR t.amount_cents <> s.price_cents OR t.debit <> s.buyer_id OR t.credit <> s.seller_id
			OR COALESCE(f.amount_cents, 0) <> s.fee_cents OR f.debit <> s.seller_id OR f.transaction_id <> t.transaction_id
			OR t.created_at <> s.created_at OR f.created_at <> s.created_at`, ledger.KindSale, ledger.KindSaleFee)
}

// traded are the entries that were ever sold.
const traded = `(SELECT n.id, n.item_id, n.user_id, n.opening_id, n.acquired_from, n.acquired_at
	FROM inventory n JOIN (SELECT DISTINCT inventory_id FROM sales) x ON x.inventory_id = n.id)`

// astray follows entries from hand to hand. Clocks of several nodes may differ, so
// it asks for no order: who got an entry as often as they gave it away has it no
// more, and nobody else has it.
func astray(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an entry is its last buyer's", `
		WITH traded AS `+traded+`,
		hands AS (SELECT t.id, o.user_id AS person, 1 AS came FROM traded t JOIN openings o ON o.id = t.opening_id
			UNION ALL SELECT inventory_id, buyer_id, 1 FROM sales
			UNION ALL SELECT inventory_id, seller_id, -1 FROM sales
			UNION ALL SELECT id, user_id, -1 FROM traded)
		SELECT 'inventory ' || id, 'user ' || person || ' has it ' || -SUM(came) || ' times more than came by it'
		FROM hands GROUP BY id, person HAVING SUM(came) <> 0`)
}

// unmoved are the entries that nobody bought: they are with who pulled them.
func unmoved(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an entry that was never sold is with who pulled it", `
		SELECT 'inventory ' || n.id, 'is with ' || n.user_id || ' from ' || n.acquired_from || ' at ' || n.acquired_at ||
			', ' || o.user_id || ' pulled it at ' || o.created_at
		FROM inventory n JOIN openings o ON o.id = n.opening_id LEFT JOIN (SELECT DISTINCT inventory_id FROM sales) x ON x.inventory_id = n.id
		WHERE x.inventory_id IS NULL AND (n.user_id <> o.user_id OR n.acquired_from <> $1 OR n.acquired_at <> o.created_at)`,
		string(collection.FromPack))
}

// misread are entries that do not say how their owner came by them.
func misread(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an entry that was sold says when", `
		SELECT 'inventory ' || n.id, 'from ' || n.acquired_from || ' at ' || n.acquired_at || ', there is no such sale'
		FROM `+traded+` n LEFT JOIN sales s ON s.inventory_id = n.id AND s.buyer_id = n.user_id AND s.created_at = n.acquired_at
		WHERE s.listing_id IS NULL OR n.acquired_from <> $1`, string(collection.FromMarket))
}

func mistaken(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a sale is of its entry, and ends its listing", `
		SELECT 'sale ' || s.listing_id, 'of item ' || s.item_id || ', the entry ' || n.id || ' is of ' || n.item_id
		FROM sales s JOIN inventory n ON n.id = s.inventory_id WHERE n.item_id <> s.item_id
		UNION ALL
		SELECT 'inventory ' || n.id, 'is for sale under listing ' || s.listing_id || ', which was sold'
		FROM inventory n JOIN sales s ON s.listing_id = n.listing_id WHERE n.state = '`+string(collection.Listed)+`'`)
}
