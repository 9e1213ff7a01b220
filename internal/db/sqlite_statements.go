package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"kaibao/internal/db/engine"
)

// statements caches the prepared statements of a SQLite connection, because parsing costs more than
// running most of them. The cache is limited, because filters produce many different texts.
// PostgreSQL's driver has such a cache.
type statements struct {
	conn     *sql.Conn
	prepared *simplelru.LRU[string, *sql.Stmt]
}

// maxPrepared is the size of the cache. A statement can take 80 kB.
const maxPrepared = 256

// dollars matches PostgreSQL's placeholders. SQLite treats them as names, numbered in the order of
// their first use.
var dollars = regexp.MustCompile(`\$([0-9]+)`)

func newStatements(conn *sql.Conn) *statements {
	prepared, err := simplelru.NewLRU(maxPrepared, func(_ string, stmt *sql.Stmt) { _ = stmt.Close() })
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &statements{conn, prepared}
}

func (s *statements) prepare(ctx context.Context, query string, args []any) (*sql.Stmt, error) {
	if err := cmp.Or(ctx.Err(), checkText(args)); err != nil {
		return nil, err
	}
	if stmt, ok := s.prepared.Get(query); ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, dollars.ReplaceAllString(query, "?$1"))
	if err == nil {
		s.prepared.Add(query, stmt)
	}
	return stmt, err
}

func (s *statements) exec(ctx context.Context, query string, args []any) (int64, error) {
	stmt, err := s.prepare(ctx, query, args)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s *statements) query(ctx context.Context, query string, args []any) (cursor, error) {
	stmt, err := s.prepare(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

var errBadText = errors.New("text with a NUL, or not UTF-8")

// checkText refuses texts that PostgreSQL refuses, so that a request gets the same response on both
// engines. SQLite accepts any bytes.
func checkText(args []any) error {
	for _, arg := range args {
		value := reflect.Indirect(reflect.ValueOf(arg))
		if value.Kind() == reflect.String && (strings.Contains(value.String(), "\x00") || !utf8.ValidString(value.String())) {
			return errBadText
		}
	}
	return nil
}

// later runs the statement immediately, because there is no round trip to save.
func (s *statements) later(ctx context.Context, query string, args []any, check func(int64, error) error) error {
	return check(s.exec(ctx, query, args))
}

func (s *statements) queue(ctx context.Context, query string, args []any, read func(walk)) func() error {
	rows, err := s.query(ctx, query, args)
	if err == nil {
		err = walked(rows, read)
	}
	return func() error { return err }
}

// run executes a statement without parameters, such as BEGIN.
func (s *statements) run(ctx context.Context, word string) error {
	_, err := s.exec(ctx, word, nil)
	return err
}

func (s *statements) close() {
	s.prepared.Purge()
	_ = s.conn.Close()
}

// readers is a pool of read-only SQLite connections.
type readers chan *statements

func newReaders(ctx context.Context, pool *sql.DB, n int) (readers, error) {
	r := make(readers, n)
	for range n {
		conn, err := pool.Conn(ctx)
		if err != nil {
			r.close(len(r))
			return nil, fmt.Errorf("open a reader: %w", err)
		}
		r <- newStatements(conn)
	}
	return r, nil
}

// readOnly runs work on one reader, on one snapshot if requested.
func (r readers) readOnly(ctx context.Context, snapshot bool, do work) error {
	var conn *statements
	var open bool
	select {
	case conn, open = <-r:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !open {
		return engine.ErrBusy.Because(errors.New("the database is closed"))
	}
	defer func() { r <- conn }()
	if snapshot {
		if err := conn.run(ctx, "BEGIN"); err != nil {
			return fmt.Errorf("begin to read: %w", err)
		}
		defer func() { _ = conn.run(context.WithoutCancel(ctx), "ROLLBACK") }()
	}
	return do(ctx, conn)
}

// close waits for current reads and closes n readers.
func (r readers) close(n int) {
	for range n {
		conn, open := <-r
		if !open {
			return
		}
		conn.close()
	}
	close(r)
}
