package ledger

import (
	"context"
	"slices"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Audit proves the ledger on one snapshot: all accounts sum to zero, every balance and all
// that bids hold equals its transfers, every line follows from the one before, and every
// transfer moves as its kind does.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, sumOff, balancesOff, holdsOff, linesOff, unknownAccounts, flowsOff)
}

// AuditSince is Audit that believes of each account what was noted of it as Proven, and
// begins behind that: what became of older lines since, it does not see, nor of transfers
// that are in nobody's lines.
func AuditSince(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, newBalancesOff, newLinesOff, newFlowsOff)
}

// Proven is up to where an account was proven.
type Proven struct {
	user    [16]byte
	lines   int64
	balance money.Cents
}

// noted is how many accounts are noted in one transaction.
const noted = 2000

// NoteProven keeps what was proven for AuditSince, some accounts at a time.
func NoteProven(ctx context.Context, d *db.DB, proven []Proven) error {
	for some := range slices.Chunk(proven, noted) {
		if err := d.InTx(ctx, func(tx *db.Tx) error { return noteProven(tx, some) }); err != nil {
			return err
		}
	}
	return nil
}
