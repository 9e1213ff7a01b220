package sandbox

import (
	"time"

	"kaibao/internal/db"
)

func insertCharge(tx *db.Tx, c charge) error {
	return tx.ExecOne(`INSERT INTO sandbox_charges (token, id, deposit_id, amount_cents, lamports, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		c.token, c.id, c.depositID, int64(c.amount), c.lamports, db.Micros(c.createdAt), db.Micros(c.expiresAt))
}

const selectCharges = `SELECT token, id, deposit_id, amount_cents, lamports, created_at, expires_at, state,
	COALESCE(transaction_id, ''), COALESCE(signature, ''), COALESCE(payer, ''), moved_lamports, COALESCE(acted_at, 0) FROM sandbox_charges`

func scanCharge(s db.Scanner) (c charge, err error) {
	var created, expires, acted int64
	err = s.Scan(&c.token, &c.id, &c.depositID, &c.amount, &c.lamports, &created, &expires, &c.state,
		&c.transaction, &c.signature, &c.payer, &c.receivedLamports, &acted)
	c.createdAt, c.expiresAt, c.actedAt = db.Time(created), db.Time(expires), db.Time(acted)
	return c, err
}

// findCharge returns a charge by token, or db.ErrNoRow. lock is a locking clause or "".
func findCharge(tx *db.Tx, token, lock string) (charge, error) {
	return db.One(tx, scanCharge, selectCharges+` WHERE token = $1`+lock, token)
}

func chargesBySignature(tx *db.Tx, signature string) ([]charge, error) {
	return db.All(tx, scanCharge, selectCharges+` WHERE signature = $1`, signature)
}

// chargesBetween returns the charges whose transaction is in [from, to).
func chargesBetween(tx *db.Tx, from, to time.Time) ([]charge, error) {
	return db.All(tx, scanCharge, selectCharges+` WHERE acted_at >= $1 AND acted_at < $2 ORDER BY acted_at, token`, db.Micros(from), db.Micros(to))
}

// updateCharge stores the result of an action.
func updateCharge(tx *db.Tx, c charge) error {
	return tx.ExecOne(`UPDATE sandbox_charges SET state = $2, transaction_id = $3, signature = $4, payer = $5, moved_lamports = $6, acted_at = $7
		WHERE token = $1`, c.token, string(c.state), c.transaction, c.signature, c.payer, c.receivedLamports, db.Micros(c.actedAt))
}

// ListPayments returns the payments according to the fake provider, by deposit, for the audit.
func ListPayments(tx *db.Tx) ([]Payment, error) {
	scan := func(s db.Scanner) (p Payment, err error) {
		c, err := scanCharge(s)
		return Payment{
			ID: c.transaction, Deposit: c.depositID, Charge: c.token, Signature: c.signature,
			Amount: c.amount, Owed: c.net(), Received: c.receivedLamports - c.fee(), At: c.actedAt,
		}, err
	}
	return db.All(tx, scan, selectCharges+` WHERE state = $1 ORDER BY deposit_id, token`, string(paid))
}

func insertWebhooks(tx *db.Tx, token string, copies int, at time.Time) error {
	rows := db.Rows{Columns: []string{"id", "charge_token", "due_at"}}
	for range copies {
		rows.Add(tx.NewID(), token, db.Micros(at))
	}
	return tx.InsertRows("sandbox_webhooks", rows)
}

// nextDueWebhook returns the next due webhook, or db.ErrNoRow. lock is a locking clause or "".
func nextDueWebhook(tx *db.Tx, newest bool, lock string) (webhook, error) {
	order := ` ORDER BY due_at, id LIMIT 1`
	if newest {
		order = ` ORDER BY due_at DESC, id DESC LIMIT 1`
	}
	scan := func(s db.Scanner) (h webhook, err error) {
		err = s.Scan(&h.id, &h.token, &h.tries)
		return h, err
	}
	return db.One(tx, scan, `SELECT id, charge_token, tries FROM sandbox_webhooks WHERE due_at <= $1 AND tries < $2`+order+lock,
		db.Micros(tx.Now), maxTries)
}

func postponeWebhook(tx *db.Tx, h webhook, until time.Time) error {
	return tx.ExecOne(`UPDATE sandbox_webhooks SET tries = $2, due_at = $3 WHERE id = $1`, h.id, h.tries, db.Micros(until))
}

func deleteWebhook(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM sandbox_webhooks WHERE id = $1`, id)
	return err
}
