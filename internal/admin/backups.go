package admin

import (
	"context"
	"time"

	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// BackupsView is what admins see of the backups.
type BackupsView struct {
	LastBackup  *string      `json:"lastBackup" nullable:"true" format:"date-time" doc:"When the database was last backed up; null = never."`
	ReportedBy  *string      `json:"reportedBy" nullable:"true" doc:"Who reported that backup; null if the server made it."`
	Verified    bool         `json:"verified" doc:"The server checked that backup when it made it. For a reported one: the last drill proved a backup."`
	LastFailure *BackupError `json:"lastFailure,omitempty" doc:"Why the last backup failed; absent if it succeeded."`
	LastDrill   *DrillView   `json:"lastDrill,omitempty" doc:"The last kaibao restore --drill; absent before the first."`
}

// BackupError is why a backup failed.
type BackupError struct {
	At      string `json:"at" format:"date-time"`
	Message string `json:"message"`
}

// DrillView is a drill.
type DrillView struct {
	At          string  `json:"at" format:"date-time"`
	Backup      string  `json:"backup" doc:"Name of the backup."`
	SignedAt    *string `json:"signedAt" nullable:"true" format:"date-time" doc:"Time of the last checkpoint in the backup; null = unknown."`
	Failure     *string `json:"failure" nullable:"true" doc:"Why the drill failed; null if it proved the backup."`
	LastSuccess *string `json:"lastSuccess" nullable:"true" format:"date-time" doc:"When a drill last proved a backup; null = never."`
}

func backupRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Admin, "/api/admin/backups", "get-backups", "Age and last result of backups and drills"),
		func(ctx context.Context, _ *struct{}) (v BackupsView, err error) {
			err = api.DB.Read(ctx, func(tx *db.Tx) error {
				state, err := backup.ReadState(tx)
				v = backupsView(state)
				return err
			})
			return v, err
		})
}

func backupsView(s backup.State) BackupsView {
	v := BackupsView{LastBackup: optionalTime(s.Last()), ReportedBy: optional(s.ReportedBy()), Verified: s.Verified()}
	if s.Failure.Message != "" {
		v.LastFailure = &BackupError{httpapi.Timestamp(s.Failure.At), s.Failure.Message}
	}
	if d := s.Drill; !d.At.IsZero() {
		v.LastDrill = &DrillView{httpapi.Timestamp(d.At), d.Backup, optionalTime(d.SignedAt), optional(d.Failure), optionalTime(d.LastSuccess)}
	}
	return v
}

// optional returns nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// optionalTime returns nil for the zero time.
func optionalTime(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := httpapi.Timestamp(at)
	return &text
}
