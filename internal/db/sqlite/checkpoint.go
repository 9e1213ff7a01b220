package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// checkpointer copies SQLite's write-ahead log into the database in the background, so that
// commits don't pay for it (ADR 0008). The log restarts only when a writer finds it completely
// copied, which never happens under load. So the writer restarts it between two batches, when
// little is left to copy. SQLite syncs the database only with the last part of a copy, which the
// writer makes; the checkpointer syncs before that, so that the writer waits less.
type checkpointer struct {
	pool        *sql.DB
	file        *os.File // the database
	busyTimeout string   // the pragma with the writer's usual busy timeout
	written     chan struct{}
	restartDue  atomic.Bool // the log is long and almost completely copied: restart it
	closing     chan struct{}
	ended       chan struct{}
}

const (
	checkpointPause = time.Second
	longLog         = 8000 // frames of one page, 32 MB in total
	maxWriterFrames = 800  // frames that the writer may copy and sync when it restarts the log
	// maxLogFile is the size in bytes to which the log file is truncated when it restarts. The log is
	// longer only if a long read has prevented restarts.
	maxLogFile = 256 << 20
)

func newCheckpointer(pool *sql.DB, file *os.File, busy time.Duration) *checkpointer {
	busyTimeout := fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())
	c := &checkpointer{
		pool: pool, file: file, busyTimeout: busyTimeout,
		written: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{}),
	}
	go c.run()
	return c
}

// logWritten reports a write. It never blocks.
func (c *checkpointer) logWritten() {
	select {
	case c.written <- struct{}{}:
	default:
	}
}

// close waits only for a copy in progress. SQLite copies the rest when the last connection closes.
func (c *checkpointer) close() {
	close(c.closing)
	<-c.ended
}

func (c *checkpointer) run() {
	defer close(c.ended)
	pause := time.NewTicker(checkpointPause)
	defer pause.Stop()
	for {
		select {
		case <-c.written:
			c.copyLog()
		case <-c.closing:
			return
		}
		select {
		case <-pause.C:
		case <-c.closing:
			return
		}
	}
}

// copyLog copies the log, and repeats that while the log is long, unless a long read blocks the
// copying.
func (c *checkpointer) copyLog() {
	for before := -1; ; {
		frames, copied, err := c.checkpoint("PASSIVE")
		if err != nil || frames <= longLog || copied == before || c.file.Sync() != nil {
			return // retried after the pause
		}
		frames, copied, err = c.checkpoint("NOOP")
		if err == nil && frames-copied < maxWriterFrames {
			c.restartDue.Store(true)
			return
		}
		before = copied
	}
}

// checkpoint runs a checkpoint and returns the number of frames in the log and how many of them
// are copied.
func (c *checkpointer) checkpoint(mode string) (frames, copied int, err error) {
	var busy bool
	row := c.pool.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")")
	err = row.Scan(&busy, &frames, &copied)
	return frames, copied, err
}

// restartLog restarts the log if it is due. It doesn't wait for a long read that prevents that.
func (c *checkpointer) restartLog(ctx context.Context, writer *sql.Conn) {
	if !c.restartDue.CompareAndSwap(true, false) {
		return
	}
	for _, pragma := range []string{"busy_timeout(20)", "wal_checkpoint(RESTART)", c.busyTimeout} {
		_, _ = writer.ExecContext(ctx, "PRAGMA "+pragma) // retried after the next checkpoint
	}
}
