package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"kaibao/internal/db/engine"
)

// MoveState says whether a database is the target of a move from SQLite.
type MoveState struct {
	Encoding string // of the database's text
	Empty    bool   // without tables
	Version  int64  // of the schema, or engine.UnfinishedVersion; 0 = none
	Move     string // id of the incomplete move into this database; "" = none
	Shop     string // verifier key of the log of the shop that is being moved
}

// Usable returns an error unless a shop can be moved into the database: it must be empty, or the
// target of an incomplete move of the same shop.
func (s MoveState) Usable(shop string) error {
	switch {
	case s.Encoding != "UTF8":
		return fmt.Errorf("the target's encoding is %s: create a database with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'", s.Encoding)
	case s.Empty, s.Version == engine.UnfinishedVersion && s.Shop == shop:
		return nil
	case s.Version == engine.UnfinishedVersion:
		return fmt.Errorf("the target contains an incomplete move of another shop, with the log key %s: use another database", s.Shop)
	}
	return errors.New("the target isn't empty: create another database for the move")
}

// MoveState reads the state.
func (e *Engine) MoveState(ctx context.Context) (s MoveState, err error) {
	conns := stdlib.OpenDBFromPool(e.readers[engine.Inspect].Pool)
	s, err = moveState(ctx, conns)
	return s, errors.Join(err, conns.Close())
}

// ownTables is the condition of pg_class c for tables, views and sequences that belong to no
// extension.
const ownTables = `c.relnamespace = current_schema()::regnamespace
	AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

func moveState(ctx context.Context, conn interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (s MoveState, err error) {
	var versions, marked bool
	err = conn.QueryRowContext(ctx, `SELECT current_setting('server_encoding'), COUNT(*) = 0,
		COALESCE(BOOL_OR(relname = 'goose_db_version'), FALSE), COALESCE(BOOL_OR(relname = 'move_target'), FALSE)
		FROM pg_class c WHERE `+ownTables).Scan(&s.Encoding, &s.Empty, &versions, &marked)
	if err == nil && versions {
		s.Version, err = engine.ReadVersion(ctx, conn, KindOf)
	}
	if err == nil && marked {
		err = conn.QueryRowContext(ctx, `SELECT move, shop FROM move_target`).Scan(&s.Move, &s.Shop)
	}
	return s, err
}

// noTimeouts lifts the time limits that the user or database may have.
const noTimeouts = `SELECT set_config(name, '0', TRUE) FROM pg_settings
	WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`

// SetUpMove makes a database the target of a move, in one transaction. It drops what an incomplete
// move left. setUp creates the schema and adds engine.UnfinishedVersion to the version table, which
// exists unless first is true.
func (e *Engine) SetUpMove(ctx context.Context, move, shop string, setUp func(ctx context.Context, tx *sql.Tx, first bool) error) (err error) {
	conns := stdlib.OpenDBFromPool(e.readers[engine.Inspect].Pool)
	defer func() { err = errors.Join(err, conns.Close()) }()
	tx, err := conns.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // fails after the commit
	run := func(statements ...string) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return engine.NameStatement(statement, err)
			}
		}
		return nil
	}
	// Programs that start meanwhile wait for lockMove, and then find the mark.
	if err := run(noTimeouts, lockMove); err != nil {
		return err
	}
	state, err := moveState(ctx, tx)
	if err == nil {
		err = state.Usable(shop)
	}
	if err == nil && !state.Empty {
		err = run(dropTables)
	}
	if err == nil {
		err = setUp(ctx, tx, state.Empty)
	}
	if err == nil {
		err = run(`CREATE TABLE move_target (move TEXT NOT NULL, shop TEXT NOT NULL)`)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO move_target (move, shop) VALUES ($1, $2)`, move, shop)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

const (
	lockMove = `SELECT pg_advisory_xact_lock(hashtext('kaibao ' || current_schema()))`
	// dropTables keeps the version table, so that programs that start meanwhile find the mark.
	dropTables = `DO $$
		DECLARE name text;
		BEGIN
			FOR name IN SELECT relname FROM pg_class c WHERE relkind = 'r' AND relname <> 'goose_db_version' AND ` + ownTables + ` LOOP
				EXECUTE format('DROP TABLE %I CASCADE', name);
			END LOOP;
		END $$`
)

// MoveTable is a table to move rows into.
type MoveTable struct {
	Name    string
	Columns []MoveColumn
}

// MoveColumn is a column and its type: int8, bool, text, bytea or uuid.
type MoveColumn struct{ Name, Type string }

// MoveTables returns the tables of a target. Tables come after those that their foreign keys
// reference.
func (e *Engine) MoveTables(ctx context.Context) (sorted []MoveTable, err error) {
	err = e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		rows, _ := conn.Query(ctx, `SELECT relname, attname, typname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
			WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND relname NOT IN ('goose_db_version', 'move_target') AND `+ownTables+`
			ORDER BY relname, attname`) // ForEachRow returns the error
		var tables []MoveTable
		var table string
		var column MoveColumn
		_, err := pgx.ForEachRow(rows, []any{&table, &column.Name, &column.Type}, func() error {
			if n := len(tables); n == 0 || tables[n-1].Name != table {
				tables = append(tables, MoveTable{Name: table})
			}
			last := &tables[len(tables)-1]
			last.Columns = append(last.Columns, column)
			return nil
		})
		if err != nil {
			return err
		}
		references := map[string][]string{}
		var to string
		rows, _ = conn.Query(ctx, `SELECT f.relname, t.relname FROM pg_constraint JOIN pg_class f ON f.oid = conrelid JOIN pg_class t ON t.oid = confrelid
			WHERE contype = 'f' AND f.relnamespace = current_schema()::regnamespace`)
		if _, err := pgx.ForEachRow(rows, []any{&table, &to}, func() error {
			references[table] = append(references[table], to)
			return nil
		}); err != nil {
			return err
		}
		sorted, err = sortByReferences(tables, references)
		return err
	})
	return sorted, err
}

// sortByReferences sorts tables so that each comes after those that it references.
func sortByReferences(tables []MoveTable, references map[string][]string) (sorted []MoveTable, err error) {
	done := map[string]bool{}
	for len(sorted) < len(tables) {
		before := len(sorted)
		for _, table := range tables {
			missing := func(name string) bool { return name != table.Name && !done[name] }
			if !done[table.Name] && !slices.ContainsFunc(references[table.Name], missing) {
				done[table.Name] = true
				sorted = append(sorted, table)
			}
		}
		if len(sorted) == before {
			return nil, errors.New("the foreign keys of some tables form a cycle")
		}
	}
	return sorted, nil
}

// moveBatch is the number of rows that one COPY inserts. The server remembers the foreign keys of
// all of them until the COPY ends.
const moveBatch = 50_000

// CopyRows replaces the rows of tables, in one transaction. next returns the next row of a table,
// or nil at its end. last has the last number of each table whose ids the database counts up.
func (e *Engine) CopyRows(ctx context.Context, tables []MoveTable, last map[string]int64, next func(MoveTable) ([]any, error)) error {
	return e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, noTimeouts); err != nil {
				return err
			}
			for _, table := range slices.Backward(tables) {
				if err := deleteRows(ctx, tx, table.Name); err != nil {
					return err
				}
			}
			for _, table := range tables {
				if err := copyTable(ctx, tx, table, func() ([]any, error) { return next(table) }); err != nil {
					return fmt.Errorf("copy the table %s: %w", table.Name, err)
				}
			}
			for table, number := range last {
				if _, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence($1::text, attname), $2) FROM pg_attribute WHERE attrelid = $1::text::regclass AND attidentity <> ''`,
					table, number); err != nil {
					return fmt.Errorf("set the sequence of %s: %w", table, err)
				}
			}
			return nil
		})
	})
}

// deleteRows deletes the rows that migrations inserted. Append-only tables refuse even to delete
// none.
func deleteRows(ctx context.Context, tx pgx.Tx, table string) error {
	var filled bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+`)`).Scan(&filled)
	if err == nil && filled {
		_, err = tx.Exec(ctx, `DELETE FROM `+table)
	}
	return err
}

func copyTable(ctx context.Context, tx pgx.Tx, table MoveTable, next func() ([]any, error)) error {
	var failed error // of next; CopyFrom wraps it as an error of the server
	for ended := false; !ended; {
		n := 0
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{table.Name}, table.names(), pgx.CopyFromFunc(func() (row []any, _ error) {
			if n == moveBatch {
				return nil, nil
			}
			n++
			row, failed = next()
			ended = row == nil
			return row, failed
		})); err != nil {
			return cmp.Or(failed, err)
		}
	}
	return nil
}

func (t MoveTable) names() (names []string) {
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// Analyze updates the statistics of tables, which otherwise takes PostgreSQL some minutes.
func (e *Engine) Analyze(ctx context.Context, tables []MoveTable) error {
	return e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		for _, table := range tables {
			if _, err := conn.Exec(ctx, `ANALYZE `+table.Name); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadRows calls visit with the values of each row of a table: nil, int64, bool, string, []byte or
// [16]byte each.
func (e *Engine) ReadRows(ctx context.Context, table MoveTable, visit func([]any) error) error {
	return e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, noTimeouts); err != nil {
				return err
			}
			rows, err := tx.Query(ctx, `SELECT `+strings.Join(table.names(), ", ")+` FROM `+table.Name)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				values, err := rows.Values()
				if err == nil {
					err = visit(values)
				}
				if err != nil {
					return err
				}
			}
			return rows.Err()
		})
	})
}

// FinishMove completes a move: it runs a last statement, and programs can start on its target from now
// on. It fails if another move into the target has been started since.
func (e *Engine) FinishMove(ctx context.Context, move, last string, args ...any) error {
	return e.readers[engine.Inspect].with(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var current string
			if err := tx.QueryRow(ctx, `SELECT move FROM move_target FOR UPDATE`).Scan(&current); err != nil {
				return err
			}
			if current != move {
				return errors.New("another move into the target has been started: move to another database")
			}
			if _, err := tx.Exec(ctx, `DELETE FROM goose_db_version WHERE version_id = $1`, engine.UnfinishedVersion); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, last, args...); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `DROP TABLE move_target`)
			return err
		})
	})
}
