package match

import (
	"errors"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/inventory"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/trades"
)

var (
	errNoBid     = apperr.Missing("Bid")
	errBidFilled = apperr.New(apperr.AlreadyFilled, "This bid has been filled.")
	errBidOver   = apperr.New(apperr.BidEnded, "This bid is no longer open.")
)

// BidOrder is a request to place a bid, or to change one. It has either a fixed price, or a
// percentage of the quote value and a cap.
type BidOrder struct {
	Bidder    string
	ID        string     // of the bid to change; empty for a new one
	Scope     bids.Scope // empty for a change
	Price     money.Cents
	Peg       money.Percent
	Cap       money.Cents
	Quantity  int64
	ExpiresAt time.Time   // zero = policy.BidLife from now
	Confirmed money.Cents // the price or cap repeated, required when it is far from the value
}

// PlacedBid is the result of a BidOrder: the bid and what it bought immediately.
type PlacedBid struct {
	bids.Bid
	Bought  []trades.Trade
	Balance money.Cents // the bidder's, afterwards
}

// plannedBid is an order, the bid it would place and the listings that the bid could buy right
// away.
type plannedBid struct {
	BidOrder
	bid      bids.Bid
	listings []string // IDs of entries that may be listed at a price the bid pays
	refused  error    // why the order is refused, if it is
}

// Bid places or changes bids in sequence; as with Buy, each has its own outcome. A bid first buys
// matching listings, cheapest first, from the bidder's balance. The money for the rest is held.
func (s *Service) Bid(tx *db.Tx, orders []BidOrder) ([]batch.Outcome[PlacedBid], error) {
	if s.Closed {
		return nil, errClosed
	}
	tx.CommitBy(tx.Now.Add(policy.BidWithin), "Your bid took too long and was not placed. Please try again.")
	planned, entries, err := planBids(tx, orders)
	if err != nil {
		return nil, err
	}
	m, err := beginMarketTx(tx, entries)
	if err != nil {
		return nil, err
	}
	if err := s.checkBids(m, planned); err != nil {
		return nil, err
	}
	competing, err := m.lockForBids(planned)
	if err != nil {
		return nil, err
	}
	if err := s.refuseAdmins(tx, planned); err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[PlacedBid], len(orders))
	for i, p := range planned {
		old := m.bids[p.ID]
		placed, err := m.placeBid(p)
		if err != nil && !isRefusal(err) {
			return nil, err
		}
		outcomes[i] = batch.Outcome[PlacedBid]{Value: placed, Err: err}
		if err == nil {
			m.alertOutbid(placed.Bid, old, competing)
		}
	}
	return outcomes, m.save()
}

// planBids finds the bids that the orders change and the listings they could buy. It also returns
// the entries of all these listings.
func planBids(tx *db.Tx, orders []BidOrder) ([]plannedBid, []string, error) {
	planned, entries := make([]plannedBid, len(orders)), []string{}
	for i, o := range orders {
		p := plannedBid{BidOrder: o}
		p.bid, p.refused = o.resultingBid(tx)
		if p.refused == nil && p.bid.Scope.Criterion == (bids.Criterion{}) { // a bid by criterion buys nothing right away
			var err error
			p.listings, err = listingsFor(tx, p.bid, int(p.bid.Quantity)+spareBids)
			if err != nil {
				return nil, nil, err
			}
		}
		planned[i], entries = p, append(entries, p.listings...)
	}
	return planned, entries, nil
}

// resultingBid returns the bid as the order would leave it.
func (o BidOrder) resultingBid(tx *db.Tx) (b bids.Bid, err error) {
	price, err := o.price()
	switch {
	case err != nil:
	case o.ID != "":
		b, err = findBid(tx, o.Bidder, o.ID)
	default:
		b = bids.Bid{ID: tx.NewID(), User: o.Bidder, Scope: o.Scope, CreatedAt: tx.Now, State: bids.Open}
		err = checkScope(o.Scope)
	}
	if err != nil {
		return b, err
	}
	b.Place = tx.NewID()
	b.Price, b.Quantity, b.Remaining, b.ExpiresAt = price, o.Quantity, o.Quantity, o.ExpiresAt
	if err := checkTerms(b, tx.Now); err != nil {
		return b, err
	}
	if b.ExpiresAt.IsZero() {
		b.ExpiresAt = tx.Now.Add(policy.BidLife)
	}
	return b, nil
}

// price returns the price of the bid, which is either fixed or pegged to the value.
func (o BidOrder) price() (bids.Price, error) {
	isPegged := o.Peg != 0 || o.Cap != 0
	switch {
	case isPegged == (o.Price != 0):
		return bids.Price{}, apperr.InvalidField("priceCents", "requires either priceCents, or pegPercent and capCents")
	case isPegged && o.Peg == 0:
		return bids.Price{}, apperr.InvalidField("pegPercent", "is required with capCents")
	case isPegged:
		return bids.Price{Peg: o.Peg, Max: o.Cap}, nil
	}
	return bids.Price{Max: o.Price}, nil
}

// findBid returns a user's open bid.
func findBid(tx *db.Tx, user, id string) (bids.Bid, error) {
	b, err := bids.Find(tx, id)
	if errors.Is(err, db.ErrNoRow) || err == nil && b.User != user {
		err = errNoBid
	}
	if err == nil {
		err = checkOpen(b, tx.Now)
	}
	return b, err
}

// listingsFor returns entries that may be listed at or below a bid's price: its entry, or the
// cheapest listings of its item. For a bid by criterion, those cheapest relative to their value
// come first.
func listingsFor(tx *db.Tx, b bids.Bid, limit int) ([]string, error) {
	switch {
	case b.Scope.Entry != "":
		return []string{b.Scope.Entry}, nil
	case b.Scope.Item != "":
		return inventory.CheapestUpTo(tx, b.Scope.Item, b.User, b.Price.Max, limit)
	}
	c := b.Scope.Criterion
	return inventory.ListingsForBid(tx, inventory.ListingCriteria{
		Series: c.Series, Grader: c.Grader, Rarity: c.Rarity, MinGrade: c.MinGrade, Peg: b.Price.Peg, MaxPrice: b.Price.Max, ExcludedUser: b.User,
	}, limit)
}

// lockForBids locks the bids that are changed, and the accounts of the bidders and of the owners of
// the listings that they could buy. It returns the best existing bids for the same scopes.
func (m *marketTx) lockForBids(planned []plannedBid) (competing []bids.Bid, err error) {
	var scopes, changed, users []string
	for _, p := range planned {
		if p.refused != nil {
			continue
		}
		scopes, users = append(scopes, p.bid.Scope.Key()), append(users, p.Bidder)
		if p.ID != "" {
			changed = append(changed, p.ID)
		}
	}
	competing, err = bids.TopBids(m.tx, scopes, 2)
	if err != nil {
		return nil, err
	}
	return competing, m.lock(changed, append(m.owners(), users...)...)
}

// placeBid places the bid, unless the order is refused: it buys matching listings and holds the
// money for the rest.
func (m *marketTx) placeBid(p plannedBid) (PlacedBid, error) {
	old, isChange := m.bids[p.ID]
	if isChange {
		p.bid = p.bid.Replacing(old)
	}
	// checkPlacing is the last step that may refuse the order: it makes sure that the balance and
	// the old hold pay for the whole bid, so no step below can run out of money halfway.
	if err := m.checkPlacing(p, old); err != nil {
		return PlacedBid{}, err
	}
	if isChange {
		if err := old.Release(m.accounts); err != nil {
			return PlacedBid{}, err
		}
	}
	placed := PlacedBid{Bid: p.bid}
	if err := m.buyListings(&placed, p.listings); err != nil {
		return PlacedBid{}, err
	}
	if err := m.holdRemainder(&placed); err != nil {
		return PlacedBid{}, err
	}
	if isChange {
		m.updateBid(placed.Bid)
	} else {
		m.newBids = append(m.newBids, placed.Bid)
	}
	placed.Balance = m.accounts.Balance(placed.User)
	return placed, nil
}

// buyListings buys the listed entries that cross the bid, until the bid is filled.
func (m *marketTx) buyListings(placed *PlacedBid, entries []string) error {
	for _, id := range entries {
		e, _ := m.acts.Entry(id)
		if placed.Remaining == 0 || !crosses(placed.Bid, e) || m.isFrozen(e.Owner) {
			continue
		}
		bought, err := m.buyListing(e, placed.User, placed.ID)
		if err != nil {
			return err
		}
		placed.Bid, placed.Bought = placed.Fill(m.tx.Now), append(placed.Bought, bought)
	}
	return nil
}

// crosses reports whether the entry is listed, and for no more than the bid pays.
func crosses(b bids.Bid, e inventory.Entry) bool {
	return e.Allows(inventory.Buying, b.User) && b.Scope.Covers(e.ID, e.Item) && e.SalePrice <= b.Price.For(e.QuoteValue)
}

// holdRemainder holds the money for the part of the bid that wasn't filled right away.
func (m *marketTx) holdRemainder(placed *PlacedBid) (err error) {
	placed.Hold = m.tx.NewID()
	if placed.State != bids.Open {
		return nil
	}
	placed.Bid, err = placed.TakeHold(m.accounts, placed.Hold)
	if err != nil {
		return err
	}
	m.bidEvents = append(m.bidEvents, marketevents.Event{
		Kind: marketevents.Bid, Bid: placed.ID, Item: placed.Scope.Item, Entry: placed.Scope.Entry, Price: placed.Price.Max, Users: placed.User,
	})
	return nil
}

// alertOutbid alerts the user whose bid was the best for the same scope before this bid. old is the
// changed bid before its change, zero for a new bid.
func (m *marketTx) alertOutbid(b, old bids.Bid, competing []bids.Bid) {
	outbid, ok := bestCompetingBid(b, competing, policy.MaxPrice)
	if b.State != bids.Open || !ok {
		return
	}
	if compareAtHighestValue(b, outbid) < 0 && (old.ID == "" || compareAtHighestValue(old, outbid) > 0) {
		m.alerts = append(m.alerts, alerts.Alert{
			User: outbid.User, Kind: alerts.Outbid, Item: b.Scope.Item, Entry: b.Scope.Entry, Bid: outbid.ID, Price: b.Price.Max,
		})
	}
}

// compareAtHighestValue compares bids whose item value is unknown, as if the item had the highest
// value.
func compareAtHighestValue(a, b bids.Bid) int { return bids.Compare(a, b, policy.MaxPrice) }
