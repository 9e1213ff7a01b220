package fair

import (
	"fmt"
	"time"

	"kaibao/internal/money"
)

const bidHeader = "kaibao-bid/v1"

// BidNote is a bid as the house receipts it to its user. It is no leaf: who holds one that
// was better than what a quick sell took, and was open then, holds the evidence.
type BidNote struct {
	ID       string
	Scope    string      // what it is for, as the house keys it
	Peg      int64       // per cent of the value; 0 = a fixed price
	Most     money.Cents // the price, or the cap of a pegged bid
	Quantity int64
	Left     int64
	Expires  time.Time
	Time     time.Time // from which on it stands like this
}

// Format writes the text that is signed.
func (b BidNote) Format() []byte {
	return fmt.Appendf(nil, "%s\nid %s\nscope %s\npeg %d\nmost %d\nquantity %d\nleft %d\nexpires %s\ntime %s\n",
		bidHeader, b.ID, b.Scope, b.Peg, b.Most, b.Quantity, b.Left, formatTime(b.Expires), formatTime(b.Time))
}
