package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
)

type backupCommand struct {
	File   string  `arg:"" optional:"" type:"path" help:"File to write; it must not exist. Without it, the backup goes to --backup-to."`
	DoneBy string  `placeholder:"NAME" help:"Record that another tool, or a person, has just backed up PostgreSQL."`
	Failed *string `placeholder:"REASON" help:"With --done-by: record that the backup failed, and why."`
	List   bool    `help:"List the backups in --backup-to instead: time, size in bytes and name, newest first."`

	app.BackupSettings `embed:""`
	app.DeletedUsers   `embed:""`
	app.Storage        `embed:""`
}

// Run copies a snapshot of the database. The copy never includes the keys.
func (b backupCommand) Run(ctx context.Context) error {
	switch {
	case b.List:
		return b.list(ctx)
	case b.DoneBy == "" && b.Failed != nil:
		return errors.New("--failed reports a backup by another tool: add its name, --done-by NAME")
	case b.DoneBy != "" && b.DatabaseURL == "":
		return errors.New("--done-by is only for PostgreSQL; on SQLite give the file to write")
	case b.DoneBy != "" && (b.File != "" || b.BackupTo != ""):
		return errors.New("--done-by only reports a backup by another tool: use it without a file and without --backup-to (KAIBAO_BACKUP_TO)")
	case b.Failed != nil:
		return b.reportFailure(ctx)
	case b.DoneBy != "":
		return b.report(ctx)
	case b.DatabaseURL != "":
		return errors.New("back up PostgreSQL with its own tools: pg_dump --format=custom --file=FILE URL, then kaibao backup --done-by NAME")
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

// list prints the backups in --backup-to.
func (b backupCommand) list(ctx context.Context) error {
	if b.BackupTo == "" || b.File != "" || b.DoneBy != "" || b.Failed != nil {
		return errors.New("to list backups, give --backup-to only: kaibao backup --list --backup-to DIR, or s3://BUCKET/PREFIX")
	}
	target, err := b.BackupTarget(b.BackupTo)
	if err != nil {
		return err
	}
	stock, err := backup.Backups(ctx, target, time.Now())
	if err != nil {
		return err
	}
	all := append(stock.Future, stock.Backups...)
	if len(all) == 0 {
		fmt.Printf("there is no backup in %s\n", target)
	}
	for _, stored := range all {
		fmt.Printf("%s %12d %s\n", stored.At.Format(time.RFC3339), stored.Size, stored.Name)
	}
	if warning := stock.Warning(); warning != "" {
		warn("backups in " + b.BackupTo + " are " + warning)
	}
	return nil
}

// store makes a backup in --backup-to, as the server does every hour.
func (b backupCommand) store(ctx context.Context) error {
	d, err := b.OpenDB(ctx)
	if err != nil {
		return err
	}
	made, err := app.Backups{DB: d, BackupSettings: b.BackupSettings, Storage: b.Storage, DeletedUsers: b.DeletedUsers, Version: version}.Make(ctx)
	if made.Warning != "" {
		warn("backups in " + b.BackupTo + " are " + made.Warning)
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	fmt.Printf("stored %s in %s: %d bytes, SHA-256 %s, verified. The keys are not in it: keep log.key, seed.key and address.key in another safe place\n",
		made.Name, b.BackupTo, made.Size, made.SHA256)
	return nil
}

// warn prints a warning to standard error.
func warn(warning string) { fmt.Fprintln(os.Stderr, "WARN "+warning) }

// report records who made a backup, and when.
func (b backupCommand) report(ctx context.Context) error {
	if err := b.record(ctx, func(tx *db.Tx) error { return backup.NoteReported(tx, b.DoneBy) }); err != nil {
		return err
	}
	fmt.Printf("recorded: %s has just made a backup\n", b.DoneBy)
	return nil
}

// reportFailure records why a backup by another tool failed.
func (b backupCommand) reportFailure(ctx context.Context) error {
	reason := strings.Join(strings.Fields(*b.Failed), " ")
	if reason == "" {
		return errors.New("--failed needs the reason")
	}
	if err := b.record(ctx, func(tx *db.Tx) error {
		return backup.NoteFailure(tx, fmt.Errorf("%s: %s", b.DoneBy, reason))
	}); err != nil {
		return err
	}
	fmt.Printf("recorded: a backup by %s has failed: %s\n", b.DoneBy, reason)
	return nil
}

// record writes a report. It accepts an older schema, since a migration needs a recent backup.
func (b backupCommand) record(ctx context.Context, note func(*db.Tx) error) error {
	d, err := b.OpenOlder(ctx)
	if err != nil {
		return err
	}
	return errors.Join(d.InTx(ctx, note), d.Close())
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
