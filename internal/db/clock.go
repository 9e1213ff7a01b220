package db

import (
	"context"
	"fmt"
	"time"

	"kaibao/internal/apperr"
)

// clockTolerance is how far a node's clock may be off the database server's: what the
// nodes write is put in order by their clocks.
const clockTolerance = 250 * time.Millisecond

// CheckClock compares the node's clock with that of the database's server. While they
// are further apart than a quarter of a second, and the way there and back does not
// explain it, nothing is written: neither is the node ready nor does any act begin. An
// embedded database has no other clock, and one that Options.Now gives is not a node's.
func (d *DB) CheckClock(ctx context.Context) error {
	if d.traits.clock == "" || !d.keepsTime {
		return nil
	}
	var server time.Time
	before := d.Now()
	err := d.Peek(ctx, func(tx *Tx) error {
		at, err := One(tx, Column[int64], `SELECT `+d.traits.clock)
		server = Time(at)
		return err
	})
	if err != nil {
		return fmt.Errorf("ask the database what time it is: %w", err)
	}
	d.clockOff.Store(int64(apart(before, d.Now(), server)))
	return d.InTime()
}

// apart is by how much the server's clock is certainly ahead of ours (or behind it:
// negative), which it read at some time from before to after.
func apart(before, after, server time.Time) time.Duration {
	switch {
	case server.After(after):
		return server.Sub(after)
	case server.Before(before):
		return server.Sub(before)
	}
	return 0
}

// InTime refuses to write by a clock that was found wrong.
func (d *DB) InTime() error {
	off := time.Duration(d.clockOff.Load())
	if off.Abs() <= clockTolerance {
		return nil
	}
	return apperr.New(apperr.Unavailable, "This server's clock is not the database's, so nothing was done. Please try again.").
		After(time.Second).
		Because(fmt.Errorf("the clocks of the database's server and of this machine are %s apart (allowed: %s): set both by NTP", off, clockTolerance))
}
