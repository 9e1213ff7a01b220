package market

import (
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

func record(tx *db.Tx, s Sale) error {
	_, err := tx.Exec(`INSERT INTO sales (listing_id, inventory_id, item_id, seller_id, buyer_id, price_cents, fee_cents, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.ListingID, s.ID, s.Item.ID, s.Owner, s.Buyer, s.SalePrice, s.Fee, db.Micros(tx.Now))
	return err
}

func unpaid(tx *db.Tx) ([]ledger.Breach, error) {
	scan := func(s db.Scanner) (b ledger.Breach, err error) {
		b.Rule = "every sale is paid"
		return b, s.Scan(&b.Row, &b.Detail)
	}
	return db.All(tx, scan, `
		SELECT 'sale ' || COALESCE(s.listing_id, t.ref, f.ref), 'price ' || COALESCE(s.price_cents, 0) || ' and fee ' || COALESCE(s.fee_cents, 0) ||
			', paid ' || COALESCE(t.amount_cents, 0) || ' and ' || COALESCE(f.amount_cents, 0)
		FROM sales s
		FULL JOIN (SELECT * FROM transfers WHERE kind = $1) t ON t.ref = s.listing_id
		FULL JOIN (SELECT * FROM transfers WHERE kind = $2) f ON f.ref = s.listing_id
		WHERE s.listing_id IS NULL OR t.id IS NULL OR t.amount_cents <> s.price_cents OR t.debit <> s.buyer_id OR t.credit <> s.seller_id
			OR COALESCE(f.amount_cents, 0) <> s.fee_cents OR f.debit <> s.seller_id OR f.credit <> $3`,
		saleKind, feeKind, string(ledger.Fees))
}
