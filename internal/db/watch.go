package db

import (
	"context"

	"kaibao/internal/db/engine"
)

// watched is a connection that reports each statement to see.
type watched struct {
	engine.Conn
	see func(statement string)
}

// watched wraps do so that Options.Watch sees its statements.
func (d *DB) watched(do engine.Work) engine.Work {
	if d.watch == nil {
		return do
	}
	return func(ctx context.Context, conn engine.Conn) error { return do(ctx, watched{conn, d.watch()}) }
}

// Exec implements engine.Conn.
func (w watched) Exec(ctx context.Context, query string, args []any) (int64, error) {
	w.see(query)
	return w.Conn.Exec(ctx, query, args)
}

// Query implements engine.Conn.
func (w watched) Query(ctx context.Context, query string, args []any) (engine.ClosableRows, error) {
	w.see(query)
	return w.Conn.Query(ctx, query, args)
}

// QueueExec implements engine.Conn.
func (w watched) QueueExec(ctx context.Context, query string, args []any, check func(int64, error) error) error {
	w.see(query)
	return w.Conn.QueueExec(ctx, query, args, check)
}

// QueueQuery implements engine.Conn.
func (w watched) QueueQuery(ctx context.Context, query string, args []any, read func(engine.Rows)) func() error {
	w.see(query)
	return w.Conn.QueueQuery(ctx, query, args, read)
}
