package protocol

import (
	"fmt"
	"time"

	"kaibao/internal/money"
)

const (
	booksHeader   = "kaibao-books/v1"
	booksV2Header = "kaibao-books/v2" // of books with debits or forfeits
)

// Day is the length of a day in the books. Days are in UTC.
const Day = 24 * time.Hour

const dayLayout = time.DateOnly

// BooksLeaf contains Kaibao's books at the end of a day: cumulative totals since the beginning and
// the sum of all users' balances at that time.
type BooksLeaf struct {
	Day        time.Time // start of the day, UTC
	Opens      Count     // amount: pack prices
	SellBacks  Count     // amount: paid by Kaibao
	Sales      Count     // between users; amount: sale prices
	Fees       money.Cents
	Deposits   money.Cents
	Gifts      money.Cents // grants: free points of a sandbox
	Credits    money.Cents // granted by admins
	Refunds    money.Cents // of deposits, limited to the points the user still had
	Shortfalls money.Cents // the part of those deposits that could not be taken back
	Shipping   money.Cents // of claimed items
	Returned   money.Cents // refunded shipping fees
	Losses     money.Cents // compensation for claimed items lost in transit
	Debits     money.Cents // taken back by admins
	Forfeits   money.Cents // given up by users who deleted their accounts
	Balances   money.Cents
	Time       time.Time
}

// Count is a number of events and their total amount.
type Count struct {
	Number int64
	Amount money.Cents
}

// End returns the end of the day.
func (l BooksLeaf) End() time.Time { return l.Day.Add(Day) }

// ImpliedBalances returns the total user balance that the leaf's other lines imply.
func (l BooksLeaf) ImpliedBalances() money.Cents {
	return l.Deposits + l.Gifts + l.Credits + l.SellBacks.Amount - l.Opens.Amount - l.Fees - l.Refunds -
		l.Shipping + l.Returned + l.Losses - l.Debits - l.Forfeits
}

// Name returns the day in the leaf's format, YYYY-MM-DD.
func (l BooksLeaf) Name() string { return l.Day.UTC().Format(dayLayout) }

// hasV2Lines reports whether the leaf needs the lines that the first version doesn't have.
func (l BooksLeaf) hasV2Lines() bool { return l.Debits != 0 || l.Forfeits != 0 }

// Format implements Leaf.
func (l BooksLeaf) Format() []byte {
	header, v2Lines := booksHeader, ""
	if l.hasV2Lines() {
		header, v2Lines = booksV2Header, fmt.Sprintf("debits %d\nforfeits %d\n", l.Debits, l.Forfeits)
	}
	return fmt.Appendf(nil, "%s\nday %s\nopens %d %d\nsellBacks %d %d\nsales %d %d\nfees %d\ndeposits %d\ngifts %d\ncredits %d\n"+
		"refunds %d\nshortfalls %d\nshipping %d\nreturned %d\nlosses %d\n%sbalances %d\ntime %s\n",
		header, l.Name(), l.Opens.Number, l.Opens.Amount, l.SellBacks.Number, l.SellBacks.Amount, l.Sales.Number, l.Sales.Amount,
		l.Fees, l.Deposits, l.Gifts, l.Credits, l.Refunds, l.Shortfalls,
		l.Shipping, l.Returned, l.Losses, v2Lines, l.Balances, formatTime(l.Time))
}

// At implements Leaf.
func (l BooksLeaf) At() time.Time { return l.Time }

func readBooks(r *reader) Leaf { return r.books(false) }

func readBooksV2(r *reader) Leaf {
	l := r.books(true)
	r.checkText(l.hasV2Lines(), "neither debits nor forfeits, so it must be "+booksHeader, booksV2Header)
	return l
}

func (r *reader) books(v2 bool) BooksLeaf {
	var l BooksLeaf
	l.Day = r.day(r.field("day"))
	l.Opens = r.counted(r.field("opens"))
	l.SellBacks = r.counted(r.field("sellBacks"))
	l.Sales = r.counted(r.field("sales"))
	type line struct {
		key  string
		into *money.Cents
	}
	lines := []line{
		{"fees", &l.Fees}, {"deposits", &l.Deposits}, {"gifts", &l.Gifts}, {"credits", &l.Credits},
		{"refunds", &l.Refunds}, {"shortfalls", &l.Shortfalls}, {"shipping", &l.Shipping}, {"returned", &l.Returned}, {"losses", &l.Losses},
	}
	if v2 {
		lines = append(lines, line{"debits", &l.Debits}, line{"forfeits", &l.Forfeits})
	}
	for _, line := range append(lines, line{"balances", &l.Balances}) {
		*line.into = r.amount(r.field(line.key))
	}
	l.Time = r.time(r.field("time"))
	return l
}

func (r *reader) counted(text string) Count {
	parts := r.parts(text, 2)
	return Count{r.count(parts[0], uint64(MaxAmount)), r.amount(parts[1])}
}

func (r *reader) day(text string) time.Time {
	at, err := time.Parse(dayLayout, text)
	r.checkText(err == nil && at.Format(dayLayout) == text, "not a day", text)
	return at
}
