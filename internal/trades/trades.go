// Package trades records every trade of an entry: a listing, bid, counter-offer or sell-back. Each
// trade is a row and a leaf of the public log.
package trades

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Kind is how a trade came about, named after the resting order it took.
type Kind = protocol.TradeKind

// The kinds.
const (
	Listing  = protocol.TradeListing
	Bid      = protocol.TradeBid
	Counter  = protocol.TradeCounter
	SellBack = protocol.TradeSellBack
)

// Route is how the seller chose the buyer; empty if no route applies.
type Route = protocol.TradeRoute

// The routes.
const (
	Quick  = protocol.RouteQuick
	Direct = protocol.RouteDirect
)

// Trade is a sale of an entry. Its transfers carry its ID.
type Trade struct {
	ID            string // the listing's ID, for a sell-back the entry's ID, otherwise a new one
	Kind          Kind
	Entry, Item   string
	Seller, Buyer string // user IDs; an empty buyer is Kaibao
	Price, Fee    money.Cents
	Rate          money.BasisPoints // the fee rate; 0 for a sell-back
	V1Leaf        bool              // its leaf, of format v1, has no rate
	Value         money.Cents       // the item's value at the time, set by Record
	Bid, Listing  string            // empty if there was none
	Route         Route
	HouseQuote    money.Cents // what Kaibao would have paid, or paid; 0 if not applicable
	BestBid       money.Cents // 0 if there was none, or not applicable
	Back, Excess  money.Cents // how it counts for the seller's limits; see limits.CountedSale
	At            time.Time   // the time of its transaction
}

// Recorded is the message (db.Tx.Publish) that trades were made.
type Recorded struct{ Trades []Trade }

// Record inserts trades and their log leaves, in order. Call it after all locks are taken and the
// money has moved. matches checks the leaf of trade n against the locked rows.
func Record(tx *db.Tx, trades []Trade, matches func(n int, leaf protocol.Leaf) error) error {
	if err := insert(tx, trades); err != nil {
		return err
	}
	leaves := make([]string, len(trades))
	for n, t := range trades {
		t.At = tx.Now
		leaves[n] = t.leaf()
	}
	tx.Publish(Recorded{trades})
	return publiclog.AppendIf(tx, matches, leaves...)
}

func (t Trade) leaf() string {
	return string(protocol.TradeLeaf{
		V1: t.V1Leaf, ID: t.ID, Kind: t.Kind, Item: t.Item, Price: t.Price, Fee: t.Fee, Rate: t.Rate, Route: t.Route,
		HouseQuote: t.HouseQuote, BestBid: t.BestBid, Time: t.At,
	}.Format())
}
