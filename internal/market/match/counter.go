package match

import (
	"errors"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/limits"
	"kaibao/internal/trades"
)

var (
	errNoCounter      = apperr.New(apperr.NotFound, "This counter-offer has been withdrawn.")
	errCounterChanged = apperr.New(apperr.PriceChanged, "The owner has changed the counter-offer. You were not charged.")
)

// Counter responses a bid for the owner's entry with a price. It replaces any earlier
// counter-offer. It returns the bid with the counter-offer.
func (s *Service) Counter(tx *db.Tx, r BidResponse) (bids.Bid, error) {
	if s.Closed {
		return bids.Bid{}, errClosed
	}
	if err := checkPrice("priceCents", r.Price); err != nil {
		return bids.Bid{}, err
	}
	m, err := beginMarketTx(tx, []string{r.Entry})
	if err != nil {
		return bids.Bid{}, err
	}
	if _, err := m.ownEntry(r.User, r.Entry); err != nil {
		return bids.Bid{}, err
	}
	if err := m.lock([]string{r.Bid}, r.User); err != nil {
		return bids.Bid{}, err
	}
	if err := m.checkNotFrozen(r.User); err != nil {
		return bids.Bid{}, err
	}
	e, b, err := m.lockedOrders(r)
	if err != nil {
		return b, err
	}
	if err := s.checkCounter(m, r, e, b); err != nil {
		return b, err
	}
	b.Counter = bids.Counter{Price: r.Price, By: r.User, At: tx.Now}
	if err := bids.Save(tx, map[string]bids.Bid{b.ID: b}); err != nil {
		return b, err
	}
	return b, alerts.Add(tx, []alerts.Alert{{User: b.User, Kind: alerts.Counter, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: r.Price}})
}

// checkCounter refuses a counter-offer to a bid that isn't for one entry, and prices that are too
// low or too high.
func (s *Service) checkCounter(m *marketTx, r BidResponse, e inventory.Entry, b bids.Bid) error {
	switch {
	case b.Scope.Entry == "":
		return errOtherItem
	case r.Price <= b.Price.For(e.QuoteValue):
		return apperr.InvalidField("priceCents", "must be higher than the bid; otherwise accept the bid")
	case s.tooFar(r.Price, e.QuoteValue):
		return errTooFar.WithFields(map[string]string{"priceCents": "is too far above the item's value"})
	}
	return confirmAsk(e, r.Price, r.Confirmed, m.tx.Now)
}

// AcceptCounter buys the entry at its owner's counter-offer. The money comes first from what the
// bid holds, then from the balance.
func (s *Service) AcceptCounter(tx *db.Tx, r BidResponse) (FilledOrder, error) {
	if s.Closed {
		return FilledOrder{}, errClosed
	}
	m, err := lockCountered(tx, r)
	if err != nil {
		return FilledOrder{}, err
	}
	e, b, err := s.counterOffer(m, r)
	if err != nil {
		return FilledOrder{}, err
	}
	bought, err := m.fillBid(e, b, trades.Trade{Kind: trades.Counter, Price: b.Counter.Price})
	if err != nil {
		return FilledOrder{}, err
	}
	m.alertSeller(bought)
	return FilledOrder{bought, m.accounts.Balance(r.User)}, m.save()
}

// lockCountered locks the entry of the user's bid, the bid, and the accounts of both users.
func lockCountered(tx *db.Tx, r BidResponse) (*marketTx, error) {
	b, err := bids.Find(tx, r.Bid)
	if errors.Is(err, db.ErrNoRow) || err == nil && b.User != r.User {
		return nil, errNoBid
	}
	if err != nil {
		return nil, err
	}
	m, err := beginMarketTx(tx, []string{b.Scope.Entry})
	if err != nil {
		return nil, err
	}
	err = m.lock([]string{r.Bid}, m.owners()...)
	return m, err
}

// counterOffer returns the entry and the bid of the counter-offer that the response accepts. It
// refuses a bidder who has stopped playing, and a counter-offer that has ended or changed.
func (s *Service) counterOffer(m *marketTx, r BidResponse) (e inventory.Entry, b bids.Bid, err error) {
	b = m.bids[r.Bid]
	if err := checkOpen(b, m.tx.Now); err != nil {
		return e, b, err
	}
	if err := limits.CheckStopped(m.accounts.Play(r.User), m.tx.Now); err != nil {
		return e, b, err
	}
	e, ok := m.acts.Entry(b.Scope.Entry)
	admins, err := s.lockRoles(m.tx, m.owners()...)
	if err != nil {
		return e, b, err
	}
	switch {
	case !ok || admins[e.Owner] || m.isFrozen(e.Owner) || !b.Counter.IsOpen(e, m.tx.Now):
		err = errNoCounter
	case b.Counter.Price != r.Price:
		err = errCounterChanged.WithDetails(CurrentBid{b.Counter.Price})
	case s.tooFar(r.Price, e.QuoteValue):
		err = errTooFar
	}
	return e, b, err
}
