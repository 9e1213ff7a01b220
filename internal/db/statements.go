package db

import (
	"context"
	"database/sql"
	"fmt"
)

// statements prepares each text once on a SQLite connection: parsing costs more
// than most statements. PostgreSQL's driver does that by itself.
type statements struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

func (s *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, query)
	if err == nil {
		s.prepared[query] = stmt
	}
	return stmt, err
}

// ExecContext implements runner.
func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryContext implements runner.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *statements) close() {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	_ = s.conn.Close()
}

// readers are SQLite's reading connections; who takes one gives it back.
type readers chan *statements

func newReaders(ctx context.Context, pool *sql.DB, n int) (readers, error) {
	r := make(readers, n)
	for range n {
		conn, err := pool.Conn(ctx)
		if err != nil {
			r.close(len(r))
			return nil, fmt.Errorf("open a reader: %w", err)
		}
		r <- &statements{conn: conn, prepared: map[string]*sql.Stmt{}}
	}
	return r, nil
}

// do runs fn on a reader of its own, on one snapshot if it asks for that.
func (r readers) do(ctx context.Context, d *DB, snapshot bool, fn func(*Tx) error) error {
	var conn *statements
	select {
	case conn = <-r:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r <- conn }()
	if snapshot {
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return fmt.Errorf("begin to read: %w", err)
		}
		defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") }()
	}
	return call(fn, d.newTx(ctx, conn))
}

// close waits for the readings under way and closes n readers.
func (r readers) close(n int) {
	for range n {
		(<-r).close()
	}
}
