package match

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

var (
	errAlreadyBid      = apperr.New(apperr.AlreadyBid, "You already have an open bid for this. Change that bid instead.")
	errOwnItem         = apperr.New(apperr.OwnListing, "You own this item.")
	errOwnerShipping   = apperr.New(apperr.Conflict, "This item is being shipped to its owner and can't be bought.")
	errOwnerGiving     = apperr.New(apperr.Conflict, "This item is being given away and can't be bought.")
	errDeclined        = apperr.New(apperr.Declined, "Your bid is below the owner's minimum.")
	errTooManyDeclined = apperr.New(apperr.LimitReached, "The owner declined your bids on this item three times today. Try again tomorrow.").WithDetails(Limit{"declined"})
	errTooManyBids     = apperr.New(apperr.LimitReached, "You have reached the limit of open bids. Withdraw one first.").WithDetails(Limit{"open"})
)

// Limit is the detail that says which limit a bidder has reached: open bids, or declined bids.
type Limit struct {
	Limit string `json:"limit" enum:"open,declined"`
}

// BidNamed is the detail of errAlreadyBid: the bid to change instead.
type BidNamed struct {
	BidID string `json:"bidId"`
}

// checkScope refuses a scope that isn't exactly one entry, one item or one criterion.
func checkScope(s bids.Scope) error {
	given := 0
	for _, ok := range []bool{s.Entry != "", s.Item != "", s.Criterion != bids.Criterion{}} {
		if ok {
			given++
		}
	}
	switch {
	case given != 1:
		return apperr.InvalidField("scope", "must be one entry, one item, or criteria for items")
	case strings.ContainsFunc(s.Series, unicode.IsControl):
		return apperr.InvalidField("scope", "series contains a character that series can't have")
	case s.MinGrade != 0 && !slices.Contains(bids.MinGrades, s.MinGrade):
		return apperr.InvalidField("scope", "minGrade must be 8, 9, 9.5 or 10")
	}
	return nil
}

// checkTerms refuses terms that are out of range for every bid. A zero expiry stands for the
// default.
func checkTerms(b bids.Bid, now time.Time) error {
	name := "priceCents"
	if b.Price.Peg != 0 {
		name = "capCents"
		if err := apperr.CheckRange("pegPercent", int64(b.Price.Peg), int64(protocol.MinPeg), int64(protocol.MaxPeg)); err != nil {
			return err
		}
	}
	if err := apperr.CheckRange(name, int64(b.Price.Max), int64(policy.MinBid), int64(policy.MaxPrice)); err != nil {
		return err
	}
	step := policy.BidStep(b.Price.Max)
	switch {
	case b.Price.Max%step != 0:
		return apperr.InvalidField(name, "must be in steps of "+step.String())
	case b.Price.Peg == 0 && b.Scope.Criterion != (bids.Criterion{}):
		return apperr.InvalidField("pegPercent", "is required, because a fixed price would be filled by the cheapest card")
	case !b.ExpiresAt.IsZero() && (!b.ExpiresAt.After(now) || b.ExpiresAt.After(now.Add(policy.MaxBidLife))):
		return apperr.InvalidField("expiresAt", "must be within 90 days from now")
	case b.Scope.Entry != "" && b.Quantity != 1:
		return apperr.InvalidField("quantity", "must be 1 for a bid on a single entry")
	}
	return apperr.CheckRange("quantity", b.Quantity, 1, policy.MaxBidQuantity)
}

// checkBids sets refused on planned bids whose item, entry or price isn't allowed.
func (s *Service) checkBids(m *marketTx, planned []plannedBid) error {
	for i, p := range planned {
		if p.refused == nil {
			planned[i].refused = s.checkBid(m, p)
		}
		if err := planned[i].refused; err != nil && !isRefusal(err) {
			return err
		}
	}
	return nil
}

// checkBid refuses a bid for something missing, unavailable or the bidder's own. It asks for
// confirmation if the price is far above the value.
func (s *Service) checkBid(m *marketTx, p plannedBid) error {
	value, err := m.checkedValue(p.bid)
	price := p.bid.Price
	switch {
	case err != nil:
		return err
	case price.Peg == 0 && s.tooFar(price.Max, value):
		return errTooFar.WithFields(map[string]string{"priceCents": "is too far above the value"})
	case price.Max > policy.FarBid*value && p.Confirmed != price.Max:
		return errConfirm.WithDetails(FarPrice{ValueCents: value})
	}
	return nil
}

// checkedValue returns the quote value of the bid's entry or item; for a criterion, the lowest of
// the matching items. It refuses an entry or item that the bidder can't bid on, and a criterion that
// no item matches.
func (m *marketTx) checkedValue(b bids.Bid) (money.Cents, error) {
	switch {
	case b.Scope.Entry != "":
		e, _ := m.acts.Entry(b.Scope.Entry)
		return e.QuoteValue, checkEntry(e, b)
	case b.Scope.Item != "":
		if _, err := catalogue.Find(m.tx, b.Scope.Item); err != nil {
			return 0, err
		}
		values, err := catalogue.QuoteValues(m.tx, []string{b.Scope.Item})
		return values[b.Scope.Item], err
	}
	c := b.Scope.Criterion
	value, err := catalogue.LeastQuoteValue(m.tx, c.Series, c.Grader, c.Rarity, c.MinGrade)
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.InvalidField("scope", "matches no item")
	}
	return value, err
}

// checkEntry refuses a bid for an entry that can't be sold to the bidder.
func checkEntry(e inventory.Entry, b bids.Bid) error {
	switch {
	case e.ID == "" || e.Ended():
		return errNoEntry
	case e.Owner == b.User:
		return errOwnItem
	case e.State == inventory.Giving:
		return errOwnerGiving
	case !e.Allows(inventory.FillingBid, b.User):
		return errOwnerShipping
	}
	return nil
}

// refuseAdmins refuses bidders who became admins after their request was authorized.
func (s *Service) refuseAdmins(tx *db.Tx, planned []plannedBid) error {
	users := make([]string, len(planned))
	for i, p := range planned {
		users[i] = p.Bidder
	}
	admins, err := s.lockRoles(tx, users...)
	for i, p := range planned {
		if admins[p.Bidder] && p.refused == nil {
			planned[i].refused = apperr.ErrAdmin
		}
	}
	return err
}

// checkPlacing makes the checks that need the bidder's locked account. old is the bid that changes,
// zero for a new one.
func (m *marketTx) checkPlacing(p plannedBid, old bids.Bid) error {
	if p.refused != nil {
		return p.refused
	}
	if err := limits.CheckStopped(m.accounts.Play(p.Bidder), m.tx.Now); err != nil {
		return err
	}
	available := m.accounts.Balance(p.Bidder)
	if p.ID == "" {
		if err := checkOpenBids(m.tx, p.bid); err != nil {
			return err
		}
	} else {
		if err := checkOpen(old, m.tx.Now); err != nil {
			return err
		}
		available += old.Held()
	}
	if available < p.bid.Held() {
		return ledger.ErrInsufficientFunds
	}
	return m.checkMinimum(p.bid)
}

// checkOpenBids refuses a user's second bid for the same scope, and bids beyond the limit of open
// bids. It runs with the user's account locked.
func checkOpenBids(tx *db.Tx, b bids.Bid) error {
	other, err := bids.OpenByScope(tx, b.User, b.Scope)
	if err == nil {
		return errAlreadyBid.WithDetails(BidNamed{other.ID})
	}
	if !errors.Is(err, db.ErrNoRow) {
		return err
	}
	open, err := bids.CountOpen(tx, b.User)
	if err == nil && open >= policy.MaxOpenBids {
		err = errTooManyBids
	}
	return err
}

// checkOpen returns an error if the bid can't be filled or changed any more.
func checkOpen(b bids.Bid, now time.Time) error {
	switch {
	case b.State == bids.Filled:
		return errBidFilled
	case !b.IsOpen(now):
		return errBidOver
	}
	return nil
}

// checkMinimum refuses a bid below the owner's minimum, and adds it to the stored count of the
// bidder's declined bids of today, because unlimited attempts would reveal the minimum. It runs
// after all other checks, with the bidder's account locked.
func (m *marketTx) checkMinimum(b bids.Bid) error {
	e, ok := m.acts.Entry(b.Scope.Entry)
	if !ok || e.MinimumBid == 0 {
		return nil
	}
	declined, err := bids.DeclinedToday(m.tx, e.ID, b.User)
	switch {
	case err != nil:
		return err
	case declined >= policy.MaxDeclinedBids:
		return errTooManyDeclined
	case b.Price.For(e.QuoteValue) >= e.MinimumBid:
		return nil
	}
	if err := bids.CountDeclined(m.tx, e.ID, b.User); err != nil {
		return err
	}
	return errDeclined
}
