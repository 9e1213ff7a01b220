package board

import "kaibao/internal/db"

func scanActivity(s db.Scanner) (a Activity, err error) {
	var at int64
	i := &a.Best.Item
	err = s.Scan(&a.ID, &a.FirstName, &a.PackID, &a.PackName, &at, &a.Best.Value,
		&i.ID, &i.Name, &i.Series, &i.Rarity, &i.GradeTenths, &i.CertType, &i.CertNumber, &i.ImageURL)
	a.At = db.Time(at)
	return a, err
}

// recent lists the latest opens. Their ids are in the order of time, so the
// primary key finds them.
func recent(tx *db.Tx, limit int) ([]Activity, error) {
	return db.All(tx, scanActivity, `SELECT o.id, u.first_name, p.id, p.name, o.created_at, n.pulled_value_cents,
		i.id, i.name, i.series, i.rarity, COALESCE(i.grade_tenths, 0), i.cert_type, i.cert_number, i.image_url
		FROM (SELECT id, user_id, pack_id, created_at FROM openings ORDER BY id DESC LIMIT $1) o
		JOIN users u ON u.id = o.user_id JOIN packs p ON p.id = o.pack_id
		JOIN inventory n ON n.opening_id = o.id AND n.position = (SELECT b.position FROM inventory b
			WHERE b.opening_id = o.id ORDER BY b.pulled_value_cents DESC, b.position LIMIT 1)
		JOIN items i ON i.id = n.item_id ORDER BY o.id DESC`, limit)
}
