package db

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// checkpointer copies SQLite's write-ahead log into the database beside the
// writer, so that no commit pays for it. The log only starts over when a writer
// finds all of it copied, which a busy one never does by itself: between two
// batches the writer asks for that when little is left to copy.
// Why it copies when it does: ADR 0008. SQLite waits for the disk to have the
// copy only when it is complete, thus in the writer: the checkpointer does before.
type checkpointer struct {
	pool    *sql.DB
	file    *os.File // the database
	patient string   // the writer's own patience with a busy database
	written chan struct{}
	grown   atomic.Bool // long, and nearly all of it on the disk: time to start over
	ended   chan struct{}
}

const (
	checkpointPause = time.Second
	longLog         = 8000 // frames of a page each, 32 MB
	littleLeft      = 800  // frames that a writer copies, and waits for, in passing
	// keptLog is how many bytes of the log stay on disk when it starts over: more than it
	// needs, unless a long reading has kept it from doing so.
	keptLog = 256 << 20
)

func newCheckpointer(pool *sql.DB, file *os.File, patience time.Duration) *checkpointer {
	patient := fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds())
	c := &checkpointer{pool: pool, file: file, patient: patient, written: make(chan struct{}, 1), ended: make(chan struct{})}
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
		c.copyLog()
		<-pause.C
	}
}

// copyLog copies the log as it is, and again while it is long, unless a long
// reading holds all of it back.
func (c *checkpointer) copyLog() {
	for before := -1; ; {
		frames, copied, err := c.checkpoint("PASSIVE")
		if err != nil || frames <= longLog || copied == before || c.file.Sync() != nil {
			return // tried again after the pause
		}
		frames, copied, err = c.checkpoint("NOOP")
		if err == nil && frames-copied < littleLeft {
			c.grown.Store(true)
			return
		}
		before = copied
	}
}

// checkpoint tells how many frames the log has, and how many of them are copied.
func (c *checkpointer) checkpoint(mode string) (frames, copied int, err error) {
	var busy bool
	row := c.pool.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")")
	err = row.Scan(&busy, &frames, &copied)
	return frames, copied, err
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
