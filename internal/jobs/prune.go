package jobs

import (
	"context"
	"time"

	"kaibao/internal/db"
)

// Pruning returns a job that deletes expired rows every hour. prune deletes at most limit rows,
// the oldest first, and returns how many it deleted. It runs in a transaction of its own.
func Pruning(d *db.DB, name string, prune func(tx *db.Tx, limit int) (int64, error)) Job {
	return Job{Name: name, Every: time.Hour, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
		return 0, inBatches(ctx, d, prune)
	}}
}

// BatchSize is how many rows are deleted in one transaction. Other transactions wait for at most
// about 20 ms, and can run between two batches.
const BatchSize = 2000

// inBatches deletes rows until less than a batch is left. Each transaction has the usual time limit.
func inBatches(ctx context.Context, d *db.DB, deleteRows func(*db.Tx, int) (int64, error)) error {
	for {
		var deleted int64
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			deleted, err = deleteRows(tx, BatchSize)
			return err
		})
		if err != nil || deleted < BatchSize {
			return err
		}
	}
}
