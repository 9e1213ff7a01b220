package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
)

// board has the listings and bids that the players know of.
type board struct {
	mutex  sync.Mutex
	prices map[string]int64
	bids   map[string]boardBid
}

// boardBid is a bid that a player has published on the board.
type boardBid struct {
	entry string
	price int64
}

func newBoard() *board { return &board{prices: map[string]int64{}, bids: map[string]boardBid{}} }

func (b *board) put(id string, price int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if price == 0 {
		delete(b.prices, id)
		return
	}
	b.prices[id] = price
}

// some returns any listing, or "" if there is none.
func (b *board) some() (id string, price int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for id, price := range b.prices {
		return id, price
	}
	return "", 0
}

// post publishes a bid, or removes it if bid is zero.
func (b *board) post(id string, bid boardBid) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if bid == (boardBid{}) {
		delete(b.bids, id)
		return
	}
	b.bids[id] = bid
}

// bidOn returns any bid for one of the entries, or "" if there is none.
func (b *board) bidOn(entries []string) (id string, bid boardBid) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for id, bid := range b.bids {
		if slices.Contains(entries, bid.entry) {
			return id, bid
		}
	}
	return "", boardBid{}
}

// bidding returns an act with bids: place one on a listing below or above its price, withdraw one,
// or sell to one. The act is empty if that isn't possible.
func (p *player) bidding() act {
	switch p.random.IntN(4) {
	case 0:
		if id, bid := p.board.bidOn(p.owned); id != "" {
			return act{path: "/api/bids/" + id + "/accept", body: map[string]any{
				"inventoryId": bid.entry, "expectedPriceCents": bid.price, "confirmedCents": bid.price,
			}}
		}
	case 1:
		if len(p.bids) > 0 {
			return act{method: http.MethodDelete, path: "/api/bids/" + p.bids[p.random.IntN(len(p.bids))]}
		}
	default:
		if id, _ := p.board.some(); id != "" {
			price := 50 + 5*p.random.Int64N(10)
			return act{path: "/api/bids", body: map[string]any{"scope": map[string]any{"inventoryId": id}, "priceCents": price, "confirmedCents": price}}
		}
	}
	return act{}
}

// learnBid applies the effects of an acknowledged act with bids.
func (p *player) learnBid(a act) {
	var response struct {
		ID     string
		State  string
		Filled []struct{ InventoryID string }
	}
	if len(a.answer) > 0 {
		p.broken = json.Unmarshal(a.answer, &response)
	}
	for _, f := range response.Filled {
		p.owned = append(p.owned, f.InventoryID)
	}
	scope, placed := a.body["scope"].(map[string]any)
	switch {
	case placed && response.State == "open":
		p.bids = append(p.bids, response.ID)
		p.board.post(response.ID, boardBid{scope["inventoryId"].(string), a.body["priceCents"].(int64)})
	case a.method == http.MethodDelete:
		p.bids = slices.DeleteFunc(p.bids, func(id string) bool { return "/api/bids/"+id == a.path })
		p.board.post(a.path[len("/api/bids/"):], boardBid{})
	}
}
