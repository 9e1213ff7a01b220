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
	// grace is the delay between the end of a day and its closing. All transactions started on that
	// day have committed by then, by any node's clock.
	grace = time.Hour
	// closeTimeout is the timeout of a round. The first round may have to close years of days.
	closeTimeout = 10 * time.Minute
)

// Jobs returns the job that closes days. It runs on every node; the row of the day is the lock.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "close the books", Every: time.Minute, Limit: closeTimeout, Do: func(ctx context.Context) (int64, error) {
		return 0, s.Close(ctx)
	}}}
}

// Close closes all days that are over, in order.
func (s *Service) Close(ctx context.Context) error {
	ctx, end := context.WithTimeout(ctx, closeTimeout)
	defer end()
	for {
		var day *closedDay
		err := s.DB.Inspect(ctx, func(tx *db.Tx) (err error) { day, err = draft(tx); return err })
		if err != nil || day == nil {
			return err
		}
		if err := s.DB.InTx(ctx, day.write); err != nil {
			return fmt.Errorf("close %s: %w", day.leaf.Name(), err)
		}
	}
}

// closedDay is the cumulative state at the end of a day. It is final.
type closedDay struct {
	leaf  protocol.BooksLeaf
	items map[string]int64 // number of owned entries per item
}

// end returns the end of the day, or the Unix epoch if no day is closed.
func (c closedDay) end() time.Time {
	if c.leaf.Day.IsZero() {
		return time.UnixMilli(0)
	}
	return c.leaf.End()
}

// draft computes the next day to close, or nil if none is due. Books that don't balance aren't
// signed: the error persists until someone fixes the cause.
func draft(tx *db.Tx) (*closedDay, error) {
	last, err := lastClosed(tx)
	if err != nil {
		return nil, err
	}
	day := last.end()
	if last.leaf.Day.IsZero() {
		began, err := packs.FirstPublished(tx)
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
	c, err := last.extendedTo(tx, end)
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
	c.leaf.Balances = balances.Amount - later.UserBalances()
	if held := c.leaf.ImpliedBalances(); c.leaf.Balances != held || held < 0 {
		return nil, fmt.Errorf("the books of %s don't balance: users have %s, but the transfers give %s; run kaibao audit", c.leaf.Name(), c.leaf.Balances, held)
	}
	return c, nil
}

// extendedTo returns c plus everything that happened before end. A zero end means now.
func (c closedDay) extendedTo(tx *db.Tx, end time.Time) (*closedDay, error) {
	more, err := ledger.TotalsBetween(tx, c.end(), end)
	if err != nil {
		return nil, err
	}
	changes, err := inventory.CountChanges(tx, c.end(), end)
	if err != nil {
		return nil, err
	}
	sum := closedDay{leafOf(totalsOf(c.leaf).Plus(more)), maps.Clone(c.items)}
	for item, n := range changes {
		sum.items[item] += n
	}
	return &sum, nil
}

func (c closedDay) write(tx *db.Tx) error {
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

// leafOf converts totals to a leaf's lines.
func leafOf(t ledger.Totals) protocol.BooksLeaf {
	count := func(kind string) protocol.Count { return protocol.Count(t[kind]) }
	return protocol.BooksLeaf{
		Opens: protocol.Count(t.Opens()), SellBacks: count(ledger.KindSellBack), Sales: protocol.Count(t.Sales()), Fees: t[ledger.KindSaleFee].Amount,
		Deposits: t[ledger.KindDeposit].Amount, Gifts: t[ledger.KindGrant].Amount, Credits: t[ledger.KindAdminCredit].Amount,
		Refunds: t[ledger.KindRefund].Amount, Shortfalls: t[ledger.KindShortfall].Amount,
		Shipping: t[ledger.KindShipping].Amount, Returned: t[ledger.KindShippingRefund].Amount, Losses: t[ledger.KindLossRefund].Amount,
		Debits: t[ledger.KindDebit].Amount, Forfeits: t[ledger.KindForfeit].Amount,
	}
}

// totalsOf converts a leaf's lines to totals. For lines without a number, it is 0.
func totalsOf(l protocol.BooksLeaf) ledger.Totals {
	return ledger.Totals{
		ledger.KindOpen: ledger.Total(l.Opens), ledger.KindSellBack: ledger.Total(l.SellBacks), ledger.KindSale: ledger.Total(l.Sales),
		ledger.KindSaleFee: {Amount: l.Fees}, ledger.KindDeposit: {Amount: l.Deposits}, ledger.KindGrant: {Amount: l.Gifts},
		ledger.KindAdminCredit: {Amount: l.Credits}, ledger.KindRefund: {Amount: l.Refunds}, ledger.KindShortfall: {Amount: l.Shortfalls},
		ledger.KindShipping: {Amount: l.Shipping}, ledger.KindShippingRefund: {Amount: l.Returned}, ledger.KindLossRefund: {Amount: l.Losses},
		ledger.KindDebit: {Amount: l.Debits}, ledger.KindForfeit: {Amount: l.Forfeits},
	}
}
