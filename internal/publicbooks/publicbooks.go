// Package publicbooks publishes the house's accounts: income and expenses, proof that the ledger
// covers all balances, and the house's liabilities. It contains nothing about individual users.
package publicbooks

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
)

const (
	// life is how long everybody is shown the same books.
	life = time.Minute
	// longest is how long they may take at all.
	longest = 5 * time.Minute
)

// Service keeps the books that it added up last, as a copy: any node has its own.
type Service struct {
	DB   *db.DB
	kept *httpkit.Cache[struct{}, Books]
}

// New makes the service.
func New(d *db.DB) *Service {
	s := &Service{DB: d}
	s.kept = httpkit.NewSlowCache(d.Now, life, s.fresh)
	return s
}

// Current are the books that are shown.
func (s *Service) Current(ctx context.Context) (Books, error) {
	return s.kept.Get(ctx, struct{}{})
}

func (s *Service) fresh(ctx context.Context, _ struct{}) (b Books, err error) {
	ctx, end := context.WithTimeout(ctx, longest)
	defer end()
	err = s.DB.Inspect(ctx, func(tx *db.Tx) (err error) {
		b, err = addUp(tx)
		return err
	})
	return b, err
}

// addUp reads the books on one snapshot: what was closed, and what has happened since.
func addUp(tx *db.Tx) (b Books, err error) {
	last, err := lastClosed(tx)
	if err != nil {
		return b, err
	}
	now, err := last.until(tx, time.Time{})
	if err != nil {
		return b, err
	}
	balances, err := ledger.Balances(tx)
	if err != nil {
		return b, err
	}
	exposed, err := inventory.Exposed(tx, now.items)
	if err != nil {
		return b, err
	}
	all, err := packs.All(tx)
	if err != nil {
		return b, err
	}
	moved := totals(now.leaf)
	b = Books{At: httpkit.Timestamp(tx.Now), Points: pointsOf(moved), Ledger: coverOf(moved, balances), Exposure: ExposureView(exposed), Packs: lossesOf(all)}
	if !last.leaf.Day.IsZero() {
		day := last.leaf.Name()
		b.ClosedDay = &day
	}
	b.ApprovedByCommand, err = approval.CountByCommand(tx)
	if err == nil {
		b.LastBackup, err = noted(tx, lastBackup)
	}
	if err == nil {
		b.LastAudit, err = noted(tx, lastAudit)
	}
	return b, err
}

// The settings that keep when the house was looked after, each a time.
const (
	lastBackup     = "last_backup"
	lastAudit      = "last_audit"
	reportedBackup = "reported_backup" // its time and, after a space, by whom
)

// NoteBackup keeps that the database was copied.
func NoteBackup(tx *db.Tx) error { return db.Note(tx, lastBackup, httpkit.Timestamp(tx.Now)) }

// Report is that somebody made a backup, which nobody has verified.
type Report struct {
	At time.Time
	By string // empty = nobody has reported one
}

// ReportBackup keeps that somebody has just made a backup of PostgreSQL.
func ReportBackup(tx *db.Tx, by string) error {
	if by == "" || len(by) > 64 || strings.ContainsFunc(by, unicode.IsControl) {
		return errors.New("the name of who made the backup must have 1 to 64 bytes on one line")
	}
	return db.Note(tx, reportedBackup, httpkit.Timestamp(tx.Now)+" "+by)
}

// ReportedBackup is the last backup that was reported.
func ReportedBackup(tx *db.Tx) (r Report, err error) {
	text, err := db.Noted(tx, reportedBackup)
	if err != nil || text == "" {
		return r, err
	}
	at, by, _ := strings.Cut(text, " ")
	r.By = by
	r.At, err = time.Parse(time.RFC3339Nano, at)
	return r, err
}

// NoteAudit keeps that the books were proved and found in order.
func NoteAudit(tx *db.Tx) error { return db.Note(tx, lastAudit, httpkit.Timestamp(tx.Now)) }

// noted is nil for what was never done.
func noted(tx *db.Tx, name string) (*string, error) {
	at, err := db.Noted(tx, name)
	if err != nil || at == "" {
		return nil, err
	}
	return &at, nil
}
