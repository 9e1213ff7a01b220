package inventory

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// EntriesChanged is the message published on this node (db.DB.Subscribe) with the entries that a
// transaction's market acts changed.
type EntriesChanged struct {
	Entries []string
	last    Position // that a node must have reached to show the changes
}

func (a *ActBatch) entriesChanged(events []marketevents.Event) EntriesChanged {
	c := EntriesChanged{Entries: make([]string, len(events))}
	for n, ev := range events {
		c.Entries[n] = ev.Entry
		c.last = Position{ev.Entry, a.entries[ev.Entry].Version, a.tx.Now}
	}
	return c
}

// Position is a point in the market's history: a version of an entry.
type Position struct {
	Entry   string
	Version int64
	At      time.Time
}

// String encodes a position so that clients can carry it from node to node.
func (p Position) String() string {
	return fmt.Sprintf("%s.%d.%d", p.Entry, p.Version, db.Micros(p.At))
}

// ParsePosition parses the result of String; ok is false for anything else.
func ParsePosition(text string) (p Position, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return p, false
	}
	version, errVersion := strconv.ParseInt(parts[1], 10, 64)
	at, errAt := strconv.ParseInt(parts[2], 10, 64)
	return Position{parts[0], version, db.Time(at)}, errVersion == nil && errAt == nil
}
