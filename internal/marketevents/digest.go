package marketevents

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// Digest merges events that happen too often to publish each: at most one batch a second.
type Digest struct {
	Name  string // the key of its row
	Merge func(waiting []Event) []Event
}

const (
	digestInterval     = time.Second
	digestPollInterval = digestInterval / 4
)

// Add publishes the events immediately if a second has passed since the last batch, and otherwise
// merges them into the waiting ones. Call it after taking all other locks of the transaction.
func (g Digest) Add(tx *db.Tx, events ...Event) error {
	d, err := lockDigest(tx, g.Name)
	if err != nil {
		return err
	}
	d.waiting = g.Merge(append(d.waiting, events...))
	if len(d.waiting) == 0 {
		return nil
	}
	if tx.Now.Sub(d.publishedAt) >= digestInterval {
		if err := Add(tx, d.waiting...); err != nil {
			return err
		}
		d = digestState{publishedAt: tx.Now}
	}
	return saveDigest(tx, g.Name, d)
}

// Job returns the job that publishes waiting events when no new ones arrive.
func (g Digest) Job(d *db.DB) jobs.Job {
	return jobs.Job{Name: "digest of " + g.Name, Every: digestPollInterval, Limit: jobTimeout, Do: func(ctx context.Context) (int64, error) {
		var due bool
		err := d.Peek(ctx, func(tx *db.Tx) (err error) {
			due, err = isDue(tx, g.Name, tx.Now.Add(-digestInterval))
			return err
		})
		if err != nil || !due {
			return 0, err
		}
		return 0, d.InTx(ctx, func(tx *db.Tx) error { return g.Add(tx) })
	}}
}
