package inventory

import (
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// Acts applies acts to locked entries within a transaction. Each act sees the result of the
// previous ones; Settle writes all of them.
type Acts struct {
	tx      *db.Tx
	entries map[string]Entry // current state, after the acts so far
	was     map[string]int64 // original versions of the changed entries
	events  []Event
}

// Begin returns Acts for locked entries, keyed by id.
func Begin(tx *db.Tx, entries map[string]Entry) *Acts {
	return &Acts{tx: tx, entries: entries, was: map[string]int64{}}
}

// Entry returns an entry's current state, and whether it is among the locked ones.
func (a *Acts) Entry(id string) (Entry, bool) {
	e, ok := a.entries[id]
	return e, ok
}

// Entries returns the current state of all locked entries.
func (a *Acts) Entries() map[string]Entry { return a.entries }

// Do applies an act to an entry. The event has the act, its doer, price and reference; Do sets its
// entry, number and time.
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

// Settle writes the changed entries and their events, and publishes them to the market feed.
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

// told returns the market events of the acts done.
func (a *Acts) told() (told []marketevents.Event) {
	for _, ev := range a.events {
		if kind, of := market[ev.Act]; of {
			told = append(told, marketevents.Event{Kind: kind, Item: a.entries[ev.Entry].Item.ID, Entry: ev.Entry, Price: ev.Price, Detail: ev.detail(kind)})
		}
	}
	return told
}

// detail returns the detail of the market event: the listing or the kind of trade.
func (e Event) detail(kind marketevents.Kind) string {
	switch kind {
	case marketevents.Offered:
		return e.Ref
	case marketevents.Traded:
		return string(e.Trade)
	}
	return ""
}

// market maps acts to the market events they cause.
var market = map[Act]marketevents.Kind{
	Listing:     marketevents.Offered,
	Repricing:   marketevents.Offered,
	Delisting:   marketevents.Delisted,
	Buying:      marketevents.Traded,
	FillingBid:  marketevents.Traded,
	SellingBack: marketevents.Left,
	Claiming:    marketevents.Left,
}

// do applies one event to each of the locked entries.
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
