package match

import (
	"context"
	"slices"

	"kaibao/internal/alerts"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/fees"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// WithdrawBid ends a user's bid and returns the money it holds. A bid that already ended in another
// way is left as it is.
func WithdrawBid(tx *db.Tx, user, id string) error {
	m := newMarketTx(tx, nil, fees.QueueInForce(tx))
	if err := m.lockBids([]string{id}); err != nil {
		return err
	}
	b, ok := m.bids[id]
	switch {
	case !ok || b.User != user:
		return errNoBid
	case b.State == bids.Filled:
		return errBidFilled
	case b.State != bids.Open:
		return nil
	}
	if err := m.lockAccounts(); err != nil {
		return err
	}
	reason := bids.Withdrawn
	if !b.IsOpen(tx.Now) {
		reason = bids.Expired
	}
	if err := m.endBid(b, reason); err != nil {
		return err
	}
	return m.save()
}

// EndBids ends all open bids of a user and returns the money they hold.
func EndBids(tx *db.Tx, user string) error {
	open, err := bids.OpenIDs(tx, user)
	if err != nil || len(open) == 0 {
		return err
	}
	return endAll(tx, open, bids.Ended)
}

// EndBidsOn ends all open bids for single entries, which must be locked, and alerts the bidders. It also
// locks the user's account, together with those of the bidders, and returns its limits.
func EndBidsOn(tx *db.Tx, entries []string, user string) (ledger.PlayLimits, error) {
	open, err := bids.OpenForEntries(tx, entries)
	if err != nil {
		return ledger.PlayLimits{}, err
	}
	m := newMarketTx(tx, nil, fees.QueueInForce(tx))
	if err := m.lock(open, user); err != nil {
		return ledger.PlayLimits{}, err
	}
	for _, b := range m.allBids() {
		if b.State != bids.Open {
			continue
		}
		if err := m.endBid(b, bids.Ended); err != nil {
			return ledger.PlayLimits{}, err
		}
		m.alerts = append(m.alerts, bidAlert(b, alerts.Ended))
	}
	return m.accounts.Play(user), m.save()
}

// EndOffers ends the open bids of a user and the counter-offers that the user made, without alerts.
// reason is the state in which the bids end. It leaves the user's account locked.
func EndOffers(tx *db.Tx, user string, reason bids.State) error {
	ids, err := bids.OpenIDs(tx, user)
	if err != nil {
		return err
	}
	countered, err := bids.CounteredBy(tx, user)
	if err != nil {
		return err
	}
	m := newMarketTx(tx, nil, fees.QueueInForce(tx))
	if err := m.lock(append(ids, countered...), user); err != nil {
		return err
	}
	for _, b := range m.allBids() {
		switch {
		case b.State != bids.Open:
		case b.User == user:
			if err := m.endBid(b, reason); err != nil {
				return err
			}
		case b.Counter.By == user:
			b.Counter = bids.Counter{}
			m.updateBid(b)
		}
	}
	return m.save()
}

// HasOffers reports whether a user has listings, open bids or counter-offers. While the user's account
// is locked and frozen, no more can follow.
func HasOffers(tx *db.Tx, user string) (bool, error) {
	listed, err := inventory.HasListings(tx, user)
	if err != nil || listed {
		return listed, err
	}
	open, err := bids.CountOpen(tx, user)
	if err != nil || open > 0 {
		return open > 0, err
	}
	countered, err := bids.CounteredBy(tx, user)
	return len(countered) > 0, err
}

// UserBids are a user's open bids, locked together with the user's account.
type UserBids struct {
	m    *marketTx
	user string
}

// LockUserBids locks a user's open bids, then the accounts of the user and others.
func LockUserBids(tx *db.Tx, user string, others ...string) (UserBids, error) {
	open, err := bids.OpenIDs(tx, user)
	if err != nil {
		return UserBids{}, err
	}
	m := newMarketTx(tx, nil, fees.QueueInForce(tx))
	return UserBids{m, user}, m.lock(open, append(others, user)...)
}

// Release ends the newest bids, and alerts the user, until the balance covers an amount or no bid is
// left. It returns the balance, or db.ErrAgain if a bid was placed before the account was locked and
// is needed.
func (u UserBids) Release(amount money.Cents) (money.Cents, error) {
	all := u.m.allBids()
	for _, b := range slices.Backward(all) {
		if u.m.accounts.Balance(u.user) >= amount {
			break
		}
		if b.State != bids.Open || b.User != u.user {
			continue
		}
		if err := u.m.endBid(b, bids.Ended); err != nil {
			return 0, err
		}
		u.m.alerts = append(u.m.alerts, bidAlert(b, alerts.Ended))
	}
	if err := u.m.save(); err != nil {
		return 0, err
	}
	balance := u.m.accounts.Balance(u.user)
	if balance < amount {
		open, err := bids.CountOpen(u.m.tx, u.user)
		if err == nil && open > 0 {
			err = db.ErrAgain
		}
		if err != nil {
			return 0, err
		}
	}
	return balance, nil
}

// endAll ends the bids that are still open and alerts their users. reason is the state they end in.
func endAll(tx *db.Tx, ids []string, reason bids.State) error {
	m := newMarketTx(tx, nil, fees.QueueInForce(tx))
	if err := m.lock(ids); err != nil {
		return err
	}
	for _, b := range m.allBids() {
		if b.State != bids.Open || reason == bids.Expired && b.IsOpen(tx.Now) {
			continue // already ended, or no longer expired, by a concurrent transaction
		}
		if err := m.endBid(b, reason); err != nil {
			return err
		}
		m.alerts = append(m.alerts, bidAlert(b, alerts.Ended))
	}
	return m.save()
}

// endBid ends a locked open bid. The bidder's account must be locked too.
func (m *marketTx) endBid(b bids.Bid, reason bids.State) error {
	b, err := b.End(m.accounts, reason, m.tx.Now)
	if err == nil {
		m.updateBid(b)
	}
	return err
}

// endUnfillable ends bids that can't be filled any more: their entry has left its owner's hands or
// now belongs to the bidder.
func (c *crosser) endUnfillable(ctx context.Context, left, traded []string) error {
	for {
		var unfillable []bids.Bid
		err := c.db.Peek(ctx, func(tx *db.Tx) (err error) {
			unfillable, err = bids.Unfillable(tx, left, traded, endedPerTx)
			return err
		})
		if err != nil || len(unfillable) == 0 {
			return err
		}
		if err := c.db.InTx(ctx, func(tx *db.Tx) error { return endStillUnfillable(tx, unfillable) }); err != nil {
			return err
		}
	}
}

// endStillUnfillable locks the entries of the bids and ends those that still can't be filled. A
// claim canceled in the meantime makes its entry available again.
func endStillUnfillable(tx *db.Tx, unfillable []bids.Bid) error {
	var entries []string
	for _, b := range unfillable {
		entries = append(entries, b.Scope.Entry)
	}
	entries = sortedSet(entries)
	if _, err := inventory.LockRows(tx, entries); err != nil {
		return err
	}
	unfillable, err := bids.Unfillable(tx, entries, entries, endedPerTx)
	if err != nil {
		return err
	}
	return endAll(tx, sortedSet(idsOf(unfillable)), bids.Ended)
}

// endExpired ends expired bids, then alerts users about those that expire soon.
func (c *crosser) endExpired(ctx context.Context) (int64, error) {
	for {
		var expired []string
		err := c.db.Peek(ctx, func(tx *db.Tx) (err error) {
			expired, err = bids.ExpiredIDs(tx, endedPerTx)
			return err
		})
		if err != nil {
			return 0, err
		}
		if len(expired) == 0 {
			return 0, c.db.InTx(ctx, warnExpiring)
		}
		if err := c.db.InTx(ctx, func(tx *db.Tx) error { return endAll(tx, expired, bids.Expired) }); err != nil {
			return 0, err
		}
	}
}

// warnExpiring alerts users about bids that expire soon, once per bid.
func warnExpiring(tx *db.Tx) error {
	expiring, err := bids.TakeExpiring(tx, tx.Now.Add(policy.WarnedBefore), endedPerTx)
	if err != nil {
		return err
	}
	warnings := make([]alerts.Alert, len(expiring))
	for i, b := range expiring {
		warnings[i] = bidAlert(b, alerts.Expiring)
	}
	return alerts.Add(tx, warnings)
}

func bidAlert(b bids.Bid, kind alerts.Kind) alerts.Alert {
	return alerts.Alert{User: b.User, Kind: kind, Item: b.Scope.Item, Entry: b.Scope.Entry, Bid: b.ID, Price: b.Price.Max}
}
