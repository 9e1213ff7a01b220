package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// The size of a group of traders, and the number of entries of one item that they trade.
const (
	groupSize  = 4
	entryCount = 2
	forItem    = entryCount // the scope of bids for the item, after the entries

	maxBids = 1024 // maximum number of bids by a group
)

// action is a trader's request.
type action struct {
	kind      string
	trader    int
	entry     int
	scope     int // of a bid: an entry, or the item
	price     int64
	quantity  int64 // of a bid: quantity
	bidNumber int   // of the bid to place, withdraw or sell to
	bidder    int
}

// outcome is the result of an action: a refusal, the price of an immediate trade, or a view. An
// unanswered action got no response.
type outcome struct {
	refused    string
	price      int64
	view       traderView
	unanswered bool
}

// traderView is a trader's list of their own entries or bids: the prices of entries (-1 = not for
// sale, 0 = not theirs), or the price and remaining quantity of bids.
type traderView [entryCount + 1]struct{ price, quantity int64 }

// openBid is an open bid. Its number is 0 if there is none.
type openBid struct {
	number          int
	price, quantity int64
}

// bookState is the state of a group's market: the owners of entries, their prices (0 = not for
// sale), the open bids, and which bids were filled.
type bookState struct {
	owner  [entryCount]int
	price  [entryCount]int64
	bids   [groupSize][entryCount + 1]openBid
	filled [maxBids / 64]uint64
}

// transition is a possible outcome of an action, with the state after it.
type transition struct {
	outcome
	bookState
}

func refusal(w bookState, code string) []transition { return []transition{{outcome{refused: code}, w}} }

// model is the sequential model of one item's book. Initially the group's first trader owns both
// entries.
func model() porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{bookState{}} },
		Step: func(state, input, output any) (next []any) {
			a, got := input.(action), output.(outcome)
			for _, w := range state.(bookState).withCanceledBids() {
				for _, t := range w.transitions(a) {
					if got.unanswered || got == t.outcome {
						next = append(next, t.bookState)
					}
				}
				if got.unanswered {
					next = append(next, w) // it may or may not have been executed
				}
			}
			return next
		},
		Equal:             func(a, b any) bool { return a == b },
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
	}
	return nondeterministic.ToModel()
}

// withCanceledBids returns the states that may follow without a request: a bid on an entry that its
// bidder now owns may be canceled at any time.
func (w bookState) withCanceledBids() []bookState {
	all := []bookState{w}
	for entry, owner := range w.owner {
		for _, w := range all {
			if w.bids[owner][entry].number != 0 {
				w.bids[owner][entry] = openBid{}
				all = append(all, w)
			}
		}
	}
	return all
}

// transitions returns all possible outcomes of an action.
func (w bookState) transitions(a action) []transition {
	own, price := w.owner[a.entry] == a.trader, w.price[a.entry]
	switch a.kind {
	case "entries", "bids":
		return []transition{{outcome{view: w.viewOf(a)}, w}}
	case "bid":
		return w.bid(a)
	case "withdraw":
		return w.withdraw(a)
	case "buy":
		return w.buy(a)
	}
	switch {
	case !own:
		return refusal(w, "not_found")
	case a.kind == "accept":
		return w.accept(a)
	case a.kind == "list" && price != 0:
		return refusal(w, "already_listed")
	case a.kind != "list" && price == 0:
		return refusal(w, "not_listed")
	case a.kind == "delist":
		w.price[a.entry] = 0
		return []transition{{outcome{}, w}}
	}
	return w.offer(a)
}

// viewOf returns a trader's view of their entries or bids.
func (w bookState) viewOf(a action) (v traderView) {
	for n, b := range w.bids[a.trader] {
		switch {
		case a.kind == "bids":
			v[n].price, v[n].quantity = b.price, b.quantity
		case n < entryCount && w.owner[n] == a.trader:
			v[n].price = w.price[n]
			if v[n].price == 0 {
				v[n].price = -1
			}
		}
	}
	return v
}

// offer sells an entry to the best bid at or above the price, or lists it. Bids for the item are
// always below all prices.
func (w bookState) offer(a action) (next []transition) {
	best := w.bestBid(a.entry)
	if best < a.price {
		w.price[a.entry] = a.price
		return []transition{{outcome{}, w}}
	}
	for bidder := range w.bids {
		if bidder != a.trader && w.bids[bidder][a.entry].price == best { // ties may go either way
			next = append(next, transition{outcome{price: best}, w.sell(a.entry, bidder, a.entry)})
		}
	}
	return next
}

// bestBid returns the highest bid for an entry by traders other than its owner, excluding bids for
// the item.
func (w bookState) bestBid(entry int) (most int64) {
	for bidder, b := range w.bids {
		if bidder != w.owner[entry] {
			most = max(most, b[entry].price)
		}
	}
	return most
}

// sell transfers an entry to a bidder and fills one unit of the bid.
func (w bookState) sell(entry, bidder, scope int) bookState {
	w.owner[entry], w.price[entry] = bidder, 0
	b := &w.bids[bidder][scope]
	b.quantity--
	if b.quantity == 0 {
		w = w.fill(b.number)
		w.bids[bidder][scope] = openBid{}
	}
	return w
}

func (w bookState) fill(number int) bookState {
	w.filled[number/64] |= 1 << (number % 64)
	return w
}

func (w bookState) wasFilled(number int) bool { return w.filled[number/64]&(1<<(number%64)) != 0 }

func (w bookState) buy(a action) []transition {
	price := w.price[a.entry]
	switch {
	case price == 0:
		return refusal(w, "gone")
	case w.owner[a.entry] == a.trader:
		return refusal(w, "own_listing")
	case price != a.price:
		return refusal(w, "price_changed")
	}
	w.owner[a.entry], w.price[a.entry] = a.trader, 0
	return []transition{{outcome{price: price}, w}}
}

// bid buys an entry that is listed at or below the bid's price, or places the bid.
func (w bookState) bid(a action) []transition {
	if a.scope != forItem {
		if w.owner[a.scope] == a.trader {
			return refusal(w, "own_listing")
		}
	}
	if w.bids[a.trader][a.scope].number != 0 {
		return refusal(w, "already_bid")
	}
	if a.scope != forItem {
		if asked := w.price[a.scope]; asked != 0 && asked <= a.price {
			w.owner[a.scope], w.price[a.scope] = a.trader, 0
			return []transition{{outcome{price: asked}, w.fill(a.bidNumber)}}
		}
	}
	w.bids[a.trader][a.scope] = openBid{a.bidNumber, a.price, a.quantity}
	return []transition{{outcome{}, w}}
}

func (w bookState) withdraw(a action) []transition {
	if w.wasFilled(a.bidNumber) {
		return refusal(w, "already_filled")
	}
	if b := &w.bids[a.trader][a.scope]; b.number == a.bidNumber {
		*b = openBid{}
	}
	return []transition{{outcome{}, w}}
}

// accept sells an entry to a bid. The server searches for a better bid on the item without a lock,
// so both outcomes are allowed if there is one; a better bid on the entry itself is always found.
func (w bookState) accept(a action) (next []transition) {
	switch {
	case w.wasFilled(a.bidNumber):
		return refusal(w, "already_filled")
	case w.bids[a.bidder][a.scope].number != a.bidNumber:
		return refusal(w, "bid_ended")
	case a.bidder == a.trader:
		return refusal(w, "own_listing")
	case w.bestBid(a.entry) > a.price:
		return refusal(w, "better_bid")
	}
	next = []transition{{outcome{price: a.price}, w.sell(a.entry, a.bidder, a.scope)}}
	for bidder, b := range w.bids {
		if bidder != a.trader && b[forItem].price > a.price {
			return append(next, refusal(w, "better_bid")...)
		}
	}
	return next
}
