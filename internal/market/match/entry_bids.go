package match

import (
	"errors"

	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// BidsOnEntry returns an owner's entry and the bids that it can be sold to, the highest first: all
// that are for this very entry, and the best of the others.
func BidsOnEntry(tx *db.Tx, owner, id string) (inventory.Entry, []bids.Bid, error) {
	found, err := inventory.ByIDs(tx, []string{id})
	if err != nil {
		return inventory.Entry{}, nil, err
	}
	e := found[id]
	if e.Owner != owner || e.Ended() {
		return inventory.Entry{}, nil, errNoEntry
	}
	forEntry := bestBidsQuery(e, ordersRead)
	forEntry.Keys = []string{bids.Scope{Entry: e.ID}.Key()}
	open, err := bids.Best(tx, []bids.Query{bestBidsQuery(e, bookDepth), forEntry})
	if err != nil {
		return e, nil, err
	}
	var shown []bids.Bid
	for i, b := range bestBids(open, e, tx.Now, len(open)) {
		if i < bookDepth || b.Scope.Entry != "" {
			shown = append(shown, b)
		}
	}
	return e, shown, nil
}

// SetMinimumBid sets the owner's minimum bid for an entry; lower bids are declined automatically. 0
// removes it.
func SetMinimumBid(tx *db.Tx, owner, id string, minimum money.Cents) (inventory.Entry, error) {
	e, err := inventory.LockOwn(tx, owner, id)
	if errors.Is(err, db.ErrNoRow) {
		err = errNoEntry
	}
	if err != nil {
		return e, err
	}
	if minimum != 0 {
		if err := checkPrice("lowestBidCents", minimum); err != nil {
			return e, err
		}
	}
	e.MinimumBid = minimum
	return e, inventory.SetMinimumBid(tx, e.ID, e.MinimumBid)
}
