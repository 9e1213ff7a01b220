package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// State is what a database knows about its backups.
type State struct {
	Made     time.Time // of the last backup that kaibao made and verified; zero = none
	Stored   time.Time // of the last one that is in --backup-to
	Reported Report    // the last backup that another tool made
	Failure  Failure   // of the last attempt; zero if it succeeded
	Drill    Drill     // the last one
}

// Report is a backup that was reported but not verified.
type Report struct {
	At time.Time
	By string // empty = none reported
}

// Failure is why the last backup failed.
type Failure struct {
	At      time.Time
	Message string // empty = it didn't fail
}

// Drill is a restore into a scratch folder or database that proves a backup.
type Drill struct {
	At          time.Time `json:"at"` // zero = there was none
	Backup      string    `json:"backup"`
	SignedAt    time.Time `json:"signedAt"`    // of the backup's last checkpoint; zero = unknown
	Failure     string    `json:"failure"`     // empty = the backup was proven
	LastSuccess time.Time `json:"lastSuccess"` // of this drill or an earlier one; zero = none succeeded
}

// Proven reports whether the last drill proved its backup.
func (d Drill) Proven() bool { return !d.At.IsZero() && d.Failure == "" }

// Last returns the time of the last backup, made or reported, or zero.
func (s State) Last() time.Time {
	if s.Reported.At.After(s.Made) {
		return s.Reported.At
	}
	return s.Made
}

// ReportedBy returns who reported the last backup, or "" if kaibao made it.
func (s State) ReportedBy() string {
	if s.Reported.At.After(s.Made) {
		return s.Reported.By
	}
	return ""
}

// Verified reports whether the last backup was checked: by kaibao when it made it, or, for backups by
// other tools, by the last drill, which proved one of them.
func (s State) Verified() bool {
	return !s.Last().IsZero() && (s.ReportedBy() == "" || s.Drill.Proven())
}

// The settings that store the State.
const (
	madeSetting     = "last_backup"
	storedSetting   = "stored_backup"
	reportedSetting = "reported_backup" // the time and, after a space, the reporter
	failureSetting  = "failed_backup"   // the time and, after a space, the message; empty = the last attempt succeeded
	drillSetting    = "last_drill"      // Drill as JSON
)

// Settings are the names of the settings that store the State. Remove them when the backups that they
// are about no longer cover the database.
func Settings() []string {
	return []string{madeSetting, storedSetting, reportedSetting, failureSetting, drillSetting}
}

// ReadState reads what is known about the backups.
func ReadState(tx *db.Tx) (s State, err error) {
	s.Made, _, err = timed(tx, madeSetting)
	if err != nil {
		return s, err
	}
	s.Stored, _, err = timed(tx, storedSetting)
	if err != nil {
		return s, err
	}
	s.Reported.At, s.Reported.By, err = timed(tx, reportedSetting)
	if err != nil {
		return s, err
	}
	s.Failure.At, s.Failure.Message, err = timed(tx, failureSetting)
	if err != nil {
		return s, err
	}
	s.Drill, err = lastDrill(tx)
	return s, err
}

// timed reads a setting that is a time, or a time and a text.
func timed(tx *db.Tx, name string) (at time.Time, text string, err error) {
	value, err := db.Setting(tx, name)
	if err != nil {
		return at, "", err
	}
	value, text, _ = strings.Cut(value, " ")
	at, err = parseTime(value)
	return at, text, err
}

// parseTime returns a stored time, or zero for an empty text.
func parseTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

func lastDrill(tx *db.Tx) (d Drill, err error) {
	text, err := db.Setting(tx, drillSetting)
	if err != nil || text == "" {
		return d, err
	}
	err = json.Unmarshal([]byte(text), &d)
	return d, err
}

// NoteMade records that kaibao made and verified a backup.
func NoteMade(tx *db.Tx) error {
	return errors.Join(db.SetSetting(tx, madeSetting, httpapi.Timestamp(tx.Now)), db.SetSetting(tx, failureSetting, ""), forgetFuture(tx, reportedSetting))
}

// forgetFuture clears the time of a backup that was recorded with a fast clock, so that it doesn't hide
// the backup that has just been made.
func forgetFuture(tx *db.Tx, name string) error {
	at, _, err := timed(tx, name)
	if err == nil && at.After(tx.Now) {
		err = db.SetSetting(tx, name, "")
	}
	return err
}

// NoteStored records that kaibao made and verified a backup, and stored it in --backup-to.
func NoteStored(tx *db.Tx) error {
	return errors.Join(NoteMade(tx), db.SetSetting(tx, storedSetting, httpapi.Timestamp(tx.Now)))
}

// NoteReported records that someone has just backed up PostgreSQL.
func NoteReported(tx *db.Tx, by string) error {
	if by == "" || len(by) > 64 || strings.ContainsFunc(by, unicode.IsControl) {
		return errors.New("the name of who made the backup must have 1 to 64 bytes on one line")
	}
	return errors.Join(db.SetSetting(tx, reportedSetting, httpapi.Timestamp(tx.Now)+" "+by), db.SetSetting(tx, failureSetting, ""), forgetFuture(tx, madeSetting))
}

// NoteFailure records why a backup failed.
func NoteFailure(tx *db.Tx, failure error) error {
	return db.SetSetting(tx, failureSetting, httpapi.Timestamp(tx.Now)+" "+oneLine(failure.Error()))
}

// NoteDrill records a drill of the named backup, which failed unless failure is nil. signedAt is the
// time of the backup's last checkpoint, or zero.
func NoteDrill(tx *db.Tx, backup string, signedAt time.Time, failure error) error {
	before, err := lastDrill(tx)
	if err != nil {
		return err
	}
	d := Drill{At: tx.Now, Backup: backup, SignedAt: signedAt, LastSuccess: before.LastSuccess}
	if failure != nil {
		d.Failure = oneLine(failure.Error())
	} else {
		d.LastSuccess = tx.Now
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return db.SetSetting(tx, drillSetting, string(text))
}

// maxMessage is the maximum length of a stored message, in bytes.
const maxMessage = 1000

// oneLine joins the lines of a message and shortens it.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxMessage {
		text = fmt.Sprintf("%s…", strings.ToValidUTF8(text[:maxMessage], ""))
	}
	return text
}
