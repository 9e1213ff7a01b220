package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"kaibao/internal/app"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/progress"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
)

type auditCommand struct {
	app.Storage `embed:""`
	Full        bool `help:"Check the ledger and the log from the beginning instead of after the last clean audit, and check the database's files (PostgreSQL: with amcheck)."`
}

// Run prints every row that breaks a rule and fails if there is one.
func (a auditCommand) Run(ctx context.Context) error {
	d, err := a.OpenSmall(ctx, app.AuditCache)
	if err != nil {
		return err
	}
	if a.Full {
		if err := checkFiles(ctx, d); err != nil {
			return errors.Join(err, d.Close())
		}
	}
	line := progress.New(os.Stderr)
	var breaches []audit.Breach
	var proven []ledger.ProvenLine
	var log publiclog.Position
	err = d.Inspect(ctx, func(tx *db.Tx) (err error) {
		breaches, err = app.Audit(tx, a.Full, line.Step)
		if err == nil && len(breaches) == 0 {
			proven, err = ledger.NewProvenLines(tx)
		}
		if err == nil {
			log, err = publiclog.End(tx)
		}
		return err
	})
	line.End()
	if err == nil && len(breaches) == 0 { // leave a broken database unchanged
		recordNote(ctx, d, "the audit", publicbooks.NoteAudit)
		err := d.InTx(ctx, func(tx *db.Tx) error { return publiclog.SetAuditedPosition(tx, log) })
		if err := errors.Join(err, ledger.SaveProvenLines(ctx, d, proven)); err != nil {
			fmt.Fprintf(os.Stderr, "the result could not be saved, so the next audit repeats this one's checks: %v\n", err)
		}
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, b := range breaches {
		fmt.Printf("%s: %s: %s\n", b.Rule, b.Row, b.Detail)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d rows break the rules of the books. Stop the server, copy the database, and start with the rows listed above", len(breaches))
	}
	fmt.Println("the books are in order")
	return nil
}

// checkFiles checks the database's files on disk first, since no data in a damaged file can be
// trusted. It prints a note if the engine can't do that.
func checkFiles(ctx context.Context, d *db.DB) error {
	integrity, err := d.Integrity(ctx)
	if err != nil {
		return fmt.Errorf("check the database files: %w", err)
	}
	if integrity.Unchecked != "" {
		fmt.Fprintln(os.Stderr, "PostgreSQL's files were not checked: "+integrity.Unchecked)
	}
	if err := integrity.Err(); err != nil {
		return fmt.Errorf("%w. Stop the server, copy the database, and restore a backup", err)
	}
	return nil
}

// recordNote records when something was done, for the public books. A failure is only printed,
// since the database may be a read-only copy.
func recordNote(ctx context.Context, d *db.DB, what string, keep func(*db.Tx) error) {
	if err := d.InTx(ctx, keep); err != nil {
		fmt.Fprintf(os.Stderr, "the books at /books will not show %s: %v\n", what, err)
	}
}
