package market

import (
	"errors"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/inventory"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/trades"
)

var (
	errBetterBid    = apperr.New(apperr.BetterBid, "Somebody pays more for this item now. Nothing was sold.")
	errBidChanged   = apperr.New(apperr.PriceChanged, "The bid has changed since this page was loaded. Nothing was sold.")
	errNotFor       = apperr.New(apperr.Conflict, "This bid is not for this item.")
	errNoCounter    = apperr.New(apperr.NotFound, "There is no answer to this bid any more.")
	errAskedChanged = apperr.New(apperr.PriceChanged, "The owner asks for another price now. Nothing was bought.")
)

// Answer accepts a bid, or makes or accepts a counter-offer, depending on the call.
type Answer struct {
	User      string
	Bid       string
	Entry     string
	Price     money.Cents // the price the user saw, or the one they ask
	Confirmed money.Cents // the price again, if it is far from the value or below Kaibao's offer
}

// BetterBid is the detail of errBetterBid: the bid that pays more.
type BetterBid struct {
	BidID      string      `json:"bidId"`
	PriceCents money.Cents `json:"priceCents"`
}

// CurrentBid is the detail that carries the current price of a bid or counter-offer.
type CurrentBid struct {
	PriceCents money.Cents `json:"priceCents"`
}

// Accept sells entries to bids in sequence; as with Buy, each has its own outcome. It also returns
// the users' balances afterwards.
func (s *Service) Accept(tx *db.Tx, answers []Answer) ([]batch.Outcome[trades.Trade], map[string]money.Cents, error) {
	if s.Closed {
		return nil, nil, errClosed
	}
	var entries, named []string
	for _, a := range answers {
		if db.IsID(a.Entry) && db.IsID(a.Bid) {
			entries, named = append(entries, a.Entry), append(named, a.Bid)
		}
	}
	r, err := begin(tx, entries)
	if err != nil {
		return nil, nil, err
	}
	seen := r.seen(answers)
	better, err := r.matching(entries, 1, func(e inventory.Entry, b bids.Bid) bool {
		price, asked := seen[e.ID]
		return asked && b.Price.For(e.QuoteValue) > price
	})
	if err != nil {
		return nil, nil, err
	}
	if err := r.lock(append(ids(better), named...), r.owners()...); err != nil {
		return nil, nil, err
	}
	outcomes, balances := make([]batch.Outcome[trades.Trade], len(answers)), map[string]money.Cents{}
	for n, a := range answers {
		outcomes[n].Value, outcomes[n].Err = s.accept(r, a)
		if _, refused := errors.AsType[*apperr.Error](outcomes[n].Err); outcomes[n].Err != nil && !refused {
			return nil, nil, outcomes[n].Err
		}
		balances[a.User] = r.batch.Balance(a.User)
	}
	return outcomes, balances, r.settle()
}

// seen returns the lowest price at which each entry's owner would accept. Answers from other users
// in the same batch are ignored.
func (r *marketTx) seen(answers []Answer) map[string]money.Cents {
	least := map[string]money.Cents{}
	for _, a := range answers {
		if _, err := r.own(a.User, a.Entry); err != nil {
			continue
		}
		if price, ok := least[a.Entry]; !ok || a.Price < price {
			least[a.Entry] = a.Price
		}
	}
	return least
}

// accept sells an owner's entry to a bid, unless another bid pays more.
func (s *Service) accept(r *marketTx, a Answer) (trades.Trade, error) {
	e, err := r.own(a.User, a.Entry)
	if err != nil {
		return trades.Trade{}, err
	}
	b, ok := r.bids[a.Bid]
	if !ok {
		return trades.Trade{}, errNoBid
	}
	if err := fits(b, e, r.tx); err != nil {
		return trades.Trade{}, err
	}
	if limits.CheckStopped(r.batch.Play(b.User), r.tx.Now) != nil {
		return trades.Trade{}, errBidOver
	}
	price := b.Price.For(e.QuoteValue)
	if price != a.Price {
		return trades.Trade{}, errBidChanged.WithDetails(CurrentBid{price})
	}
	if other, most, _ := r.best(e); most > price {
		return trades.Trade{}, errBetterBid.WithDetails(BetterBid{other.ID, most})
	}
	if s.tooFar(price, e.QuoteValue) {
		return trades.Trade{}, errTooFar
	}
	if err := confirmSale(e, price, a.Confirmed, policy.HighestPrice, r.tx.Now); err != nil {
		return trades.Trade{}, err
	}
	return r.fill(e, b, trades.Trade{Kind: trades.Bid, Price: price})
}

// fits returns an error if the bid can't be filled with the entry.
func fits(b bids.Bid, e inventory.Entry, tx *db.Tx) error {
	if err := standing(b, tx.Now); err != nil {
		return err
	}
	switch {
	case b.User == e.Owner:
		return errOwnItem
	case !b.Scope.Covers(e.ID, e.Item):
		return errNotFor
	case !e.Allows(inventory.FillingBid, b.User):
		return errClaimed
	}
	return nil
}

func (r *marketTx) owners() (users []string) {
	for _, e := range r.acts.Entries() {
		users = append(users, e.Owner)
	}
	return users
}

// counter answers a bid for the owner's entry with a price. It replaces any earlier counter-offer.
func (s *Service) counter(tx *db.Tx, a Answer) (bids.Bid, error) {
	if s.Closed {
		return bids.Bid{}, errClosed
	}
	if err := checkPrice("priceCents", a.Price); err != nil {
		return bids.Bid{}, err
	}
	r, err := begin(tx, []string{a.Entry})
	if err != nil {
		return bids.Bid{}, err
	}
	e, err := r.own(a.User, a.Entry)
	if err != nil {
		return bids.Bid{}, err
	}
	if err := r.lockBids([]string{a.Bid}); err != nil {
		return bids.Bid{}, err
	}
	b, ok := r.bids[a.Bid]
	if !ok {
		return b, errNoBid
	}
	if err := fits(b, e, tx); err != nil {
		return b, err
	}
	switch {
	case b.Scope.Entry == "":
		return b, errNotFor
	case a.Price <= b.Price.For(e.QuoteValue):
		return b, apperr.InvalidField("priceCents", "must be more than the bid: accept that one instead")
	case s.tooFar(a.Price, e.QuoteValue):
		return b, errTooFar.WithFields(map[string]string{"priceCents": "is more than the item may be traded for"})
	}
	if err := confirmSale(e, a.Price, a.Confirmed, policy.FarListing*e.QuoteValue-1, tx.Now); err != nil {
		return b, err
	}
	b.Counter = bids.Counter{Price: a.Price, By: a.User, At: tx.Now}
	if err := bids.Save(tx, map[string]bids.Bid{b.ID: b}); err != nil {
		return b, err
	}
	return b, alerts.Add(tx, []alerts.Alert{{User: b.User, Kind: alerts.Counter, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: a.Price}})
}

// AcceptCounter buys the entry at its owner's counter-offer. The money comes first from what the
// bid holds, then from the balance.
func (s *Service) AcceptCounter(tx *db.Tx, a Answer) (trades.Trade, money.Cents, error) {
	if s.Closed {
		return trades.Trade{}, 0, errClosed
	}
	b, err := bids.Find(tx, a.Bid)
	if errors.Is(err, db.ErrNoRow) || err == nil && b.User != a.User {
		return trades.Trade{}, 0, errNoBid
	}
	if err != nil {
		return trades.Trade{}, 0, err
	}
	r, err := begin(tx, []string{b.Scope.Entry})
	if err != nil {
		return trades.Trade{}, 0, err
	}
	if err := r.lock([]string{a.Bid}, r.owners()...); err != nil {
		return trades.Trade{}, 0, err
	}
	b = r.bids[a.Bid]
	if err := standing(b, tx.Now); err != nil {
		return trades.Trade{}, 0, err
	}
	if err := limits.CheckStopped(r.batch.Play(a.User), tx.Now); err != nil {
		return trades.Trade{}, 0, err
	}
	e, ok := r.acts.Entry(b.Scope.Entry)
	admins, err := s.keepRoles(tx, r.owners()...)
	if err != nil {
		return trades.Trade{}, 0, err
	}
	switch {
	case !ok || admins[e.Owner] || !b.Counter.Stands(e, tx.Now):
		return trades.Trade{}, 0, errNoCounter
	case b.Counter.Price != a.Price:
		return trades.Trade{}, 0, errAskedChanged.WithDetails(CurrentBid{b.Counter.Price})
	case s.tooFar(a.Price, e.QuoteValue):
		return trades.Trade{}, 0, errTooFar
	}
	sold, err := r.fill(e, b, trades.Trade{Kind: trades.Counter, Price: b.Counter.Price})
	if err != nil {
		return sold, 0, err
	}
	r.alertSeller(sold)
	return sold, r.batch.Balance(a.User), r.settle()
}
