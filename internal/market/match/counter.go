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

// Counter answers a bid for the owner's entry with a price. It replaces any earlier counter-offer.
// It returns the bid with the counter-offer.
func (s *Service) Counter(tx *db.Tx, a Answer) (bids.Bid, error) {
	if s.Closed {
		return bids.Bid{}, errClosed
	}
	if err := checkPrice("priceCents", a.Price); err != nil {
		return bids.Bid{}, err
	}
	m, err := lockEntries(tx, []string{a.Entry})
	if err != nil {
		return bids.Bid{}, err
	}
	if _, err := m.ownEntry(a.User, a.Entry); err != nil {
		return bids.Bid{}, err
	}
	if err := m.lockBids([]string{a.Bid}); err != nil {
		return bids.Bid{}, err
	}
	e, b, err := m.answered(a)
	if err != nil {
		return b, err
	}
	if err := s.checkCounter(m, a, e, b); err != nil {
		return b, err
	}
	b.Counter = bids.Counter{Price: a.Price, By: a.User, At: tx.Now}
	if err := bids.Save(tx, map[string]bids.Bid{b.ID: b}); err != nil {
		return b, err
	}
	return b, alerts.Add(tx, []alerts.Alert{{User: b.User, Kind: alerts.Counter, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: a.Price}})
}

// checkCounter refuses a counter-offer to a bid that isn't for one entry, and prices that are too
// low or too high.
func (s *Service) checkCounter(m *marketTx, a Answer, e inventory.Entry, b bids.Bid) error {
	switch {
	case b.Scope.Entry == "":
		return errNotFor
	case a.Price <= b.Price.For(e.QuoteValue):
		return apperr.InvalidField("priceCents", "must be higher than the bid; otherwise accept the bid")
	case s.tooFar(a.Price, e.QuoteValue):
		return errTooFar.WithFields(map[string]string{"priceCents": "is too far above the item's value"})
	}
	return confirmAsk(e, a.Price, a.Confirmed, m.tx.Now)
}

// AcceptCounter buys the entry at its owner's counter-offer. The money comes first from what the
// bid holds, then from the balance.
func (s *Service) AcceptCounter(tx *db.Tx, a Answer) (Sale, error) {
	if s.Closed {
		return Sale{}, errClosed
	}
	m, err := lockCountered(tx, a)
	if err != nil {
		return Sale{}, err
	}
	e, b, err := s.counterOffer(m, a)
	if err != nil {
		return Sale{}, err
	}
	bought, err := m.fillBid(e, b, trades.Trade{Kind: trades.Counter, Price: b.Counter.Price})
	if err != nil {
		return Sale{}, err
	}
	m.alertSeller(bought)
	return Sale{bought, m.accounts.Balance(a.User)}, m.settle()
}

// lockCountered locks the entry of the user's bid, the bid, and the accounts of both users.
func lockCountered(tx *db.Tx, a Answer) (*marketTx, error) {
	b, err := bids.Find(tx, a.Bid)
	if errors.Is(err, db.ErrNoRow) || err == nil && b.User != a.User {
		return nil, errNoBid
	}
	if err != nil {
		return nil, err
	}
	m, err := lockEntries(tx, []string{b.Scope.Entry})
	if err != nil {
		return nil, err
	}
	err = m.lock([]string{a.Bid}, m.owners()...)
	return m, err
}

// counterOffer returns the entry and the bid of the counter-offer that the answer accepts. It
// refuses a bidder who has stopped playing, and a counter-offer that has ended or changed.
func (s *Service) counterOffer(m *marketTx, a Answer) (e inventory.Entry, b bids.Bid, err error) {
	b = m.bids[a.Bid]
	if err := checkOpen(b, m.tx.Now); err != nil {
		return e, b, err
	}
	if err := limits.CheckStopped(m.accounts.Play(a.User), m.tx.Now); err != nil {
		return e, b, err
	}
	e, ok := m.acts.Entry(b.Scope.Entry)
	admins, err := s.lockRoles(m.tx, m.owners()...)
	if err != nil {
		return e, b, err
	}
	switch {
	case !ok || admins[e.Owner] || !b.Counter.Stands(e, m.tx.Now):
		err = errNoCounter
	case b.Counter.Price != a.Price:
		err = errCounterChanged.WithDetails(CurrentBid{b.Counter.Price})
	case s.tooFar(a.Price, e.QuoteValue):
		err = errTooFar
	}
	return e, b, err
}
