// Package trades records every trade of an entry: a listing, bid, counter-offer or sell-back. Each
// trade is a row and a leaf of the public log.
package trades

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Kind is what a trade took: what rested until somebody came.
type Kind = protocol.TradeKind

// The kinds.
const (
	Listing  = protocol.TradeListing
	Bid      = protocol.TradeBid
	Counter  = protocol.TradeCounter
	SellBack = protocol.TradeSellBack
)

// Route is how a seller came to who paid; empty = on none.
type Route = protocol.TradeRoute

// The routes.
const (
	Quick  = protocol.RouteQuick
	Direct = protocol.RouteDirect
)

// Trade is an entry that was sold. Its transfers bear its id.
type Trade struct {
	ID            string // of a listing the listing's, of a sell-back the entry's, else a new one
	Kind          Kind
	Entry, Item   string
	Seller, Buyer string // user ids; no buyer = the house
	Price, Fee    money.Cents
	Rate          money.BasisPoints // that the fee was taken at; 0 of a sell-back
	Unrated       bool              // its leaf is from before rates stood in leaves
	Value         money.Cents       // what the item was worth then, which Record finds
	Bid, Listing  string            // empty where it had none
	Route         Route
	HouseQuote    money.Cents // what the house would have paid, or paid; 0 = it does not apply
	BestBid       money.Cents // 0 = there was none, or it does not apply
	Back, Excess  money.Cents // what it counts for, by limits.Sale
	At            time.Time   // of its transaction
}

// Record writes trades and their leaves, in order. It is called behind the locks and the money
// of all of them. matches compares the leaf of the nth trade with the rows that are locked.
func Record(tx *db.Tx, trades []Trade, matches func(n int, leaf protocol.Leaf) error) error {
	if err := insert(tx, trades); err != nil {
		return err
	}
	leaves := make([]string, len(trades))
	for n, t := range trades {
		t.At = tx.Now
		leaves[n] = t.leaf()
	}
	return publiclog.AppendIf(tx, matches, leaves...)
}

func (t Trade) leaf() string {
	return string(protocol.TradeLeaf{
		V1: t.Unrated, ID: t.ID, Kind: t.Kind, Item: t.Item, Price: t.Price, Fee: t.Fee, Rate: t.Rate, Route: t.Route,
		HouseQuote: t.HouseQuote, BestBid: t.BestBid, Time: t.At,
	}.Format())
}

// Audit proves that every trade was paid as it says, fee included, and nothing that was not
// traded; that trades stand in the lives of their entries, and are as their leaves say; and
// that each was of its entry, at a value that the item had.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, unpaid, paidForNothing, untold, soldByStrangers, mistaken, leavesOff)
}
