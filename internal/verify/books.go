package verify

import (
	"fmt"
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// booked is what the leaves tell of what the house's daily books say.
type booked struct {
	last *protocol.BooksLeaf // nil before the first
	days map[time.Time]told  // by when they began; those that were summarised are in sum
	sum  told
}

// told is what leaves of a day tell.
type told struct {
	opens   int64
	spent   money.Cents
	drawn   int64 // cards
	returns int64 // of cards that were sold back

	soldBack, sold protocol.Count // to the house, and to other users
	fees           money.Cents
}

func (t told) plus(other told) told {
	return told{
		t.opens + other.opens, t.spent + other.spent, t.drawn + other.drawn, t.returns + other.returns,
		both(t.soldBack, other.soldBack), both(t.sold, other.sold), t.fees + other.fees,
	}
}

func both(a, b protocol.Count) protocol.Count {
	return protocol.Count{Number: a.Number + b.Number, Amount: a.Amount + b.Amount}
}

// covers tells whether there is at least what was told: trades were not always told.
func covers(c, told protocol.Count) bool { return c.Number >= told.Number && c.Amount >= told.Amount }

// tell adds what a leaf tells to its day, which must not be over in the books already.
func (b *booked) tell(at time.Time, more told) error {
	day := at.UTC().Truncate(protocol.Day)
	if b.last != nil && day.Before(b.last.End()) {
		return fmt.Errorf("it is of %s, whose books were closed before it", day.Format(time.DateOnly))
	}
	b.days[day] = b.days[day].plus(more)
	return nil
}

// close compares the books of a day with those of the day before and with all leaves up
// to its end: the opens and their prices are known from the log, of trades that there are
// at least those told, of sell-backs also no fewer than cards came back, and no more than
// were drawn.
func (b *booked) close(l protocol.BooksLeaf) error {
	before := protocol.BooksLeaf{}
	if b.last != nil {
		before = *b.last
		if !l.Day.Equal(before.End()) {
			return fmt.Errorf("the books of %s follow those of %s", l.Name(), before.Name())
		}
	}
	sum := b.sum
	for day, more := range b.days {
		if day.Before(l.End()) {
			sum = sum.plus(more)
			delete(b.days, day)
		}
	}
	switch {
	case l.Opens != protocol.Count{Number: sum.opens, Amount: sum.spent}:
		return fmt.Errorf("the books of %s count %d opens for %s, the log has %d for %s", l.Name(), l.Opens.Number, l.Opens.Amount, sum.opens, sum.spent)
	case l.SellBacks.Number < sum.returns || l.SellBacks.Number > sum.drawn:
		return fmt.Errorf("the books of %s count %d sell-backs; %d cards were drawn, and %d came back", l.Name(), l.SellBacks.Number, sum.drawn, sum.returns)
	case !covers(l.SellBacks, sum.soldBack) || !covers(l.Sales, sum.sold) || l.Fees < sum.fees:
		return fmt.Errorf("the books of %s have %d sell-backs for %s and %d sales for %s with fees of %s, the log has %d for %s and %d for %s with %s", l.Name(),
			l.SellBacks.Number, l.SellBacks.Amount, l.Sales.Number, l.Sales.Amount, l.Fees,
			sum.soldBack.Number, sum.soldBack.Amount, sum.sold.Number, sum.sold.Amount, sum.fees)
	}
	if line := fallen(before, l); line != "" {
		return fmt.Errorf("by the books of %s there are less %s than the day before", l.Name(), line)
	}
	b.last, b.sum = &l, sum
	return nil
}

// fallen names a total that became less; all but the balances only grow.
func fallen(before, after protocol.BooksLeaf) string {
	for _, line := range []struct {
		name       string
		then, here int64
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
	} {
		if line.here < line.then {
			return line.name
		}
	}
	return ""
}
