package market

import (
	"context"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// OwnEntryBids is the owner's view of the bids on an entry.
type OwnEntryBids struct {
	MinimumBidCents *money.Cents   `json:"lowestBidCents,omitempty" doc:"Lower bids on the entry are declined automatically."`
	Bids            []OwnerBidView `json:"bids" nullable:"false" doc:"Highest first: all bids on this entry, and the best of the others."`
}

// OwnerBidView is a bid as the owner of an entry sees it. It doesn't reveal the bidder.
type OwnerBidView struct {
	ID string `json:"id"`
	PriceView
	PaysCents money.Cents  `json:"paysCents" doc:"Current price for the entry."`
	Remaining int64        `json:"left" doc:"Remaining quantity."`
	ForThis   bool         `json:"forThis" doc:"The bid is on this entry, so its owner can make a counter-offer."`
	ExpiresAt string       `json:"expiresAt"`
	Counter   *CounterView `json:"counter,omitempty" doc:"The caller's counter-offer."`
}

func (s *Service) entryBidRoutes(api *httpapi.API) {
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/inventory/{id}/bids", "list-entry-bids", "Bids that one of the caller's entries can fill", apperr.NotFound), s.entryBids)
	action.Handle(api, httpapi.Patch(httpapi.Customer, "/api/inventory/{id}", "set-lowest-bid", "Set the minimum bid for an entry", apperr.NotFound), setMinimumBid)
}

// entryBids lists the bids that the caller's entry can be sold to.
func (s *Service) entryBids(ctx context.Context, in *itemInput) (view OwnEntryBids, err error) {
	view.Bids = []OwnerBidView{}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		e, found, err := match.BidsOnEntry(tx, httpapi.Caller(ctx).UserID, string(in.ID))
		if e.MinimumBid > 0 {
			view.MinimumBidCents = &e.MinimumBid
		}
		for _, b := range found {
			view.Bids = append(view.Bids, ownerBidView(b, e, tx))
		}
		return err
	})
	return view, err
}

func ownerBidView(b bids.Bid, e inventory.Entry, tx *db.Tx) OwnerBidView {
	v := OwnerBidView{
		ID: b.ID, PriceView: priceView(b.Price), PaysCents: b.Price.For(e.QuoteValue), Remaining: b.Remaining,
		ForThis: b.Scope.Entry != "", ExpiresAt: httpapi.Timestamp(b.ExpiresAt),
	}
	if b.Counter.IsOpen(e, tx.Now) {
		v.Counter = counterView(b.Counter)
	}
	return v
}

type lowestInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
	Body struct {
		MinimumBidCents *money.Cents `json:"lowestBidCents" nullable:"true" minimum:"1" maximum:"100000000" doc:"Lower bids on the entry are declined automatically; null accepts all bids."`
	}
}

// setMinimumBid sets the owner's minimum bid for an entry.
func setMinimumBid(tx *db.Tx, caller httpapi.Principal, in *lowestInput) (inventory.EntryView, error) {
	var minimum money.Cents
	if in.Body.MinimumBidCents != nil {
		minimum = *in.Body.MinimumBidCents
	}
	e, err := match.SetMinimumBid(tx, caller.UserID, string(in.ID), minimum)
	if err != nil {
		return inventory.EntryView{}, err
	}
	return e.View(tx.Now), nil
}
