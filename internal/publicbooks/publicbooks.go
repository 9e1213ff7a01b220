// Package publicbooks publishes Kaibao's accounts: income and expenses, proof that the ledger
// covers all balances, and its liabilities. It contains nothing about individual users.
package publicbooks

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
)

const (
	cacheTime      = time.Minute
	computeTimeout = 5 * time.Minute
)

// Service computes the books and caches them per node.
type Service struct {
	DB    *db.DB
	cache *httpcache.Cache[struct{}, Books]
}

// New returns a Service.
func New(d *db.DB) *Service {
	s := &Service{DB: d}
	s.cache = httpcache.NewSlow(d.Now, cacheTime, s.compute)
	return s
}

// Current returns the cached books.
func (s *Service) Current(ctx context.Context) (Books, error) {
	return s.cache.Get(ctx, struct{}{})
}

func (s *Service) compute(ctx context.Context, _ struct{}) (b Books, err error) {
	ctx, end := context.WithTimeout(ctx, computeTimeout)
	defer end()
	err = s.DB.Inspect(ctx, func(tx *db.Tx) (err error) {
		b, err = computeBooks(tx)
		return err
	})
	return b, err
}

// computeBooks computes the books on one snapshot: the last closed day plus everything since.
func computeBooks(tx *db.Tx) (b Books, err error) {
	last, err := lastClosed(tx)
	if err != nil {
		return b, err
	}
	now, err := last.extendedTo(tx, time.Time{})
	if err != nil {
		return b, err
	}
	balances, err := ledger.Balances(tx)
	if err != nil {
		return b, err
	}
	exposed, err := inventory.ComputeExposure(tx, now.items)
	if err != nil {
		return b, err
	}
	all, err := packs.All(tx)
	if err != nil {
		return b, err
	}
	moved := totalsOf(now.leaf)
	b = Books{At: httpapi.Timestamp(tx.Now), Points: pointsOf(moved), Ledger: coverOf(moved, balances), Exposure: ExposureView(exposed), Packs: lossesOf(all)}
	if !last.leaf.Day.IsZero() {
		day := last.leaf.Name()
		b.ClosedDay = &day
	}
	b.ApprovedByCommand, err = approval.CountApprovedByCommand(tx)
	if err == nil {
		b.LastBackup, err = recordedTime(tx, lastBackup)
	}
	if err == nil {
		b.LastAudit, err = recordedTime(tx, lastAudit)
	}
	return b, err
}

// The settings that store when maintenance was done, each a time.
const (
	lastBackup     = "last_backup"
	lastAudit      = "last_audit"
	reportedBackup = "reported_backup" // the time and, after a space, the reporter
)

// NoteBackup records that the database was backed up.
func NoteBackup(tx *db.Tx) error { return db.SetSetting(tx, lastBackup, httpapi.Timestamp(tx.Now)) }

// Report is a backup that was reported but not verified.
type Report struct {
	At time.Time
	By string // empty = none reported
}

// ReportBackup records that someone has just backed up PostgreSQL.
func ReportBackup(tx *db.Tx, by string) error {
	if by == "" || len(by) > 64 || strings.ContainsFunc(by, unicode.IsControl) {
		return errors.New("the name of who made the backup must have 1 to 64 bytes on one line")
	}
	return db.SetSetting(tx, reportedBackup, httpapi.Timestamp(tx.Now)+" "+by)
}

// ReportedBackup returns the last reported backup.
func ReportedBackup(tx *db.Tx) (r Report, err error) {
	text, err := db.Setting(tx, reportedBackup)
	if err != nil || text == "" {
		return r, err
	}
	at, by, _ := strings.Cut(text, " ")
	r.By = by
	r.At, err = time.Parse(time.RFC3339Nano, at)
	return r, err
}

// NoteAudit records that an audit found the books in order.
func NoteAudit(tx *db.Tx) error { return db.SetSetting(tx, lastAudit, httpapi.Timestamp(tx.Now)) }

// LastAudit returns the time of the last clean audit, or zero.
func LastAudit(tx *db.Tx) (time.Time, error) { return parsedTime(tx, lastAudit) }

// LastBackup returns the time of the last backup, made or reported, or zero.
func LastBackup(tx *db.Tx) (time.Time, error) {
	reported, err := ReportedBackup(tx)
	if err != nil {
		return time.Time{}, err
	}
	made, err := parsedTime(tx, lastBackup)
	if reported.At.After(made) {
		return reported.At, err
	}
	return made, err
}

// parsedTime returns a recorded time, or zero if there is none.
func parsedTime(tx *db.Tx, name string) (time.Time, error) {
	at, err := recordedTime(tx, name)
	if err != nil || at == nil {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, *at)
}

// recordedTime returns a recorded time, or nil if there is none.
func recordedTime(tx *db.Tx, name string) (*string, error) {
	at, err := db.Setting(tx, name)
	if err != nil || at == "" {
		return nil, err
	}
	return &at, nil
}
