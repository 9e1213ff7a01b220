// Package publicbooks publishes Kaibao's accounts: income and expenses, proof that the ledger
// covers all balances, and its liabilities. It contains nothing about individual users.
package publicbooks

import (
	"context"
	"time"

	"kaibao/internal/approval"
	"kaibao/internal/backup"
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
	if err != nil {
		return b, err
	}
	backups, err := backup.ReadState(tx)
	if err != nil {
		return b, err
	}
	if !backups.Made.IsZero() {
		made := httpapi.Timestamp(backups.Made)
		b.LastBackup = &made
	}
	b.LastAudit, err = recordedTime(tx, lastAudit)
	return b, err
}

// lastAudit is the setting that stores the time of the last clean audit.
const lastAudit = "last_audit"

// NoteAudit records that an audit found the books in order.
func NoteAudit(tx *db.Tx) error { return db.SetSetting(tx, lastAudit, httpapi.Timestamp(tx.Now)) }

// LastAudit returns the time of the last clean audit, or zero.
func LastAudit(tx *db.Tx) (time.Time, error) {
	at, err := recordedTime(tx, lastAudit)
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
