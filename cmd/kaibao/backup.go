package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"kaibao/internal/app"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
)

type backupCommand struct {
	File   string `arg:"" optional:"" type:"path" help:"File to write; it must not exist. Without it, the backup goes to --backup-to."`
	DoneBy string `placeholder:"NAME" help:"Record that another tool, or a person, has just backed up PostgreSQL."`

	app.BackupSettings `embed:""`
	app.DeletedUsers   `embed:""`
	app.Storage        `embed:""`
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
	case b.File == "" && b.BackupTo == "":
		return errors.New("give the file to write, or --backup-to: kaibao backup FILE")
	case b.File == "":
		return b.store(ctx)
	}
	if err := sqlite.Backup(ctx, b.Data, b.File); err != nil {
		return err
	}
	b.note(ctx)
	fmt.Printf("the database is saved in %s. The keys are not in it: keep log.key, seed.key and address.key in another safe place\n", b.File)
	return nil
}

// store makes a backup in --backup-to, as the server does every hour.
func (b backupCommand) store(ctx context.Context) error {
	d, err := b.OpenDB(ctx)
	if err != nil {
		return err
	}
	made, err := app.Backups{DB: d, BackupSettings: b.BackupSettings, Storage: b.Storage, DeletedUsers: b.DeletedUsers, Version: version}.Make(ctx)
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	fmt.Printf("stored %s in %s: %d bytes, SHA-256 %s, verified. The keys are not in it: keep log.key, seed.key and address.key in another safe place\n",
		made.Name, b.BackupTo, made.Size, made.SHA256)
	return nil
}

// report records who made a backup, and when. It accepts an older schema, since a migration needs a
// recent report.
func (b backupCommand) report(ctx context.Context) error {
	d, err := b.OpenOlder(ctx)
	if err != nil {
		return err
	}
	err = d.InTx(ctx, func(tx *db.Tx) error { return backup.NoteReported(tx, b.DoneBy) })
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
		recordNote(ctx, d, "the backup", backup.NoteMade)
		err = d.Close()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "the books at /books will not show the backup: %v\n", err)
	}
}
