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

// Backup writes the SQLite database of a data directory into a new file, as it is
// at one moment, while a server may go on writing. Neither may be damaged: ErrDamaged.
// The original is checked too, as damage can vanish where its rows are copied.
func Backup(ctx context.Context, dir, file string) (err error) {
	path := filepath.Join(dir, File)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no database to back up: %w", err)
	}
	if err := sound(ctx, path); err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // SQLite fills an empty file
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

// sound is ErrDamaged for a file that is not as SQLite wrote it.
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

// backupTime is how the name of a file tells when it was put aside.
const backupTime = "20060102T150405Z"

// asItIs opens a file without changing its mode, and waits for nobody.
func asItIs(path string) sqliteFile {
	return sqliteFile{path: path, settings: []string{"busy_timeout = 0"}}
}

// ErrInUse says that a server, or another command, has the database open.
var ErrInUse = errors.New("the database is open in another process: stop the server first")

// Restore puts a back-up in the place of the SQLite database of a data directory,
// which nobody may have open: ErrInUse. One that is damaged (ErrDamaged), or of a newer
// schema than this program's, replaces nothing. What was there is kept beside it under
// the name returned, "" if there was nothing.
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

// checkCopy looks whether a copy of a back-up is whole, and whether this program knows its
// schema.
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

// checkBackup looks whether a file is a SQLite database.
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

// NotInUse looks whether no other process has the SQLite database of a data
// directory open: ErrInUse.
func NotInUse(ctx context.Context, dir string) error {
	path := filepath.Join(dir, File)
	if err := findPlace(path, true); err != nil {
		return err // opening would make one
	}
	return inTurn(ctx, path, func() error { return alone(ctx, path) })
}

// alone leaves the mode with a write-ahead log, which needs the database for oneself
// and makes one file of it.
func alone(ctx context.Context, path string) error {
	d := sql.OpenDB(asItIs(path))
	_, err := d.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	err = errors.Join(err, d.Close())
	if lite, ok := errors.AsType[sqlite3.Error](err); ok && lite.Code == sqlite3.ErrBusy {
		return ErrInUse
	}
	return err
}

// setAside renames a database, and what lies beside it though the database itself is gone:
// SQLite would take a log that it finds there as that of whatever comes in its place.
func setAside(ctx context.Context, path string) (kept string, err error) {
	aside := path + ".replaced-" + time.Now().UTC().Format(backupTime)
	if _, err := os.Stat(path); err == nil {
		if err := alone(ctx, path); errors.Is(err, ErrInUse) || ctx.Err() != nil {
			return "", err
		}
		// Another failure is no obstacle: a damaged database is a reason to restore one.
		kept = aside
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return kept, nil
}

// copyFile makes a copy that is on disk when it returns.
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

// inTurn runs fn while no other process of a data directory writes or migrates.
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
