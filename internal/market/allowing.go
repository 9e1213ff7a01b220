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

// allowBid refuses a bid for what is not there, is the bidder's own or is kept from them by
// its owner, and asks again where it is far above the value.
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

// valueFor is the lowest quote value of what a bid is for.
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

// allowEntry refuses a bid for an entry that nobody can sell to its user.
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

// allowLow refuses a bid for an entry that is below what its owner takes, and counts it:
// whoever could ask again and again would find that price. It is called behind all other
// refusals, with the bidder's account locked.
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

// allowMore refuses a second bid of a user for the same, and more bids than one may have.
// It is called with the user's account locked.
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

// BidNamed is a bid that somebody must know of to go on.
type BidNamed struct {
	BidID string `json:"bidId"`
}
