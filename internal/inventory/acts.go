package inventory

import (
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// Acts are what is done with locked entries in a transaction. Each counts for those that
// follow; all of them are written down by Settle.
type Acts struct {
	tx      *db.Tx
	entries map[string]Entry // as those before leave them
	was     map[string]int64 // the versions of those that were changed
	events  []Event
}

// Begin takes entries that are locked, by id.
func Begin(tx *db.Tx, entries map[string]Entry) *Acts {
	return &Acts{tx: tx, entries: entries, was: map[string]int64{}}
}

// Entry is an entry as it is by now, and whether there is one.
func (a *Acts) Entry(id string) (Entry, bool) {
	e, ok := a.entries[id]
	return e, ok
}

// Entries are all that are locked, as they are by now.
func (a *Acts) Entries() map[string]Entry { return a.entries }

// Do does something with an entry. The event says what, by whom, for how much and under
// which reference; number and time are given to it.
func (a *Acts) Do(id string, ev Event) (Entry, error) {
	e, ok := a.entries[id]
	if !ok {
		return e, fmt.Errorf("entry %q to %s is not locked", id, ev.Act)
	}
	ev.Entry, ev.Number, ev.At = id, e.Version+1, a.tx.Now
	next, err := e.Follow(ev)
	if err != nil {
		return e, err
	}
	if _, changed := a.was[id]; !changed {
		a.was[id] = e.Version
	}
	a.entries[id] = next
	a.events = append(a.events, ev)
	return next, nil
}

// Settle writes down what was done.
func (a *Acts) Settle() error {
	if len(a.events) == 0 {
		return nil
	}
	if err := save(a.tx, a.entries, a.was); err != nil {
		return err
	}
	if err := insertEvents(a.tx, a.events); err != nil {
		return err
	}
	told := a.told()
	if len(told) > 0 {
		a.tx.Publish(a.changed(told))
	}
	return marketevents.Add(a.tx, told...)
}

// told is what the market is told of what was done.
func (a *Acts) told() (told []marketevents.Event) {
	for _, ev := range a.events {
		if kind, of := market[ev.Act]; of {
			told = append(told, marketevents.Event{Kind: kind, Item: a.entries[ev.Entry].Item.ID, Entry: ev.Entry, Price: ev.Price, Detail: ev.detail(kind)})
		}
	}
	return told
}

// detail is what the market is told of an event by its kind.
func (e Event) detail(kind marketevents.Kind) string {
	switch kind {
	case marketevents.Offered:
		return e.Ref
	case marketevents.Traded:
		return string(e.Trade)
	}
	return ""
}

// market is what acts mean to those who trade.
var market = map[Act]marketevents.Kind{
	Listing:     marketevents.Offered,
	Repricing:   marketevents.Offered,
	Delisting:   marketevents.Delisted,
	Buying:      marketevents.Traded,
	FillingBid:  marketevents.Traded,
	SellingBack: marketevents.Left,
	Claiming:    marketevents.Left,
}

// do does an act with each of some entries that are locked.
func do(tx *db.Tx, entries []Entry, events []Event) ([]Entry, error) {
	locked := make(map[string]Entry, len(entries))
	for _, e := range entries {
		locked[e.ID] = e
	}
	acts := Begin(tx, locked)
	after := make([]Entry, len(entries))
	for n, e := range entries {
		next, err := acts.Do(e.ID, events[n])
		if err != nil {
			return nil, err
		}
		after[n] = next
	}
	return after, acts.Settle()
}

func doOne(tx *db.Tx, e Entry, event Event) (Entry, error) {
	after, err := do(tx, []Entry{e}, []Event{event})
	if err != nil {
		return e, err
	}
	return after[0], nil
}
