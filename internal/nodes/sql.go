package nodes

import (
	"encoding/json"
	"time"

	"kaibao/internal/db"
)

func save(tx *db.Tx, n Node) error {
	keys, err := keysText(n.Keys)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO nodes (id, host, process, address, version, keys, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, seen_at = excluded.seen_at`,
		n.ID, n.Host, n.Process, n.Address, n.Version, keys, db.Micros(n.StartedAt), db.Micros(n.SeenAt))
	return err
}

func seenSince(tx *db.Tx, at time.Time) ([]Node, error) {
	scan := func(s db.Scanner) (n Node, err error) {
		var keys string
		var started, seen int64
		if err := s.Scan(&n.ID, &n.Host, &n.Process, &n.Address, &n.Version, &keys, &started, &seen); err != nil {
			return n, err
		}
		n.StartedAt, n.SeenAt = db.Time(started), db.Time(seen)
		return n, json.Unmarshal([]byte(keys), &n.Keys)
	}
	return db.All(tx, scan, `SELECT id, host, process, address, version, keys, started_at, seen_at FROM nodes WHERE seen_at >= $1 ORDER BY started_at, id`, db.Micros(at))
}

func deleteUnseen(tx *db.Tx, since time.Time) error {
	_, err := tx.Exec(`DELETE FROM nodes WHERE seen_at < $1`, db.Micros(since))
	return err
}

func deleteNode(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM nodes WHERE id = $1`, id)
	return err
}

func deleteAll(tx *db.Tx) error {
	_, err := tx.Exec(`DELETE FROM nodes`)
	return err
}
