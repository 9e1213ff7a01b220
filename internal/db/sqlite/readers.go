package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"kaibao/internal/db/engine"
)

// readers is a pool of read-only SQLite connections.
type readers struct {
	free  chan *conn
	waits atomic.Int64 // reads that found no free connection
}

func newReaders(ctx context.Context, pool *sql.DB, n int, slow engine.SlowQueries) (*readers, error) {
	r := &readers{free: make(chan *conn, n)}
	for range n {
		sqlConn, err := pool.Conn(ctx)
		if err != nil {
			r.close(len(r.free))
			return nil, fmt.Errorf("open a reader: %w", err)
		}
		r.free <- newConn(sqlConn, slow)
	}
	return r, nil
}

// read runs work on one reader, on one snapshot if requested.
func (r *readers) read(ctx context.Context, snapshot bool, do engine.Work) error {
	c, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { r.free <- c }()
	if snapshot {
		if err := c.run(ctx, "BEGIN"); err != nil {
			return fmt.Errorf("begin a read transaction: %w", err)
		}
		defer func() { _ = c.run(context.WithoutCancel(ctx), "ROLLBACK") }()
	}
	return do.Run(ctx, c)
}

// acquire waits for a free connection.
func (r *readers) acquire(ctx context.Context) (*conn, error) {
	var c *conn
	var open bool
	select {
	case c, open = <-r.free:
	default:
		r.waits.Add(1)
		select {
		case c, open = <-r.free:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if !open {
		return nil, engine.ErrBusy.Because(errors.New("the database is closed"))
	}
	return c, nil
}

func (r *readers) stats(name string) engine.Pool {
	return engine.Pool{Name: name, Size: int64(cap(r.free)), InUse: int64(cap(r.free) - len(r.free)), Waits: r.waits.Load()}
}

// close waits for current reads and closes n readers.
func (r *readers) close(n int) {
	for range n {
		c, open := <-r.free
		if !open {
			return
		}
		c.close()
	}
	close(r.free)
}
