package inventory

import (
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// LifeView is an entry with its history.
type LifeView struct {
	PublicView
	Own           bool         `json:"own" doc:"Owned by the caller, now or at its end."`
	ListingID     *string      `json:"listingId" nullable:"true" doc:"Present while listed for sale."`
	SellBackCents *money.Cents `json:"sellBackCents" nullable:"true" doc:"Kaibao's current offer; null unless the caller owns the item, and after its end."`
	SellBackUntil *string      `json:"sellBackUntil" nullable:"true" doc:"End of the price floor from the draw; null unless the caller pulled the item and owns it."`
	PaidCents     *money.Cents `json:"paidCents,omitempty" doc:"What the owner paid for it; absent unless the caller owns the item, now or at its end."`
	Events        []EventView  `json:"events" nullable:"false" doc:"Oldest first."`
}

// EventView is an event in an entry's history.
type EventView struct {
	Kind       Kind         `json:"kind" doc:"A sale is shown as bought to the buyer, and as sold to everyone else."`
	At         string       `json:"at"`
	PriceCents *money.Cents `json:"priceCents,omitempty" doc:"Price of the listing or sale, or what Kaibao paid."`
	Ref        *string      `json:"ref,omitempty" doc:"Meaning depends on kind. pulled: open id (for its opener only); listed, repriced, delisted: listing id; bought, sold: listing id, or trade id of a sale to a bid; sold-back: basis of the quote, floor or value; claimed: claim id (for its owner only); gift-offered, gift-returned, gift-accepted: gift id (for giver and receiver only)."`
}

// entryWithHistory returns an entry with its history. Once it has ended, only its last owner can
// see it.
func entryWithHistory(tx *db.Tx, id, caller string) (LifeView, error) {
	found, err := ByIDs(tx, []string{id})
	if err != nil {
		return LifeView{}, err
	}
	e, ok := found[id]
	own := e.Owner == caller
	if !ok || e.Ended() && !own {
		return LifeView{}, apperr.Missing("Item")
	}
	v := LifeView{PublicView: e.publicView(), Own: own}
	if e.State == Listed {
		v.ListingID = &e.ListingID
	}
	if own && !e.Ended() {
		v.SellBackCents, v.SellBackUntil = new(e.Quote(tx.Now).Payout), e.FloorUntil()
	}
	if own {
		paid, err := Paid(tx, []Entry{e})
		if err != nil {
			return LifeView{}, err
		}
		v.PaidCents = new(paid[id])
	}
	v.Events, err = e.history(tx, caller)
	return v, err
}

// history returns the entry's history as the caller may see it.
func (e Entry) history(tx *db.Tx, caller string) ([]EventView, error) {
	puller, at, err := pullOf(tx, e.OpeningID)
	if err != nil {
		return nil, err
	}
	events, err := eventsOf(tx, e.ID)
	views := make([]EventView, 1, len(events)+1)
	views[0] = EventView{Kind: pulled, At: httpapi.Timestamp(at)}
	if puller == caller {
		views[0].Ref = &e.OpeningID
	}
	claimant, giver := "", ""
	for _, ev := range events {
		if ev.Act == Claiming {
			claimant = ev.By
		}
		if ev.Act == ExtendingFloor {
			continue
		}
		if ev.Act == OfferingGift {
			giver = ev.By
		}
		if ev.isClaimStep() && claimant != caller || ev.isGiftStep() && giver != caller && ev.By != caller {
			ev.Ref = ""
		}
		views = append(views, ev.view(caller))
	}
	return views, err
}

// isClaimStep reports whether an event is a step of a claim, whose id only its owner may see.
func (e Event) isClaimStep() bool {
	return e.Act == Claiming || e.Act != ExtendingFloor && slices.Contains(transitions[e.Act].from, Claimed)
}

// isGiftStep reports whether an event is a step of a gift, whose id only its giver and the user who
// accepted it may see.
func (e Event) isGiftStep() bool {
	return e.Act == OfferingGift || e.Act == AcceptingGift || e.Act == ReturningGift
}

func (e Event) view(caller string) EventView {
	v := EventView{Kind: transitions[e.Act].kind, At: httpapi.Timestamp(e.At)}
	if v.Kind == bought && e.By != caller {
		v.Kind = sold
	}
	if e.Price > 0 {
		v.PriceCents = &e.Price
	}
	if e.Ref != "" {
		v.Ref = &e.Ref
	}
	return v
}
