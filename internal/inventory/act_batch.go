package inventory

import (
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
)

// ActBatch applies acts to locked entries within a transaction. Each act sees the result of the
// previous ones; Save writes all of them.
type ActBatch struct {
	tx       *db.Tx
	entries  map[string]Entry // current state, after the acts so far
	versions map[string]int64 // original versions of the changed entries
	events   []Event
}

// NewActBatch returns a batch for locked entries, keyed by id.
func NewActBatch(tx *db.Tx, entries map[string]Entry) *ActBatch {
	return &ActBatch{tx: tx, entries: entries, versions: map[string]int64{}}
}

// Entry returns an entry's current state, and whether it is among the locked ones.
func (a *ActBatch) Entry(id string) (Entry, bool) {
	e, ok := a.entries[id]
	return e, ok
}

// Entries returns the current state of all locked entries.
func (a *ActBatch) Entries() map[string]Entry { return a.entries }

// Do applies an act to an entry. The event has the act, its doer, price and reference; Do sets its
// entry, number, time and previous owner.
func (a *ActBatch) Do(id string, ev Event) (Entry, error) {
	e, ok := a.entries[id]
	if !ok {
		return e, fmt.Errorf("entry %q is not locked: can't %s it", id, ev.Act)
	}
	ev.Entry, ev.Number, ev.At, ev.Owner = id, e.Version+1, a.tx.Now, e.Owner
	next, err := e.Apply(ev)
	if err != nil {
		return e, err
	}
	if _, changed := a.versions[id]; !changed {
		a.versions[id] = e.Version
	}
	a.entries[id] = next
	a.events = append(a.events, ev)
	return next, nil
}

// Save writes the changed entries and their events, and publishes them to the market feed.
func (a *ActBatch) Save() error {
	if len(a.events) == 0 {
		return nil
	}
	if err := saveEntries(a.tx, a.entries, a.versions); err != nil {
		return err
	}
	if err := insertEvents(a.tx, a.events); err != nil {
		return err
	}
	events := a.marketEvents()
	if len(events) > 0 {
		changed := a.entriesChanged(events)
		a.tx.MarketPosition = changed.last.String()
		a.tx.Publish(changed)
	}
	return marketevents.Add(a.tx, events...)
}

// marketEvents returns the market events of the acts done.
func (a *ActBatch) marketEvents() (events []marketevents.Event) {
	for _, ev := range a.events {
		if kind, ok := marketKinds[ev.Act]; ok {
			events = append(events, marketevents.Event{
				Kind: kind, Item: a.entries[ev.Entry].Item.ID, Entry: ev.Entry, Price: ev.Price, Detail: ev.marketDetail(kind), Users: ev.marketUsers(kind),
			})
		}
	}
	return events
}

// marketDetail returns the detail of the market event: the listing or the kind of trade.
func (e Event) marketDetail(kind marketevents.Kind) string {
	switch kind {
	case marketevents.Offered:
		return e.Ref
	case marketevents.Traded:
		return string(e.Trade)
	}
	return ""
}

// marketUsers returns the users of the market event: the owner and, of a trade, the buyer.
func (e Event) marketUsers(kind marketevents.Kind) string {
	if kind == marketevents.Traded {
		return e.Owner + " " + e.By
	}
	return e.Owner
}

// marketKinds maps acts to the market events they cause.
var marketKinds = map[Act]marketevents.Kind{
	Listing:     marketevents.Offered,
	Repricing:   marketevents.Offered,
	Delisting:   marketevents.Delisted,
	Buying:      marketevents.Traded,
	FillingBid:  marketevents.Traded,
	SellingBack: marketevents.LeftMarket,
	Claiming:    marketevents.LeftMarket,
}

// applyActs applies one event to each of the locked entries.
func applyActs(tx *db.Tx, entries []Entry, events []Event) ([]Entry, error) {
	locked := make(map[string]Entry, len(entries))
	for _, e := range entries {
		locked[e.ID] = e
	}
	acts := NewActBatch(tx, locked)
	after := make([]Entry, len(entries))
	for n, e := range entries {
		next, err := acts.Do(e.ID, events[n])
		if err != nil {
			return nil, err
		}
		after[n] = next
	}
	return after, acts.Save()
}

func applyAct(tx *db.Tx, e Entry, event Event) (Entry, error) {
	after, err := applyActs(tx, []Entry{e}, []Event{event})
	if err != nil {
		return e, err
	}
	return after[0], nil
}
