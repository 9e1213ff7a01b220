package db

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"
)

// Backup writes a consistent snapshot of a data directory's SQLite database into a new file. A
// server may keep writing. It returns ErrDamaged if the copy or the original is damaged: copying
// rows can hide damage of the original.
func Backup(ctx context.Context, dir, file string) (err error) {
	path := filepath.Join(dir, File)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no database to back up: %w", err)
	}
	if err := sound(ctx, path); err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // SQLite writes into an empty file
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, out.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(file))
		}
	}()
	from := sql.OpenDB(asItIs(path))
	_, err = from.ExecContext(ctx, `VACUUM INTO $1`, file)
	err = errors.Join(err, from.Close(), out.Sync())
	if err != nil {
		return err
	}
	return sound(ctx, file)
}

// sound returns ErrDamaged if a database file is damaged.
func sound(ctx context.Context, path string) error {
	i, err := checkFile(ctx, path)
	if err != nil {
		return err
	}
	if err := i.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// backupTime is the time format in the name of a replaced database.
const backupTime = "20060102T150405Z"

// asItIs opens a database without changing its journal mode, and without waiting for locks.
func asItIs(path string) sqliteFile {
	return sqliteFile{path: path, settings: []string{"busy_timeout = 0"}}
}

// ErrInUse means that a server or another command has the database open.
var ErrInUse = errors.New("the database is open in another process: stop the server first")

// Restore replaces a data directory's SQLite database with a backup. It returns ErrInUse if the
// database is open, and ErrDamaged or a schema error if the backup is damaged or newer than this
// program; then nothing is replaced. The previous database is renamed to the returned name, "" if
// there was none.
func Restore(ctx context.Context, file, dir string) (kept string, err error) {
	if err := checkBackup(file); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the data directory: %w", err)
	}
	path := filepath.Join(dir, File)
	err = inTurn(ctx, path, func() error {
		fresh := path + ".new"
		if err := copyFile(file, fresh); err != nil {
			return fmt.Errorf("copy the back-up: %w", err)
		}
		if err := checkCopy(ctx, fresh); err != nil {
			return errors.Join(fmt.Errorf("nothing was replaced: %w", err), os.Remove(fresh))
		}
		kept, err = setAside(ctx, path)
		if err != nil {
			return errors.Join(err, os.Remove(fresh))
		}
		return os.Rename(fresh, path)
	})
	return kept, err
}

// checkCopy checks that a copy of a backup is intact and that this program knows its schema.
func checkCopy(ctx context.Context, path string) (err error) {
	if err := sound(ctx, path); err != nil {
		return err
	}
	known, err := readSchema((&sqliteEngine{}).traits())
	if err != nil {
		return err
	}
	conns := sql.OpenDB(asItIs(path))
	defer func() { err = errors.Join(err, conns.Close()) }()
	version, err := schemaVersion(ctx, conns)
	if err == nil && version > known.newest {
		err = fmt.Errorf("the back-up has schema %d, this program knows %d: use a newer kaibao", version, known.newest)
	}
	return err
}

// checkBackup checks that a file is a SQLite database.
func checkBackup(file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	magic := []byte("SQLite format 3\x00")
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(in, head); err != nil || !bytes.Equal(head, magic) {
		return fmt.Errorf("%s is no back-up made by kaibao backup", file)
	}
	return nil
}

// NotInUse returns ErrInUse if another process has a data directory's SQLite database open.
func NotInUse(ctx context.Context, dir string) error {
	path := filepath.Join(dir, File)
	if err := findPlace(path, true); err != nil {
		return err // opening it would create one
	}
	return inTurn(ctx, path, func() error { return alone(ctx, path) })
}

// alone leaves write-ahead logging. That needs exclusive access, and merges the log into the
// database file.
func alone(ctx context.Context, path string) error {
	d := sql.OpenDB(asItIs(path))
	_, err := d.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	err = errors.Join(err, d.Close())
	if lite, ok := errors.AsType[sqlite3.Error](err); ok && lite.Code == sqlite3.ErrBusy {
		return ErrInUse
	}
	return err
}

// setAside renames a database and its log files, even if the database itself is missing: SQLite
// would apply a leftover log to the new database.
func setAside(ctx context.Context, path string) (kept string, err error) {
	aside := path + ".replaced-" + time.Now().UTC().Format(backupTime)
	if _, err := os.Stat(path); err == nil {
		if err := alone(ctx, path); errors.Is(err, ErrInUse) || ctx.Err() != nil {
			return "", err
		}
		// Ignore other errors: a damaged database is a reason to restore one.
		kept = aside
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return kept, nil
}

// copyFile copies a file and syncs the copy to disk.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// inTurn runs fn while no other process writes to or migrates a data directory.
func inTurn(ctx context.Context, database string, fn func() error) error {
	t, err := openTurns(database)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.take(ctx); err != nil {
		return err
	}
	defer t.pass()
	return fn()
}
