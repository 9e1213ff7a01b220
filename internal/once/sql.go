package once

import "kaibao/internal/db"

// place is where an answer is kept.
type place struct {
	owner Owner
	key   string
}

func (r Request) place() place { return place{r.Owner, r.Key} }

// answer is what a key was answered with, and for which request.
type answer struct{ fingerprint, body []byte }

// find gives the answers of those of the requests whose keys were used before.
func find(tx *db.Tx, requests []Request) (map[place]answer, error) {
	type row struct {
		place
		answer
	}
	rows := db.Rows{Columns: []string{"owner", "key"}}
	for _, r := range requests {
		rows.Add(string(r.Owner), r.Key)
	}
	scan := func(s db.Scanner) (r row, err error) {
		return r, s.Scan(&r.owner, &r.key, &r.fingerprint, &r.body)
	}
	found, err := db.AllWith(tx, scan, rows, `SELECT i.owner, i.key, i.fingerprint, i.answer
		FROM v CROSS JOIN idempotency i WHERE i.owner = v.owner AND i.key = v.key`)
	answers := make(map[place]answer, len(found))
	for _, r := range found {
		answers[r.place] = r.answer
	}
	return answers, err
}

// keep stores answers. A twin that committed first makes the transaction run again,
// which then finds the twin's answer.
func keep(tx *db.Tx, answers map[place]answer) error {
	rows := db.Rows{Columns: []string{"owner", "key", "fingerprint", "answer", "created_at"}}
	for p, a := range answers {
		rows.Add(string(p.owner), p.key, a.fingerprint, a.body, db.Micros(tx.Now))
	}
	return tx.UpsertRows("idempotency", rows, `(owner, key) DO NOTHING`, db.ErrAgain)
}

// forget deletes some of the answers that are older than their Lifetime, the oldest
// first, and says how many.
func forget(tx *db.Tx, most int) (int64, error) {
	return tx.Exec(`DELETE FROM idempotency WHERE (owner, key) IN (
		SELECT owner, key FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(tx.Now.Add(-Lifetime)), most)
}
