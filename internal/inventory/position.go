package inventory

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// Changed is told on the node (db.DB.Subscribe) of the entries that acts on the market changed in a
// transaction.
type Changed struct {
	Entries []string
	last    Position
}

func (a *Acts) changed(told []marketevents.Event) Changed {
	c := Changed{Entries: make([]string, len(told))}
	for n, ev := range told {
		c.Entries[n] = ev.Entry
		c.last = Position{ev.Entry, a.entries[ev.Entry].Version, a.tx.Now}
	}
	return c
}

// Position is how far a node must have got to show what was changed.
func (c Changed) Position() string { return c.last.String() }

// Position is a moment of the market: an entry has a version.
type Position struct {
	Entry   string
	Version int64
	At      time.Time
}

// String writes a position, for whoever carries it from node to node.
func (p Position) String() string {
	return fmt.Sprintf("%s.%d.%d", p.Entry, p.Version, db.Micros(p.At))
}

// ReadPosition reads what String wrote; ok is false of whatever else.
func ReadPosition(text string) (p Position, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return p, false
	}
	version, errVersion := strconv.ParseInt(parts[1], 10, 64)
	at, errAt := strconv.ParseInt(parts[2], 10, 64)
	return Position{parts[0], version, db.Time(at)}, errVersion == nil && errAt == nil
}
