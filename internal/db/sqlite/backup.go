package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/mattn/go-sqlite3"

	"kaibao/internal/db/engine"
)

// Backup writes a consistent snapshot of a data directory's database into a new file, which has
// another name until it is complete and on disk. A server may keep writing. It returns
// engine.ErrDamaged if the copy or the original is damaged: copying rows can hide damage of the
// original. It returns engine.ErrMoved if the database was moved.
func Backup(ctx context.Context, dir, file string) (err error) {
	path := filepath.Join(dir, File)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no database to back up: %w", err)
	}
	if err := checkIntact(ctx, path); err != nil {
		return err
	}
	if err := checkNotMoved(ctx, path); err != nil {
		return err
	}
	if err := checkFree(file); err != nil {
		return err
	}
	part := file + partSuffix
	lock, err := createPart(part)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := copySnapshot(ctx, path, part, lock.Sync); err != nil {
		return errors.Join(err, removePart(part))
	}
	if err := checkFree(file); err != nil {
		return errors.Join(err, removePart(part))
	}
	// SQLite would apply a journal that a killed backup of an earlier version left.
	for _, suffix := range []string{journalSuffix, "-wal", "-shm"} {
		if err := removeIfExists(file + suffix); err != nil {
			return errors.Join(err, removePart(part))
		}
	}
	return errors.Join(os.Rename(part, file), syncDir(filepath.Dir(file)))
}

// partSuffix marks a backup that isn't complete.
const partSuffix = ".part"

// copySnapshot writes a snapshot of a database into an empty file, and checks it.
func copySnapshot(ctx context.Context, path, part string, sync func() error) error {
	from := openUnconfigured(path)
	_, err := from.ExecContext(ctx, `VACUUM INTO $1`, part)
	err = errors.Join(err, from.Close(), sync())
	if err != nil {
		return err
	}
	return checkIntact(ctx, part)
}

// checkFree fails if a file exists.
func checkFree(file string) error {
	_, err := os.Lstat(file)
	if err == nil {
		return fmt.Errorf("%s exists: give the name of a new file", file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// createPart creates an empty file and locks it until it is closed. It removes what a killed backup
// left there, and fails if another backup is writing it.
func createPart(part string) (*os.File, error) {
	file, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR, ownerOnly)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another backup is writing %s: %w", part, err), file.Close())
	}
	if err := checkSame(file, part); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	// SQLite would apply a leftover journal to the new file.
	if err := errors.Join(removeIfExists(part+journalSuffix), file.Chmod(ownerOnly), file.Truncate(0)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// checkSame fails if an open file doesn't have a name any more, because it has become a backup.
func checkSame(file *os.File, name string) error {
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(name)
	if err == nil && !os.SameFile(opened, named) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("another backup was writing %s: try again: %w", name, err)
	}
	return nil
}

// journalSuffix ends the name of the journal that SQLite writes beside a file.
const journalSuffix = "-journal"

// removePart removes an incomplete backup.
func removePart(part string) error {
	return errors.Join(os.Remove(part), removeIfExists(part+journalSuffix))
}

func removeIfExists(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir makes the names in a directory durable.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// backupBeforeMigration backs up a database with an older schema beside it, and returns the name of
// the backup. The caller holds the write lock.
func backupBeforeMigration(ctx context.Context, path string, schema int64) (file string, err error) {
	dir := filepath.Dir(path)
	left, err := fs.Glob(os.DirFS(dir), File+".schema-*"+partSuffix) // of migrations that were killed
	for _, part := range left {
		err = errors.Join(err, removePart(filepath.Join(dir, part)))
	}
	if err != nil {
		return "", err
	}
	file = fmt.Sprintf("%s.schema-%d-%s", path, schema, time.Now().UTC().Format(backupTime))
	if _, err := os.Lstat(file); err == nil { // of a migration that was killed in this second
		file += "-" + rand.Text()
	}
	return file, Backup(ctx, dir, file)
}

// checkNotMoved returns engine.ErrMoved if a database was moved to PostgreSQL.
func checkNotMoved(ctx context.Context, path string) error {
	conns := openUnconfigured(path)
	version, err := engine.ReadVersion(ctx, conns, KindOf)
	err = errors.Join(err, conns.Close())
	if version == engine.MovedVersion {
		return engine.ErrMoved
	}
	return err
}

// checkIntact returns engine.ErrDamaged if a database file is damaged.
func checkIntact(ctx context.Context, path string) error {
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

// ErrInUse means that a server or another command has the database open.
var ErrInUse = errors.New("the database is open in another process: stop the server first")

// Restore replaces a data directory's database with a backup. It returns ErrInUse if the database
// is open, and engine.ErrDamaged or a schema error if the backup is damaged or its schema is newer
// than newest, the version that the program knows; then nothing is replaced. It doesn't replace a
// database that was moved to PostgreSQL either, because both could then be served. The previous
// database is renamed to the returned name, "" if there was none.
func Restore(ctx context.Context, file, dir string, newest int64) (replaced string, err error) {
	if err := checkBackup(file); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the data directory: %w", err)
	}
	path := filepath.Join(dir, File)
	err = withWriteLock(ctx, path, func() error {
		if err := checkReplaceable(ctx, path); err != nil {
			return err
		}
		newPath := path + ".new"
		if err := copyFile(file, newPath); err != nil {
			return fmt.Errorf("copy the backup: %w", err)
		}
		if err := checkCopy(ctx, newPath, newest); err != nil {
			return errors.Join(fmt.Errorf("nothing was replaced: %w", err), os.Remove(newPath))
		}
		replaced, err = renameReplaced(ctx, path)
		if err != nil {
			return errors.Join(err, os.Remove(newPath))
		}
		return os.Rename(newPath, path)
	})
	return replaced, err
}

// checkReplaceable fails if the database to replace was moved to PostgreSQL. A database that is
// missing or can't be read may be replaced.
func checkReplaceable(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil // checkNotMoved would create it
	}
	err := checkNotMoved(ctx, path)
	if errors.Is(err, engine.ErrMoved) {
		return fmt.Errorf("%w. To give the new one up and restore this backup here, first move %s away", err, path)
	}
	return nil
}

// checkCopy checks that a copy of a backup is intact and that this program knows its schema.
func checkCopy(ctx context.Context, path string, newest int64) (err error) {
	if err := checkIntact(ctx, path); err != nil {
		return err
	}
	conns := openUnconfigured(path)
	defer func() { err = errors.Join(err, conns.Close()) }()
	version, err := engine.ReadVersion(ctx, conns, KindOf)
	if err := engine.CheckMoved(version); err != nil {
		return err
	}
	if err == nil && version > newest {
		err = fmt.Errorf("the backup has schema %d, but this version supports only up to %d: use a newer kaibao", version, newest)
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
		return fmt.Errorf("%s is not a backup made by kaibao backup", file)
	}
	return nil
}

// NotInUse returns ErrInUse if another process has a data directory's database open, or an error if
// there is no database.
func NotInUse(ctx context.Context, dir string) error {
	path := filepath.Join(dir, File)
	if err := prepareDir(path, true); err != nil {
		return err // openUnconfigured would create a missing database
	}
	return withWriteLock(ctx, path, func() error { return leaveWAL(ctx, path) })
}

// leaveWAL leaves write-ahead logging. That needs exclusive access, and merges the log into the
// database file.
func leaveWAL(ctx context.Context, path string) error {
	conns := openUnconfigured(path)
	_, err := conns.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	err = errors.Join(err, conns.Close())
	if lite, ok := errors.AsType[sqlite3.Error](err); ok && lite.Code == sqlite3.ErrBusy {
		return ErrInUse
	}
	return err
}

// renameReplaced renames a database and its log files, even if the database itself is missing:
// SQLite would apply a leftover log to the new database.
func renameReplaced(ctx context.Context, path string) (renamedTo string, err error) {
	newName := path + ".replaced-" + time.Now().UTC().Format(backupTime)
	if _, err := os.Stat(path); err == nil {
		if err := leaveWAL(ctx, path); errors.Is(err, ErrInUse) || ctx.Err() != nil {
			return "", err
		}
		// Ignore other errors: a damaged database is a reason to restore one.
		renamedTo = newName
	}
	for _, suffix := range []string{"", "-wal", "-shm", journalSuffix} {
		if err := os.Rename(path+suffix, newName+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return renamedTo, nil
}

// IsFull reports whether an error of the database means that there was no space left on its disk.
func IsFull(err error) bool {
	lite, ok := errors.AsType[sqlite3.Error](err)
	return ok && lite.Code == sqlite3.ErrFull
}

// copyFile copies a file and syncs the copy to disk.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, ownerOnly)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
