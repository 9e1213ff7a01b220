package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/postgres"
	"kaibao/internal/publiclog"
)

// Drill proves a restored copy of the database. It has no keys and no settings of the server, so it
// can't sign, decrypt or pay. It only reads the copy, apart from migrating a SQLite copy with an older
// schema.
type Drill struct {
	Copy Storage // a scratch folder or database with the restored backup
	Shop Storage // the running server's database

	// Report is called after each check.
	Report func(check string)
	// Warn is called for each check that isn't possible.
	Warn func(reason string)
	// Step is called as the audit proceeds; nil = never.
	Step func(what string, done, total int64)
}

// DrillResult is what a drill found out about a backup.
type DrillResult struct {
	Leaves     int64     // of the public log
	SignedAt   time.Time // of the last checkpoint; zero = none
	Uncompared error     // why the backup couldn't be compared with the server's log; nil = its tree is a prefix
}

// DrillNotStarted means that there is no result, because no backup was read: the command was used in a
// wrong way, or something that it needs was missing.
type DrillNotStarted struct{ Reason error }

// Error implements error.
func (e DrillNotStarted) Error() string { return "the drill didn't start: " + e.Reason.Error() }

// Unwrap returns the reason.
func (e DrillNotStarted) Unwrap() error { return e.Reason }

// Run checks the copy's files, audits it as kaibao audit --full does, which replays the log, and
// proves that its tree is a prefix of the server's.
func (d Drill) Run(ctx context.Context) (r DrillResult, err error) {
	shop, shopErr := d.openShop(ctx)
	if shop != nil {
		defer func() { err = errors.Join(err, shop.Close()) }()
	}
	scratch, err := db.Open(ctx, db.Options{Dir: d.Copy.Data, URL: d.Copy.DatabaseURL, Schema: d.schemaUse(), Cache: AuditCache})
	if err != nil && d.Copy.DatabaseURL != "" {
		return r, DrillNotStarted{scratchError(err)}
	}
	if err != nil {
		return r, fmt.Errorf("open the restored copy: %w", err)
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	if shop != nil && d.Copy.DatabaseURL != "" {
		if err := checkDistinct(ctx, shop, scratch); err != nil {
			return r, err
		}
	}
	trees, err := d.checkCopy(ctx, scratch)
	if err != nil {
		return r, err
	}
	for _, tree := range trees {
		r.Leaves += tree.Size
	}
	r.SignedAt = trees[len(trees)-1].SignedAt
	if shop == nil {
		r.Uncompared = shopErr
		return r, nil
	}
	if err := shop.Read(ctx, func(tx *db.Tx) error { return publiclog.CheckPrefix(tx, trees) }); err != nil {
		return r, fmt.Errorf("the backup isn't part of the server's log: %w", err)
	}
	d.Report(fmt.Sprintf("all %d leaves of its log are the first ones of the server's log", r.Leaves))
	return r, nil
}

// scratchError says what to do about a scratch database that can't be used.
func scratchError(err error) error {
	switch {
	case errors.Is(err, postgres.ErrURL):
		return errors.New("--scratch-url (KAIBAO_SCRATCH_URL) must have the form postgres://USER:PASSWORD@HOST/DATABASE")
	case errors.Is(err, db.ErrEmpty):
		return errors.New("the database of --scratch-url is empty: first restore the backup into it (pg_restore)")
	}
	return fmt.Errorf("open the database of --scratch-url (KAIBAO_SCRATCH_URL): %w", err)
}

// schemaUse migrates only a copy in a folder of the drill's own.
func (d Drill) schemaUse() db.SchemaUse {
	if d.Copy.DatabaseURL != "" {
		return db.SchemaExact
	}
	return db.SchemaMigrate
}

// openShop opens the server's database, if there is one.
func (d Drill) openShop(ctx context.Context) (*db.DB, error) { return d.Shop.OpenDB(ctx) }

// checkCopy checks the copy by itself, and returns the trees of its log.
func (d Drill) checkCopy(ctx context.Context, scratch *db.DB) (trees []publiclog.EpochTree, err error) {
	files, err := scratch.Integrity(ctx)
	if err != nil {
		return nil, fmt.Errorf("check the database files: %w", err)
	}
	if err := files.Err(); err != nil {
		return nil, err
	}
	if files.Unchecked != "" {
		d.Warn("its files were not checked: " + files.Unchecked)
	} else {
		d.Report("its tables and indexes are intact")
	}
	if err := auditCopy(ctx, scratch, true, d.Step); err != nil {
		return nil, err
	}
	d.Report("its books are in order, and verifiers accept each leaf of its log")
	err = scratch.Read(ctx, func(tx *db.Tx) error {
		trees, err = publiclog.Trees(tx)
		return err
	})
	if err == nil && len(trees) == 0 {
		err = errors.New("it has no log: no server has used the database yet")
	}
	return trees, err
}

// Note records the result of a drill in the server's database.
func (d Drill) Note(ctx context.Context, name string, r DrillResult, failure error) error {
	shop, err := d.openShop(ctx)
	if err != nil {
		return err
	}
	return errors.Join(shop.InTx(ctx, func(tx *db.Tx) error { return backup.NoteDrill(tx, name, r.SignedAt, failure) }), shop.Close())
}

// errSameDatabase refuses to prove a backup with the server's own database.
var errSameDatabase = errors.New("--scratch-url is the server's own database: restore the backup into another one")

// checkDistinct fails if both are connected to the same database.
func checkDistinct(ctx context.Context, shop, scratch *db.DB) error {
	var written, read string
	if err := shop.InTx(ctx, func(tx *db.Tx) error {
		written = tx.NewID()
		return db.SetSetting(tx, drillIDSetting, written)
	}); err != nil {
		return err
	}
	if err := scratch.Read(ctx, func(tx *db.Tx) (err error) {
		read, err = db.Setting(tx, drillIDSetting)
		return err
	}); err != nil {
		return err
	}
	if read == written {
		return DrillNotStarted{errSameDatabase}
	}
	return nil
}

// drillIDSetting is the setting that stores the id of the last drill.
const drillIDSetting = "drill_id"
