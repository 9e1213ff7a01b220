package httpkit

import (
	"errors"

	"kaibao/internal/db"
)

// answer is what a key was answered with, and for which request.
type answer struct {
	fingerprint, answer []byte
}

// findAnswer gives nil when the key is new.
func findAnswer(tx *db.Tx, userID, key string) (*answer, error) {
	scan := func(s db.Scanner) (a answer, err error) {
		return a, s.Scan(&a.fingerprint, &a.answer)
	}
	a, err := db.One(tx, scan, `SELECT fingerprint, answer FROM idempotency WHERE user_id = $1 AND key = $2`, userID, key)
	switch {
	case errors.Is(err, db.ErrNoRow):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &a, nil
}

// storeAnswer keeps an answer. A twin that committed first makes the
// transaction run again, which then finds the twin's answer.
func storeAnswer(tx *db.Tx, userID, key string, a answer) error {
	n, err := tx.Exec(`INSERT INTO idempotency (user_id, key, fingerprint, answer, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, key) DO NOTHING`,
		userID, key, a.fingerprint, a.answer, db.Micros(tx.Now))
	if err == nil && n == 0 {
		return db.ErrAgain
	}
	return err
}

// ForgetAnswers deletes the answers whose keys have expired.
func ForgetAnswers(tx *db.Tx) error {
	_, err := tx.Exec(`DELETE FROM idempotency WHERE created_at < $1`, db.Micros(tx.Now.Add(-AnswerLifetime)))
	return err
}
