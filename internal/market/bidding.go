package market

import (
	"errors"
	"slices"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/rates"
	"kaibao/internal/trades"
)

var (
	errNoBid       = apperr.Missing("Bid")
	errAlreadyBid  = apperr.New(apperr.AlreadyBid, "You have an open bid for this. Change that one instead.")
	errOwnItem     = apperr.New(apperr.OwnListing, "This item is your own.")
	errBidFilled   = apperr.New(apperr.AlreadyFilled, "This bid has been filled.")
	errBidOver     = apperr.New(apperr.BidEnded, "This bid is not open any more.")
	errDeclined    = apperr.New(apperr.Declined, "The owner does not take bids as low as this.")
	errTooDeclined = apperr.New(apperr.LimitReached, "The owner declined your bids on this item three times today. Try again tomorrow.").WithDetails(Limit{"declined"})
	errManyBids    = apperr.New(apperr.LimitReached, "You have as many open bids as one may have. Withdraw one first.").WithDetails(Limit{"open"})
)

// Limit is the detail that says which limit a bidder has reached: open bids, or declined bids.
type Limit struct {
	Limit string `json:"limit" enum:"open,declined"`
}

// BidOrder is a request to place a bid, or to change one. ID is empty for a new bid; Scope is empty
// for a change.
type BidOrder struct {
	Bidder    string
	ID        string
	Scope     bids.Scope
	Price     bids.Price
	Quantity  int64
	ExpiresAt time.Time   // zero = policy.BidLife from now
	Confirmed money.Cents // the price or cap repeated, required when it is far from the value
	refused   error       // the error in the request itself, if any
}

// Placed is the result of a BidOrder: the bid and what it bought immediately.
type Placed struct {
	bids.Bid
	Bought  []trades.Trade
	Balance money.Cents // the bidder's, afterwards
}

// check refuses terms that are out of range for every bid.
func (o BidOrder) check(now time.Time) error {
	name := "priceCents"
	if o.Price.Peg != 0 {
		name = "capCents"
		if err := apperr.Within("pegPercent", int64(o.Price.Peg), int64(protocol.LeastPeg), int64(protocol.MostPeg)); err != nil {
			return err
		}
	}
	if err := apperr.Within(name, int64(o.Price.Most), int64(policy.LeastBid), int64(policy.HighestPrice)); err != nil {
		return err
	}
	step := policy.BidStep(o.Price.Most)
	switch {
	case o.Price.Most%step != 0:
		return apperr.InvalidField(name, "must be in steps of "+step.String())
	case o.Price.Peg == 0 && o.Scope.Criterion != (bids.Criterion{}):
		return apperr.InvalidField("pegPercent", "is needed: the cheapest card would fill a fixed price")
	case !o.ExpiresAt.IsZero() && (!o.ExpiresAt.After(now) || o.ExpiresAt.After(now.Add(policy.LongestBidLife))):
		return apperr.InvalidField("expiresAt", "must be within 90 days from now")
	case o.Scope.Entry != "" && o.Quantity != 1:
		return apperr.InvalidField("quantity", "must be 1 for one entry")
	}
	return apperr.Within("quantity", o.Quantity, 1, policy.MostBidFor)
}

// plannedBid is an order, the bid it would place and the listings that bid could buy right away.
type plannedBid struct {
	BidOrder
	bid        bids.Bid
	candidates []string
}

// Bid places or changes bids in sequence; as with Buy, each has its own outcome. A bid first buys
// matching listings, cheapest first, from the bidder's balance. The money for the rest is held.
func (s *Service) Bid(tx *db.Tx, orders []BidOrder) ([]batch.Outcome[Placed], error) {
	if s.Closed {
		return nil, errClosed
	}
	tx.CommitBy(tx.Now.Add(policy.BidWithin), "Placing your bid took too long, so nothing was done. Please try again.")
	wishes, lots, err := resolve(tx, orders)
	if err != nil {
		return nil, err
	}
	r, err := begin(tx, lots)
	if err != nil {
		return nil, err
	}
	rivals, err := s.allowAllBids(r, wishes)
	if err != nil {
		return nil, err
	}
	if err := s.refuseAdmins(tx, wishes); err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[Placed], len(orders))
	for n, w := range wishes {
		before := r.bids[w.ID]
		placed, err := r.admit(w)
		if _, refused := errors.AsType[*apperr.Error](err); err != nil && !refused {
			return nil, err
		}
		outcomes[n] = batch.Outcome[Placed]{Value: placed, Err: err}
		if err == nil {
			r.alertOutbid(placed.Bid, before, rivals)
		}
	}
	return outcomes, r.settle()
}

// resolve finds the bids that the orders change and the listings they could buy.
func resolve(tx *db.Tx, orders []BidOrder) ([]plannedBid, []string, error) {
	wishes, all := make([]plannedBid, len(orders)), []string{}
	for n, o := range orders {
		w := plannedBid{BidOrder: o}
		w.bid, w.refused = o.intended(tx)
		if w.refused == nil {
			var err error
			w.candidates, err = candidatesFor(tx, w.bid)
			if err != nil {
				return nil, nil, err
			}
		}
		wishes[n], all = w, append(all, w.candidates...)
	}
	return wishes, all, nil
}

// allowAllBids records which orders are refused and locks what the others need. It returns the best
// existing bids for the same scopes.
func (s *Service) allowAllBids(r *marketTx, wishes []plannedBid) ([]bids.Bid, error) {
	var scopes, changed, users []string
	for n, w := range wishes {
		if w.refused == nil {
			w.refused = s.allowBid(r, w.BidOrder, w.bid)
		}
		if _, known := errors.AsType[*apperr.Error](w.refused); w.refused != nil && !known {
			return nil, w.refused
		}
		wishes[n] = w
		if w.refused != nil {
			continue
		}
		scopes, users = append(scopes, w.bid.Scope.Key()), append(users, w.Bidder)
		if w.ID != "" {
			changed = append(changed, w.ID)
		}
	}
	rivals, err := bids.Candidates(r.tx, scopes, 2)
	if err != nil {
		return nil, err
	}
	return rivals, r.lock(changed, append(r.owners(), users...)...)
}

// refuseAdmins refuses bidders who became admins after their request was authorized.
func (s *Service) refuseAdmins(tx *db.Tx, wishes []plannedBid) error {
	users := make([]string, len(wishes))
	for n, w := range wishes {
		users[n] = w.Bidder
	}
	admins, err := s.keepRoles(tx, users...)
	for n, w := range wishes {
		if admins[w.Bidder] && w.refused == nil {
			wishes[n].refused = apperr.ErrAdmin
		}
	}
	return err
}

// admit places the bid, unless the order is refused.
func (r *marketTx) admit(w plannedBid) (Placed, error) {
	if w.refused != nil {
		return Placed{}, w.refused
	}
	if err := limits.CheckStopped(r.batch.Play(w.Bidder), r.tx.Now); err != nil {
		return Placed{}, err
	}
	if w.ID == "" {
		if err := allowMore(r.tx, w.bid); err != nil {
			return Placed{}, err
		}
	}
	return r.place(w)
}

// intended returns the bid as the order would leave it.
func (o BidOrder) intended(tx *db.Tx) (b bids.Bid, err error) {
	if o.refused != nil {
		return b, o.refused
	}
	b = bids.Bid{ID: tx.NewID(), User: o.Bidder, Scope: o.Scope, CreatedAt: tx.Now, State: bids.Open}
	if o.ID != "" {
		b, err = bids.Find(tx, o.ID)
		if errors.Is(err, db.ErrNoRow) || err == nil && b.User != o.Bidder {
			err = errNoBid
		}
		if err == nil {
			err = standing(b, tx.Now)
		}
		if err != nil {
			return b, err
		}
		o.Scope = b.Scope
	}
	if err := o.check(tx.Now); err != nil {
		return b, err
	}
	b.Place = tx.NewID()
	b.Price, b.Quantity, b.Remaining, b.ExpiresAt = o.Price, o.Quantity, o.Quantity, o.ExpiresAt
	if b.ExpiresAt.IsZero() {
		b.ExpiresAt = tx.Now.Add(policy.BidLife)
	}
	return b, nil
}

// candidatesFor returns the entries that a bid could buy right away: its entry, or the cheapest
// listings of its item. A bid by criterion buys nothing right away.
func candidatesFor(tx *db.Tx, b bids.Bid) ([]string, error) {
	switch {
	case b.Scope.Entry != "":
		return []string{b.Scope.Entry}, nil
	case b.Scope.Item != "":
		return inventory.CheapestIDs(tx, b.Scope.Item, b.User, b.Price.Most, int(b.Quantity)+spare)
	}
	return nil, nil
}

// byPeg compares bids whose item value is unknown, as if the item had the highest value.
func byPeg(a, b bids.Bid) int { return bids.Compare(a, b, policy.HighestPrice) }

// alertOutbid alerts the user whose bid was the best for the same scope before this bid.
func (r *marketTx) alertOutbid(b, before bids.Bid, open []bids.Bid) {
	rivals := slices.DeleteFunc(slices.Clone(open), func(other bids.Bid) bool { return other.User == b.User || other.Scope != b.Scope })
	if b.State != bids.Open || len(rivals) == 0 {
		return
	}
	rival := slices.MinFunc(rivals, byPeg)
	if byPeg(b, rival) < 0 && (before.ID == "" || byPeg(before, rival) > 0) {
		r.alerts = append(r.alerts, alerts.Alert{
			User: rival.User, Kind: alerts.Outbid, Item: b.Scope.Item, Entry: b.Scope.Entry, Bid: rival.ID, Price: b.Price.Most,
		})
	}
}

// place buys matching listings and holds the money for the rest of the bid.
func (r *marketTx) place(w plannedBid) (Placed, error) {
	b := w.bid
	was, changes := r.bids[w.ID]
	covered := r.batch.Balance(b.User)
	if changes {
		if err := standing(was, r.tx.Now); err != nil {
			return Placed{}, err
		}
		b, covered = b.InPlaceOf(was), covered+was.Held()
	}
	if covered < b.Held() {
		return Placed{}, ledger.ErrInsufficientFunds
	}
	if err := r.allowLow(b); err != nil {
		return Placed{}, err
	}
	if changes {
		if err := was.Release(r.batch); err != nil {
			return Placed{}, err
		}
	}
	placed := Placed{Bid: b}
	for _, id := range w.candidates {
		e, _ := r.acts.Entry(id)
		if placed.Remaining == 0 || !crosses(placed.Bid, e) {
			continue
		}
		sold, err := r.buy(e, b.User, b.ID)
		if err != nil {
			return Placed{}, err
		}
		placed.Bid, placed.Bought = placed.Fill(r.tx.Now), append(placed.Bought, sold)
	}
	err := r.holdRemainder(&placed, changes)
	return placed, err
}

// holdRemainder holds the money for the part of the bid that wasn't filled right away, and queues
// the bid to be written.
func (r *marketTx) holdRemainder(placed *Placed, changes bool) (err error) {
	placed.Hold = r.tx.NewID()
	if placed.State == bids.Open {
		placed.Bid, err = placed.Take(r.batch, placed.Hold)
		if err != nil {
			return err
		}
		r.events = append(r.events, marketevents.Event{
			Kind: marketevents.Bid, Bid: placed.ID, Item: placed.Scope.Item, Entry: placed.Scope.Entry, Price: placed.Price.Most,
		})
	}
	if changes {
		r.updateBid(placed.Bid)
	} else {
		r.added = append(r.added, placed.Bid)
	}
	placed.Balance = r.batch.Balance(placed.User)
	return nil
}

// crosses reports whether the entry is listed, and for no more than the bid pays.
func crosses(b bids.Bid, e inventory.Entry) bool {
	return e.Allows(inventory.Buying, b.User) && b.Scope.Covers(e.ID, e.Item) && e.SalePrice <= b.Price.For(e.QuoteValue)
}

// standing returns an error if the bid can't be filled or changed any more.
func standing(b bids.Bid, now time.Time) error {
	switch {
	case b.State == bids.Filled:
		return errBidFilled
	case !b.Stands(now):
		return errBidOver
	}
	return nil
}

// withdraw ends a user's bid and returns the money it holds. A bid that already ended in another
// way is left as it is.
func withdraw(tx *db.Tx, user, id string) error {
	r := newMarketTx(tx, nil, rates.QueueInForce(tx))
	if err := r.lockBids([]string{id}); err != nil {
		return err
	}
	b, ok := r.bids[id]
	switch {
	case !ok || b.User != user:
		return errNoBid
	case b.State == bids.Filled:
		return errBidFilled
	case b.State != bids.Open:
		return nil
	}
	if err := r.lockAccounts(); err != nil {
		return err
	}
	as := bids.Withdrawn
	if !b.Stands(tx.Now) {
		as = bids.Expired
	}
	if err := r.end(b, as); err != nil {
		return err
	}
	return r.settle()
}

// EndBids ends all open bids of a user and returns the money they hold.
func EndBids(tx *db.Tx, user string) error {
	open, err := bids.OpenOf(tx, user)
	if err != nil || len(open) == 0 {
		return err
	}
	return newMarketTx(tx, nil, rates.QueueInForce(tx)).endAll(open, bids.Ended)
}

// end ends a locked open bid. The bidder's account must be locked too.
func (r *marketTx) end(b bids.Bid, as bids.State) error {
	b, err := b.End(r.batch, as, r.tx.Now)
	if err == nil {
		r.updateBid(b)
	}
	return err
}
