package db

import (
	"context"
	"strconv"
)

// Ready returns nil if the database can serve calls: it reads and writes in the same ways as they
// do. Concurrent callers share one check.
func (d *DB) Ready(ctx context.Context) error {
	trial := d.ready.DoChan("", func() (any, error) { return nil, d.try(context.WithoutCancel(ctx)) })
	select {
	case outcome := <-trial:
		return outcome.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *DB) try(ctx context.Context) error {
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	look := func(tx *Tx) error {
		_, err := One(tx, Column[int64], `SELECT COUNT(*) FROM settings WHERE name = 'ready'`)
		return err
	}
	if err := d.Peek(ctx, look); err != nil {
		return err
	}
	if err := d.Read(ctx, look); err != nil {
		return err
	}
	return d.InTx(ctx, func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('ready', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
			strconv.FormatInt(Micros(tx.Now), 10))
		return err
	})
}
