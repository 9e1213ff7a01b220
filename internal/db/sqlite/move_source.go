package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"

	"kaibao/internal/db/engine"
)

// MoveSource is the database of a data directory while its rows are moved to PostgreSQL. No other
// program can read or write it until Close.
type MoveSource struct {
	conns *sql.DB
	conn  *sql.Conn
}

// OpenMoveSource opens a database for a move. It returns ErrInUse if another program has it open.
func OpenMoveSource(ctx context.Context, dir string) (*MoveSource, error) {
	path := filepath.Join(dir, File)
	if err := prepareDir(path, true); err != nil {
		return nil, err
	}
	s := &MoveSource{conns: sql.OpenDB(connector{path: path, settings: []string{
		"locking_mode = EXCLUSIVE", // from the first transaction until the connection closes
		"synchronous = EXTRA",      // the mark must survive a power failure, or both databases could start
	}})}
	err := withWriteLock(ctx, path, func() error { // no server starts meanwhile
		if err := leaveWAL(ctx, path); err != nil {
			return err
		}
		return s.lock(ctx)
	})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// lock acquires SQLite's lock, which excludes readers too.
func (s *MoveSource) lock(ctx context.Context) (err error) {
	s.conn, err = s.conns.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	for _, statement := range []string{"BEGIN EXCLUSIVE", "COMMIT"} {
		_, err = s.conn.ExecContext(ctx, statement)
		if lite, ok := errors.AsType[sqlite3.Error](err); ok && lite.Code == sqlite3.ErrBusy {
			return ErrInUse
		}
		if err != nil {
			return fmt.Errorf("lock the database: %w", err)
		}
	}
	return nil
}

// Close releases the database.
func (s *MoveSource) Close() error {
	var err error
	if s.conn != nil {
		err = s.conn.Close()
	}
	return errors.Join(err, s.conns.Close())
}

// Version returns the schema's version, or engine.MovedVersion.
func (s *MoveSource) Version(ctx context.Context) (int64, error) {
	return engine.ReadVersion(ctx, s.conn, KindOf)
}

// Bytes returns the size of the database.
func (s *MoveSource) Bytes(ctx context.Context) (bytes int64, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes)
	return bytes, err
}

// Text returns the text that a query yields, or "" without a row.
func (s *MoveSource) Text(ctx context.Context, query string) (text string, err error) {
	err = s.conn.QueryRowContext(ctx, query).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return text, err
}

// Columns returns the columns of all tables as "table.column", without the tables of the engine and
// of the migrations.
func (s *MoveSource) Columns(ctx context.Context) ([]string, error) {
	return textColumn(ctx, s.conn, `SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'goose_db_version'`)
}

// Count returns the number of rows of a table.
func (s *MoveSource) Count(ctx context.Context, table string) (rows int64, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+table).Scan(&rows)
	return rows, err
}

// Rows returns the rows of a table. The caller must close them before the next call.
func (s *MoveSource) Rows(ctx context.Context, table string, columns []string) (*MoveRows, error) {
	rows, err := s.conn.QueryContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+table)
	if err != nil {
		return nil, err
	}
	return &MoveRows{rows, len(columns)}, rows.Err()
}

// MoveRows are rows of a table to move.
type MoveRows struct {
	rows    *sql.Rows
	columns int
}

// Next returns the values of the next row, or nil at the end: nil, int64, bool, string or []byte
// each.
func (r *MoveRows) Next() ([]any, error) {
	if !r.rows.Next() {
		return nil, r.rows.Err()
	}
	values := make([]any, r.columns)
	targets := make([]any, r.columns)
	for i := range values {
		targets[i] = &values[i]
	}
	return values, r.rows.Scan(targets...)
}

// Close ends the reading.
func (r *MoveRows) Close() error { return r.rows.Close() }

// Sequences returns the last number of each table whose ids the database counts up.
func (s *MoveSource) Sequences(ctx context.Context) (last map[string]int64, err error) {
	rows, err := s.conn.QueryContext(ctx, `SELECT name, seq FROM sqlite_sequence WHERE seq > 0 AND name <> 'goose_db_version'`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	last = map[string]int64{}
	for rows.Next() {
		var table string
		var number int64
		if err := rows.Scan(&table, &number); err != nil {
			return nil, err
		}
		last[table] = number
	}
	return last, rows.Err()
}

// MarkMoved marks the database as moved, durably, with the id of the move. From then on no program
// writes to it.
func (s *MoveSource) MarkMoved(ctx context.Context, move string) error {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `CREATE TABLE move_source (move TEXT NOT NULL)`)
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO move_source (move) VALUES (?)`, move)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, TRUE)`, engine.MovedVersion)
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// MovedBy returns the id of the move that the database is marked with.
func (s *MoveSource) MovedBy(ctx context.Context) (move string, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT move FROM move_source`).Scan(&move)
	return move, err
}
