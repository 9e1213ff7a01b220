package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"kaibao/internal/db/engine"
)

// conn is a connection that caches its prepared statements, because parsing costs more than running
// most of them. The cache is limited, because filters produce many different texts. PostgreSQL's
// driver has such a cache.
type conn struct {
	*sql.Conn
	prepared *simplelru.LRU[string, *sql.Stmt]
	slow     engine.SlowQueries
}

// maxPrepared is the size of the cache. A statement can take 80 kB.
const maxPrepared = 256

// dollars matches PostgreSQL's placeholders. SQLite treats them as names, numbered in the order of
// their first use.
var dollars = regexp.MustCompile(`\$([0-9]+)`)

func newConn(sqlConn *sql.Conn, slow engine.SlowQueries) *conn {
	prepared, err := simplelru.NewLRU(maxPrepared, func(_ string, stmt *sql.Stmt) { _ = stmt.Close() })
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &conn{sqlConn, prepared, slow}
}

func (c *conn) prepare(ctx context.Context, query string, args []any) (*sql.Stmt, error) {
	if err := cmp.Or(ctx.Err(), checkText(args)); err != nil {
		return nil, err
	}
	if stmt, ok := c.prepared.Get(query); ok {
		return stmt, nil
	}
	stmt, err := c.PrepareContext(ctx, dollars.ReplaceAllString(query, "?$1"))
	if err == nil {
		c.prepared.Add(query, stmt)
	}
	return stmt, err
}

// Exec implements engine.Conn.
func (c *conn) Exec(ctx context.Context, query string, args []any) (int64, error) {
	began := time.Now()
	defer func() { c.slow.Check(ctx, time.Since(began), query) }()
	stmt, err := c.prepare(ctx, query, args)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query implements engine.Conn.
func (c *conn) Query(ctx context.Context, query string, args []any) (engine.ClosableRows, error) {
	began := time.Now()
	rows, err := c.query(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return c.slow.Rows(ctx, query, time.Since(began), rows), nil
}

func (c *conn) query(ctx context.Context, query string, args []any) (engine.ClosableRows, error) {
	stmt, err := c.prepare(ctx, query, args)
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

// QueueExec runs the statement immediately, because there is no round trip to save.
func (c *conn) QueueExec(ctx context.Context, query string, args []any, check func(int64, error) error) error {
	return check(c.Exec(ctx, query, args))
}

// QueueQuery runs the query immediately.
func (c *conn) QueueQuery(ctx context.Context, query string, args []any, read func(engine.Rows)) func() error {
	began := time.Now()
	rows, err := c.query(ctx, query, args)
	if err == nil {
		err = engine.ReadAndClose(rows, read)
	}
	c.slow.Check(ctx, time.Since(began), query)
	return func() error { return err }
}

// run executes a statement without parameters, such as BEGIN.
func (c *conn) run(ctx context.Context, command string) error {
	_, err := c.Exec(ctx, command, nil)
	return err
}

func (c *conn) close() {
	c.prepared.Purge()
	_ = c.Close()
}
