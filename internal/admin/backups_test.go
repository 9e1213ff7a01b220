package admin_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Admins see the age and the last result of backups and drills. Nobody else does.
func TestAdminsSeeBackups(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		a := s.Admin(t)
		read := func() admin.BackupsView { return apptest.Get[admin.BackupsView](t, a, "/api/admin/backups") }
		write := func(do func(*db.Tx) error) {
			t.Helper()
			clock.Advance(time.Minute)
			if err := s.DB.InTx(t.Context(), do); err != nil {
				t.Fatal(err)
			}
		}
		s.SignIn(t).Get(t, "/api/admin/backups").Refused(t, http.StatusForbidden, "forbidden")
		if v := read(); v != (admin.BackupsView{}) {
			t.Errorf("before the first: %+v", v)
		}
		write(backup.NoteMade)
		if v := read(); *v.LastBackup != "2026-03-04T12:01:00.000Z" || v.ReportedBy != nil || !v.Verified || v.LastFailure != nil || v.LastDrill != nil {
			t.Errorf("after a backup: %+v", v)
		}
		write(func(tx *db.Tx) error { return backup.NoteFailure(tx, errors.New("no space left")) })
		if v := read(); v.LastFailure == nil || v.LastFailure.Message != "no space left" || v.LastFailure.At != "2026-03-04T12:02:00.000Z" || *v.LastBackup != "2026-03-04T12:01:00.000Z" {
			t.Errorf("after a failure: %+v", v)
		}
		write(func(tx *db.Tx) error { return backup.NoteReported(tx, "pg_dump") })
		if v := read(); *v.ReportedBy != "pg_dump" || v.Verified || v.LastFailure != nil {
			t.Errorf("after a report: %+v", v)
		}
		signed := clock.Now()
		write(func(tx *db.Tx) error { return backup.NoteDrill(tx, "night.dump", signed, nil) })
		if v := read(); !v.Verified || v.LastDrill.Failure != nil || *v.LastDrill.LastSuccess != v.LastDrill.At || v.LastDrill.Backup != "night.dump" || *v.LastDrill.SignedAt != "2026-03-04T12:03:00.000Z" {
			t.Errorf("after a drill: %+v", v.LastDrill)
		}
		write(func(tx *db.Tx) error { return backup.NoteDrill(tx, "day.dump", time.Time{}, errors.New("damaged")) })
		if v := read(); v.Verified || *v.LastDrill.Failure != "damaged" || v.LastDrill.SignedAt != nil || *v.LastDrill.LastSuccess != "2026-03-04T12:04:00.000Z" {
			t.Errorf("after a failed drill: %+v", v.LastDrill)
		}
	})
}
