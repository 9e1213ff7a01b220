package match

import (
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// CartLine is an entry and the price the buyer saw, which is the most they pay.
type CartLine struct {
	Entry string
	Price money.Cents
}

// Cart is the result of BuyCart.
type Cart struct {
	Outcomes []batch.Outcome[FilledOrder] // of the lines, in their order
	Balance  money.Cents                  // the buyer's, afterwards
}

// BuyCart buys several listings, none for more than the price seen. It buys all or none, unless
// partial allows it to skip those that can't be bought.
func (s *Service) BuyCart(tx *db.Tx, buyer string, lines []CartLine, partial bool) (Cart, error) {
	orders, entries := make([]Order, len(lines)), make([]string, len(lines))
	for i, l := range lines {
		entries[i] = l.Entry
		orders[i] = Order{Buyer: buyer, Entry: l.Entry, Price: l.Price, Cheaper: true}
	}
	if err := checkLines(entries, policy.MaxCartSize); err != nil {
		return Cart{}, err
	}
	outcomes, err := s.Buy(tx, orders)
	if err != nil {
		return Cart{}, err
	}
	for i, o := range outcomes {
		if o.Err != nil && !partial {
			return Cart{}, lineError(o.Err, i, len(lines))
		}
	}
	account, err := ledger.Find(tx, buyer)
	return Cart{outcomes, account.Balance}, err
}
