package publicbooks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

const (
	// grace is how long after its end a day is closed: whatever was begun in it is
	// committed by then, by the clock of any node.
	grace = time.Hour
	// closing bounds a round; the first one of a house without books may have years to
	// catch up.
	closing = 10 * time.Minute
)

// Jobs close days that are over. Every node does it: the row of the day is the lock.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "close the books", Every: time.Minute, Limit: closing, Do: func(ctx context.Context) (int64, error) {
		return 0, s.Close(ctx)
	}}}
}

// Close writes the books of every day that is over and is not closed, one after the
// other.
func (s *Service) Close(ctx context.Context) error {
	ctx, end := context.WithTimeout(ctx, closing)
	defer end()
	for {
		var day *closed
		err := s.DB.Inspect(ctx, func(tx *db.Tx) (err error) { day, err = draft(tx); return err })
		if err != nil || day == nil {
			return err
		}
		if err := s.DB.InTx(ctx, day.write); err != nil {
			return fmt.Errorf("close %s: %w", day.leaf.Name(), err)
		}
	}
}

// closed is all up to the end of a day. What it adds up is over and changes no more.
type closed struct {
	leaf  protocol.BooksLeaf
	items map[string]int64 // how many of each somebody owned
}

// till is when the day was over; before the first, the beginning of time.
func (c closed) till() time.Time {
	if c.leaf.Day.IsZero() {
		return time.UnixMilli(0)
	}
	return c.leaf.End()
}

// draft adds up the next day to close, nil if there is none yet. Books that do not
// balance are not signed: it is an error until somebody has found out why.
func draft(tx *db.Tx) (*closed, error) {
	last, err := lastClosed(tx)
	if err != nil {
		return nil, err
	}
	day := last.till()
	if last.leaf.Day.IsZero() {
		began, err := packs.Began(tx)
		if errors.Is(err, db.ErrNoRow) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		day = began.Truncate(protocol.Day)
	}
	end := day.Add(protocol.Day)
	if tx.Now.Before(end.Add(grace)) {
		return nil, nil
	}
	c, err := last.until(tx, end)
	if err != nil {
		return nil, err
	}
	c.leaf.Day, c.leaf.Time = day, tx.Now
	later, err := ledger.TotalsBetween(tx, end, time.Time{})
	if err != nil {
		return nil, err
	}
	balances, err := ledger.Balances(tx)
	if err != nil {
		return nil, err
	}
	c.leaf.Balances = balances.Amount - later.Users()
	if held := c.leaf.Held(); c.leaf.Balances != held || held < 0 {
		return nil, fmt.Errorf("the books of %s do not balance: users held %s, the transfers leave %s; run kaibao audit", c.leaf.Name(), c.leaf.Balances, held)
	}
	return c, nil
}

// until adds what happened before another time; a zero end = up to now.
func (c closed) until(tx *db.Tx, end time.Time) (*closed, error) {
	more, err := ledger.TotalsBetween(tx, c.till(), end)
	if err != nil {
		return nil, err
	}
	came, err := inventory.Changes(tx, c.till(), end)
	if err != nil {
		return nil, err
	}
	sum := closed{summary(totals(c.leaf).Plus(more)), maps.Clone(c.items)}
	for item, n := range came {
		sum.items[item] += n
	}
	return &sum, nil
}

func (c closed) write(tx *db.Tx) error {
	body := string(c.leaf.Format())
	first, err := insertDay(tx, c.leaf.Day, body)
	if err != nil || !first {
		return err
	}
	if err := replaceItems(tx, c.items); err != nil {
		return err
	}
	return publiclog.Append(tx, body)
}

// summary is a leaf's lines of some totals.
func summary(t ledger.Totals) protocol.BooksLeaf {
	count := func(kind string) protocol.Count { return protocol.Count(t[kind]) }
	return protocol.BooksLeaf{
		Opens: count(ledger.KindOpen), SellBacks: count(ledger.KindSellBack), Sales: protocol.Count(t.Sales()), Fees: t[ledger.KindSaleFee].Amount,
		Deposits: t[ledger.KindDeposit].Amount, Gifts: t[ledger.KindSandboxDeposit].Amount, Credits: t[ledger.KindAdminCredit].Amount,
		Refunds: t[ledger.KindRefund].Amount, Shortfalls: t[ledger.KindShortfall].Amount,
		Shipping: t[ledger.KindShipping].Amount, Returned: t[ledger.KindShippingRefund].Amount, Losses: t[ledger.KindLossRefund].Amount,
	}
}

// totals are those of a leaf's lines; where it says no number, there is none.
func totals(l protocol.BooksLeaf) ledger.Totals {
	return ledger.Totals{
		ledger.KindOpen: ledger.Total(l.Opens), ledger.KindSellBack: ledger.Total(l.SellBacks), ledger.KindSale: ledger.Total(l.Sales),
		ledger.KindSaleFee: {Amount: l.Fees}, ledger.KindDeposit: {Amount: l.Deposits}, ledger.KindSandboxDeposit: {Amount: l.Gifts},
		ledger.KindAdminCredit: {Amount: l.Credits}, ledger.KindRefund: {Amount: l.Refunds}, ledger.KindShortfall: {Amount: l.Shortfalls},
		ledger.KindShipping: {Amount: l.Shipping}, ledger.KindShippingRefund: {Amount: l.Returned}, ledger.KindLossRefund: {Amount: l.Losses},
	}
}
