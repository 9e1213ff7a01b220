package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/publiclog"
)

// MoveOptions configure MoveToPostgres.
type MoveOptions struct {
	Data     string                               // directory of the SQLite database, the keys and the last checkpoint
	Keys     Keys                                 // replace the key files
	To       string                               // postgres://…, an empty database
	Done     func(step MoveStep, text string)     // called after each step, with a line for the operator
	Progress func(what string, done, total int64) // of the step that runs
}

// MoveStep is a step of a move.
type MoveStep int

// The steps in their order. Until MoveMarked a server can start on SQLite, after MoveFinished on
// PostgreSQL, and between them on neither.
const (
	MoveChecked MoveStep = iota
	MoveSetUp
	MoveCopied
	MoveCompared
	MoveVerified
	MoveMarked
	MoveFinished
)

// MoveToPostgres moves a shop from SQLite to PostgreSQL while no server runs. After an
// interruption, running it again with the same options completes the move. The log and the keys
// stay the same.
func MoveToPostgres(ctx context.Context, o MoveOptions) (err error) {
	if to, err := url.Parse(o.To); err != nil || to.Scheme != "postgres" && to.Scheme != "postgresql" {
		return errors.New("--to must have the form postgres://USER:PASSWORD@HOST/DATABASE") // the error would contain the password
	}
	if err := o.checkSource(ctx); err != nil {
		return err
	}
	m, err := db.OpenMove(ctx, o.Data, o.To)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	stage, err := m.Stage(ctx)
	if err != nil {
		return err
	}
	switch stage {
	case db.Moved:
		o.Done(MoveFinished, "this move is already complete. "+o.howToStart())
		return nil
	case db.NotMoved:
		if err := o.copyShop(ctx, m); err != nil {
			return fmt.Errorf("%w. Nothing was changed on SQLite: run kaibao move again, or start the server on SQLite as before", err)
		}
		if err := m.MarkSource(ctx); err != nil {
			return fmt.Errorf("%w. Run kaibao move again", err)
		}
		o.Done(MoveMarked, "marked "+filepath.Join(o.Data, sqlite.File)+" as moved: no program uses it any more")
	case db.SourceMarked:
	}
	if err := m.Finish(ctx, backup.Settings()...); err != nil {
		return fmt.Errorf("%w. To complete the move, run kaibao move again", err)
	}
	o.Done(MoveFinished, "the move is complete. "+o.howToStart())
	return nil
}

func (o MoveOptions) howToStart() string {
	return "Start the server with --database-url, the same keys and the same --data " + o.Data + ". No backup of PostgreSQL is recorded yet: make one, then run kaibao backup --done-by NAME"
}

// checkSource checks the file, the schema and the keys of the source, unless it has been marked as
// moved.
func (o MoveOptions) checkSource(ctx context.Context) error {
	path := filepath.Join(o.Data, sqlite.File)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no database to move: set --data to the server's data directory: %w", err)
	}
	d, err := Storage{Data: o.Data}.OpenDB(ctx)
	if errors.Is(err, db.ErrMoved) {
		return nil
	}
	if err != nil {
		return err
	}
	err = checkIntact(ctx, d)
	if err == nil {
		err = o.checkLogAndKeys(ctx, d)
	}
	return errors.Join(err, d.Close())
}

func checkIntact(ctx context.Context, d *db.DB) error {
	integrity, err := d.Integrity(ctx)
	return cmp.Or(err, integrity.Err())
}

// checkLogAndKeys fails unless the database belongs to the keys and continues the last checkpoint
// of its log.
func (o MoveOptions) checkLogAndKeys(ctx context.Context, d *db.DB) error {
	if err := o.Keys.RequirePresent(o.Data); err != nil {
		return err
	}
	set, err := o.Keys.loadKeys(o.Data)
	if err != nil {
		return err
	}
	_, err = publiclog.Inspect(ctx, publiclog.Options{DB: d, Keys: set.Log.Source().Read, CheckpointFile: Storage{Data: o.Data}.checkpointFile()})
	return errors.Join(err, d.Read(ctx, set.Check))
}

// copyShop copies a shop and checks the copy.
func (o MoveOptions) copyShop(ctx context.Context, m *db.Move) error {
	if err := o.checkTarget(ctx, m); err != nil {
		return err
	}
	if err := m.SetUp(ctx); err != nil {
		return err
	}
	o.Done(MoveSetUp, "set up the target: no server starts on it before the move is complete")
	began := time.Now()
	rows, err := m.Copy(ctx, o.tableProgress("copying the table "))
	if err != nil {
		return err
	}
	o.Done(MoveCopied, fmt.Sprintf("copied %d rows in %s", rows, time.Since(began).Round(time.Millisecond)))
	if err := m.Compare(ctx, o.tableProgress("comparing the table ")); err != nil {
		return err
	}
	o.Done(MoveCompared, "the number of rows and the checksum of every table are the same")
	if err := o.verifyCopy(ctx, m.Target()); err != nil {
		return err
	}
	o.Done(MoveVerified, "the books are in order, and the log is verified")
	return nil
}

func (o MoveOptions) tableProgress(doing string) db.Progress {
	return func(table string, done, total int64) { o.Progress(doing+table, done, total) }
}

// targetShare is how much space PostgreSQL needs at most for a database, in relation to SQLite.
const targetShare = 2

// checkTarget checks the settings of the PostgreSQL server.
func (o MoveOptions) checkTarget(ctx context.Context, m *db.Move) error {
	state, err := m.Target().ServerState(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("read the state of the target: %w", err)
	case state.ReadOnly:
		return errors.New("the target is a standby or read-only: give the address of the primary")
	case !state.MayCreate:
		return errors.New("the user of --to may not create tables in the target: run GRANT CREATE ON SCHEMA as its owner")
	}
	bytes, err := m.SourceBytes(ctx)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("the database has %d MB; the target may need %d MB of free disk space, which PostgreSQL doesn't report", bytes>>20, targetShare*bytes>>20)
	if len(state.Unsafe) > 0 {
		text += "\nWARN settings of the target are off, so a crash can destroy data: turn on " + strings.Join(state.Unsafe, " and ")
	}
	o.Done(MoveChecked, text)
	return nil
}

// verifyCopy audits the copy, verifies its log, and checks that it belongs to the keys.
func (o MoveOptions) verifyCopy(ctx context.Context, target *db.DB) error {
	if err := o.checkLogAndKeys(ctx, target); err != nil {
		return err
	}
	var breaches []audit.Breach
	err := target.Inspect(ctx, func(tx *db.Tx) (err error) {
		breaches, err = Audit(tx, true, o.Progress)
		return err
	})
	if err == nil && len(breaches) > 0 {
		first := breaches[0]
		err = fmt.Errorf("%d rows break the rules of the books, as on SQLite, such as %s: %s: %s. Run kaibao audit --full for all of them", len(breaches), first.Rule, first.Row, first.Detail)
	}
	return err
}
