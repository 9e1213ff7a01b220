// Package sqlite is the embedded database engine: one SQLite file in the data directory with a
// single writer and many readers. It also backs up and restores that file.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"

	"kaibao/internal/db/engine"
)

// File is the name of the database in the data directory.
const File = "kaibao.db"

// Dialect is SQLite's.
var Dialect = engine.Dialect{
	Name: "sqlite", Goose: "sqlite3", Writers: 1, MigratesOnServe: true,
	AutoID: "INTEGER PRIMARY KEY AUTOINCREMENT", IDType: "TEXT", AsID: "%s", InList: " IN (SELECT value FROM json_each(%s))",
	AppendOnly: `CREATE TRIGGER ${1}_kept BEFORE UPDATE ON $1 BEGIN SELECT RAISE(ABORT, 'rows of $1 are kept as they are'); END;
			CREATE TRIGGER ${1}_kept_too BEFORE DELETE ON $1 BEGIN SELECT RAISE(ABORT, 'rows of $1 are kept as they are'); END;`,
	Erasable: `DROP TRIGGER $1_kept;
			CREATE TRIGGER $1_kept BEFORE UPDATE ON $1 WHEN NOT ($2) BEGIN SELECT RAISE(ABORT, 'rows of $1 are kept as they are'); END;`,
	Indexes: `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = $1 AND sql IS NOT NULL`,
}

// Options configure Open.
type Options struct {
	Dir       string // data directory
	MustExist bool   // fail if there is no database, instead of creating one
	ReadOnly  bool   // leave the database and its journal mode as they are, whatever its schema
	CallTime  time.Duration
	Cache     int64 // page cache of each connection in bytes; 0 = 64 MiB
	Schema    engine.Schema
	Slow      engine.SlowQueries
	Commit    func(commit func() error) error // wraps each COMMIT
}

// Engine is one open database file.
type Engine struct {
	options   Options
	path      string
	queue     *commitQueue // the single writer
	readers   *readers
	searchers *readers
	closers   []func() error // run in reverse order by Close
}

// Open opens the database of a data directory. It creates or migrates it if the schema says so.
func Open(ctx context.Context, o Options) (*Engine, error) {
	o.Cache = cmp.Or(o.Cache, fullCache)
	e := &Engine{options: o, path: filepath.Join(o.Dir, File)}
	if err := e.open(ctx); err != nil {
		if lite, ok := errors.AsType[sqlite3.Error](err); ok && lite.Code == sqlite3.ErrBusy {
			err = fmt.Errorf("another program has locked the database, such as kaibao move: try again when it has finished: %w", err)
		}
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) open(ctx context.Context) error {
	if e.options.ReadOnly {
		return e.openReadOnly(ctx)
	}
	if err := prepareDir(e.path, e.options.MustExist); err != nil {
		return err
	}
	lock, err := openWriteLock(e.path)
	if err != nil {
		return err
	}
	e.atClose(func() error { lock.close(); return nil })
	write, file, err := e.openForWriting(ctx, lock)
	if err != nil {
		return err
	}
	if err := e.openReaders(ctx, e.connect(append(settings(e.options), "query_only = 1"))); err != nil {
		return err
	}
	conn, err := write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the writer: %w", err)
	}
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	e.queue = newCommitQueue(conn, newCheckpointer(write, file, e.options.CallTime), lock, openedFile{e.path, opened}, e.options)
	e.atClose(func() error { e.queue.close(); return nil })
	return nil
}

// openReadOnly opens only readers. It creates no files, and fails if the file is no database.
func (e *Engine) openReadOnly(ctx context.Context) error {
	if err := prepareDir(e.path, true); err != nil {
		return err
	}
	keepJournal := slices.DeleteFunc(settings(e.options), func(setting string) bool { return setting == useWAL })
	pool := e.connect(append(keepJournal, "query_only = 1"))
	if _, err := engine.ReadVersion(ctx, pool, KindOf); err != nil {
		return err
	}
	return e.openReaders(ctx, pool)
}

// openForWriting creates or migrates the database while holding the write lock, and opens it for
// the writer.
func (e *Engine) openForWriting(ctx context.Context, lock *writeLock) (*sql.DB, *os.File, error) {
	if err := lock.lock(ctx); err != nil {
		return nil, nil, err
	}
	defer lock.unlock()
	if err := createFile(e.path); err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(e.path, os.O_RDWR, ownerOnly)
	if err != nil {
		return nil, nil, fmt.Errorf("open the database: %w", err)
	}
	e.atClose(sync.OnceValue(file.Close)) // after the connections, because closing it releases this process's locks
	write := e.connect(settings(e.options))
	write.SetMaxOpenConns(2) // the writer and the checkpointer
	return write, file, e.prepareSchema(ctx, write)
}

// prepareSchema backs up and migrates a database that no other process has open. So no older
// program that doesn't check the schema's version can be running.
func (e *Engine) prepareSchema(ctx context.Context, conns *sql.DB) error {
	schema := e.options.Schema
	version, err := engine.ReadVersion(ctx, conns, KindOf)
	if err != nil {
		return err
	}
	due, err := schema.Due(version)
	if err != nil || !due {
		return err
	}
	backup := ""
	if version > 0 {
		if err := closeIdle(conns, func() error { return leaveWAL(ctx, e.path) }); err != nil {
			return fmt.Errorf("migrate the database from schema %d to %d: %w", version, schema.Newest, err)
		}
		backup, err = backupBeforeMigration(ctx, e.path, version)
		if err != nil {
			return fmt.Errorf("back up the database before migrating it from schema %d to %d: %w", version, schema.Newest, err)
		}
	}
	return schema.Migrate(ctx, conns, version, backup, nil)
}

// closeIdle runs a function while an unused pool has no open connection.
func closeIdle(conns *sql.DB, do func() error) error {
	conns.SetMaxIdleConns(0)
	defer conns.SetMaxIdleConns(2)
	return do()
}

func (e *Engine) openReaders(ctx context.Context, pool *sql.DB) (err error) {
	e.readers, err = newReaders(ctx, pool, max(4, 2*runtime.NumCPU()), e.options.Slow)
	if err != nil {
		return err
	}
	e.atClose(func() error { e.readers.close(cap(e.readers.free)); return nil })
	// SQLite searches in this process: half of the processors remain for everything else.
	e.searchers, err = newReaders(ctx, pool, max(2, runtime.NumCPU()/2), e.options.Slow)
	if err != nil {
		return err
	}
	e.atClose(func() error { e.searchers.close(cap(e.searchers.free)); return nil })
	return nil
}

// atClose registers a function that Close runs before those registered earlier.
func (e *Engine) atClose(closer func() error) { e.closers = append(e.closers, closer) }

// Close waits for running transactions and closes every connection.
func (e *Engine) Close() error {
	var errs []error
	for _, closer := range slices.Backward(e.closers) {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

// Write runs work in the transaction that the single writer commits next.
func (e *Engine) Write(ctx context.Context, do engine.Work) error {
	if e.options.ReadOnly {
		return errors.New("the database was opened only to read it")
	}
	return e.queue.do(ctx, do)
}

// Read runs work that only reads.
func (e *Engine) Read(ctx context.Context, purpose engine.Purpose, do engine.Work) error {
	if purpose == engine.Search {
		return e.searchers.read(ctx, true, do)
	}
	return e.readers.read(ctx, purpose != engine.Peek, do)
}

// Stats returns the state of the readers and of the writer's queue. Reads, peeks and audits share
// the pool of reads.
func (e *Engine) Stats() engine.Stats {
	return engine.Stats{
		Pools: []engine.Pool{e.readers.stats(engine.Read.String()), e.searchers.stats(engine.Search.String())},
		Queue: len(e.queue.jobs),
	}
}

// Reclaim does nothing, because SQLite reuses the space of deleted rows immediately.
func (e *Engine) Reclaim(context.Context, string) error { return nil }

// KindOf classifies errors of the driver and of checkText.
func KindOf(err error) engine.Kind {
	if errors.Is(err, engine.ErrAgain) {
		return engine.Conflict
	}
	if errors.Is(err, errBadText) {
		return engine.BadText
	}
	lite, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return engine.Other
	}
	switch lite.ExtendedCode {
	case sqlite3.ErrConstraintUnique, sqlite3.ErrConstraintPrimaryKey:
		return engine.Duplicate
	}
	switch lite.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrInterrupt, sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen:
		return engine.Unavailable
	}
	if strings.Contains(lite.Error(), "no such table") {
		return engine.NoTable
	}
	return engine.Other
}
