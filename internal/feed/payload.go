package feed

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/eventstream"
	"kaibao/internal/httpapi"
	"kaibao/internal/leaderboard"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

// The payloads of events. The route's description documents them.
type (
	item struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		ImageURL string `json:"imageUrl"`
		Series   string `json:"series"`
		Rarity   string `json:"rarity"`
	}
	listing struct {
		InventoryID string      `json:"inventoryId"`
		ListingID   string      `json:"listingId"`
		PriceCents  money.Cents `json:"priceCents"`
		Item        item        `json:"item"`
	}
	sale struct {
		InventoryID string      `json:"inventoryId"`
		Kind        string      `json:"kind"`
		PriceCents  money.Cents `json:"priceCents"`
		Item        item        `json:"item"`
		At          string      `json:"at"`
	}
	entryRef struct {
		InventoryID string `json:"inventoryId"`
		ItemID      string `json:"itemId"`
	}
	itemRef struct {
		ItemID string `json:"itemId"`
	}
	itemValue struct {
		ItemID     string      `json:"itemId"`
		ValueCents money.Cents `json:"valueCents"`
	}
)

// references are the items and opens that events refer to.
type references struct {
	items map[string]catalogue.Item
	opens map[string]leaderboard.ActivityView
}

// loadReferences loads the items and opens that the events refer to.
func loadReferences(tx *db.Tx, events []marketevents.Event) (r references, err error) {
	var items, opens []string
	for _, e := range events {
		switch e.Kind {
		case marketevents.Offered, marketevents.Traded:
			items = append(items, e.Item)
		case marketevents.Opened:
			id, _ := openIDAndPack(e)
			opens = append(opens, id)
		}
	}
	if len(items) > 0 {
		r.items, err = catalogue.Items(tx, items)
	}
	if err == nil && len(opens) > 0 {
		r.opens, err = leaderboard.Opens(tx, opens)
	}
	return r, err
}

// namedFor is how long a node sends the handles in an event after it has read them.
const namedFor = time.Second

// encodePage encodes events with consecutive numbers as a page.
func encodePage(tx *db.Tx, events []marketevents.Event) (p page, err error) {
	r, err := loadReferences(tx, events)
	if err != nil {
		return p, err
	}
	p, err = r.encode(events)
	if unnamed := r.withoutHandles(); err == nil && unnamed.opens != nil {
		var without page
		without, err = unnamed.encode(events)
		p.unnamed, p.namedUntil = &without, tx.Now.Add(namedFor)
	}
	return p, err
}

// withoutHandles returns references that name nobody by handle. Opens is nil if there are no handles.
func (r references) withoutHandles() references {
	unnamed, named := maps.Clone(r.opens), false
	for id, open := range unnamed {
		named = named || open.User.Handle != ""
		open.User.Handle = ""
		unnamed[id] = open
	}
	if !named {
		return references{}
	}
	return references{r.items, unnamed}
}

func (r references) encode(events []marketevents.Event) (p page, err error) {
	for _, e := range events {
		kind, data := r.payload(e)
		if data == nil { // the event can't be encoded, and leaving it out would be wrong
			kind, data = "reset", struct{}{}
		}
		text, err := json.Marshal(data)
		if err != nil {
			return p, err
		}
		p.text = eventstream.Event{ID: formatNumber(e.Number), Name: kind, Data: text}.Append(p.text)
		p.ends, p.last = append(p.ends, len(p.text)), e.Number
		for user := range strings.FieldsSeq(e.Users) {
			if p.own == nil {
				p.own = map[string][]int64{}
			}
			p.own[user] = append(p.own[user], e.Number)
		}
	}
	return p, nil
}

// payload returns the public name and payload of an event. The payload is nil for an event of an
// older version that lacks data.
func (r references) payload(e marketevents.Event) (kind string, data any) {
	switch e.Kind {
	case marketevents.Offered, marketevents.Traded:
		if i, ok := r.items[e.Item]; ok && e.Detail != "" {
			return itemPayload(e, i)
		}
	case marketevents.Delisted:
		return "delisted", entryRef{e.Entry, e.Item}
	case marketevents.LeftMarket:
		return "left", entryRef{e.Entry, e.Item}
	case marketevents.Bid, marketevents.BidEnded:
		return "book", entryRef{e.Entry, e.Item}
	case marketevents.Valued:
		return "value", itemValue{e.Item, e.Price}
	case marketevents.Edited:
		return "item", itemRef{e.Item}
	case marketevents.Opened:
		id, pack := openIDAndPack(e)
		if open, ok := r.opens[id]; ok {
			return "open", open
		}
		if pack != "" { // the user excluded themselves, so the open isn't shown
			return "more", openSummary{1, []string{pack}}
		}
	case marketevents.More:
		return "more", summaryOf(e)
	case marketevents.Boards:
		return "leaderboard", struct{}{}
	}
	return "", nil
}

func itemPayload(e marketevents.Event, i catalogue.Item) (kind string, data any) {
	view := item{ID: i.ID, Name: i.Name, ImageURL: i.Picture(), Series: i.Series, Rarity: i.Rarity}
	if e.Kind == marketevents.Offered {
		return "listing", listing{InventoryID: e.Entry, ListingID: e.Detail, PriceCents: e.Price, Item: view}
	}
	return "sale", sale{InventoryID: e.Entry, Kind: e.Detail, PriceCents: e.Price, Item: view, At: httpapi.Timestamp(e.At)}
}

// openIDAndPack returns the ID and pack of an opened event.
func openIDAndPack(e marketevents.Event) (id, pack string) {
	id, pack, _ = strings.Cut(e.Detail, " ")
	return id, pack
}
