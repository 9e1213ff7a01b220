// Package books is the house's books as everybody may read them: what came in and went
// out, that all balances are covered by the ledger, and what the house could be asked to
// pay. Nothing in it is about one person.
package books

import (
	"context"
	"sync"
	"time"

	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
)

const (
	// life is how long everybody is shown the same books.
	life = time.Minute
	// share is how many times as long as they took to add up they are kept, so that a
	// large house spends at most a twentieth of one reader's time on them.
	share = 20
	// longestLife bounds that, though a clock was set meanwhile.
	longestLife = time.Hour
	// patience is how long books may take that somebody waits for; slower ones are
	// renewed behind the answer.
	patience = time.Second
	// longest is how long they may take at all.
	longest = 5 * time.Minute
)

// Service keeps the books that it added up last, as a copy: any node has its own.
type Service struct {
	DB *db.DB

	mutex sync.Mutex
	kept  *copied
	under *copied // being added up; nil = nobody is at it
}

// copied is the books of one moment.
type copied struct {
	books Books
	err   error
	took  time.Duration
	until time.Time
	done  chan struct{} // closed when the rest is there
}

// Current are the books that are shown, added up anew when they are old. However many
// ask, one adds up.
func (s *Service) Current(ctx context.Context) (Books, error) {
	kept, under := s.take(ctx)
	if kept != nil && (under == nil || kept.took > patience) {
		return kept.books, nil
	}
	select {
	case <-under.done:
		return under.books, under.err
	case <-ctx.Done():
		return Books{}, fault.New(fault.Unavailable, "The books are being added up. Please try again.").After(2 * time.Second).Because(ctx.Err())
	}
}

// take gives the books that there are, and those that are being added up.
func (s *Service) take(ctx context.Context) (kept, under *copied) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.under == nil && (s.kept == nil || !s.DB.Now().Before(s.kept.until)) {
		s.under = &copied{done: make(chan struct{})}
		go s.renew(context.WithoutCancel(ctx), s.under)
	}
	return s.kept, s.under
}

func (s *Service) renew(ctx context.Context, c *copied) {
	ctx, end := context.WithTimeout(ctx, longest)
	defer end()
	began := s.DB.Now()
	c.err = s.DB.Inspect(ctx, func(tx *db.Tx) (err error) {
		c.books, err = addUp(tx)
		return err
	})
	now := s.DB.Now()
	c.took = now.Sub(began)
	c.until = now.Add(min(max(life, share*c.took), longestLife))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.under = nil
	if c.err == nil {
		s.kept = c
	}
	close(c.done)
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
	exposed, err := collection.Exposed(tx, now.items)
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
	b.LastBackup, err = noted(tx, lastBackup)
	if err == nil {
		b.LastAudit, err = noted(tx, lastAudit)
	}
	return b, err
}

// The settings that keep when the house was looked after, each a time.
const (
	lastBackup = "last_backup"
	lastAudit  = "last_audit"
)

// NoteBackup keeps that the database was copied.
func NoteBackup(tx *db.Tx) error { return db.Note(tx, lastBackup, httpkit.Timestamp(tx.Now)) }

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
