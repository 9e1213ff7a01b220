package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"kaibao/internal/db/engine"
)

// prepareSchema sets up or migrates the schema if that is due. It first waits for any other program
// that is doing so.
func (e *Engine) prepareSchema(ctx context.Context) error {
	schema := e.options.Schema
	conns := stdlib.OpenDBFromPool(e.readers[engine.Inspect].Pool)
	defer func() { _ = conns.Close() }()
	version, err := engine.ReadVersion(ctx, conns, KindOf)
	if err == nil && version < schema.Newest {
		version, err = versionAfterMigration(ctx, conns)
	}
	if err != nil {
		return err
	}
	due, err := schema.Due(version)
	if err != nil || !due {
		return err
	}
	return schema.Migrate(ctx, conns, version, "", &schemaLock{from: version})
}

// versionAfterMigration waits for a running migration to end, and returns the schema's version.
func versionAfterMigration(ctx context.Context, conns *sql.DB) (version int64, err error) {
	conn, err := conns.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, lockMigrations); err != nil {
		return 0, fmt.Errorf("wait for another migration: %w", err)
	}
	version, err = engine.ReadVersion(ctx, conn, KindOf)
	_, unlockErr := conn.ExecContext(ctx, unlockMigrations)
	return version, errors.Join(err, unlockErr)
}

// A schema has two advisory locks. A program that sets the schema up or migrates it holds the first
// one; programs of every version wait for it when they start. Writing transactions share the second
// one; a migration locks it exclusively.
const (
	lockMigrations   = `SELECT pg_advisory_lock(hashtext('kaibao ' || current_schema()))`
	unlockMigrations = `SELECT pg_advisory_unlock(hashtext('kaibao ' || current_schema()))`
	shareSchema      = `SELECT pg_advisory_xact_lock_shared(hashtext('kaibao schema of ' || current_schema()))`
	lockSchema       = `SELECT pg_advisory_lock(hashtext('kaibao schema of ' || current_schema()))`
	unlockSchema     = `SELECT pg_advisory_unlock(hashtext('kaibao schema of ' || current_schema()))`
)

// migrationTimeout is how long a migration waits for a writing transaction or a table lock. Other
// transactions queue up meanwhile.
const migrationTimeout = 5 * time.Second

// schemaLock keeps other programs from writing and migrating. It waits in the server, so the next
// program continues immediately; goose's own locker polls every 5 s.
type schemaLock struct {
	from      int64 // version before the migration; 0 = an empty database
	installed bool  // SessionLock has installed stopOlder
}

// stopOlder makes the database refuse writes from programs that don't check the schema version in
// each transaction. Their application_name is "kaibao"; later programs append the schema version.
// All tables have the trigger, because no table is written by every transaction. It is installed
// before the first migration, because each migration commits separately. The old programs answer
// SQLSTATE 57P03 with status 503.
const stopOlder = `
	CREATE FUNCTION stop_older_program() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		RAISE EXCEPTION 'a newer kaibao has migrated this database: replace this program with it' USING ERRCODE = '57P03';
	END $$;
	DO $$
	DECLARE name text;
	BEGIN
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'goose_db_version' ORDER BY 1 LOOP
			EXECUTE format('CREATE TRIGGER older_programs BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
				WHEN (current_setting(''application_name'') = ''kaibao'') EXECUTE FUNCTION stop_older_program()', name);
		END LOOP;
	END $$;`

// SessionLock implements engine.MigrationLock.
func (l *schemaLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, lockMigrations); err != nil {
		return err
	}
	err := l.stopWriters(ctx, conn)
	if err == nil {
		return nil
	}
	if KindOf(err) == engine.Unavailable {
		err = fmt.Errorf("a transaction has been running for %s, such as an import: try again when it has finished: %w", migrationTimeout, err)
	}
	return errors.Join(err, l.SessionUnlock(ctx, conn))
}

func (l *schemaLock) stopWriters(ctx context.Context, conn *sql.Conn) error {
	if err := executeAll(ctx, conn, fmt.Sprintf("SET lock_timeout = %d", migrationTimeout.Milliseconds()), lockSchema); err != nil || l.from == 0 {
		return err
	}
	err := conn.QueryRowContext(ctx, "SELECT to_regprocedure('stop_older_program()') IS NULL").Scan(&l.installed)
	if err != nil || !l.installed {
		return err
	}
	_, err = conn.ExecContext(ctx, stopOlder)
	return err
}

// SessionUnlock implements engine.MigrationLock. If no migration succeeded, it lets older programs
// write again.
func (l *schemaLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	version, err := engine.ReadVersion(ctx, conn, KindOf)
	if err == nil && version == l.from && l.installed {
		_, err = conn.ExecContext(ctx, "DROP FUNCTION IF EXISTS stop_older_program() CASCADE")
	}
	return errors.Join(err, executeAll(ctx, conn, unlockSchema, "RESET lock_timeout", unlockMigrations))
}

func executeAll(ctx context.Context, conn *sql.Conn, statements ...string) error {
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
