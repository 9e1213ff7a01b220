package playstats

import (
	"time"

	"kaibao/internal/db"
)

// opensByManifest sums a user's opens since a time, by manifest.
func opensByManifest(tx *db.Tx, user string, since time.Time) ([]group, error) {
	scan := func(s db.Scanner) (g group, err error) {
		var hash []byte
		err = s.Scan(&hash, &g.opens, &g.drawn)
		copy(g.manifest[:], hash)
		return g, err
	}
	return db.All(tx, scan, `SELECT manifest_hash, COUNT(*), CAST(SUM(total_value_cents) AS BIGINT) FROM openings
		WHERE user_id = $1 AND created_at >= $2 GROUP BY manifest_hash`, user, db.Micros(since))
}

// sessionGap is the gap between opens that ends a playing session.
const sessionGap = 15 * time.Minute

// findFigures returns what a user spent and got back since a time, and how long they played. For a
// trade it uses the stored back_cents; older trades without it count with their full proceeds, if
// the seller had pulled the item.
func findFigures(tx *db.Tx, user string, since time.Time) (OwnFigures, error) {
	scan := func(s db.Scanner) (f OwnFigures, err error) {
		var micros int64
		err = s.Scan(&f.Opens, &f.SpentCents, &micros, &f.BackCents)
		f.Minutes = int64(time.Duration(micros) * time.Microsecond / time.Minute)
		return f, err
	}
	return db.One(tx, scan, `SELECT o.number, o.spent, o.micros, t.back FROM
		(SELECT COUNT(*) AS number, CAST(COALESCE(SUM(price_cents), 0) AS BIGINT) AS spent,
			CAST(COALESCE(SUM(CASE WHEN created_at - before <= $3 THEN created_at - before ELSE 0 END), 0) AS BIGINT) AS micros
			FROM (SELECT price_cents, created_at, LAG(created_at) OVER (ORDER BY nonce) AS before FROM (
				SELECT price_cents, created_at, nonce FROM openings WHERE user_id = $1 AND created_at >= $2
				UNION ALL SELECT price_cents, created_at, nonce FROM orders WHERE user_id = $1 AND created_at >= $2 AND state = 'sealed') paid) x) o,
		(SELECT CAST(COALESCE(SUM(COALESCE(t.back_cents, CASE WHEN o.user_id = t.seller_id THEN t.price_cents - t.fee_cents ELSE 0 END)), 0) AS BIGINT) AS back
			FROM trades t JOIN inventory n ON n.id = t.inventory_id JOIN openings o ON o.id = n.opening_id
			WHERE t.seller_id = $1 AND t.created_at >= $2) t`, user, db.Micros(since), sessionGap.Microseconds())
}
