package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/apperr"
)

// Schema is the schema that this program works with. db makes it from the migrations.
type Schema struct {
	Newest int64 // version
	// Due reports whether a database with a version has to be migrated, or why it can't be used.
	// Version 0 is an empty database.
	Due func(version int64) (bool, error)
	// Migrate brings the schema up to date, unless another program did so first. backup is the file
	// of the backup that was made before, if any. lock may be nil.
	Migrate func(ctx context.Context, conns *sql.DB, from int64, backup string, lock MigrationLock) error
}

// MigrationLock keeps other programs from writing and migrating during a migration.
type MigrationLock interface {
	SessionLock(ctx context.Context, conn *sql.Conn) error
	SessionUnlock(ctx context.Context, conn *sql.Conn) error
}

// CurrentVersion reads the schema's version. It is the first query of every writing transaction.
const CurrentVersion = `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`

// errNewerSchema refuses writes after a newer program migrated the database. The node stays up, so
// that it works again if the older database is restored.
var errNewerSchema = apperr.New(apperr.Unavailable, "The server is being updated, so nothing was changed. Please try again in a moment.").After(5 * time.Second)

// Versions of a database that no program may use. They are higher than every schema's version, so
// earlier programs refuse them as well.
const (
	UnfinishedVersion = 1_000_000_001 // the target of a move that isn't complete
	MovedVersion      = 1_000_000_002 // the source of a move that is complete
)

// Why a database with such a version can't be used.
var (
	ErrUnfinished = errors.New("the move into this database isn't complete: run `kaibao move` again")
	ErrMoved      = errors.New("this database was moved to PostgreSQL, and no program uses this copy any more: set --database-url to the new one")
)

// CheckMoved returns ErrUnfinished or ErrMoved if a version stands for it.
func CheckMoved(version int64) error {
	switch version {
	case UnfinishedVersion:
		return ErrUnfinished
	case MovedVersion:
		return ErrMoved
	}
	return nil
}

// Accepts refuses to write to a schema newer than this program's.
func (s Schema) Accepts(version int64) error {
	if err := CheckMoved(version); err != nil {
		return errNewerSchema.Because(err)
	}
	if version > s.Newest {
		return errNewerSchema.Because(fmt.Errorf("the database has schema %d, but this version supports only up to %d: replace it with the new version", version, s.Newest))
	}
	return nil
}

// ReadVersion reads the schema's version. It is 0 for an empty database, which kindOf recognizes.
func ReadVersion(ctx context.Context, conn interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, kindOf func(error) Kind) (version int64, err error) {
	err = conn.QueryRowContext(ctx, CurrentVersion).Scan(&version)
	if kindOf(err) == NoTable {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return version, nil
}
