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

// recentSize is as many as any page shows at once, and some.
const recentSize = 20
