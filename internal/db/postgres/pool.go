package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kaibao/internal/apperr"
	"kaibao/internal/db/engine"
)

// timeouts returns settings that make the server give up before the caller does, and release the
// locks of a caller that is gone.
func timeouts(call time.Duration) map[string]string {
	fraction := func(fifths int64) string { return fmt.Sprint(call.Milliseconds() * fifths / 5) }
	return map[string]string{
		"statement_timeout": fraction(4), "lock_timeout": fraction(3), "idle_in_transaction_session_timeout": fraction(4),
	}
}

// dialer returns a dialer whose connections notice that the other end is gone. They break if sent
// data isn't acknowledged within call, or if keep-alives go unanswered.
func dialer(call time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout:         call * 3 / 5,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
		Control: func(network, _ string, socket syscall.RawConn) error {
			if !strings.HasPrefix(network, "tcp") {
				return nil
			}
			var err error
			return errors.Join(socket.Control(func(fd uintptr) { err = breakUnacknowledged(fd, call) }), err)
		},
	}
}

// lookupSettings are the settings of connections that only look up by key. They use one generic
// plan for all values, without table scans, hash joins or merge joins, whatever the table
// statistics say. That saves planning on each run, and the plan stays right while a table grows
// from empty.
var lookupSettings = map[string]string{
	"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
}

// pool is connections with the same settings.
type pool struct {
	*pgxpool.Pool
	engine *Engine
}

func (e *Engine) connect(ctx context.Context, config *pgxpool.Config, limit int, settings ...map[string]string) (*pool, error) {
	config = config.Copy()
	config.MaxConns = int32(limit)
	config.ConnConfig.RuntimeParams["application_name"] = fmt.Sprintf("kaibao schema %d", e.options.Schema.Newest)
	config.AfterConnect = apply(append(settings, map[string]string{
		"jit": "off",
		// An acknowledged write is on disk, whatever the server's default is.
		"synchronous_commit": "on",
	})...)
	conns, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	p := &pool{conns, e}
	e.opened = append(e.opened, p)
	return p, nil
}

// apply returns a function that changes settings of a new connection, in one round trip. They aren't
// startup parameters, because PgBouncer refuses those that it doesn't know.
func apply(settings ...map[string]string) func(context.Context, *pgx.Conn) error {
	var statements strings.Builder
	for _, group := range settings {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			fmt.Fprintf(&statements, "SET %s = '%s';", name, group[name])
		}
	}
	return func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, statements.String()).ReadAll()
		return err
	}
}

// with runs fn on a connection. If fn loses the connection, the error is apperr.Unavailable, or
// engine.ErrUnknownCommit during a commit. If the connection timed out, the others may be dead too,
// so all pools are reset.
func (p *pool) with(ctx context.Context, fn func(*pgx.Conn) error) error {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return engine.ErrBusy.Because(fmt.Errorf("reach the database: %w", err))
	}
	defer conn.Release()
	err = fn(conn.Conn())
	if err == nil || !conn.Conn().IsClosed() {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		for _, each := range p.engine.opened {
			each.Reset()
		}
	}
	if _, known := errors.AsType[*apperr.Error](err); known || errors.Is(err, engine.ErrUnknownCommit) {
		return err
	}
	return engine.ErrBusy.Because(fmt.Errorf("the connection was lost: %w", err))
}

func (p *pool) stats(name string) engine.Pool {
	now := p.Stat()
	return engine.Pool{Name: name, Size: int64(now.MaxConns()), InUse: int64(now.AcquiredConns()), Waits: now.EmptyAcquireCount()}
}

// closeTimeout is how long Close waits for connections to close. Those that don't respond end with the
// process.
const closeTimeout = 3 * time.Second

// Close closes every connection.
func (e *Engine) Close() error {
	var closing sync.WaitGroup
	for _, each := range e.opened {
		closing.Go(each.Close)
	}
	closed := make(chan struct{})
	go func() {
		closing.Wait()
		close(closed)
	}()
	timeout := time.NewTimer(closeTimeout)
	defer timeout.Stop()
	select {
	case <-closed:
	case <-timeout.C:
	}
	return nil
}
