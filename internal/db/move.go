package db

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"kaibao/internal/db/engine"
	"kaibao/internal/db/postgres"
	"kaibao/internal/db/sqlite"
)

// Why a database can't be used after or during a move.
var (
	ErrMoved      = engine.ErrMoved
	ErrUnfinished = engine.ErrUnfinished
)

// Move moves a database from SQLite to PostgreSQL. Call SetUp, Copy, Compare, MarkSource and Finish
// in this order. After MarkSource no program uses the source, and before Finish none uses the
// target. An interrupted move starts again with SetUp or, if the source is marked, continues with
// Finish.
type Move struct {
	source     *sqlite.MoveSource
	target     *DB // only for reads, whatever its version
	engine     *postgres.Engine
	migrations migrationSet
	shop       string // verifier key of the shop's log, which identifies the shop
	id         string // of this attempt or, after Stage, of the one that marked the source
	tables     []postgres.MoveTable
	sums       map[string]tableSum // of the rows copied, by table
}

// logKeySetting is the setting of package publiclog with the verifier key of the log.
const logKeySetting = "log_key"

// OpenMove opens the source, in a data directory, and the target. No other program can use the
// source until Close. It fails if the source is in use or hasn't this program's schema.
func OpenMove(ctx context.Context, dir, url string) (m *Move, err error) {
	m = &Move{id: rand.Text()}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	m.migrations, err = readMigrations(postgres.Dialect)
	if err != nil {
		return m, err
	}
	m.target, err = Open(ctx, Options{URL: url, Schema: SchemaAny})
	if err != nil {
		return m, err
	}
	m.engine = m.target.engine.(*postgres.Engine)
	m.source, err = sqlite.OpenMoveSource(ctx, dir)
	if err != nil {
		return m, err
	}
	version, err := m.source.Version(ctx)
	if err == nil && version != engine.MovedVersion {
		_, err = m.migrations.due(version, SchemaExact, sqlite.Dialect)
	}
	if err != nil {
		return m, err
	}
	m.shop, err = m.source.Text(ctx, `SELECT value FROM settings WHERE name = '`+logKeySetting+`'`)
	if err == nil && m.shop == "" {
		err = errors.New("no server has used this database yet, so there is nothing to move: start on PostgreSQL directly")
	}
	return m, err
}

// Close releases both databases.
func (m *Move) Close() error {
	var errs []error
	if m.source != nil {
		errs = append(errs, m.source.Close())
	}
	if m.target != nil {
		errs = append(errs, m.target.Close())
	}
	return errors.Join(errs...)
}

// Target is the target. It can be read, but not written to, whatever its state.
func (m *Move) Target() *DB { return m.target }

// SourceBytes returns the size of the source.
func (m *Move) SourceBytes(ctx context.Context) (int64, error) { return m.source.Bytes(ctx) }

// Stage is how far a move is.
type Stage int

// The stages.
const (
	NotMoved     Stage = iota // the source isn't marked: start with SetUp
	SourceMarked              // only Finish is left
	Moved                     // the move is complete
)

// Stage returns how far the move is. It fails if the target can't be the one of this move. Call it
// first.
func (m *Move) Stage(ctx context.Context) (Stage, error) {
	version, err := m.source.Version(ctx)
	if err != nil {
		return 0, err
	}
	state, err := m.engine.MoveState(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the state of the target: %w", err)
	}
	if version != engine.MovedVersion {
		return NotMoved, state.Usable(m.shop)
	}
	id, err := m.source.MovedBy(ctx)
	switch {
	case err != nil:
		return 0, err
	case id == state.Move:
		m.id = id
		return SourceMarked, nil
	case state.Move == "" && state.Version > 0:
		var shop string
		err := m.target.Read(ctx, func(tx *Tx) (err error) {
			shop, err = Setting(tx, logKeySetting)
			return err
		})
		if err != nil || shop == m.shop {
			return Moved, err
		}
	}
	return 0, errors.New("this database was moved to PostgreSQL already, but not to this target: give the address of the other one")
}

// SetUp marks the target as unfinished and sets up its schema. It discards what an earlier attempt
// copied.
func (m *Move) SetUp(ctx context.Context) error {
	err := m.engine.SetUpMove(ctx, m.id, m.shop, m.migrations.setUpUnfinished)
	if err != nil {
		return fmt.Errorf("set up the target: %w", err)
	}
	m.tables, err = m.engine.MoveTables(ctx)
	if err != nil {
		return fmt.Errorf("read the tables of the target: %w", err)
	}
	return m.compareColumns(ctx)
}

// setUpUnfinished creates the schema and marks it as the target of an incomplete move.
func (m migrationSet) setUpUnfinished(ctx context.Context, tx *sql.Tx, first bool) error {
	store, err := database.NewStore(database.DialectPostgres, goose.DefaultTablename)
	if err != nil {
		return err
	}
	if first {
		err = store.CreateVersionTable(ctx, tx)
	} else {
		_, err = tx.ExecContext(ctx, `DELETE FROM goose_db_version`)
	}
	versions := []int64{0} // with which goose begins
	for _, step := range m.steps {
		versions = append(versions, step.Version)
	}
	for _, version := range append(versions, engine.UnfinishedVersion) {
		if err == nil {
			err = store.Insert(ctx, tx, database.InsertRequest{Version: version})
		}
	}
	for _, step := range m.steps {
		if err == nil {
			err = step.UpFnContext(ctx, tx)
		}
	}
	return err
}

// compareColumns fails unless both databases have the same tables and columns.
func (m *Move) compareColumns(ctx context.Context) error {
	columns, err := m.source.Columns(ctx)
	if err != nil {
		return fmt.Errorf("read the tables of the source: %w", err)
	}
	only := map[string]bool{}
	for _, column := range columns {
		only[column] = true
	}
	for _, table := range m.tables {
		for _, column := range table.Columns {
			name := table.Name + "." + column.Name
			if !only[name] {
				return fmt.Errorf("the source has no column %s", name)
			}
			delete(only, name)
		}
	}
	if len(only) > 0 {
		return fmt.Errorf("the source has tables or columns that aren't part of the schema: %s", strings.Join(slices.Sorted(maps.Keys(only)), ", "))
	}
	return nil
}

// Progress reports how many rows of a table are done.
type Progress func(table string, done, total int64)

// Copy copies all rows, in one transaction, and returns their number.
func (m *Move) Copy(ctx context.Context, progress Progress) (rows int64, err error) {
	last, err := m.source.Sequences(ctx)
	if err != nil {
		return 0, err
	}
	m.sums = map[string]tableSum{}
	var source *tableReader
	defer func() { err = errors.Join(err, source.close()) }()
	err = m.engine.CopyRows(ctx, m.tables, last, func(table postgres.MoveTable) (row []any, err error) {
		if source == nil {
			source, err = m.readTable(ctx, table, progress)
			if err != nil {
				return nil, err
			}
		}
		row, err = source.next()
		if row == nil && err == nil {
			m.sums[table.Name] = source.sum
			rows += source.sum.rows
			err = source.close()
			source = nil
		}
		return row, err
	})
	if err != nil {
		return rows, fmt.Errorf("copy the rows: %w", err)
	}
	return rows, m.engine.Analyze(ctx, m.tables)
}

// tableReader reads the rows of a table of the source.
type tableReader struct {
	table    postgres.MoveTable
	rows     *sqlite.MoveRows
	sum      tableSum
	total    int64
	progress Progress
}

func (m *Move) readTable(ctx context.Context, table postgres.MoveTable, progress Progress) (*tableReader, error) {
	total, err := m.source.Count(ctx, table.Name)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
	}
	rows, err := m.source.Rows(ctx, table.Name, names)
	if err != nil {
		return nil, err
	}
	return &tableReader{table: table, rows: rows, total: total, progress: progress}, nil
}

// next returns the next row with values as the target returns them, or nil.
func (r *tableReader) next() ([]any, error) {
	row, err := r.rows.Next()
	if row == nil || err != nil {
		return nil, err
	}
	for i, column := range r.table.Columns {
		row[i], err = convert(row[i], column.Type)
		if err != nil {
			return nil, fmt.Errorf("row %d, column %s: %w", r.sum.rows+1, column.Name, err)
		}
	}
	if r.sum.rows%progressInterval == 0 {
		r.progress(r.table.Name, r.sum.rows, r.total)
	}
	return row, r.sum.add(row)
}

// progressInterval is the number of rows between two reports.
const progressInterval = 1000

func (r *tableReader) close() error {
	if r == nil {
		return nil
	}
	return r.rows.Close()
}

// convert turns a value of SQLite into one of a PostgreSQL type.
func convert(value any, to string) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case int64:
		switch {
		case to == "int8":
			return v, nil
		case to == "bool" && (v == 0 || v == 1):
			return v == 1, nil
		}
	case bool:
		if to == "bool" {
			return v, nil
		}
	case string:
		switch to {
		case "text":
			return v, checkText(v)
		case "uuid":
			if id, ok := engine.ParseUUID(v); ok {
				return id, nil
			}
		}
	case []byte:
		switch to {
		case "bytea":
			return v, nil
		case "text":
			return string(v), checkText(string(v))
		}
	}
	return nil, fmt.Errorf("SQLite has a %T where PostgreSQL has the type %s: correct the row on SQLite, then run the move again", value, to)
}

func checkText(text string) error {
	if strings.Contains(text, "\x00") || !utf8.ValidString(text) {
		return errors.New("PostgreSQL can't store a text with a NUL or invalid UTF-8: correct the row on SQLite, then run the move again")
	}
	return nil
}

// tableSum is the number of rows of a table and the sum of their SHA-256 hashes, as four numbers
// each. It doesn't depend on the order of the rows.
type tableSum struct {
	rows   int64
	hashes [4]uint64
}

// add adds a row.
func (s *tableSum) add(row []any) error {
	var text []byte
	for _, value := range row {
		var err error
		text, err = appendValue(text, value)
		if err != nil {
			return err
		}
	}
	hash := sha256.Sum256(text)
	for i := range s.hashes {
		s.hashes[i] += binary.BigEndian.Uint64(hash[8*i:])
	}
	s.rows++
	return nil
}

// appendValue appends a value with its type and length.
func appendValue(text []byte, value any) ([]byte, error) {
	sized := func(kind byte, v string) []byte {
		return append(binary.BigEndian.AppendUint64(append(text, kind), uint64(len(v))), v...)
	}
	switch v := value.(type) {
	case nil:
		return append(text, 'n'), nil
	case bool:
		if v {
			return append(text, 't'), nil
		}
		return append(text, 'f'), nil
	case int64:
		return binary.BigEndian.AppendUint64(append(text, 'i'), uint64(v)), nil
	case string:
		return sized('s', v), nil
	case []byte:
		return sized('b', string(v)), nil
	case [16]byte:
		return sized('u', string(v[:])), nil
	}
	return nil, fmt.Errorf("unexpected value of type %T", value)
}

// Compare reads all rows of the target, and fails unless they are those that Copy read from the
// source.
func (m *Move) Compare(ctx context.Context, progress Progress) error {
	for _, table := range m.tables {
		var sum tableSum
		want := m.sums[table.Name]
		if err := m.engine.ReadRows(ctx, table, func(row []any) error {
			if sum.rows%progressInterval == 0 {
				progress(table.Name, sum.rows, want.rows)
			}
			return sum.add(row)
		}); err != nil {
			return fmt.Errorf("read the table %s of the target: %w", table.Name, err)
		}
		if sum != want {
			return fmt.Errorf("the table %s differs: %d rows in the source, %d in the target, or other values", table.Name, want.rows, sum.rows)
		}
	}
	return nil
}

// MarkSource marks the source as moved. From then on no program writes to it or starts on it.
func (m *Move) MarkSource(ctx context.Context) error {
	if err := m.source.MarkMoved(ctx, m.id); err != nil {
		return fmt.Errorf("mark the source as moved: %w", err)
	}
	return nil
}

// Finish removes the mark of the target, so that programs can start on it, and the named settings,
// which are about the source.
func (m *Move) Finish(ctx context.Context, forget ...string) error {
	if err := m.engine.FinishMove(ctx, m.id, `DELETE FROM settings WHERE name = ANY($1)`, forget); err != nil {
		return fmt.Errorf("finish the target: %w", err)
	}
	return nil
}
