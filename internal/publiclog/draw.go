package publiclog

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// Draw is an open in the log: an instant one, or the draw of an order.
type Draw struct {
	protocol.DrawHead
	Price money.Cents
	Items []protocol.LeafItem
	Time  time.Time
}

// drawsIn returns the opens among leaves, in the same order. The prices of sealed opens are those of
// their orders.
func drawsIn(tx *db.Tx, leaves []protocol.Leaf) ([]Draw, error) {
	draws := make([]Draw, 0, len(leaves))
	var sealed []string
	for _, leaf := range leaves {
		switch l := leaf.(type) {
		case protocol.OpenLeaf:
			draws = append(draws, Draw{l.DrawHead, l.Price, l.Items, l.Time})
		case protocol.SealedOpenLeaf:
			draws = append(draws, Draw{DrawHead: l.DrawHead, Items: l.Items, Time: l.Time})
			sealed = append(sealed, l.ID)
		}
	}
	if len(sealed) == 0 {
		return draws, nil
	}
	prices, err := orderPrices(tx, sealed)
	for n, d := range draws {
		if price, ok := prices[d.ID]; ok {
			draws[n].Price = price
		}
	}
	return draws, err
}
