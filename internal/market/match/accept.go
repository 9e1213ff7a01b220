package match

import (
	"time"

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
	errBetterBid  = apperr.New(apperr.BetterBid, "There is a higher offer for this item now. Nothing was sold.")
	errBidChanged = apperr.New(apperr.PriceChanged, "The bid has changed since this page was loaded. Nothing was sold.")
	errOtherItem  = apperr.New(apperr.Conflict, "This bid doesn't match this item.")
)

// BidResponse accepts a bid, or makes or accepts a counter-offer, depending on the call.
type BidResponse struct {
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
func (s *Service) Accept(tx *db.Tx, responses []BidResponse) ([]batch.Outcome[trades.Trade], map[string]money.Cents, error) {
	if s.Closed {
		return nil, nil, errClosed
	}
	m, err := lockForResponses(tx, responses)
	if err != nil {
		return nil, nil, err
	}
	outcomes, balances := make([]batch.Outcome[trades.Trade], len(responses)), map[string]money.Cents{}
	for i, r := range responses {
		sold, err := s.accept(m, r)
		if err != nil && !isRefusal(err) {
			return nil, nil, err
		}
		outcomes[i] = batch.Outcome[trades.Trade]{Value: sold, Err: err}
		balances[r.User] = m.accounts.Balance(r.User)
	}
	return outcomes, balances, m.save()
}

// lockForResponses locks the entries, the named bids and those that pay more, and the accounts of
// their users.
func lockForResponses(tx *db.Tx, responses []BidResponse) (*marketTx, error) {
	var entries, named []string
	for _, r := range responses {
		if db.IsID(r.Entry) && db.IsID(r.Bid) {
			entries, named = append(entries, r.Entry), append(named, r.Bid)
		}
	}
	m, err := beginMarketTx(tx, entries)
	if err != nil {
		return nil, err
	}
	lowest := m.lowestAccepted(responses)
	better, err := m.fittingBids(entries, 1, func(e inventory.Entry, b bids.Bid) bool {
		price, ok := lowest[e.ID]
		return ok && b.Price.For(e.QuoteValue) > price
	})
	if err != nil {
		return nil, err
	}
	err = m.lock(append(idsOf(better), named...), m.owners()...)
	return m, err
}

// lowestAccepted returns the lowest price at which each entry's owner would accept. Responses of
// other users in the same batch are ignored.
func (m *marketTx) lowestAccepted(responses []BidResponse) map[string]money.Cents {
	lowest := map[string]money.Cents{}
	for _, r := range responses {
		if _, err := m.ownEntry(r.User, r.Entry); err != nil {
			continue
		}
		if price, ok := lowest[r.Entry]; !ok || r.Price < price {
			lowest[r.Entry] = r.Price
		}
	}
	return lowest
}

// accept sells an owner's entry to a bid, unless another bid pays more.
func (s *Service) accept(m *marketTx, r BidResponse) (trades.Trade, error) {
	e, b, err := m.lockedOrders(r)
	if err != nil {
		return trades.Trade{}, err
	}
	if err := m.checkNotFrozen(r.User); err != nil {
		return trades.Trade{}, err
	}
	if limits.CheckStopped(m.accounts.Play(b.User), m.tx.Now) != nil {
		return trades.Trade{}, errBidOver
	}
	price := b.Price.For(e.QuoteValue)
	if price != r.Price {
		return trades.Trade{}, errBidChanged.WithDetails(CurrentBid{price})
	}
	if better, bestPrice, _ := m.bestBid(e); bestPrice > price {
		return trades.Trade{}, errBetterBid.WithDetails(BetterBid{better.ID, bestPrice})
	}
	if s.tooFar(price, e.QuoteValue) {
		return trades.Trade{}, errTooFar
	}
	if err := confirmSale(e, price, r.Confirmed, policy.MaxPrice, m.tx.Now); err != nil {
		return trades.Trade{}, err
	}
	return m.fillBid(e, b, trades.Trade{Kind: trades.Bid, Price: price})
}

// lockedOrders returns the user's locked entry and the locked bid of a response. It refuses a bid
// that can't be filled with the entry.
func (m *marketTx) lockedOrders(r BidResponse) (inventory.Entry, bids.Bid, error) {
	e, err := m.ownEntry(r.User, r.Entry)
	if err != nil {
		return e, bids.Bid{}, err
	}
	b, ok := m.bids[r.Bid]
	if !ok {
		return e, b, errNoBid
	}
	return e, b, checkFillable(b, e, m.tx.Now)
}

// checkFillable returns an error if the bid can't be filled with the entry.
func checkFillable(b bids.Bid, e inventory.Entry, now time.Time) error {
	if err := checkOpen(b, now); err != nil {
		return err
	}
	switch {
	case b.User == e.Owner:
		return errOwnItem
	case !b.Scope.Covers(e.ID, e.Item):
		return errOtherItem
	case !e.Allows(inventory.FillingBid, b.User):
		return unsellable(e)
	}
	return nil
}
