// Package board shows what has happened on the counter: who opened what lately.
package board

import (
	"context"
	"sync"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Activity is one recent open, as everybody may see it.
type Activity struct {
	ID        string
	FirstName string // empty without one
	PackID    string
	PackName  string
	At        time.Time
	Best      Pull
}

// Pull is the most valuable item of an open, with its value in the manifest that
// it was drawn by.
type Pull struct {
	Item  catalogue.Item
	Value money.Cents
}

const (
	// recentSize is as many as any page shows at once, and some.
	recentSize = 20
	// recentLife bounds how often the front page's visitors together ask the database.
	recentLife = time.Second
)

// recents keeps the latest activities for a moment: they are the same for all.
type recents struct {
	sync.Mutex
	found []Activity
	until time.Time
}

// list gives the latest opens, newest first, at most a second old.
func (r *recents) list(ctx context.Context, d *db.DB) (found []Activity, err error) {
	r.Lock()
	defer r.Unlock()
	now := d.Now()
	if now.Before(r.until) {
		return r.found, nil
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		found, err = recent(tx, recentSize)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.found, r.until = found, now.Add(recentLife)
	return found, nil
}
