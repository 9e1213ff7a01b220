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
	errNotFor     = apperr.New(apperr.Conflict, "This bid doesn't match this item.")
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
	m, err := lockForAnswers(tx, answers)
	if err != nil {
		return nil, nil, err
	}
	outcomes, balances := make([]batch.Outcome[trades.Trade], len(answers)), map[string]money.Cents{}
	for i, a := range answers {
		sold, err := s.accept(m, a)
		if err != nil && !isRefusal(err) {
			return nil, nil, err
		}
		outcomes[i] = batch.Outcome[trades.Trade]{Value: sold, Err: err}
		balances[a.User] = m.accounts.Balance(a.User)
	}
	return outcomes, balances, m.settle()
}

// lockForAnswers locks the entries, the named bids and those that pay more, and the accounts of
// their users.
func lockForAnswers(tx *db.Tx, answers []Answer) (*marketTx, error) {
	var entries, named []string
	for _, a := range answers {
		if db.IsID(a.Entry) && db.IsID(a.Bid) {
			entries, named = append(entries, a.Entry), append(named, a.Bid)
		}
	}
	m, err := lockEntries(tx, entries)
	if err != nil {
		return nil, err
	}
	lowest := m.lowestAccepted(answers)
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

// lowestAccepted returns the lowest price at which each entry's owner would accept. Answers from
// other users in the same batch are ignored.
func (m *marketTx) lowestAccepted(answers []Answer) map[string]money.Cents {
	lowest := map[string]money.Cents{}
	for _, a := range answers {
		if _, err := m.ownEntry(a.User, a.Entry); err != nil {
			continue
		}
		if price, ok := lowest[a.Entry]; !ok || a.Price < price {
			lowest[a.Entry] = a.Price
		}
	}
	return lowest
}

// accept sells an owner's entry to a bid, unless another bid pays more.
func (s *Service) accept(m *marketTx, a Answer) (trades.Trade, error) {
	e, b, err := m.answered(a)
	if err != nil {
		return trades.Trade{}, err
	}
	if limits.CheckStopped(m.accounts.Play(b.User), m.tx.Now) != nil {
		return trades.Trade{}, errBidOver
	}
	price := b.Price.For(e.QuoteValue)
	if price != a.Price {
		return trades.Trade{}, errBidChanged.WithDetails(CurrentBid{price})
	}
	if other, most, _ := m.bestBid(e); most > price {
		return trades.Trade{}, errBetterBid.WithDetails(BetterBid{other.ID, most})
	}
	if s.tooFar(price, e.QuoteValue) {
		return trades.Trade{}, errTooFar
	}
	if err := confirmSale(e, price, a.Confirmed, policy.HighestPrice, m.tx.Now); err != nil {
		return trades.Trade{}, err
	}
	return m.fillBid(e, b, trades.Trade{Kind: trades.Bid, Price: price})
}

// answered returns the user's locked entry and the locked bid that an answer is about. It refuses a
// bid that can't be filled with the entry.
func (m *marketTx) answered(a Answer) (inventory.Entry, bids.Bid, error) {
	e, err := m.ownEntry(a.User, a.Entry)
	if err != nil {
		return e, bids.Bid{}, err
	}
	b, ok := m.bids[a.Bid]
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
		return errNotFor
	case !e.Allows(inventory.FillingBid, b.User):
		return errClaimed
	}
	return nil
}
