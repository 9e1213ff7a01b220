package app

import (
	"context"
	"slices"
	"time"

	"kaibao/internal/board"
	"kaibao/internal/db"
	"kaibao/internal/fairness"
	"kaibao/internal/identity"
	"kaibao/internal/jobs"
	"kaibao/internal/once"
	"kaibao/internal/publiclog"
)

// background is all that a node does beside its calls.
func background(d *db.DB, log *publiclog.Log) []jobs.Job {
	return slices.Concat([]jobs.Job{log.Job()}, fairness.Jobs(d), board.Jobs(d), []jobs.Job{
		forgetting(d, "old answers", once.Forget),
		forgetting(d, "old sessions", identity.ForgetSessions),
	})
}

// forgetting deletes what has expired, every hour.
func forgetting(d *db.DB, name string, forget func(*db.Tx, int) (int64, error)) jobs.Job {
	return jobs.Job{Name: name, Every: time.Hour, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
		return 0, inPortions(ctx, d, forget)
	}}
}

// portion is how many rows are deleted in one transaction: others wait for some
// 20 ms at most, and have their turn before the next.
const portion = 2000

// inPortions deletes until less than a portion is left to delete. Each has the
// time that any transaction has.
func inPortions(ctx context.Context, d *db.DB, forget func(*db.Tx, int) (int64, error)) error {
	for {
		var forgotten int64
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			forgotten, err = forget(tx, portion)
			return err
		})
		if err != nil || forgotten < portion {
			return err
		}
	}
}
