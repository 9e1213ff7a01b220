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

// CheckClock compares the node's clock with the database server's. While they differ by more than a
// quarter of a second that the round trip doesn't explain, the node is not ready and refuses
// writes. SQLite has no clock of its own, and a clock from Options.Now is not checked.
func (d *DB) CheckClock(ctx context.Context) error {
	if d.dialect.Clock == "" || !d.keepsTime {
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
	d.clockOff.Store(int64(apart(before, d.Now(), server)))
	return d.InTime()
}

// apart returns by how much the server's clock is certainly ahead of ours; negative if it is
// behind. The server read its clock at some time between before and after.
func apart(before, after, server time.Time) time.Duration {
	switch {
	case server.After(after):
		return server.Sub(after)
	case server.Before(before):
		return server.Sub(before)
	}
	return 0
}

// InTime returns apperr.Unavailable if the last CheckClock found the clocks too far apart.
func (d *DB) InTime() error {
	off := time.Duration(d.clockOff.Load())
	if off.Abs() <= clockTolerance {
		return nil
	}
	return apperr.New(apperr.Unavailable, "This server's clock differs from the database's, so nothing was changed. Please try again.").
		After(time.Second).
		Because(fmt.Errorf("the clocks of the database server and this machine differ by %s (allowed: %s): synchronize both with NTP", off, clockTolerance))
}
