package approval

import (
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Road is a way in which points, or what they are paid for, come into being by an admin's
// act. docs/operations.md lists them all, those too that are not counted.
type Road string

// The roads that count for the daily total.
const (
	ByCredit      Road = "credit"
	ByRefund      Road = "refund"
	ByReplacement Road = "replace"
	ByValue       Road = "value"
)

// SpendDailyTotal counts an amount for the daily total of an admin, if it fits: what they
// cause without a second admin within policy.DailyTotalWithin, on all roads together, is at
// most policy.DailyTotal. If it doesn't fit, nothing is counted and the act has to wait. The
// caller holds the lock of the admin's account.
func SpendDailyTotal(tx *db.Tx, admin string, by Road, subject string, amount money.Cents) (fits bool, err error) {
	before, err := aloneSince(tx, admin, tx.Now.Add(-policy.DailyTotalWithin))
	if err != nil || amount > policy.DailyTotal-before {
		return false, err
	}
	return true, insertSolo(tx, admin, by, subject, amount)
}
