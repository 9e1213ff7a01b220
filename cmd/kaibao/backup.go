package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/publicbooks"
)

type backupCommand struct {
	File        string `arg:"" optional:"" type:"path" help:"File to write; it must not exist."`
	DoneBy      string `placeholder:"NAME" help:"Record that another tool, or a person, has just backed up PostgreSQL."`
	app.Storage `embed:""`
}

// Run copies a snapshot of the database. The copy never includes the keys.
func (b backupCommand) Run(ctx context.Context) error {
	switch {
	case b.DatabaseURL != "" && b.File == "" && b.DoneBy != "":
		return b.report(ctx)
	case b.DatabaseURL != "":
		return errors.New("back up PostgreSQL with its own tools: pg_dump --format=custom --file=FILE URL, then kaibao backup --done-by NAME")
	case b.DoneBy != "":
		return errors.New("--done-by is only for PostgreSQL; on SQLite give the file to write")
	case b.File == "":
		return errors.New("give the file to write: kaibao backup FILE")
	}
	if err := sqlite.Backup(ctx, b.Data, b.File); err != nil {
		return err
	}
	b.note(ctx)
	fmt.Printf("the database is saved in %s. The keys are not in it: keep log.key, seed.key and address.key in another safe place\n", b.File)
	return nil
}

// report records who made a backup, and when. It accepts an older schema, since a migration needs a
// recent report.
func (b backupCommand) report(ctx context.Context) error {
	d, err := b.OpenOlder(ctx)
	if err != nil {
		return err
	}
	err = d.InTx(ctx, func(tx *db.Tx) error { return publicbooks.ReportBackup(tx, b.DoneBy) })
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	fmt.Printf("recorded: %s has just made a backup\n", b.DoneBy)
	return nil
}

// note records the backup. It opens the database only now, since the copy itself works with any
// schema.
func (b backupCommand) note(ctx context.Context) {
	d, err := b.OpenOlder(ctx)
	if err == nil {
		recordNote(ctx, d, "the backup", publicbooks.NoteBackup)
		err = d.Close()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "the books at /books will not show the backup: %v\n", err)
	}
}

type restoreCommand struct {
	File string `arg:"" optional:"" type:"existingfile" help:"Backup made by kaibao backup. Leave it out if the database has already been restored, such as by pg_restore."`

	app.DeletedUsers `embed:""`
	app.Storage      `embed:""`
	app.Keys         `embed:""`
}

// Run restores a backup while no server runs, and prepares it for serving.
func (r restoreCommand) Run(ctx context.Context) error {
	prepare := r.checkInPlace
	if r.File != "" {
		prepare = r.replace
	}
	if err := prepare(ctx); err != nil {
		return err
	}
	renewal, again, err := app.PrepareRestored(ctx, r.Storage, r.Keys, r.DeletedUsers)
	if err != nil {
		return fmt.Errorf("prepare the restored database (to retry, run kaibao restore without a file): %w", err)
	}
	fmt.Printf("the log %s ended with %d leaves and continues as %s; all unused seeds were replaced\n", renewal.EndedOrigin, renewal.Size, renewal.Origin)
	if renewal.Lost > 0 {
		fmt.Printf("%d leaves signed after the backup are lost. Users who have receipts for them can prove it\n", renewal.Lost)
	}
	if again.Deleted+again.Waiting > 0 {
		fmt.Printf("%d users who had been deleted since the backup were deleted again; the server deletes %d more once their shipments and top-ups are finished\n", again.Deleted, again.Waiting)
	}
	return nil
}

// checkInPlace checks the files of the database in place, so that a damaged one isn't renewed.
func (r restoreCommand) checkInPlace(ctx context.Context) error {
	d, err := r.OpenOlder(ctx)
	if err != nil {
		return err
	}
	return errors.Join(checkFiles(ctx, d), d.Close())
}

func (r restoreCommand) replace(ctx context.Context) error {
	if r.DatabaseURL != "" {
		return errors.New("restore PostgreSQL with its own tools (pg_restore into an empty database), then run kaibao restore without a file")
	}
	if err := r.RequirePresent(r.Data); err != nil {
		return err
	}
	newest, err := db.NewestSchema()
	if err != nil {
		return err
	}
	kept, err := sqlite.Restore(ctx, r.File, r.Data, newest)
	if err == nil && kept != "" {
		fmt.Printf("the previous database was kept as %s\n", kept)
	}
	return err
}
