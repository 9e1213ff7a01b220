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

// AuditNewLines is Audit for the lines after each account's ProvenLine. It notices neither later
// changes to proven lines, nor transfers without a user's line.
func AuditNewLines(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongNewBalances, findBrokenNewLines, findWrongNewFlows)
}

// ProvenLine is the last line of an account when an audit last found nothing, with the balance after
// that line.
type ProvenLine struct {
	user    [16]byte
	lines   int64
	balance money.Cents
}

// saveBatchSize is the number of accounts that SaveProvenLines stores per transaction.
const saveBatchSize = 2000

// SaveProvenLines stores proven lines for AuditNewLines, in several transactions.
func SaveProvenLines(ctx context.Context, d *db.DB, proven []ProvenLine) error {
	for chunk := range slices.Chunk(proven, saveBatchSize) {
		if err := d.InTx(ctx, func(tx *db.Tx) error { return upsertProvenLines(tx, chunk) }); err != nil {
			return err
		}
	}
	return nil
}
