package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"kaibao/internal/fault"
)

// postgresPools are a node's connections to PostgreSQL, apart by what they do, so
// that none of it waits for the rest.
type postgresPools struct{ write, peek, read, search, patient *pool }

func (d *DB) openPostgres(ctx context.Context, o Options) (err error) {
	d.dialect = postgres
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		// pgx's message repeats the URL, and with it the password.
		return errors.New("the database URL is not of the form postgres://USER:PASSWORD@HOST/DATABASE: correct --database-url")
	}
	config.ConnConfig.DialFunc = dialer(d.limit).DialContext
	config.PingTimeout = time.Second
	p := &postgresPools{}
	d.pools = p
	within := timeouts(d.limit)
	for _, kind := range []struct {
		pool     **pool
		most     int32
		settings []map[string]string
	}{
		{&p.write, 16, []map[string]string{within, byKey}},
		{&p.peek, 4, []map[string]string{within, byKey}},
		{&p.read, 16, []map[string]string{within}},
		{&p.search, 4, []map[string]string{timeouts(searchTime)}},
		{&p.patient, 2, nil},
	} {
		if *kind.pool, err = p.connect(ctx, config, kind.most, kind.settings...); err != nil {
			return err
		}
	}
	d.ways = ways{read: p.read, peek: p.peek, search: p.search, inspect: p.patient}
	migrating := stdlib.OpenDBFromPool(p.patient.Pool)
	defer func() { _ = migrating.Close() }()
	return d.migrate(ctx, migrating, o.Existing)
}

// timeouts make the server give up before the caller does, and free what it holds
// for a caller that is gone.
func timeouts(call time.Duration) map[string]string {
	part := func(fifths int64) string { return fmt.Sprint(call.Milliseconds() * fifths / 5) }
	return map[string]string{
		"statement_timeout": part(4), "lock_timeout": part(3), "idle_in_transaction_session_timeout": part(4),
	}
}

// dialer makes connections that notice when the other end is gone: what is sent
// and not confirmed within the time of a call breaks them, and so does silence.
func dialer(call time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout:         call * 3 / 5,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
		Control: func(network, _ string, socket syscall.RawConn) error {
			if !strings.HasPrefix(network, "tcp") {
				return nil
			}
			var err error
			return errors.Join(socket.Control(func(fd uintptr) { err = breakUnconfirmed(fd, call) }), err)
		},
	}
}

// byKey are the settings of connections that do all by keys, whatever the
// planner thought of tables that were small when it looked: a plan made for every
// value, with no whole table read or hashed in it, spares its work on each run
// and stays right while a table grows from nothing.
var byKey = map[string]string{
	"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
}

// pool is connections with the same settings.
type pool struct {
	*pgxpool.Pool
	all *postgresPools
}

func (p *postgresPools) connect(ctx context.Context, config *pgxpool.Config, most int32, settings ...map[string]string) (*pool, error) {
	config = config.Copy()
	config.MaxConns = most
	for _, some := range settings {
		maps.Copy(config.ConnConfig.RuntimeParams, some)
	}
	maps.Copy(config.ConnConfig.RuntimeParams, map[string]string{
		"application_name": "kaibao", "jit": "off",
		// An acknowledged write is on disk, whatever the server's default is.
		"synchronous_commit": "on",
	})
	made, err := pgxpool.NewWithConfig(ctx, config)
	return &pool{made, p}, err
}

// with runs fn on a connection. A failure that cost the connection is one of
// reaching the database; one that fell silent makes its neighbours suspect, and
// all are made anew.
func (p *pool) with(ctx context.Context, fn func(*pgx.Conn) error) error {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return errBusy.Because(fmt.Errorf("reach the database: %w", err))
	}
	defer conn.Release()
	err = fn(conn.Conn())
	if err == nil || !conn.Conn().IsClosed() {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		for _, each := range p.all.list() {
			each.Reset()
		}
	}
	if _, known := errors.AsType[*fault.Error](err); known || errors.Is(err, ErrUnknownCommit) {
		return err
	}
	return errBusy.Because(fmt.Errorf("the connection was lost: %w", err))
}

func (p *postgresPools) list() (open []*pool) {
	for _, each := range []*pool{p.write, p.peek, p.read, p.search, p.patient} {
		if each != nil && each.Pool != nil {
			open = append(open, each)
		}
	}
	return open
}

// goodbye is how long connections have to be closed in order; those that fell
// silent are left to the end of the process.
const goodbye = 3 * time.Second

func (p *postgresPools) close() {
	var closing sync.WaitGroup
	for _, each := range p.list() {
		closing.Go(each.Close)
	}
	closed := make(chan struct{})
	go func() {
		closing.Wait()
		close(closed)
	}()
	patience := time.NewTimer(goodbye)
	defer patience.Stop()
	select {
	case <-closed:
	case <-patience.C:
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
			return nil, failed(h.text, err)
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
	return p.write.with(ctx, func(conn *pgx.Conn) error {
		s := begin(conn, "begin")
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
	})
}

// rollback ends what was begun and not committed. A connection that does not
// answer in time is closed with it.
func (s *session) rollback() {
	if status := s.conn.PgConn().TxStatus(); status != 'I' && !s.conn.IsClosed() {
		ctx, end := context.WithTimeout(context.Background(), time.Second)
		defer end()
		_ = s.end(ctx, "rollback")
	}
}

// look implements way.
func (p *pool) look(ctx context.Context, d *DB, snapshot bool, fn func(*Tx) error) error {
	return p.with(ctx, func(conn *pgx.Conn) error {
		s := &session{conn: conn}
		if snapshot {
			s = begin(conn, "begin isolation level repeatable read read only")
			defer s.rollback()
		}
		return call(fn, d.newTx(ctx, s))
	})
}
