package httpapi

import (
	"time"

	"kaibao/internal/db"
)

// Period is embedded in the input of a list that can be limited to a period.
type Period struct {
	From time.Time `query:"from" doc:"Earliest time, inclusive."`
	To   time.Time `query:"to" doc:"Latest time, exclusive."`
}

// UserFilter is embedded in the input of an admin list whose rows belong to users.
type UserFilter struct {
	User string `query:"user" maxLength:"64" doc:"A user's id."`
	ID   string `query:"id" maxLength:"64" doc:"Only the row with this id."`
	Period
}

// Conditions is a db.Selection of rows of any type.
type Conditions interface {
	Where(clause string, args ...any)
}

// Narrow limits a list to the period, by a column in microseconds.
func (p Period) Narrow(list Conditions, column string) {
	if !p.From.IsZero() {
		list.Where(column+" >= ?", db.Micros(p.From))
	}
	if !p.To.IsZero() {
		list.Where(column+" < ?", db.Micros(p.To))
	}
}

// NarrowIDs limits a list to the period, by a column with ids made by db.Tx.NewID, whose times are
// whole milliseconds.
func (p Period) NarrowIDs(list Conditions, column string) {
	from, to := p.IDs()
	if !p.From.IsZero() {
		list.Where(column+" >= ?", from)
	}
	if !p.To.IsZero() {
		list.Where(column+" < ?", to)
	}
}

// IDs returns the bounds of the period as ids, which must be at least from and less than to.
func (p Period) IDs() (from, to string) {
	epoch := time.UnixMilli(0)
	from, to = db.MinID(epoch), db.MaxID
	if p.From.After(epoch) {
		from = db.MinID(p.From)
	}
	if !p.To.IsZero() {
		to = db.MinID(epoch)
		if p.To.After(epoch) {
			to = db.MinID(p.To)
		}
	}
	return from, to
}

// Equal limits a list to the rows with a value in a column; an empty value doesn't limit it.
func Equal[V ~string](list Conditions, column string, value V) {
	if value != "" {
		list.Where(column+" = ?", string(value))
	}
}
