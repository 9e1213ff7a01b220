package verify

import (
	"fmt"
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// booksCheck compares Kaibao's daily books with the other leaves.
type booksCheck struct {
	last *protocol.BooksLeaf       // the last books; nil before the first
	days map[time.Time]dayActivity // by start of day; days with books are in sum
	sum  dayActivity
}

// dayActivity is the activity of a day according to the leaves.
type dayActivity struct {
	opens   int64
	spent   money.Cents
	drawn   int64 // cards
	returns int64 // cards returned to their packs by sell-backs

	soldBack, sold protocol.Count // to Kaibao, and to other users
	fees           money.Cents
}

func (t dayActivity) add(other dayActivity) dayActivity {
	return dayActivity{
		t.opens + other.opens, t.spent + other.spent, t.drawn + other.drawn, t.returns + other.returns,
		addCounts(t.soldBack, other.soldBack), addCounts(t.sold, other.sold), t.fees + other.fees,
	}
}

func addCounts(a, b protocol.Count) protocol.Count {
	return protocol.Count{Number: a.Number + b.Number, Amount: a.Amount + b.Amount}
}

// atLeast reports whether c is at least the log's count. The books may count more, since old logs
// don't contain all trades.
func atLeast(c, logged protocol.Count) bool {
	return c.Number >= logged.Number && c.Amount >= logged.Amount
}

// addActivity adds a leaf's activity to its day, whose books must not be closed yet.
func (b *booksCheck) addActivity(at time.Time, activity dayActivity) error {
	day := at.UTC().Truncate(protocol.Day)
	if b.last != nil && day.Before(b.last.End()) {
		return fmt.Errorf("it belongs to %s, whose books were already closed", day.Format(time.DateOnly))
	}
	b.days[day] = b.days[day].add(activity)
	return nil
}

// close checks the books of a day against those of the previous day and all leaves up to its end.
// Opens and their prices must match the log exactly. Trades must be at least those in the log.
// Sell-backs must be at least the number of returned cards and at most the number of cards drawn.
func (b *booksCheck) close(l protocol.BooksLeaf) error {
	before := protocol.BooksLeaf{}
	if b.last != nil {
		before = *b.last
		if !l.Day.Equal(before.End()) {
			return fmt.Errorf("the books of %s follow those of %s, so days are missing or out of order", l.Name(), before.Name())
		}
	}
	sum := b.sum
	for day, activity := range b.days {
		if day.Before(l.End()) {
			sum = sum.add(activity)
			delete(b.days, day)
		}
	}
	switch {
	case l.Opens != protocol.Count{Number: sum.opens, Amount: sum.spent}:
		return fmt.Errorf("the books of %s have %d opens for %s, but the log has %d for %s", l.Name(), l.Opens.Number, l.Opens.Amount, sum.opens, sum.spent)
	case l.SellBacks.Number < sum.returns || l.SellBacks.Number > sum.drawn:
		return fmt.Errorf("the books of %s have %d sell-backs, but in the log %d cards were drawn, and %d returned", l.Name(), l.SellBacks.Number, sum.drawn, sum.returns)
	case !atLeast(l.SellBacks, sum.soldBack) || !atLeast(l.Sales, sum.sold) || l.Fees < sum.fees:
		return fmt.Errorf("the books of %s have %d sell-backs for %s and %d sales for %s with fees of %s, but the log has %d for %s and %d for %s with %s", l.Name(),
			l.SellBacks.Number, l.SellBacks.Amount, l.Sales.Number, l.Sales.Amount, l.Fees,
			sum.soldBack.Number, sum.soldBack.Amount, sum.sold.Number, sum.sold.Amount, sum.fees)
	}
	if line := decreasedTotal(before, l); line != "" {
		return fmt.Errorf("the books of %s have less %s than the day before", l.Name(), line)
	}
	b.last, b.sum = &l, sum
	return nil
}

// decreasedTotal returns the name of a total that decreased. All lines except the balances only
// grow.
func decreasedTotal(before, after protocol.BooksLeaf) string {
	for _, line := range []struct {
		name          string
		before, after int64
	}{
		{"sell-backs", before.SellBacks.Number, after.SellBacks.Number},
		{"points for sell-backs", int64(before.SellBacks.Amount), int64(after.SellBacks.Amount)},
		{"sales", before.Sales.Number, after.Sales.Number},
		{"points for sales", int64(before.Sales.Amount), int64(after.Sales.Amount)},
		{"fees", int64(before.Fees), int64(after.Fees)},
		{"deposits", int64(before.Deposits), int64(after.Deposits)},
		{"gifts", int64(before.Gifts), int64(after.Gifts)},
		{"credits", int64(before.Credits), int64(after.Credits)},
		{"refunds", int64(before.Refunds), int64(after.Refunds)},
		{"shortfalls", int64(before.Shortfalls), int64(after.Shortfalls)},
		{"shipping", int64(before.Shipping), int64(after.Shipping)},
		{"returned shipping", int64(before.Returned), int64(after.Returned)},
		{"losses", int64(before.Losses), int64(after.Losses)},
		{"debits", int64(before.Debits), int64(after.Debits)},
		{"forfeits", int64(before.Forfeits), int64(after.Forfeits)},
	} {
		if line.after < line.before {
			return line.name
		}
	}
	return ""
}
