package db

import (
	"context"
	"fmt"
	"time"

	"kaibao/internal/apperr"
)

// clockTolerance is how far a node's clock may be off the database server's. Rows written by
// different nodes are sorted by the nodes' clocks.
const clockTolerance = 250 * time.Millisecond

// CheckClock compares the node's clock with the database server's. While they differ by more than
// clockTolerance, apart from the round trip, the node is not ready and refuses writes. SQLite has
// no clock of its own, and a clock from Options.Now is not checked.
func (d *DB) CheckClock(ctx context.Context) error {
	if d.dialect.Clock == "" || !d.usesSystemClock {
		return nil
	}
	var server time.Time
	before := d.Now()
	err := d.Peek(ctx, func(tx *Tx) error {
		at, err := One(tx, Column[int64], `SELECT `+d.dialect.Clock)
		server = Time(at)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the database's clock: %w", err)
	}
	d.clockOffset.Store(int64(clockOffset(before, d.Now(), server)))
	return d.ClockError()
}

// clockOffset returns by how much the server's clock is ahead of this machine's, at the least;
// negative if it is behind. It is 0 if the round trip can explain the difference. The server read its clock at some time between before and after.
func clockOffset(before, after, server time.Time) time.Duration {
	switch {
	case server.After(after):
		return server.Sub(after)
	case server.Before(before):
		return server.Sub(before)
	}
	return 0
}

// ClockOffset returns by how much the database server's clock was ahead of this machine's at the
// last CheckClock; negative if it was behind, and 0 if the round trip can explain the difference.
func (d *DB) ClockOffset() time.Duration { return time.Duration(d.clockOffset.Load()) }

// ClockError returns apperr.Unavailable if the last CheckClock found the clocks too far apart.
func (d *DB) ClockError() error {
	offset := d.ClockOffset()
	if offset.Abs() <= clockTolerance {
		return nil
	}
	return apperr.New(apperr.Unavailable, "This server's clock differs from the database's, so nothing was changed. Please try again.").
		After(time.Second).
		Because(fmt.Errorf("the clocks of the database server and this machine differ by %s (allowed: %s): synchronize both with NTP", offset, clockTolerance))
}
