package approval

import (
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// SoloKind is a way in which an admin's act creates points or items worth points, or takes points. It is stored in
// the column road of solo_acts. docs/operations.md lists all of them, including those that don't
// count for the daily total.
type SoloKind string

// The kinds that count for the daily total.
const (
	ByCredit      SoloKind = "credit"
	ByRefund      SoloKind = "refund"
	ByReplacement SoloKind = "replace"
	ByValue       SoloKind = "value"
	ByDebit       SoloKind = "debit"
)

// SpendDailyTotal counts amount toward the admin's daily total, which is the sum over all kinds
// within policy.DailyTotalWithin. If the total would exceed policy.DailyTotal, it counts nothing
// and reports false, and the act needs a second admin. The caller must hold the lock of the admin's
// account.
func SpendDailyTotal(tx *db.Tx, admin string, by SoloKind, subject string, amount money.Cents) (withinTotal bool, err error) {
	before, err := soloTotalSince(tx, admin, tx.Now.Add(-policy.DailyTotalWithin))
	if err != nil || amount > policy.DailyTotal-before {
		return false, err
	}
	return true, insertSolo(tx, admin, by, subject, amount)
}
