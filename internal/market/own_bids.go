package market

import (
	"context"

	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// OwnEntryBids is the owner's view of the bids on an entry.
type OwnEntryBids struct {
	LowestBidCents *money.Cents   `json:"lowestBidCents,omitempty" doc:"Bids on the entry below it are declined, unseen."`
	Bids           []OwnerBidView `json:"bids" nullable:"false" doc:"The highest first; all that are for this very entry, and the best of the others."`
}

// OwnerBidView is a bid as the owner of an entry sees it. It doesn't reveal the bidder.
type OwnerBidView struct {
	ID string `json:"id"`
	PriceView
	PaysCents money.Cents  `json:"paysCents" doc:"What it pays for the entry now."`
	Left      int64        `json:"left" doc:"How many it still buys."`
	ForThis   bool         `json:"forThis" doc:"It is for this very entry: its owner may answer with a price."`
	ExpiresAt string       `json:"expiresAt"`
	Counter   *CounterView `json:"counter,omitempty" doc:"What the caller answered."`
}

// bidsOnOwn lists the bids that the caller's entry can be sold to.
func (s *Service) bidsOnOwn(ctx context.Context, in *itemInput) (view OwnEntryBids, err error) {
	view.Bids = []OwnerBidView{}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		e, err := ownEntry(tx, httpkit.Caller(ctx).UserID, string(in.ID))
		if err != nil {
			return err
		}
		if e.LowestBid > 0 {
			view.LowestBidCents = &e.LowestBid
		}
		forThis := queryFor(e, addedInto)
		forThis.Keys = []string{bids.Scope{Entry: e.ID}.Key()}
		open, err := bids.Best(tx, []bids.Query{queryFor(e, depth), forThis})
		for n, b := range bestOf(open, e, tx, len(open)) {
			if n < depth || b.Scope.Entry != "" {
				view.Bids = append(view.Bids, ownerView(b, e, tx))
			}
		}
		return err
	})
	return view, err
}

// ownEntry returns the user's entry, or errNoEntry if it isn't theirs or has ended.
func ownEntry(tx *db.Tx, user, id string) (inventory.Entry, error) {
	found, err := inventory.ByIDs(tx, []string{id})
	if e := found[id]; err != nil || e.Owner == user && !e.Ended() {
		return e, err
	}
	return inventory.Entry{}, errNoEntry
}

func ownerView(b bids.Bid, e inventory.Entry, tx *db.Tx) OwnerBidView {
	v := OwnerBidView{
		ID: b.ID, PriceView: priceView(b.Price), PaysCents: b.Price.For(e.QuoteValue), Left: b.Remaining,
		ForThis: b.Scope.Entry != "", ExpiresAt: httpkit.Timestamp(b.ExpiresAt),
	}
	if b.Counter.Stands(e, tx.Now) {
		v.Counter = counterView(b.Counter)
	}
	return v
}
