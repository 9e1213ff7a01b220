package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kaibao/internal/db/engine"
)

// readers is a pool of read-only SQLite connections.
type readers chan *conn

func newReaders(ctx context.Context, pool *sql.DB, n int, slow engine.SlowQueries) (readers, error) {
	r := make(readers, n)
	for range n {
		sqlConn, err := pool.Conn(ctx)
		if err != nil {
			r.close(len(r))
			return nil, fmt.Errorf("open a reader: %w", err)
		}
		r <- newConn(sqlConn, slow)
	}
	return r, nil
}

// read runs work on one reader, on one snapshot if requested.
func (r readers) read(ctx context.Context, snapshot bool, do engine.Work) error {
	var c *conn
	var open bool
	select {
	case c, open = <-r:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !open {
		return engine.ErrBusy.Because(errors.New("the database is closed"))
	}
	defer func() { r <- c }()
	if snapshot {
		if err := c.run(ctx, "BEGIN"); err != nil {
			return fmt.Errorf("begin a read transaction: %w", err)
		}
		defer func() { _ = c.run(context.WithoutCancel(ctx), "ROLLBACK") }()
	}
	return do.Run(ctx, c)
}

// close waits for current reads and closes n readers.
func (r readers) close(n int) {
	for range n {
		c, open := <-r
		if !open {
			return
		}
		c.close()
	}
	close(r)
}
