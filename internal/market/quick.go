package market

import (
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/rates"
	"kaibao/internal/sellback"
	"kaibao/internal/trades"
)

var errNoBuyer = apperr.New(apperr.NoBuyer, "Neither the house nor a bid takes this item now. Nothing was sold.")

// lot is an entry that is to be sold quickly, and who buys it.
type lot struct {
	inventory.Entry
	house money.Cents    // what the house pays
	rates protocol.Rates // in force
	bid   bids.Bid       // that buys it; the zero one where the house does
	price money.Cents    // of the best bid that there is for it, 0 without one
}

// toBid tells whether a bid buys it.
func (l lot) toBid() bool { return l.bid.ID != "" }

// payout is what its owner gets.
func (l lot) payout() money.Cents {
	if l.toBid() {
		return net(l.rates, l.price)
	}
	return l.house
}

// net is what a bid's price leaves to the seller at some rates.
func net(inForce protocol.Rates, price money.Cents) money.Cents {
	return price - inForce.Fee(trades.Bid, price)
}

// assign says who buys some entries: again and again the entry and the bid that together
// bring most above what the house pays for it, the first entry and then the first bid
// where several bring the same, each bid as often as it has left, which is counted down; the
// holdRemainder is the house's, and is told the best of the bids that are left. Entries are in the
// order of their ids.
func (s *Service) assign(tx *db.Tx, inForce protocol.Rates, entries []inventory.Entry, open []bids.Bid, left map[string]int64) []lot {
	lots, options := make([]lot, len(entries)), make([][]bids.Bid, len(entries))
	usedUp := func(b bids.Bid) bool { return left[b.ID] == 0 }
	for n, e := range entries {
		lots[n] = lot{Entry: e, house: s.house(tx, e), rates: inForce}
		fitting := slices.DeleteFunc(slices.Clone(open), func(b bids.Bid) bool { return usedUp(b) || !s.allowed(e, b) })
		options[n] = bestOf(fitting, e, tx, len(entries)+spare)
	}
	for {
		at, gain := -1, money.Cents(0)
		var by bids.Bid
		for n, l := range lots {
			if l.toBid() {
				continue
			}
			options[n] = slices.DeleteFunc(options[n], usedUp)
			b, more := mostFor(options[n], l)
			if more > gain {
				at, gain, by = n, more, b
			}
		}
		if at < 0 {
			break
		}
		lots[at].bid, lots[at].price = by, by.Price.For(lots[at].QuoteValue)
		left[by.ID]--
	}
	for n, l := range lots {
		if !l.toBid() && len(options[n]) > 0 {
			lots[n].price = options[n][0].Price.For(l.QuoteValue)
		}
	}
	return lots
}

// leftOf is how many each of some bids still buys.
func leftOf(some ...bids.Bid) map[string]int64 {
	left := map[string]int64{}
	for _, b := range some {
		left[b.ID] = b.Remaining
	}
	return left
}

// mostFor is the bid that brings most for an entry, the first by id of several, and how much
// that is above what the house pays.
func mostFor(options []bids.Bid, l lot) (b bids.Bid, more money.Cents) {
	for _, o := range options {
		gain := net(l.rates, o.Price.For(l.QuoteValue)) - l.house
		if gain > more || gain == more && b.ID != "" && o.ID < b.ID {
			b, more = o, gain
		}
	}
	return b, more
}

// quote says what some of a user's entries would bring now, and who would buy them, if they
// were sold in this order, as many at once as can be.
func (s *Service) quote(tx *db.Tx, user string, ids []string) (lots []lot, err error) {
	found, err := inventory.ByIDs(tx, ids)
	if err != nil {
		return nil, err
	}
	entries, err := sellback.Sellable(found, ids, user, policy.MostQuoted)
	if err != nil {
		return nil, err
	}
	r := newMarketTx(tx, found, rates.InForce(tx))
	seen, err := r.matching(ids, len(ids), s.allowed)
	if err != nil {
		return nil, err
	}
	inForce, err := r.rates()
	if err != nil {
		return nil, err
	}
	left := leftOf(seen...)
	for some := range slices.Chunk(entries, policy.MostSoldBack) {
		lots = append(lots, s.assign(tx, inForce, byID(slices.Clone(some)), seen, left)...)
	}
	lots = inOrder(lots, ids)
	_, err = total(lots)
	return lots, err
}

// house is what the house pays for an entry, 0 where it does not buy.
func (s *Service) house(tx *db.Tx, e inventory.Entry) money.Cents {
	if s.SellBack != nil && s.SellBack.Closed {
		return 0
	}
	return e.Quote(tx.Now).Payout
}

// allowed tells whether a bid may be filled with an entry, for what it pays.
func (s *Service) allowed(e inventory.Entry, b bids.Bid) bool {
	return !s.Closed && !s.tooFar(b.Price.For(e.QuoteValue), e.QuoteValue)
}

// contenders are the bids that a quick sell locks: of those that were seen, each that brings
// more than the house for one of the entries, and the best for each entry, whose price the
// leaf states. What the leaf says of bids comes from the locked rows alone: one that was
// withdrawn or lowered since it was seen does not count.
func (s *Service) contenders(tx *db.Tx, inForce protocol.Rates, seen []bids.Bid, entries []inventory.Entry) (locked []string) {
	for _, e := range entries {
		for n, b := range bestOf(seen, e, tx, len(seen)) {
			if n == 0 || net(inForce, b.Price.For(e.QuoteValue)) > s.house(tx, e) {
				locked = append(locked, b.ID)
			}
		}
	}
	return once(locked)
}

// inOrder puts lots into the order that was asked for.
func inOrder(lots []lot, ids []string) []lot {
	place := make(map[string]int, len(ids))
	for n, id := range ids {
		place[id] = n
	}
	slices.SortFunc(lots, func(a, b lot) int { return place[a.ID] - place[b.ID] })
	return lots
}

// quickSell sells a user's entries to whoever pays most for each, all or none, unless
// they bring less than least. It gives them in the order asked for, and the balance.
func (s *Service) quickSell(tx *db.Tx, user string, ids []string, least money.Cents) ([]lot, money.Cents, error) {
	r, err := begin(tx, ids)
	if err != nil {
		return nil, 0, err
	}
	entries, err := sellback.Sellable(r.acts.Entries(), ids, user, policy.MostSoldBack)
	if err != nil {
		return nil, 0, err
	}
	seen, err := r.matching(ids, len(ids), s.allowed)
	if err != nil {
		return nil, 0, err
	}
	inForce, err := r.rates()
	if err != nil {
		return nil, 0, err
	}
	if err := r.lock(s.contenders(tx, inForce, seen, entries), user); err != nil {
		return nil, 0, err
	}
	open := r.activeBids()
	r.quick = s.quickly(r)
	lots := inOrder(s.assign(tx, inForce, byID(entries), open, leftOf(open...)), ids)
	payout, err := total(lots)
	if err != nil {
		return nil, 0, err
	}
	if payout < least {
		return nil, 0, sellback.LessNow(payout)
	}
	for _, l := range lots {
		if err := s.sellLot(r, l); err != nil {
			return nil, 0, err
		}
	}
	if err := r.settle(); err != nil {
		return nil, 0, err
	}
	return lots, r.batch.Balance(user), s.SellBack.Settle(tx, r.backs)
}

// total is what lots bring together; one that nobody buys refuses all of them.
func total(lots []lot) (sum money.Cents, err error) {
	var unsold []string
	for _, l := range lots {
		sum += l.payout()
		if l.payout() == 0 {
			unsold = append(unsold, l.ID)
		}
	}
	if unsold != nil {
		err = errNoBuyer.WithDetails(sellback.Unsellable{InventoryIDs: unsold})
	}
	return sum, err
}

// sellLot sells an entry to who was said to buy it.
func (s *Service) sellLot(r *marketTx, l lot) error {
	if l.toBid() {
		_, err := r.fill(l.Entry, r.bids[l.bid.ID], trades.Trade{Kind: trades.Bid, Price: l.price, Route: trades.Quick, HouseQuote: l.house, BestBid: l.price})
		return err
	}
	back, err := sellback.Agree(r.batch, r.acts, l.Entry, r.tx.Now)
	r.backs = append(r.backs, back)
	sold := back.Trade(trades.Quick)
	sold.BestBid = l.price
	r.trades = append(r.trades, sold)
	return err
}

// byID puts entries into the order of their ids.
func byID(entries []inventory.Entry) []inventory.Entry {
	slices.SortFunc(entries, func(a, b inventory.Entry) int { return strings.Compare(a.ID, b.ID) })
	return entries
}
