package db

import (
	"context"
	"strconv"
)

// Ready returns nil if the database can serve calls. It checks this with reads and a write. Concurrent
// callers share one check.
func (d *DB) Ready(ctx context.Context) error {
	check := d.ready.DoChan("", func() (any, error) { return nil, d.checkReady(context.WithoutCancel(ctx)) })
	select {
	case outcome := <-check:
		return outcome.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *DB) checkReady(ctx context.Context) error {
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	read := func(tx *Tx) error {
		_, err := One(tx, Column[int64], `SELECT COUNT(*) FROM settings WHERE name = 'ready'`)
		return err
	}
	if err := d.Peek(ctx, read); err != nil {
		return err
	}
	if err := d.Read(ctx, read); err != nil {
		return err
	}
	return d.InTx(ctx, func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('ready', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
			strconv.FormatInt(Micros(tx.Now), 10))
		return err
	})
}
