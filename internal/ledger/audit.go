package ledger

import (
	"context"
	"slices"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Audit checks the whole ledger on one snapshot: all accounts sum to zero, every balance and the
// money held for bids equal their transfers, every line follows from the one before, every
// transfer's accounts exist, and every transfer's flow matches its kind.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findUnbalancedSum, findWrongBalances, findWrongHolds, findBrokenLines, findUnknownAccounts, findWrongFlows)
}

// AuditSince is Audit that trusts what was noted as Proven of each account, and checks only the
// lines after that. It doesn't notice later changes to older lines, nor transfers without a user's
// line.
func AuditSince(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongNewBalances, findBrokenNewLines, findWrongNewFlows)
}

// Proven is the line of an account up to which it was audited, with the balance then.
type Proven struct {
	user    [16]byte
	lines   int64
	balance money.Cents
}

// notedPerTransaction is how many accounts are noted in one transaction.
const notedPerTransaction = 2000

// NoteProven stores audited lines for AuditSince, in several transactions.
func NoteProven(ctx context.Context, d *db.DB, proven []Proven) error {
	for some := range slices.Chunk(proven, notedPerTransaction) {
		if err := d.InTx(ctx, func(tx *db.Tx) error { return noteProven(tx, some) }); err != nil {
			return err
		}
	}
	return nil
}
