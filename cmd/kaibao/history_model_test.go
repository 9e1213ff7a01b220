package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// The size of a gang and the number of entries of one item that they trade.
const (
	gang    = 4
	things  = 2
	forItem = things // the scope of bids for the item, after the entries

	mostPlaced = 1024 // maximum number of bids by a gang
)

// deed is a request by a member of a gang.
type deed struct {
	what   string
	who    int
	entry  int
	scope  int // of a bid: an entry, or the item
	price  int64
	left   int64 // of a bid: quantity
	number int   // of the bid to place, withdraw or sell to
	bidder int
}

// found is the result of a deed: a refusal, the price of an immediate trade, or a view. A deed
// without a response is lost.
type found struct {
	refused string
	price   int64
	seen    view
	lost    bool
}

// view is what a member sees of their own: the prices of entries (-1 = not for sale, 0 = not
// theirs), or the price and remaining quantity of bids.
type view [things + 1]struct{ price, left int64 }

// standing is an open bid. Its number is 0 if there is none.
type standing struct {
	number      int
	price, left int64
}

// world is the state of a gang: the owners of entries, their prices (0 = not for sale), the open
// bids, and which bids were filled.
type world struct {
	owner  [things]int
	price  [things]int64
	bids   [gang][things + 1]standing
	filled [mostPlaced / 64]uint64
}

// turn is a possible outcome of a deed.
type turn struct {
	found
	world
}

func refused(w world, why string) []turn { return []turn{{found{refused: why}, w}} }

// model is the sequential model of one item's book. Initially the gang's first member owns both
// entries.
func model() porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{world{}} },
		Step: func(state, input, output any) (next []any) {
			asked, came := input.(deed), output.(found)
			for _, w := range state.(world).quiet() {
				for _, t := range w.can(asked) {
					if came.lost || came == t.found {
						next = append(next, t.world)
					}
				}
				if came.lost {
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

// quiet returns the states that may follow without a request: a bid on an entry that its bidder now
// owns may be canceled at any time.
func (w world) quiet() []world {
	all := []world{w}
	for entry, owner := range w.owner {
		for _, w := range all {
			if w.bids[owner][entry].number != 0 {
				w.bids[owner][entry] = standing{}
				all = append(all, w)
			}
		}
	}
	return all
}

// can returns all possible outcomes of a deed.
func (w world) can(d deed) []turn {
	own, price := w.owner[d.entry] == d.who, w.price[d.entry]
	switch d.what {
	case "entries", "bids":
		return []turn{{found{seen: w.seen(d)}, w}}
	case "bid":
		return w.bid(d)
	case "withdraw":
		return w.withdraw(d)
	case "buy":
		return w.buy(d)
	}
	switch {
	case !own:
		return refused(w, "not_found")
	case d.what == "accept":
		return w.accept(d)
	case d.what == "list" && price != 0:
		return refused(w, "already_listed")
	case d.what != "list" && price == 0:
		return refused(w, "not_listed")
	case d.what == "delist":
		w.price[d.entry] = 0
		return []turn{{found{}, w}}
	}
	return w.offer(d)
}

// seen returns a member's view of their entries or bids.
func (w world) seen(d deed) (v view) {
	for n, b := range w.bids[d.who] {
		switch {
		case d.what == "bids":
			v[n].price, v[n].left = b.price, b.left
		case n < things && w.owner[n] == d.who:
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
func (w world) offer(d deed) (turns []turn) {
	best := w.best(d.entry)
	if best < d.price {
		w.price[d.entry] = d.price
		return []turn{{found{}, w}}
	}
	for bidder := range w.bids {
		if bidder != d.who && w.bids[bidder][d.entry].price == best { // ties may go either way
			turns = append(turns, turn{found{price: best}, w.sell(d.entry, bidder, d.entry)})
		}
	}
	return turns
}

// best returns the highest bid for an entry by members other than its owner, excluding bids for the
// item.
func (w world) best(entry int) (most int64) {
	for bidder, b := range w.bids {
		if bidder != w.owner[entry] {
			most = max(most, b[entry].price)
		}
	}
	return most
}

// sell transfers an entry to a bidder and fills one unit of the bid.
func (w world) sell(entry, bidder, scope int) world {
	w.owner[entry], w.price[entry] = bidder, 0
	b := &w.bids[bidder][scope]
	b.left--
	if b.left == 0 {
		w = w.fill(b.number)
		w.bids[bidder][scope] = standing{}
	}
	return w
}

func (w world) fill(number int) world {
	w.filled[number/64] |= 1 << (number % 64)
	return w
}

func (w world) wasFilled(number int) bool { return w.filled[number/64]&(1<<(number%64)) != 0 }

func (w world) buy(d deed) []turn {
	price := w.price[d.entry]
	switch {
	case price == 0:
		return refused(w, "gone")
	case w.owner[d.entry] == d.who:
		return refused(w, "own_listing")
	case price != d.price:
		return refused(w, "price_changed")
	}
	w.owner[d.entry], w.price[d.entry] = d.who, 0
	return []turn{{found{price: price}, w}}
}

// bid buys an entry that is listed at or below the bid's price, or places the bid.
func (w world) bid(d deed) []turn {
	if d.scope != forItem {
		if w.owner[d.scope] == d.who {
			return refused(w, "own_listing")
		}
	}
	if w.bids[d.who][d.scope].number != 0 {
		return refused(w, "already_bid")
	}
	if d.scope != forItem {
		if asked := w.price[d.scope]; asked != 0 && asked <= d.price {
			w.owner[d.scope], w.price[d.scope] = d.who, 0
			return []turn{{found{price: asked}, w.fill(d.number)}}
		}
	}
	w.bids[d.who][d.scope] = standing{d.number, d.price, d.left}
	return []turn{{found{}, w}}
}

func (w world) withdraw(d deed) []turn {
	if w.wasFilled(d.number) {
		return refused(w, "already_filled")
	}
	if b := &w.bids[d.who][d.scope]; b.number == d.number {
		*b = standing{}
	}
	return []turn{{found{}, w}}
}

// accept sells an entry to a bid. The server looks for a better bid on the item without a lock, so
// both outcomes are allowed if there is one; a better bid on the entry itself is always found.
func (w world) accept(d deed) (turns []turn) {
	switch {
	case w.wasFilled(d.number):
		return refused(w, "already_filled")
	case w.bids[d.bidder][d.scope].number != d.number:
		return refused(w, "bid_ended")
	case d.bidder == d.who:
		return refused(w, "own_listing")
	case w.best(d.entry) > d.price:
		return refused(w, "better_bid")
	}
	turns = []turn{{found{price: d.price}, w.sell(d.entry, d.bidder, d.scope)}}
	for bidder, b := range w.bids {
		if bidder != d.who && b[forItem].price > d.price {
			return append(turns, refused(w, "better_bid")...)
		}
	}
	return turns
}
