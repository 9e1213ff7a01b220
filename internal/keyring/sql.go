package keyring

import (
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/keys"
)

const selectUses = `SELECT in_use, retired FROM key_uses WHERE kind = $1`

func scanUses(s db.Scanner) (u Uses, err error) {
	var inUse, retired string
	if err := s.Scan(&inUse, &retired); err != nil {
		return u, err
	}
	u.InUse = strings.Fields(inUse)
	u.Retired, err = parseRetired(retired)
	return u, err
}

func queueUses(tx *db.Tx, kind keys.Kind) db.Queued[Uses] {
	return db.Queue(tx, scanUses, selectUses, string(kind))
}

func lockUses(tx *db.Tx, kind keys.Kind) (Uses, error) {
	return db.One(tx, scanUses, selectUses+tx.ForUpdate(), string(kind))
}

func insertUses(tx *db.Tx, kind keys.Kind, u Uses) error {
	_, err := tx.Exec(`INSERT INTO key_uses (kind, in_use, retired) VALUES ($1, $2, $3) ON CONFLICT (kind) DO NOTHING`, string(kind), strings.Join(u.InUse, " "), retiredText(u.Retired))
	return err
}

func updateUses(tx *db.Tx, kind keys.Kind, u Uses) error {
	return tx.ExecOne(`UPDATE key_uses SET in_use = $2, retired = $3 WHERE kind = $1`, string(kind), strings.Join(u.InUse, " "), retiredText(u.Retired))
}
