package match

import (
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/trades"
)

// Ask is the price an owner asks for an entry.
type Ask struct {
	Entry     string
	Price     money.Cents
	Confirmed money.Cents // the price repeated, required when it is far from the value
}

// ListResult is the result of List and Reprice.
type ListResult struct {
	Entries map[string]inventory.Entry // their state afterwards
	Sold    []trades.Trade             // of the entries that bids bought immediately
	Balance money.Cents                // the owner's, afterwards
}

var errAlreadyListed = apperr.New(apperr.AlreadyListed, "This item is already listed on the marketplace.")

// askAct is an act that puts an entry up for sale: listAct or repriceAct.
type askAct struct {
	act     inventory.Act
	refusal func(e inventory.Entry) error // the error for an entry that doesn't allow the act
}

var (
	listAct = askAct{inventory.Listing, func(e inventory.Entry) error {
		if e.State == inventory.Listed {
			return errAlreadyListed
		}
		return unsellable(e)
	}}
	repriceAct = askAct{inventory.Repricing, func(inventory.Entry) error { return errNotListed }}
)

// List puts an owner's entries up for sale, all or none. An entry whose ask is at or below the best
// bid is sold to that bid at the bid's price.
func (s *Service) List(tx *db.Tx, owner string, asks []Ask) (ListResult, error) {
	return s.ask(tx, owner, listAct, asks)
}

// Reprice changes the prices of an owner's listings, all or none. Like List, it sells to bids.
func (s *Service) Reprice(tx *db.Tx, owner string, asks []Ask) (ListResult, error) {
	return s.ask(tx, owner, repriceAct, asks)
}

func (s *Service) ask(tx *db.Tx, owner string, act askAct, asks []Ask) (ListResult, error) {
	if err := s.checkAskPrices(asks); err != nil {
		return ListResult{}, err
	}
	m, err := beginMarketTx(tx, entriesOf(asks))
	if err != nil {
		return ListResult{}, err
	}
	if err := s.checkAsks(m, owner, act, asks); err != nil {
		return ListResult{}, err
	}
	crossed, err := s.bidsAbove(m, asks)
	if err != nil {
		return ListResult{}, err
	}
	if err := m.lock(idsOf(crossed), owner); err != nil {
		return ListResult{}, err
	}
	if err := m.checkNotFrozen(owner); err != nil {
		return ListResult{}, err
	}
	if err := s.refuseAdmin(tx, owner); err != nil {
		return ListResult{}, err
	}
	for _, a := range asks {
		if err := m.sellOrList(owner, act, a); err != nil {
			return ListResult{}, err
		}
	}
	if err := m.save(); err != nil {
		return ListResult{}, err
	}
	return ListResult{m.acts.Entries(), m.trades, m.accounts.Balance(owner)}, nil
}

func entriesOf(asks []Ask) []string {
	entries := make([]string, len(asks))
	for i, a := range asks {
		entries[i] = a.Entry
	}
	return entries
}

// checkAskPrices refuses asks that no entry allows.
func (s *Service) checkAskPrices(asks []Ask) error {
	if err := checkLines(entriesOf(asks), policy.MaxSoldBack); err != nil {
		return err
	}
	if s.Closed {
		return errClosed
	}
	for i, a := range asks {
		if err := checkPrice(lineField("priceCents", i, len(asks)), a.Price); err != nil {
			return err
		}
	}
	return nil
}

// checkAsks checks all asks against their entries and returns the first refusal. In a request with
// several asks, it collects those whose price needs confirmation into one error.
func (s *Service) checkAsks(m *marketTx, owner string, act askAct, asks []Ask) error {
	var far []FarLine
	for i, a := range asks {
		err := s.checkAsk(m, owner, act, a)
		price, isFar := apperr.As(err).Details.(FarPrice)
		switch {
		case err == nil:
		case isFar && len(asks) > 1:
			far = append(far, FarLine{a.Entry, price})
		default:
			return lineError(err, i, len(asks))
		}
	}
	if far != nil {
		return errConfirm.WithDetails(FarLines{far})
	}
	return nil
}

// checkAsk returns an error if the owner can't make the ask.
func (s *Service) checkAsk(m *marketTx, owner string, act askAct, a Ask) error {
	e, err := m.ownEntry(owner, a.Entry)
	switch {
	case err != nil:
		return err
	case !e.Allows(act.act, owner):
		return act.refusal(e)
	case s.tooFar(a.Price, e.QuoteValue):
		return errTooFar.WithFields(map[string]string{"priceCents": "is too far above the item's value"})
	}
	return confirmAsk(e, a.Price, a.Confirmed, m.tx.Now)
}

// bidsAbove returns the best bids that pay at least what is asked.
func (s *Service) bidsAbove(m *marketTx, asks []Ask) ([]bids.Bid, error) {
	asked := map[string]money.Cents{}
	for _, a := range asks {
		asked[a.Entry] = a.Price
	}
	return m.fittingBids(entriesOf(asks), len(asks), func(e inventory.Entry, b bids.Bid) bool {
		price := b.Price.For(e.QuoteValue)
		return price >= asked[e.ID] && !s.tooFar(price, e.QuoteValue)
	})
}

// refuseAdmin refuses an owner who became an admin after their request was authorized.
func (s *Service) refuseAdmin(tx *db.Tx, owner string) error {
	admins, err := s.lockRoles(tx, owner)
	if err == nil && admins[owner] {
		err = apperr.ErrAdmin
	}
	return err
}

// sellOrList sells the entry immediately to a bid at or above the ask, or creates a new listing. A
// listing that already has this price stays as it is and keeps its place in the queue.
func (m *marketTx) sellOrList(owner string, act askAct, a Ask) error {
	e, _ := m.acts.Entry(a.Entry)
	if b, price, ok := m.bestBid(e); ok && price >= a.Price {
		_, err := m.fillBid(e, b, trades.Trade{Kind: trades.Bid, Price: price})
		return err
	}
	if e.State == inventory.Listed && e.SalePrice == a.Price {
		return nil
	}
	_, err := m.acts.Do(e.ID, inventory.Event{Act: act.act, By: owner, Price: a.Price, Ref: m.tx.NewID()})
	return err
}

// Delist takes an owner's listings off the market, all or none. It returns their entries.
func Delist(tx *db.Tx, owner string, entries []string) (map[string]inventory.Entry, error) {
	if err := checkLines(entries, policy.MaxSoldBack); err != nil {
		return nil, err
	}
	m, err := beginMarketTx(tx, entries)
	if err != nil {
		return nil, err
	}
	for i, id := range entries {
		e, err := m.ownEntry(owner, id)
		if err == nil && !e.Allows(inventory.Delisting, owner) {
			err = errNotListed
		}
		if err != nil {
			return nil, lineError(err, i, len(entries))
		}
		if _, err := m.acts.Do(id, inventory.Event{Act: inventory.Delisting, By: owner, Ref: e.ListingID}); err != nil {
			return nil, err
		}
	}
	return m.acts.Entries(), m.acts.Save()
}
