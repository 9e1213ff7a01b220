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
)

type migrateCommand struct {
	BackupAge    time.Duration `help:"Maximum age of the last backup, on PostgreSQL." default:"1h"`
	WhileServing bool          `help:"Migrate while older servers are connected. They answer every write with 503 until they are replaced."`
	app.Storage  `embed:""`
}

// Run checks the preconditions of a migration, then migrates.
func (m migrateCommand) Run(ctx context.Context) error {
	if m.DatabaseURL != "" {
		current, err := m.check(ctx)
		if err != nil {
			return err
		}
		if current {
			fmt.Println("nothing to migrate: the database has this program's schema")
			return nil
		}
	}
	did := "nothing to migrate: the database has this program's schema"
	d, err := m.OpenMigrated(ctx, func(m db.Migration) {
		did = fmt.Sprintf("migrated from schema %d to %d in %s", m.From, m.To, m.Took.Round(time.Millisecond))
		if m.Backup != "" {
			did += "; the previous database was kept as " + m.Backup
		}
	})
	if err != nil {
		return err
	}
	fmt.Println(did)
	return d.Close()
}

// check reports whether PostgreSQL already has this program's schema. It refuses to migrate an
// older schema without a recent backup or while servers are connected.
func (m migrateCommand) check(ctx context.Context) (current bool, err error) {
	d, err := m.OpenOlder(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var last backup.Report
	var schema int64
	if err := d.Read(ctx, func(tx *db.Tx) (err error) {
		state, err := backup.ReadState(tx)
		last = state.Reported
		if err == nil {
			schema, err = db.SchemaVersion(tx)
		}
		return err
	}); err != nil {
		return false, err
	}
	if schema == d.Schema() {
		return true, nil
	}
	server, err := d.Server(ctx)
	if err != nil {
		return false, err
	}
	fmt.Printf("from schema %d to %d; the server may need up to %d MB of free disk space, which PostgreSQL does not report\n", schema, d.Schema(), server.Bytes>>20)
	return false, errors.Join(m.checkBackup(last, d.Now()), m.checkConnectedServers(server.Programs))
}

func (m migrateCommand) checkBackup(last backup.Report, now time.Time) error {
	const how = "make a backup (pg_dump --format=custom --file=FILE URL), then run `kaibao backup --done-by NAME`"
	if last.By == "" {
		return errors.New("no backup is recorded: " + how)
	}
	if backup.IsFuture(last.At, now) {
		return fmt.Errorf("the last recorded backup, by %s, is dated in the future (%s): check the clock, and %s", last.By, last.At.Format(time.RFC3339), how)
	}
	age := now.Sub(last.At)
	if age > m.BackupAge {
		return fmt.Errorf("the last recorded backup, by %s, is %s old, but --backup-age allows %s: %s", last.By, age.Round(time.Second), m.BackupAge, how)
	}
	fmt.Printf("the last backup, by %s, is %s old\n", last.By, age.Round(time.Second))
	return nil
}

func (m migrateCommand) checkConnectedServers(programs []db.Program) error {
	if len(programs) == 0 {
		return nil
	}
	list := make([]string, len(programs))
	for i, p := range programs {
		list[i] = fmt.Sprintf("%s at %s (%d connections)", p.Name, p.Address, p.Connections)
	}
	connected := "older servers are connected: " + strings.Join(list, ", ")
	if !m.WhileServing {
		return errors.New(connected + ". Stop them, or migrate with --while-serving; they then answer writes with 503 until they are replaced")
	}
	fmt.Fprintln(os.Stderr, connected)
	return nil
}
