package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// The server makes a backup every hour, stores the list of deleted users as soon as it changes, and
// records a failure until a backup succeeds.
func TestServerMakesBackups(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "sqlite") {
		t.Log("only SQLite is backed up by the server")
		return
	}
	clock, folder := dbtest.NewClock(), filepath.Join(t.TempDir(), "backups")
	config := apptest.Config(t, "sqlite", apptest.At(clock), func(c *app.Config) { c.BackupTo = folder })
	if err := os.WriteFile(folder, []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := apptest.Start(t, config)
	state := func() (found backup.State) {
		t.Helper()
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { found, err = backup.ReadState(tx); return err }); err != nil {
			t.Fatal(err)
		}
		return found
	}
	apptest.Until(t, "the failure is recorded", func() bool { return state().Failure.Message != "" })
	if s := state(); !strings.Contains(s.Failure.Message, folder) || !s.Last().IsZero() {
		t.Errorf("after a failure: %+v", s)
	}
	if j := jobsOf(t, s)["backups"]; j.LastError == nil {
		t.Errorf("the job's state is %+v", j)
	}
	s.Stop() // the job's next round would be in a minute
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	restart := func(want string) {
		t.Helper()
		s = apptest.Start(t, config)
		defer s.Stop()
		apptest.Until(t, "the job succeeds", func() bool { return jobsOf(t, s)["backups"].LastSuccess != "" })
		names, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, name := range names {
			found = append(found, name.Name())
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("the folder has %s, want %s", got, want)
		}
	}
	left := filepath.Join(config.Data, ".backup-killed")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	restart("deleted-users kaibao-20260304T120000Z.tar.zst shop")
	if folders, err := filepath.Glob(filepath.Join(config.Data, ".backup-*")); err != nil || len(folders) > 0 {
		t.Errorf("copies of the database are left in %v (%v)", folders, err)
	}
	if s := state(); s.Failure.Message != "" || !s.Verified() || !s.Made.Equal(clock.Now()) {
		t.Errorf("after a backup: %+v", s)
	}
	clock.Advance(59 * time.Minute)
	s = apptest.Start(t, config)
	gone := s.DeleteUser(t, s.SignIn(t))
	s.Stop()
	const lost = "01900000-0000-7000-8000-000000000001" // deleted by a node whose own list is lost
	if err := os.WriteFile(filepath.Join(folder, backup.DeletedUsers), []byte(lost+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	restart("deleted-users kaibao-20260304T120000Z.tar.zst shop")
	if list, err := os.ReadFile(filepath.Join(folder, backup.DeletedUsers)); err != nil || string(list) != lost+"\n"+gone+"\n" {
		t.Errorf("the list is %q (%v), want %s and %s", list, err, lost, gone)
	}
	clock.Advance(time.Minute)
	if err := s.DB.InTx(t.Context(), backup.NoteMade); err != nil { // kaibao backup FILE doesn't count
		t.Fatal(err)
	}
	restart("deleted-users kaibao-20260304T120000Z.tar.zst kaibao-20260304T130000Z.tar.zst shop")

	// A backup that a fast clock dated in the future doesn't stop the backups.
	clock.Advance(time.Minute)
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		const future = "2028-06-01T00:00:00.000Z"
		return errors.Join(db.SetSetting(tx, "stored_backup", future), db.SetSetting(tx, "last_backup", future))
	}); err != nil {
		t.Fatal(err)
	}
	restart("deleted-users kaibao-20260304T120000Z.tar.zst kaibao-20260304T130100Z.tar.zst shop")
	if s := state(); !s.Last().Equal(clock.Now()) {
		t.Errorf("the last backup is dated %s, want %s", s.Last(), clock.Now())
	}

	// Rows that break a rule of the books stop the backup.
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE accounts SET balance_cents = balance_cents + 1`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	s = apptest.Start(t, config)
	apptest.Until(t, "the failure is recorded", func() bool { return strings.Contains(state().Failure.Message, "rows break the rules of the books") })
	if _, err := os.Stat(filepath.Join(folder, "kaibao-20260304T140000Z.tar.zst")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a broken database was stored (%v)", err)
	}
}
