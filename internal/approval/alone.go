package approval

import (
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Road is a way in which points, or what they are paid for, come into being by an admin's
// act. docs/operations.md lists them all, those too that are not counted.
type Road string

// The roads of which an admin goes a part alone.
const (
	ByCredit      Road = "credit"
	ByRefund      Road = "refund"
	ByReplacement Road = "replace"
	ByValue       Road = "value"
)

// Alone tells whether an admin may cause an amount without a second one, and then counts
// it: what they cause alone within terms.AloneWithin is at most terms.MostAlone, on all
// roads together. What has to wait is not counted. The caller has locked the admin's account.
func Alone(tx *db.Tx, admin string, by Road, subject string, amount money.Cents) (bool, error) {
	before, err := aloneSince(tx, admin, tx.Now.Add(-terms.AloneWithin))
	if err != nil || amount > terms.MostAlone-before {
		return false, err
	}
	return true, insertSolo(tx, admin, by, subject, amount)
}
