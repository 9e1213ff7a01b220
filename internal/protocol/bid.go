package protocol

import (
	"fmt"
	"time"

	"kaibao/internal/money"
)

// BidHeader is the first line of a bid's receipt.
const BidHeader = "kaibao-bid/v1"

// EvidenceAfter is how much later than a bid's receipt a quick sell must be, at least, for the
// receipt to be evidence against it. A bid that commits during a sale may be missed honestly.
const EvidenceAfter = 10 * time.Second

// BidNote is the signed receipt of a bid. It is no leaf. It is evidence against a quick sell
// that took less, is more than EvidenceAfter later, and was made while the bid was open.
type BidNote struct {
	ID       string
	Scope    string      // what it is for, as the house keys it
	Peg      int64       // per cent of the value; 0 = a fixed price
	Most     money.Cents // the price, or the cap of a pegged bid; at least 1
	Quantity int64       // at least 1
	Left     int64       // of them, not filled at once
	Expires  time.Time
	Time     time.Time // from which on it stands like this
}

// Format writes the text that is signed.
func (b BidNote) Format() []byte {
	return fmt.Appendf(nil, "%s\nid %s\nscope %s\npeg %d\nmost %d\nquantity %d\nleft %d\nexpires %s\ntime %s\n",
		BidHeader, b.ID, b.Scope, b.Peg, b.Most, b.Quantity, b.Left, formatTime(b.Expires), formatTime(b.Time))
}

// ParseBid reads the text of a bid's receipt by its strict grammar, so that for all text it
// takes, Format gives the same bytes back. Everything else is refused with the line at fault.
func ParseBid(text []byte) (BidNote, error) {
	var b BidNote
	r := newReader(text)
	r.header(BidHeader)
	b.ID = r.id(r.field("id"))
	b.Scope = r.label(r.field("scope"))
	b.Peg = r.count(r.field("peg"), uint64(MostPeg))
	b.Most = r.paid(r.field("most"))
	b.Quantity = r.positive(r.field("quantity"))
	b.Left = r.count(r.field("left"), uint64(b.Quantity))
	b.Expires = r.time(r.field("expires"))
	b.Time = r.time(r.field("time"))
	r.check(!b.Expires.Before(b.Time), "a bid ends no sooner than it begins")
	r.end()
	if r.err != nil {
		return BidNote{}, fmt.Errorf("not a bid: %w", r.err)
	}
	return b, nil
}
