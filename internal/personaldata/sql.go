package personaldata

import (
	"errors"

	"kaibao/internal/db"
)

func saveChallenge(tx *db.Tx, user string, c challenge) error {
	return tx.ExecOne(`INSERT INTO data_challenges (user_id, purpose, session_hash, nonce, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id) DO UPDATE SET purpose = excluded.purpose, session_hash = excluded.session_hash, nonce = excluded.nonce,
		issued_at = excluded.issued_at, expires_at = excluded.expires_at`,
		user, string(c.purpose), c.session[:], c.nonce, db.Micros(c.issuedAt), db.Micros(c.expiresAt))
}

// consumeChallenge deletes and returns the user's challenge, or returns db.ErrNoRow.
func consumeChallenge(tx *db.Tx, user string) (challenge, error) {
	scan := func(s db.Scanner) (c challenge, err error) {
		var session []byte
		var issued, expires int64
		err = s.Scan(&c.purpose, &session, &c.nonce, &issued, &expires)
		copy(c.session[:], session)
		c.issuedAt, c.expiresAt = db.Time(issued), db.Time(expires)
		return c, err
	}
	return db.One(tx, scan, `DELETE FROM data_challenges WHERE user_id = $1 RETURNING purpose, session_hash, nonce, issued_at, expires_at`, user)
}

func insertPermission(tx *db.Tx, p permission) error {
	return tx.ExecOne(`INSERT INTO data_exports (id, user_id, session_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
		p.id, p.user, p.session[:], db.Micros(tx.Now), db.Micros(tx.Now.Add(fetchable)))
}

// takePermission marks a valid permission as used.
func takePermission(tx *db.Tx, p permission) error {
	err := tx.ExecOne(`UPDATE data_exports SET fetched_at = $4 WHERE id = $1 AND user_id = $2 AND session_hash = $3 AND fetched_at IS NULL AND expires_at > $4`,
		p.id, p.user, p.session[:], db.Micros(tx.Now))
	if errors.Is(err, db.ErrNoRow) {
		err = errNoExport
	}
	return err
}

// returnPermission makes a permission valid again after its archive couldn't be built.
func returnPermission(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE data_exports SET fetched_at = NULL WHERE id = $1`, id)
	return err
}

// deleteRequests deletes a user's challenge and permissions.
func deleteRequests(tx *db.Tx, user string) error {
	if _, err := tx.Exec(`DELETE FROM data_challenges WHERE user_id = $1`, user); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM data_exports WHERE user_id = $1`, user)
	return err
}

// deleteOldPermissions deletes up to limit expired permissions and returns their number.
func deleteOldPermissions(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM data_exports WHERE id IN (
		SELECT id FROM data_exports WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.Micros(tx.Now), limit)
}

// deleteOldChallenges deletes up to limit expired challenges and returns their number.
func deleteOldChallenges(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM data_challenges WHERE user_id IN (
		SELECT user_id FROM data_challenges WHERE expires_at <= $1 LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.Micros(tx.Now), limit)
}
