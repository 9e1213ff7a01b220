package db

import (
	"context"

	"kaibao/internal/db/engine"
)

// watchedConn is a connection that reports each statement.
type watchedConn struct {
	engine.Conn
	report func(statement string)
}

// withWatch wraps do so that its statements are reported to Options.Watch.
func (d *DB) withWatch(do engine.Work) engine.Work {
	if d.watch == nil {
		return do
	}
	return func(ctx context.Context, conn engine.Conn) error { return do(ctx, watchedConn{conn, d.watch()}) }
}

// Exec implements engine.Conn.
func (w watchedConn) Exec(ctx context.Context, query string, args []any) (int64, error) {
	w.report(query)
	return w.Conn.Exec(ctx, query, args)
}

// Query implements engine.Conn.
func (w watchedConn) Query(ctx context.Context, query string, args []any) (engine.ClosableRows, error) {
	w.report(query)
	return w.Conn.Query(ctx, query, args)
}

// QueueExec implements engine.Conn.
func (w watchedConn) QueueExec(ctx context.Context, query string, args []any, check func(int64, error) error) error {
	w.report(query)
	return w.Conn.QueueExec(ctx, query, args, check)
}

// QueueQuery implements engine.Conn.
func (w watchedConn) QueueQuery(ctx context.Context, query string, args []any, read func(engine.Rows)) func() error {
	w.report(query)
	return w.Conn.QueueQuery(ctx, query, args, read)
}
