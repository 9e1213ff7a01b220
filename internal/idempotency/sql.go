package idempotency

import (
	"crypto/sha256"
	"maps"
	"slices"

	"kaibao/internal/db"
)

// place is the primary key of a stored answer, a truncated SHA-256. Nobody can find two keys with
// the same place, nor the key of a place.
type place [16]byte

func (r Request) place() place {
	sum := sha256.Sum256([]byte(string(r.Owner) + "\n" + r.Key))
	return place(sum[:])
}

// answer is a stored answer, with the fingerprint of its request.
type answer struct{ fingerprint, body []byte }

// find returns the stored answers of requests whose keys were used before.
func find(tx *db.Tx, requests []Request) (map[place]answer, error) {
	type row struct {
		place
		answer
	}
	rows := db.Rows{Columns: []string{"place"}}
	for _, r := range requests {
		p := r.place()
		rows.Add(p[:])
	}
	scan := func(s db.Scanner) (r row, err error) {
		var at []byte
		err = s.Scan(&at, &r.fingerprint, &r.body)
		copy(r.place[:], at)
		return r, err
	}
	found, err := db.AllWith(tx, scan, rows, `SELECT i.place, i.fingerprint, i.answer
		FROM v CROSS JOIN idempotency i WHERE i.place = v.place`)
	answers := make(map[place]answer, len(found))
	for _, r := range found {
		answers[r.place] = r.answer
	}
	return answers, err
}

// settle makes a transaction that only read stored answers wait at commit for synchronous standbys,
// as a writing one does. If the first commit's wait was cut short, the answer may not be on the
// standby yet. Locking one row is enough.
func settle(tx *db.Tx, kept map[place]answer) error {
	places := slices.Collect(maps.Keys(kept))
	if len(places) == 0 {
		return nil
	}
	_, err := db.All(tx, db.Column[int64], `SELECT 1 FROM idempotency WHERE place = $1`+tx.ForShare(), places[0][:])
	return err
}

// keep stores answers. If a concurrent retry committed first, the transaction runs again and then
// finds its answer.
func keep(tx *db.Tx, answers map[place]answer) error {
	rows := db.Rows{Columns: []string{"place", "fingerprint", "answer", "created_at"}}
	for p, a := range answers {
		rows.Add(p[:], a.fingerprint, a.body, db.Micros(tx.Now))
	}
	return tx.UpsertRows("idempotency", rows, `(place) DO NOTHING`, db.ErrAgain)
}

// forget deletes expired answers, the oldest first, and returns how many.
func forget(tx *db.Tx, most int) (int64, error) {
	return tx.Exec(`DELETE FROM idempotency WHERE place IN (
		SELECT place FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(tx.Now.Add(-Lifetime)), most)
}
