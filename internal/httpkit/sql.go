package httpkit

import "kaibao/internal/db"

// answerKey is whose key it is: keys of two users never meet.
type answerKey struct{ userID, key string }

// answer is what a key was answered with, and for which request.
type answer struct{ fingerprint, body []byte }

// findAnswers gives those of the keys that were answered before.
func findAnswers(tx *db.Tx, keys []answerKey) (map[answerKey]answer, error) {
	type row struct {
		answerKey
		answer
	}
	rows := db.Rows{Columns: []string{"user_id", "key"}}
	for _, k := range keys {
		rows.Add(k.userID, k.key)
	}
	scan := func(s db.Scanner) (r row, err error) {
		return r, s.Scan(&r.userID, &r.key, &r.fingerprint, &r.body)
	}
	found, err := db.AllWith(tx, scan, rows, `SELECT i.user_id, i.key, i.fingerprint, i.answer
		FROM v CROSS JOIN idempotency i WHERE i.user_id = v.user_id AND i.key = v.key`)
	answers := make(map[answerKey]answer, len(found))
	for _, r := range found {
		answers[r.answerKey] = r.answer
	}
	return answers, err
}

// storeAnswers keeps answers. A twin that committed first makes the transaction
// run again, which then finds the twin's answer.
func storeAnswers(tx *db.Tx, answers map[answerKey]answer) error {
	rows := db.Rows{Columns: []string{"user_id", "key", "fingerprint", "answer", "created_at"}}
	for k, a := range answers {
		rows.Add(k.userID, k.key, a.fingerprint, a.body, db.Micros(tx.Now))
	}
	return tx.UpsertRows("idempotency", rows, `(user_id, key) DO NOTHING`, db.ErrAgain)
}

// ForgetAnswers deletes some of the answers whose keys have expired, the oldest
// first, and says how many.
func ForgetAnswers(tx *db.Tx, most int) (int64, error) {
	return tx.Exec(`DELETE FROM idempotency WHERE (user_id, key) IN (
		SELECT user_id, key FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`,
		db.Micros(tx.Now.Add(-AnswerLifetime)), most)
}

// RecordAct keeps an admin's act, named by its operation, for good, and returns its
// id. AdminAct does it by itself; a call that is an admin's only sometimes does it here.
func RecordAct(tx *db.Tx, admin Principal, operation string, request *Idempotent) (id string, err error) {
	id = tx.NewID()
	_, err = tx.Exec(`INSERT INTO admin_acts (id, user_id, act, request, created_at) VALUES ($1, $2, $3, $4, $5)`,
		id, admin.UserID, operation, string(request.body), db.Micros(tx.Now))
	return id, err
}

var newestFirst = db.Order[AdminActView]{
	Keys:       []db.Key[AdminActView]{db.Text("a.id", func(a AdminActView) string { return a.ID })},
	Descending: true,
}

// adminActs lists what admins did.
func adminActs(tx *db.Tx, page *db.Selection[AdminActView]) ([]AdminActView, error) {
	scan := func(s db.Scanner) (a AdminActView, err error) {
		var request string
		var at int64
		err = s.Scan(&a.ID, &a.Act, &a.WalletAddress, &request, &at)
		a.Request, a.CreatedAt = []byte(request), Timestamp(db.Time(at))
		return a, err
	}
	return page.Rows(tx, scan, `SELECT a.id, a.act, u.wallet_address, a.request, a.created_at
		FROM admin_acts a JOIN users u ON u.id = a.user_id WHERE TRUE`)
}
