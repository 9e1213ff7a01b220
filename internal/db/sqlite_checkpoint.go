package db

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"
)

// checkpointer copies SQLite's write-ahead log into the database beside the
// writer, so that no commit pays for it. The log only starts over when a writer
// finds all of it copied, which a busy one never does by itself: between two
// batches the writer asks for that when little is left to copy.
type checkpointer struct {
	pool    *sql.DB
	patient string // the writer's own patience with a busy database
	written chan struct{}
	grown   atomic.Bool // long, and nearly all copied: time to start over
	ended   chan struct{}
}

const (
	checkpointPause = 100 * time.Millisecond
	longLog         = 8000 // frames of a page each, 32 MB
	littleLeft      = 800  // frames that a writer copies in passing
)

func newCheckpointer(pool *sql.DB, patience time.Duration) *checkpointer {
	patient := fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds())
	c := &checkpointer{pool: pool, patient: patient, written: make(chan struct{}, 1), ended: make(chan struct{})}
	go c.run()
	return c
}

// note tells that something was written; it never waits.
func (c *checkpointer) note() {
	select {
	case c.written <- struct{}{}:
	default:
	}
}

func (c *checkpointer) close() {
	close(c.written)
	<-c.ended
}

func (c *checkpointer) run() {
	defer close(c.ended)
	pause := time.NewTicker(checkpointPause)
	defer pause.Stop()
	for range c.written {
		var busy, frames, copied int
		row := c.pool.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
		if err := row.Scan(&busy, &frames, &copied); err == nil {
			c.grown.Store(frames > longLog && frames-copied < littleLeft)
		}
		<-pause.C
	}
}

// startOver lets the log begin anew if it is time. A long reading keeps it from
// doing so, and is not waited for.
func (c *checkpointer) startOver(ctx context.Context, writer *sql.Conn) {
	if !c.grown.CompareAndSwap(true, false) {
		return
	}
	for _, pragma := range []string{"busy_timeout(20)", "wal_checkpoint(RESTART)", c.patient} {
		_, _ = writer.ExecContext(ctx, "PRAGMA "+pragma) // tried again after the next checkpoint
	}
}
