package db

import "context"

// watched is a connection that reports each statement to see.
type watched struct {
	runner
	see func(statement string)
}

// watched wraps do so that Options.Watch sees its statements.
func (d *DB) watched(do work) work {
	if d.watch == nil {
		return do
	}
	return func(ctx context.Context, conn runner) error { return do(ctx, watched{conn, d.watch()}) }
}

func (w watched) exec(ctx context.Context, query string, args []any) (int64, error) {
	w.see(query)
	return w.runner.exec(ctx, query, args)
}

func (w watched) query(ctx context.Context, query string, args []any) (cursor, error) {
	w.see(query)
	return w.runner.query(ctx, query, args)
}

func (w watched) later(ctx context.Context, query string, args []any, check func(int64, error) error) error {
	w.see(query)
	return w.runner.later(ctx, query, args, check)
}

func (w watched) queue(ctx context.Context, query string, args []any, read func(walk)) func() error {
	w.see(query)
	return w.runner.queue(ctx, query, args, read)
}
