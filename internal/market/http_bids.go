package market

import (
	"fmt"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// ScopeView is the scope of a bid: one entry, one item, or a criterion made of the other fields.
// Exactly one of the three is given.
type ScopeView struct {
	InventoryID httpapi.ID `json:"inventoryId,omitempty"`
	ItemID      httpapi.ID `json:"itemId,omitempty"`
	Series      string     `json:"series,omitempty" maxLength:"64"`
	CertType    string     `json:"certType,omitempty" enum:"PSA,CGC"`
	Rarity      string     `json:"rarity,omitempty" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	MinGrade    float64    `json:"minGrade,omitempty" enum:"8,9,9.5,10"`
}

// PriceView is what a bid pays per item: a fixed price, or a percentage of the value up to a cap.
type PriceView struct {
	PriceCents money.Cents `json:"priceCents,omitempty" minimum:"50" maximum:"100000000" doc:"Fixed price; not with pegPercent."`
	PegPercent int64       `json:"pegPercent,omitempty" minimum:"50" maximum:"120" doc:"Percentage of the item's quote value when the bid is filled; requires capCents. Raised values take effect later."`
	CapCents   money.Cents `json:"capCents,omitempty" minimum:"50" maximum:"100000000" doc:"Maximum price of a pegged bid."`
}

// BidTerms are the terms of a bid that can be changed.
type BidTerms struct {
	PriceView
	Quantity  int64       `json:"quantity,omitempty" minimum:"1" maximum:"100" doc:"Default: 1."`
	ExpiresAt *time.Time  `json:"expiresAt,omitempty" doc:"Default: in 30 days. At most 90 days from now."`
	Confirmed money.Cents `json:"confirmedCents,omitempty" minimum:"50" maximum:"100000000" doc:"The price or cap again, to confirm one far above the value."`
}

// BidView is a bid as its user sees it.
type BidView struct {
	ID    string    `json:"id"`
	Scope ScopeView `json:"scope"`
	PriceView
	Quantity    int64                `json:"quantity"`
	Remaining   int64                `json:"left" doc:"Quantity not filled yet."`
	HeldCents   money.Cents          `json:"heldCents"`
	State       bids.State           `json:"state" enum:"open,filled,withdrawn,expired,ended,frozen"`
	CreatedAt   string               `json:"createdAt"`
	ExpiresAt   string               `json:"expiresAt"`
	EndedAt     *string              `json:"endedAt,omitempty"`
	Counter     *CounterView         `json:"counter,omitempty" doc:"The owner's counter-offer."`
	OutbidCents *money.Cents         `json:"outbidCents,omitempty" doc:"Highest competing bid, if it pays more."`
	Item        *inventory.EntryItem `json:"item,omitempty" doc:"The item of a bid for one item."`
	ValueCents  money.Cents          `json:"valueCents,omitempty" doc:"The item's quote value, which pegged bids use."`
}

// CounterView is an owner's counter-offer to a bid.
type CounterView struct {
	PriceCents money.Cents `json:"priceCents"`
	Until      string      `json:"until"`
}

// PlacedView is a bid after it was placed or changed.
type PlacedView struct {
	BidView
	Filled       []Filling   `json:"filled" nullable:"false" doc:"Purchases that filled the bid immediately."`
	Receipt      string      `json:"receipt" doc:"The bid, signed with the public log's key."`
	BalanceCents money.Cents `json:"balanceCents"`
}

// Filling is an entry that was bought, and its price.
type Filling struct {
	InventoryID string      `json:"inventoryId"`
	PriceCents  money.Cents `json:"priceCents"`
}

type bidInput struct {
	action.Idempotent
	Body struct {
		Scope ScopeView `json:"scope"`
		BidTerms
	}
}

type changeInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
	Body BidTerms
}

type withdrawInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
}

type acceptInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
	Body struct {
		InventoryID httpapi.ID  `json:"inventoryId"`
		Expected    money.Cents `json:"expectedPriceCents" minimum:"1" maximum:"100000000" doc:"The bid's price shown to the seller."`
		Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The price again, to confirm a price below Kaibao's offer."`
	}
}

type counterInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
	Body struct {
		InventoryID httpapi.ID  `json:"inventoryId"`
		PriceCents  money.Cents `json:"priceCents" minimum:"1" maximum:"100000000"`
		Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The same price again, to confirm a price far from the value."`
	}
}

type acceptCounterInput struct {
	ID httpapi.PathID `path:"id"`
	action.Idempotent
	Body struct {
		Expected money.Cents `json:"expectedPriceCents" minimum:"1" maximum:"100000000" doc:"The counter-offer shown to the bidder."`
	}
}

// BoughtView is the result of accepting a counter-offer.
type BoughtView struct {
	InventoryID  string      `json:"inventoryId"`
	PriceCents   money.Cents `json:"priceCents"`
	BalanceCents money.Cents `json:"balanceCents"`
}

// SoldToBid is the result of accepting a bid.
type SoldToBid struct {
	SoldCents    money.Cents `json:"soldCents"`
	FeeCents     money.Cents `json:"feeCents"`
	BalanceCents money.Cents `json:"balanceCents"`
}

func (s *Service) bidRoutes(api *httpapi.API) {
	refusals := []apperr.Code{apperr.NotFound, apperr.InsufficientFunds, apperr.OwnListing, apperr.Conflict, apperr.ConfirmPrice, apperr.Declined, apperr.LimitReached, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff}
	action.HandleBatch(api, httpapi.Post(httpapi.Customer, "/api/bids", "bid", "Bid on an entry, an item or a category", append(refusals, apperr.AlreadyBid)...),
		func(tx *db.Tx, calls []action.Call[bidInput]) ([]batch.Outcome[PlacedView], error) {
			return s.bidAll(tx, bidOrders(calls, func(in *bidInput) match.BidOrder { return in.Body.order(in.Body.Scope.scope()) }))
		})
	action.HandleBatch(api, httpapi.Put(httpapi.Customer, "/api/bids/{id}", "change-bid", "Change a bid", append(refusals, apperr.AlreadyFilled, apperr.BidEnded)...),
		func(tx *db.Tx, calls []action.Call[changeInput]) ([]batch.Outcome[PlacedView], error) {
			return s.bidAll(tx, bidOrders(calls, func(in *changeInput) match.BidOrder {
				o := in.Body.order(bids.Scope{})
				o.ID = string(in.ID)
				return o
			}))
		})
	action.Handle(api, httpapi.Delete(httpapi.Session, "/api/bids/{id}", "withdraw-bid", "Withdraw a bid", apperr.NotFound, apperr.AlreadyFilled),
		func(tx *db.Tx, caller httpapi.Principal, in *withdrawInput) (struct{}, error) {
			return struct{}{}, match.WithdrawBid(tx, caller.UserID, string(in.ID))
		})
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/bids", "list-bids", "The caller's bids, newest first"), s.ownBids)
	s.entryBidRoutes(api)
	s.answerRoutes(api)
}

func (s *Service) answerRoutes(api *httpapi.API) {
	action.HandleBatch(api, httpapi.Post(httpapi.Customer, "/api/bids/{id}/accept", "accept-bid", "Sell an entry to a bid",
		apperr.NotFound, apperr.Conflict, apperr.GiftWaiting, apperr.OwnListing, apperr.AlreadyFilled, apperr.BidEnded, apperr.PriceChanged, apperr.BetterBid, apperr.ConfirmPrice, apperr.SwitchedOff),
		s.acceptAll)
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/bids/{id}/counter", "counter-bid", "Make a counter-offer to a bid on an entry",
		apperr.NotFound, apperr.Conflict, apperr.GiftWaiting, apperr.OwnListing, apperr.AlreadyFilled, apperr.BidEnded, apperr.ConfirmPrice, apperr.SwitchedOff),
		func(tx *db.Tx, caller httpapi.Principal, in *counterInput) (CounterView, error) {
			b, err := s.Match.Counter(tx, match.BidResponse{
				User: caller.UserID, Bid: string(in.ID), Entry: string(in.Body.InventoryID), Price: in.Body.PriceCents, Confirmed: in.Body.Confirmed,
			})
			if err != nil {
				return CounterView{}, err
			}
			return *counterView(b.Counter), nil
		})
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/bids/{id}/accept-counter", "accept-counter", "Accept a counter-offer",
		apperr.NotFound, apperr.InsufficientFunds, apperr.AlreadyFilled, apperr.BidEnded, apperr.PriceChanged, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff),
		func(tx *db.Tx, caller httpapi.Principal, in *acceptCounterInput) (BoughtView, error) {
			sale, err := s.Match.AcceptCounter(tx, match.BidResponse{User: caller.UserID, Bid: string(in.ID), Price: in.Body.Expected})
			return BoughtView{InventoryID: sale.Entry, PriceCents: sale.Price, BalanceCents: sale.Balance}, err
		})
}

// acceptAll handles a batch of accept-bid calls.
func (s *Service) acceptAll(tx *db.Tx, calls []action.Call[acceptInput]) ([]batch.Outcome[SoldToBid], error) {
	responses := make([]match.BidResponse, len(calls))
	for i, call := range calls {
		body := call.In.Body
		responses[i] = match.BidResponse{
			User: call.Caller.UserID, Bid: string(call.In.ID), Entry: string(body.InventoryID), Price: body.Expected, Confirmed: body.Confirmed,
		}
	}
	sold, balances, err := s.Match.Accept(tx, responses)
	views := make([]batch.Outcome[SoldToBid], len(sold))
	for i, o := range sold {
		t := o.Value
		views[i] = batch.Outcome[SoldToBid]{Err: o.Err, Value: SoldToBid{SoldCents: t.Price, FeeCents: t.Fee, BalanceCents: balances[responses[i].User]}}
	}
	return views, err
}

// bidAll handles a batch of calls that place or change bids.
func (s *Service) bidAll(tx *db.Tx, orders []match.BidOrder) ([]batch.Outcome[PlacedView], error) {
	placed, err := s.Match.Bid(tx, orders)
	if err != nil {
		return nil, err
	}
	views := make([]batch.Outcome[PlacedView], len(placed))
	for i, o := range placed {
		views[i].Err = o.Err
		if o.Err != nil {
			continue
		}
		views[i].Value, err = s.placedView(tx, o.Value)
		if err != nil {
			return nil, err // the bid is already written
		}
	}
	return views, nil
}

// bidOrders converts calls into orders.
func bidOrders[I any](calls []action.Call[I], read func(*I) match.BidOrder) []match.BidOrder {
	list := make([]match.BidOrder, len(calls))
	for i, call := range calls {
		list[i] = read(call.In)
		list[i].Bidder = call.Caller.UserID
	}
	return list
}

// order converts the terms into an order.
func (t BidTerms) order(scope bids.Scope) match.BidOrder {
	o := match.BidOrder{
		Scope: scope, Price: t.PriceCents, Peg: money.Percent(t.PegPercent), Cap: t.CapCents, Quantity: max(1, t.Quantity), Confirmed: t.Confirmed,
	}
	if t.ExpiresAt != nil {
		o.ExpiresAt = t.ExpiresAt.UTC().Truncate(time.Microsecond)
	}
	return o
}

func (v ScopeView) scope() bids.Scope {
	return bids.Scope{Entry: string(v.InventoryID), Item: string(v.ItemID), Criterion: bids.Criterion{
		Series: v.Series, Grader: v.CertType, Rarity: v.Rarity, MinGrade: int64(v.MinGrade * 10),
	}}
}

func scopeView(s bids.Scope) ScopeView {
	return ScopeView{
		InventoryID: httpapi.ID(s.Entry), ItemID: httpapi.ID(s.Item), Series: s.Series, CertType: s.Grader, Rarity: s.Rarity, MinGrade: float64(s.MinGrade) / 10,
	}
}

func counterView(c bids.Counter) *CounterView {
	return &CounterView{PriceCents: c.Price, Until: httpapi.Timestamp(c.At.Add(policy.CounterLife))}
}

func priceView(p bids.Price) PriceView {
	if p.Peg == 0 {
		return PriceView{PriceCents: p.Max}
	}
	return PriceView{PegPercent: int64(p.Peg), CapCents: p.Max}
}

// bidView returns a bid as its user sees it.
func bidView(b bids.Bid) BidView {
	v := BidView{
		ID: b.ID, Scope: scopeView(b.Scope), PriceView: priceView(b.Price), Quantity: b.Quantity, Remaining: b.Remaining, HeldCents: b.Held(),
		State: b.State, CreatedAt: httpapi.Timestamp(b.CreatedAt), ExpiresAt: httpapi.Timestamp(b.ExpiresAt),
	}
	if !b.EndedAt.IsZero() {
		ended := httpapi.Timestamp(b.EndedAt)
		v.EndedAt = &ended
	}
	return v
}

// placedView returns the view of a placed bid, with its receipt.
func (s *Service) placedView(tx *db.Tx, p match.PlacedBid) (PlacedView, error) {
	note := protocol.BidNote{
		ID: p.ID, Scope: p.Scope.Key(), Peg: int64(p.Price.Peg), Max: p.Price.Max, Quantity: p.Quantity, Left: p.Remaining, Expires: p.ExpiresAt, Time: tx.Now,
	}
	text := note.Format()
	if _, err := protocol.ParseBid(text); err != nil {
		return PlacedView{}, fmt.Errorf("unreadable receipt of bid %s: %w", p.ID, err)
	}
	receipt, err := s.Log.SignBid(string(text))
	v := PlacedView{BidView: bidView(p.Bid), Filled: make([]Filling, len(p.Bought)), Receipt: receipt, BalanceCents: p.Balance}
	for i, t := range p.Bought {
		v.Filled[i] = Filling{InventoryID: t.Entry, PriceCents: t.Price}
	}
	return v, err
}
