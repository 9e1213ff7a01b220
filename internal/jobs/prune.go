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
		return 0, inPortions(ctx, d, prune)
	}}
}

// Portion is how many rows are deleted in one transaction. Other transactions wait for at most
// about 20 ms, and can run between two portions.
const Portion = 2000

// inPortions deletes rows until less than a portion is left. Each transaction has the usual time
// limit.
func inPortions(ctx context.Context, d *db.DB, forget func(*db.Tx, int) (int64, error)) error {
	for {
		var forgotten int64
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			forgotten, err = forget(tx, Portion)
			return err
		})
		if err != nil || forgotten < Portion {
			return err
		}
	}
}
