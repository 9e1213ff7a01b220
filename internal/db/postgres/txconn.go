package postgres

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kaibao/internal/db/engine"
)

// txConn is the connection of a running transaction. It queues statements and sends them with the next
// one, or all together before the commit: a round trip costs more than most statements.
type txConn struct {
	conn     *pgx.Conn
	slow     engine.SlowQueries
	queued   []statement
	prologue int // how many of the first queued statements only start the transaction
}

// statement is a queued statement. handle receives the results from its own on.
type statement struct {
	text   string
	args   []any
	handle func(pgx.BatchResults) error
}

// begin returns a txConn whose first round trip also begins the transaction.
func (e *Engine) begin(conn *pgx.Conn, text string) *txConn {
	return &txConn{conn, e.options.Slow, []statement{{text: text, handle: discardResult}}, 1}
}

// discardResult handles the result of a statement that returns no rows.
func discardResult(results pgx.BatchResults) error {
	_, err := results.Exec()
	return err
}

// checkSchema makes the transaction start by checking the schema's version, which then can't change
// until it ends. This takes two statements: one statement that waited for the lock would read the
// version from before the wait.
func (c *txConn) checkSchema(known engine.Schema) {
	c.queued = append(c.queued, statement{text: shareSchema, handle: discardResult}, statement{text: engine.CurrentVersion, handle: func(results pgx.BatchResults) error {
		var version int64
		if err := results.QueryRow().Scan(&version); err != nil {
			return err
		}
		return known.Accepts(version)
	}})
	c.prologue = len(c.queued)
}

// QueueExec queues the statement.
func (c *txConn) QueueExec(_ context.Context, text string, args []any, check func(int64, error) error) error {
	c.queued = append(c.queued, statement{text, args, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		return check(tag.RowsAffected(), err)
	}})
	return nil
}

var errNotSent = errors.New("not sent, because a previous statement failed")

// QueueQuery queues the query until its result is needed.
func (c *txConn) QueueQuery(ctx context.Context, text string, args []any, read func(engine.Rows)) func() error {
	sent, outcome := false, errNotSent
	c.queued = append(c.queued, statement{text, queryArgs(args), func(results pgx.BatchResults) error {
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
			if err := c.sendQueued(ctx); err != nil {
				return err
			}
		}
		return outcome
	}
}

// sendQueued sends the queued statements, if there are any.
func (c *txConn) sendQueued(ctx context.Context) error {
	if len(c.queued) == 0 {
		return nil
	}
	t := c.startTrip("")
	results, err := c.send(ctx, func(*pgx.Batch) {})
	if err == nil {
		err = results.Close()
	}
	t.end(ctx)
	return err
}

// trip is a round trip of statements, for the report of slow ones.
type trip struct {
	began      time.Time
	slow       engine.SlowQueries
	statements []statement
	last       string // sent after the others; empty = none
}

// startTrip returns a trip of the queued statements and one more. Those that only start the
// transaction are left out.
func (c *txConn) startTrip(last string) trip {
	t := trip{time.Now(), c.slow, c.queued, last}
	if c.conn.PgConn().TxStatus() == 'I' {
		t.statements = t.statements[min(c.prologue, len(t.statements)):]
	}
	return t
}

// end reports the trip if it was slow.
func (t trip) end(ctx context.Context) {
	took := time.Since(t.began)
	if !t.slow.Exceeded(took) {
		return
	}
	var texts []string
	for _, s := range t.statements {
		texts = append(texts, s.text)
	}
	if t.last != "" || texts == nil {
		texts = append(texts, cmp.Or(t.last, "begin"))
	}
	t.slow.Check(ctx, took, texts...)
}

// send sends the queued statements and those that more adds. It handles the results of the queued ones
// and returns the others.
func (c *txConn) send(ctx context.Context, more func(*pgx.Batch)) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	for _, h := range c.queued {
		batch.Queue(h.text, h.args...)
	}
	more(batch)
	results, queued := c.conn.SendBatch(ctx, batch), c.queued
	c.queued = nil
	ok := false
	defer func() {
		if !ok {
			_ = results.Close()
		}
	}()
	for _, h := range queued {
		if err := h.handle(results); err != nil {
			return nil, nameStatement(h.text, err)
		}
	}
	ok = true
	return results, nil
}

// Exec sends the statement after the queued ones.
func (c *txConn) Exec(ctx context.Context, text string, args []any) (int64, error) {
	t := c.startTrip(text)
	defer t.end(ctx)
	results, err := c.send(ctx, func(b *pgx.Batch) { b.Queue(text, execArgs(args)...) })
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	return tag.RowsAffected(), errors.Join(err, results.Close())
}

// Query sends the query after the queued statements.
func (c *txConn) Query(ctx context.Context, text string, args []any) (engine.ClosableRows, error) {
	t := c.startTrip(text)
	results, err := c.send(ctx, func(b *pgx.Batch) { b.Queue(text, queryArgs(args)...) })
	if err != nil {
		t.end(ctx)
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close()
		t.end(ctx)
		return nil, err
	}
	return c.slow.Rows(ctx, text, time.Since(t.began), resultRows{found, results}), nil
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

// flush sends the queued statements. It reports whether the transaction has sent any statement; if
// not, there is nothing to commit.
func (c *txConn) flush(ctx context.Context) (sent bool, err error) {
	if len(c.queued) == c.prologue && c.conn.PgConn().TxStatus() == 'I' {
		return false, nil
	}
	return true, c.sendQueued(ctx)
}

// end runs the command "commit" or "rollback".
func (c *txConn) end(ctx context.Context, command string) error {
	began := time.Now()
	tag, err := c.conn.Exec(ctx, command)
	c.slow.Check(ctx, time.Since(began), command)
	if err == nil && command == "commit" && tag.String() != "COMMIT" {
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
// before the first one runs. If that fails, the error names the statement.
func nameStatement(statement string, err error) error {
	if early, ok := errors.AsType[pgx.ErrPreprocessingBatch](err); ok {
		statement = early.SQL()
	}
	return engine.NameStatement(statement, err)
}
