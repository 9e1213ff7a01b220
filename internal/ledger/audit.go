package ledger

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves the ledger on one snapshot: all accounts sum to zero, every
// balance and all that bids hold equals its transfers, every line follows from the one before, and
// every transfer moves as its kind does.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, sumOff, balancesOff, holdsOff, linesOff, unknownAccounts, flowsOff)
}
