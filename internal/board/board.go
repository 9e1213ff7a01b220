// Package board shows what has happened on the counter: who opened what lately,
// and who leads.
package board

import (
	"time"

	"kaibao/internal/catalogue"
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

// recentSize is twice what the admin page shows, and no page shows more.
const recentSize = 20
