package idempotency

import (
	"crypto/sha256"
	"maps"
	"slices"

	"kaibao/internal/db"
)

// keyHash is the primary key of a stored response, a truncated SHA-256. Nobody can find two keys
// with the same hash, nor the key of a hash. The column is called place.
type keyHash [16]byte

func (r Request) keyHash() keyHash {
	sum := sha256.Sum256([]byte(string(r.Owner) + "\n" + r.Key))
	return keyHash(sum[:])
}

// storedResponse is a stored response, with the fingerprint of its request.
type storedResponse struct{ fingerprint, body []byte }

// find returns the stored responses of requests whose keys were used before.
func find(tx *db.Tx, requests []Request) (map[keyHash]storedResponse, error) {
	type row struct {
		keyHash
		storedResponse
	}
	rows := db.Rows{Columns: []string{"place"}}
	for _, r := range requests {
		hash := r.keyHash()
		rows.Add(hash[:])
	}
	scan := func(s db.Scanner) (r row, err error) {
		var hash []byte
		err = s.Scan(&hash, &r.fingerprint, &r.body)
		copy(r.keyHash[:], hash)
		return r, err
	}
	found, err := db.AllWith(tx, scan, rows, `SELECT i.place, i.fingerprint, i.answer
		FROM v CROSS JOIN idempotency i WHERE i.place = v.place`)
	responses := make(map[keyHash]storedResponse, len(found))
	for _, r := range found {
		responses[r.keyHash] = r.storedResponse
	}
	return responses, err
}

// waitForReplication makes a transaction that only read stored responses wait at commit for
// synchronous standbys, as a writing one does. If the first commit's wait was cut short, the
// response may not be on the standby yet. Locking one row is enough.
func waitForReplication(tx *db.Tx, kept map[keyHash]storedResponse) error {
	hashes := slices.Collect(maps.Keys(kept))
	if len(hashes) == 0 {
		return nil
	}
	_, err := db.All(tx, db.Column[int64], `SELECT 1 FROM idempotency WHERE place = $1`+tx.ForShare(), hashes[0][:])
	return err
}

// store stores responses. If a concurrent retry committed first, the transaction runs again and
// then finds its response.
func store(tx *db.Tx, responses map[keyHash]storedResponse) error {
	rows := db.Rows{Columns: []string{"place", "fingerprint", "answer", "created_at"}}
	for hash, r := range responses {
		rows.Add(hash[:], r.fingerprint, r.body, db.Micros(tx.Now))
	}
	return tx.UpsertRows("idempotency", rows, `(place) DO NOTHING`, db.ErrAgain)
}

// deleteExpired deletes expired responses, the oldest first, and returns how many.
func deleteExpired(tx *db.Tx, most int) (int64, error) {
	return tx.Exec(`DELETE FROM idempotency WHERE place IN (
		SELECT place FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(tx.Now.Add(-KeyLifetime)), most)
}
