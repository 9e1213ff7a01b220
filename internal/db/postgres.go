package db

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresPools are a node's connections to PostgreSQL, apart by what they do, so
// that none of it waits for the rest.
type postgresPools struct{ write, peek, read *pgxpool.Pool }

func (d *DB) openPostgres(ctx context.Context, o Options) (err error) {
	d.dialect = postgres
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		// pgx's message repeats the URL, and with it the password.
		return fmt.Errorf("the database URL cannot be read")
	}
	d.pools = &postgresPools{}
	if d.pools.write, err = poolWith(ctx, config, 16, byKey); err != nil {
		return err
	}
	if d.pools.peek, err = poolWith(ctx, config, 4, byKey); err != nil {
		return err
	}
	if d.pools.read, err = poolWith(ctx, config, 16, nil); err != nil {
		return err
	}
	migrating := stdlib.OpenDBFromPool(d.pools.read)
	defer func() { _ = migrating.Close() }()
	return d.migrate(ctx, migrating)
}

// byKey are the settings of connections that do all by keys, whatever the
// planner thought of tables that were small when it looked: a plan made for every
// value, with no whole table read or hashed in it, spares its work on each run
// and stays right while a table grows from nothing.
var byKey = map[string]string{
	"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
	// What a node that is gone has locked is free again soon.
	"idle_in_transaction_session_timeout": "4s",
}

func poolWith(ctx context.Context, config *pgxpool.Config, most int32, settings map[string]string) (*pgxpool.Pool, error) {
	config = config.Copy()
	config.MaxConns = most
	maps.Copy(config.ConnConfig.RuntimeParams, settings)
	maps.Copy(config.ConnConfig.RuntimeParams, map[string]string{
		"application_name": "kaibao", "jit": "off",
		// An acknowledged write is on disk, whatever the server's default is.
		"synchronous_commit": "on",
	})
	return pgxpool.NewWithConfig(ctx, config)
}

func (p *postgresPools) close() {
	for _, pool := range []*pgxpool.Pool{p.write, p.peek, p.read} {
		if pool != nil {
			pool.Close()
		}
	}
}

// session is a connection while a transaction has it. What can wait is held
// back and travels with the next statement, or with the others before the commit,
// in one go: a round trip costs more than most statements.
type session struct {
	conn *pgx.Conn
	held []statement
}

// statement is one that is sent later; take looks at what came of it.
type statement struct {
	text string
	args []any
	take func(pgx.BatchResults) error
}

// begin opens a transaction with the first statement that is sent.
func begin(conn *pgx.Conn, text string) *session {
	return &session{conn, []statement{{text: text, take: func(results pgx.BatchResults) error {
		_, err := results.Exec()
		if err != nil {
			err = errBusy.Because(fmt.Errorf("begin: %w", err))
		}
		return err
	}}}}
}

func (s *session) later(_ context.Context, text string, args []any, check func(int64, error) error) error {
	s.held = append(s.held, statement{text, args, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		return check(tag.RowsAffected(), err)
	}})
	return nil
}

func (s *session) soon(_ context.Context, text string, args []any, read func(walk) error) error {
	s.held = append(s.held, statement{text, args, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		return read(rows)
	}})
	return nil
}

// send puts what was held back on its way, and a statement more; the answers to
// the former are looked at here.
func (s *session) send(ctx context.Context, more func(*pgx.Batch)) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	for _, h := range s.held {
		batch.Queue(h.text, h.args...)
	}
	more(batch)
	results, held := s.conn.SendBatch(ctx, batch), s.held
	s.held = nil
	for _, h := range held {
		if err := h.take(results); err != nil {
			_ = results.Close()
			return nil, err
		}
	}
	return results, nil
}

func (s *session) exec(ctx context.Context, text string, args []any) (int64, error) {
	results, err := s.send(ctx, func(b *pgx.Batch) { b.Queue(text, args...) })
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	return tag.RowsAffected(), errors.Join(err, results.Close())
}

func (s *session) query(ctx context.Context, text string, args []any) (cursor, error) {
	results, err := s.send(ctx, func(b *pgx.Batch) { b.Queue(text, args...) })
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return answer{found, results}, nil
}

// answer is a query's rows; nothing else can be sent until it is closed.
type answer struct {
	pgx.Rows
	results pgx.BatchResults
}

// Close gives the connection back.
func (a answer) Close() error {
	a.Rows.Close()
	err := a.results.Close()
	return errors.Join(a.Err(), err)
}

// flush sends what was held back. A transaction that sent nothing has nothing to
// commit.
func (s *session) flush(ctx context.Context) (sent bool, err error) {
	if len(s.held) == 1 && s.conn.PgConn().TxStatus() == 'I' {
		return false, nil
	}
	if len(s.held) == 0 {
		return true, nil
	}
	results, err := s.send(ctx, func(*pgx.Batch) {})
	if err != nil {
		return true, err
	}
	return true, results.Close()
}

// end is "commit" or "rollback".
func (s *session) end(ctx context.Context, word string) error {
	tag, err := s.conn.Exec(ctx, word)
	if err == nil && word == "commit" && tag.String() != "COMMIT" {
		err = pgx.ErrTxCommitRollback
	}
	return err
}

// attempt runs fn in a transaction once.
func (p *postgresPools) attempt(ctx context.Context, d *DB, fn func(*Tx) error) error {
	conn, err := p.write.Acquire(ctx)
	if err != nil {
		return errBusy.Because(fmt.Errorf("begin: %w", err))
	}
	defer conn.Release()
	s := begin(conn.Conn(), "begin")
	defer s.rollback()
	if err := call(fn, d.newTx(ctx, s)); err != nil {
		return err
	}
	if sent, err := s.flush(ctx); err != nil || !sent {
		return err
	}
	if err := d.commit(func() error { return s.end(ctx, "commit") }); err != nil {
		if d.dialect.retryable(err) || errors.Is(err, pgx.ErrTxCommitRollback) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrUnknownCommit, err)
	}
	return nil
}

// rollback ends what was begun and not committed.
func (s *session) rollback() {
	if status := s.conn.PgConn().TxStatus(); status != 'I' && !s.conn.IsClosed() {
		_ = s.end(context.Background(), "rollback")
	}
}

// look runs fn for reading, on one snapshot if it asks for that.
func (p *postgresPools) look(ctx context.Context, d *DB, snapshot bool, fn func(*Tx) error) error {
	pool := p.peek
	if snapshot {
		pool = p.read
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return errBusy.Because(fmt.Errorf("begin to read: %w", err))
	}
	defer conn.Release()
	s := &session{conn: conn.Conn()}
	if snapshot {
		s = begin(conn.Conn(), "begin isolation level repeatable read read only")
		defer s.rollback()
	}
	return call(fn, d.newTx(ctx, s))
}
