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
)

// statements keeps what a SQLite connection has prepared, as parsing costs more
// than most statements: those that were used last, since who filters a list
// decides what its text is. PostgreSQL's driver does that by itself.
type statements struct {
	conn     *sql.Conn
	prepared *simplelru.LRU[string, *sql.Stmt]
}

// maxPrepared is how many; one can take 80 kB.
const maxPrepared = 256

// dollars are PostgreSQL's places for values. SQLite takes them for names, which it
// numbers in the order in which it meets them.
var dollars = regexp.MustCompile(`\$([0-9]+)`)

func newStatements(conn *sql.Conn) *statements {
	prepared, err := simplelru.NewLRU(maxPrepared, func(_ string, stmt *sql.Stmt) { _ = stmt.Close() })
	if err != nil {
		panic(err) // of a size below 1 only
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

// checkText refuses for SQLite, which takes any bytes for text, what PostgreSQL
// refuses: a call is then answered the same on both.
func checkText(args []any) error {
	for _, arg := range args {
		value := reflect.Indirect(reflect.ValueOf(arg))
		if value.Kind() == reflect.String && (strings.Contains(value.String(), "\x00") || !utf8.ValidString(value.String())) {
			return errBadText
		}
	}
	return nil
}

// later has nothing to gain here.
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

// run executes a word without values, such as BEGIN.
func (s *statements) run(ctx context.Context, word string) error {
	_, err := s.exec(ctx, word, nil)
	return err
}

func (s *statements) close() {
	s.prepared.Purge()
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
		r <- newStatements(conn)
	}
	return r, nil
}

// readOnly runs work on a reader of its own, on one snapshot if it asks for that.
func (r readers) readOnly(ctx context.Context, snapshot bool, do work) error {
	var conn *statements
	var open bool
	select {
	case conn, open = <-r:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !open {
		return errBusy.Because(errors.New("the database is closed"))
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

// close waits for the readings under way and closes n readers; who comes later
// finds none.
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
