package market

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// allowBid refuses a bid for something missing, unavailable or the bidder's own. It asks for
// confirmation if the price is far above the value.
func (s *Service) allowBid(r *marketTx, o BidOrder, b bids.Bid) error {
	value, err := s.valueFor(r, b)
	switch {
	case err != nil:
		return err
	case b.Price.Peg == 0 && s.tooFar(b.Price.Most, value):
		return errTooFar.WithFields(map[string]string{"priceCents": "is more than this may be traded for"})
	case b.Price.Most > policy.FarBid*value && o.Confirmed != b.Price.Most:
		return errConfirm.WithDetails(FarPrice{ValueCents: value})
	}
	return nil
}

// valueFor returns the quote value of what the bid is for; for a criterion, the lowest of the
// matching items.
func (s *Service) valueFor(r *marketTx, b bids.Bid) (money.Cents, error) {
	switch {
	case b.Scope.Entry != "":
		e, _ := r.acts.Entry(b.Scope.Entry)
		return e.QuoteValue, allowEntry(e, b)
	case b.Scope.Item != "":
		if _, err := catalogue.Find(r.tx, b.Scope.Item); err != nil {
			return 0, err
		}
		values, err := catalogue.QuoteValues(r.tx, []string{b.Scope.Item})
		return values[b.Scope.Item], err
	}
	c := b.Scope.Criterion
	value, err := catalogue.LeastQuoteValue(r.tx, c.Series, c.Grader, c.Rarity, c.MinGrade)
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.InvalidField("scope", "no item is like this")
	}
	return value, err
}

// allowEntry refuses a bid for an entry that can't be sold to the bidder.
func allowEntry(e inventory.Entry, b bids.Bid) error {
	switch {
	case e.ID == "" || e.Ended():
		return errNoEntry
	case e.Owner == b.User:
		return errOwnItem
	case !e.Allows(inventory.FillingBid, b.User):
		return errLeaving
	}
	return nil
}

// allowLow refuses a bid below the owner's minimum and counts it, because unlimited attempts would
// reveal the minimum. It runs after all other checks, with the bidder's account locked.
func (r *marketTx) allowLow(b bids.Bid) error {
	e, ok := r.acts.Entry(b.Scope.Entry)
	if !ok || e.LowestBid == 0 {
		return nil
	}
	declined, err := bids.Declined(r.tx, e.ID, b.User)
	switch {
	case err != nil:
		return err
	case declined >= policy.MostDeclined:
		return errTooDeclined
	case b.Price.For(e.QuoteValue) >= e.LowestBid:
		return nil
	}
	if err := bids.Decline(r.tx, e.ID, b.User); err != nil {
		return err
	}
	return errDeclined
}

var errLeaving = apperr.New(apperr.Conflict, "This item is being sent to its owner and cannot be bought.")

// allowMore refuses a user's second bid for the same scope, and bids beyond the limit of open bids.
// It runs with the user's account locked.
func allowMore(tx *db.Tx, b bids.Bid) error {
	other, err := bids.OfUser(tx, b.User, b.Scope)
	if err == nil {
		return errAlreadyBid.WithDetails(BidNamed{other.ID})
	}
	if !errors.Is(err, db.ErrNoRow) {
		return err
	}
	open, err := bids.CountOpen(tx, b.User)
	if err == nil && open >= policy.MostBids {
		err = errManyBids
	}
	return err
}

// BidNamed is the detail of errAlreadyBid: the bid to change instead.
type BidNamed struct {
	BidID string `json:"bidId"`
}
