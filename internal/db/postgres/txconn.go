package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kaibao/internal/db/engine"
)

// txConn is the connection of a running transaction. It holds statements back and sends them with
// the next statement, or all together before the commit: a round trip costs more than most
// statements.
type txConn struct {
	conn     *pgx.Conn
	held     []statement
	prologue int // how many of the first held statements only start the transaction
}

// statement is a statement to be sent later; take handles its result.
type statement struct {
	text string
	args []any
	take func(pgx.BatchResults) error
}

// begin returns a txConn whose first round trip also begins the transaction.
func begin(conn *pgx.Conn, text string) *txConn {
	return &txConn{conn, []statement{{text: text, take: executed}}, 1}
}

func executed(results pgx.BatchResults) error {
	_, err := results.Exec()
	return err
}

// checkSchema makes the transaction start by checking the schema's version, which then can't change
// until it ends. This takes two statements: one statement that waited for the lock would read the
// version from before the wait.
func (c *txConn) checkSchema(known engine.Schema) {
	c.held = append(c.held, statement{text: shareSchema, take: executed}, statement{text: engine.CurrentVersion, take: func(results pgx.BatchResults) error {
		var version int64
		if err := results.QueryRow().Scan(&version); err != nil {
			return err
		}
		return known.Accepts(version)
	}})
	c.prologue = len(c.held)
}

// QueueExec holds the statement back.
func (c *txConn) QueueExec(_ context.Context, text string, args []any, check func(int64, error) error) error {
	c.held = append(c.held, statement{text, args, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		return check(tag.RowsAffected(), err)
	}})
	return nil
}

var errUnsent = errors.New("not sent, as a statement before it failed")

// QueueQuery holds the query back until its result is needed.
func (c *txConn) QueueQuery(ctx context.Context, text string, args []any, read func(engine.Rows)) func() error {
	sent, outcome := false, errUnsent
	c.held = append(c.held, statement{text, queryArgs(args), func(results pgx.BatchResults) error {
		var rows pgx.Rows
		rows, outcome = results.Query()
		sent = true
		if outcome == nil {
			outcome = engine.ReadAndClose(resultRows{Rows: rows}, read)
		}
		return outcome
	}})
	return func() error {
		if !sent {
			if err := c.sendHeld(ctx); err != nil {
				return err
			}
		}
		return outcome
	}
}

// sendHeld sends the statements held back, if there are any.
func (c *txConn) sendHeld(ctx context.Context) error {
	if len(c.held) == 0 {
		return nil
	}
	results, err := c.send(ctx, func(*pgx.Batch) {})
	if err != nil {
		return err
	}
	return results.Close()
}

// send sends the statements held back and what more adds. It handles the results of the former and
// returns those of the latter.
func (c *txConn) send(ctx context.Context, more func(*pgx.Batch)) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	for _, h := range c.held {
		batch.Queue(h.text, h.args...)
	}
	more(batch)
	results, held := c.conn.SendBatch(ctx, batch), c.held
	c.held = nil
	good := false
	defer func() {
		if !good {
			_ = results.Close()
		}
	}()
	for _, h := range held {
		if err := h.take(results); err != nil {
			return nil, nameStatement(h.text, err)
		}
	}
	good = true
	return results, nil
}

// Exec sends the statement with those held back.
func (c *txConn) Exec(ctx context.Context, text string, args []any) (int64, error) {
	results, err := c.send(ctx, func(b *pgx.Batch) { b.Queue(text, execArgs(args)...) })
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	return tag.RowsAffected(), errors.Join(err, results.Close())
}

// Query sends the query with the statements held back.
func (c *txConn) Query(ctx context.Context, text string, args []any) (engine.ClosableRows, error) {
	results, err := c.send(ctx, func(b *pgx.Batch) { b.Queue(text, queryArgs(args)...) })
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return resultRows{found, results}, nil
}

// resultRows is the rows of a query. If results is set, the query was the last statement of its
// batch, and nothing else can be sent until resultRows is closed.
type resultRows struct {
	pgx.Rows
	results pgx.BatchResults
}

// Close frees the connection for the next statement.
func (r resultRows) Close() error {
	r.Rows.Close()
	if r.results == nil {
		return r.Err()
	}
	return errors.Join(r.Err(), r.results.Close())
}

// flush sends the statements held back. It reports whether anything was sent in this transaction:
// if not, there is nothing to commit.
func (c *txConn) flush(ctx context.Context) (sent bool, err error) {
	if len(c.held) == c.prologue && c.conn.PgConn().TxStatus() == 'I' {
		return false, nil
	}
	return true, c.sendHeld(ctx)
}

// end runs word, which is "commit" or "rollback".
func (c *txConn) end(ctx context.Context, word string) error {
	tag, err := c.conn.Exec(ctx, word)
	if err == nil && word == "commit" && tag.String() != "COMMIT" {
		err = pgx.ErrTxCommitRollback
	}
	return err
}

// rollback rolls back a transaction that hasn't ended. If the server doesn't answer in time, that
// closes the connection.
func (c *txConn) rollback() {
	if status := c.conn.PgConn().TxStatus(); status != 'I' && !c.conn.IsClosed() {
		ctx, end := context.WithTimeout(context.Background(), time.Second)
		defer end()
		_ = c.end(ctx, "rollback")
	}
}

// nameStatement adds the failed statement to err. pgx prepares all statements of a round trip
// before the first one runs; then it is the one that can't be prepared.
func nameStatement(statement string, err error) error {
	if early, ok := errors.AsType[pgx.ErrPreprocessingBatch](err); ok {
		statement = early.SQL()
	}
	return engine.NameStatement(statement, err)
}
