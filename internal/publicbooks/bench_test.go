package publicbooks

import (
	"context"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
)

// user owns all entries; the only open has the same id.
var user = dbtest.ID("user")

// fill inserts a million transfers, two thirds of them prices of opens, and a million owned entries
// of 500 items, over the year that ends now. id is an SQL expression for an id made of ms and n.
func fill(id string) []string {
	return []string{
		`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ('` + user + `', 'u', 'u', '', 0)`,
		`INSERT INTO accounts (user_id, balance_cents, nonce, commitment, sealed_seed) VALUES ('` + user + `', 0, 0, '', '')`,
		`INSERT INTO packs (id, position, name, description_en, description_zh, series, price_cents, cover_image_url, items_per_pack, supply, is_active,
			is_new, is_demo, listed_expected_value_cents, odds_unit, definition, created_at)
			VALUES ('p', 1, 'p', '', '', '[]', 2500, '', 1, -1, TRUE, FALSE, FALSE, 0, 1, '{}', 0)`,
		`INSERT INTO manifests (hash, pack_id, body) VALUES ('h', 'p', '')`,
		`INSERT INTO openings (id, user_id, pack_id, manifest_hash, nonce, next_commitment, server_seed, client_seed, price_cents, total_value_cents, draw_seq, created_at)
			VALUES ('` + user + `', '` + user + `', 'p', 'h', 0, '', '', '', 2500, 0, 0, 0)`,
		`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500)
			INSERT INTO items (id, series, name, search, rarity, grader, cert_number, image_url, base_value_cents, created_at)
			SELECT 'item-' || n, 's', 'i', '', 'Common', '', '', '', n, 0 FROM n`,
		`INSERT INTO valuations (item_id, number, value_cents, source, reason, created_at, carried_at) SELECT id, 1, base_value_cents, '', '', 0, 0 FROM items`,
		`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000000)
			INSERT INTO inventory (id, user_id, item_id, opening_id, position, pulled_value_cents, sell_back_floor_cents, sell_back_until, acquired_from, acquired_at)
			SELECT ` + id + `, '` + user + `', 'item-' || (1 + n % 500), '` + user + `', n, n % 500, 10 + n % 500,
				CASE WHEN n > 990000 THEN 9000000000000000 ELSE 0 END, 'pack', 0 FROM (SELECT n, 0 AS ms FROM n) AS y`,
	}
}

func transfers(id string) string {
	return `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000000)
		INSERT INTO transfers (id, debit, credit, amount_cents, kind, ref, created_at)
		SELECT ` + id + `, CASE WHEN n % 3 = 0 THEN 'house:returns' ELSE '` + user + `' END, CASE WHEN n % 3 = 0 THEN '` + user + `' ELSE 'house:packs' END, 2500,
			CASE WHEN n % 3 = 0 THEN 'sell-back' ELSE 'open' END, ` + id + `, ms * 1000
		FROM (SELECT n, CAST($1 AS BIGINT) + CAST(n AS BIGINT) * 31536 AS ms FROM n) AS y`
}

// BenchmarkBooks measures the parts of the books with a million transfers. BenchmarkBooks/today
// measures the transfers that remain if all earlier days are closed.
func BenchmarkBooks(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		b.Run(engine, func(b *testing.B) {
			o := dbtest.Options(b, engine)
			o.CallTime = time.Hour
			d := dbtest.Open(b, o)
			end := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
			id := `printf('%08x-%04x-7000-8000-%012x', (ms >> 16), (ms & 65535), n)`
			if d.Engine() == "postgres" {
				id = `CAST(LPAD(TO_HEX(ms >> 16), 8, '0') || '-' || LPAD(TO_HEX(ms & 65535), 4, '0') || '-7000-8000-' || LPAD(TO_HEX(n), 12, '0') AS UUID)`
			}
			err := d.InTx(context.Background(), func(tx *db.Tx) error {
				for _, statement := range fill(id) {
					if _, err := tx.Exec(statement); err != nil {
						return err
					}
				}
				_, err := tx.Exec(transfers(id), end.AddDate(-1, 0, 0).UnixMilli())
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			parts := map[string]func(*db.Tx) error{
				"all transfers": func(tx *db.Tx) error { _, err := ledger.TotalsBetween(tx, time.UnixMilli(0), time.Time{}); return err },
				"today": func(tx *db.Tx) error {
					_, err := ledger.TotalsBetween(tx, end.AddDate(0, 0, -1), time.Time{})
					return err
				},
				"all entries": func(tx *db.Tx) error {
					_, err := inventory.CountChanges(tx, time.UnixMilli(0), time.Time{})
					return err
				},
				"books": func(tx *db.Tx) error { _, err := computeBooks(tx); return err },
			}
			for name, part := range parts {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						if err := d.Inspect(b.Context(), part); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
