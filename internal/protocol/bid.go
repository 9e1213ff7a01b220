package protocol

import (
	"fmt"
	"time"

	"kaibao/internal/money"
)

// BidHeader is the first line of a bid's receipt.
const BidHeader = "kaibao-bid/v1"

// EvidenceAfter is the minimum time between a bid's receipt and a quick sell for the receipt to
// count as evidence against that sell. A bid that commits during a sale may be missed honestly.
const EvidenceAfter = 10 * time.Second

// BidNote is the signed receipt of a bid. It is not a leaf of the log. It is evidence against a
// quick sell that paid less, happened more than EvidenceAfter later, and was made while the bid was
// open.
type BidNote struct {
	ID       string
	Scope    string      // the scope's key in Kaibao's database
	Peg      int64       // percent of the item's value; 0 = fixed price
	Max      money.Cents // the price, or the cap of a pegged bid; at least 1
	Quantity int64       // at least 1
	Left     int64       // remaining after immediate fills
	Expires  time.Time
	Time     time.Time // when this state of the bid took effect
}

// Format returns the text that is signed.
func (b BidNote) Format() []byte {
	return fmt.Appendf(nil, "%s\nid %s\nscope %s\npeg %d\nmost %d\nquantity %d\nleft %d\nexpires %s\ntime %s\n",
		BidHeader, b.ID, b.Scope, b.Peg, b.Max, b.Quantity, b.Left, formatTime(b.Expires), formatTime(b.Time))
}

// ParseBid parses the text of a bid's receipt. It accepts only canonical text, so Format returns
// exactly the parsed bytes. Errors name the offending line.
func ParseBid(text []byte) (BidNote, error) {
	var b BidNote
	r := newReader(text)
	r.header(BidHeader)
	b.ID = r.id(r.field("id"))
	b.Scope = r.label(r.field("scope"))
	b.Peg = r.count(r.field("peg"), uint64(MaxPeg))
	b.Max = r.paid(r.field("most"))
	b.Quantity = r.positive(r.field("quantity"))
	b.Left = r.count(r.field("left"), uint64(b.Quantity))
	b.Expires = r.time(r.field("expires"))
	b.Time = r.time(r.field("time"))
	r.check(!b.Expires.Before(b.Time), "a bid must expire after its creation")
	r.end()
	if r.err != nil {
		return BidNote{}, fmt.Errorf("not a bid: %w", r.err)
	}
	return b, nil
}
