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

// lot is an entry in a quick sell and its buyer.
type lot struct {
	inventory.Entry
	house money.Cents    // Kaibao's offer, 0 if it doesn't buy
	rates protocol.Rates // the rates in force
	bid   bids.Bid       // the buying bid; zero if Kaibao buys
	price money.Cents    // of the best bid for it, 0 if there is none
}

// toBid reports whether a bid buys the entry.
func (l lot) toBid() bool { return l.bid.ID != "" }

// payout returns what the seller gets.
func (l lot) payout() money.Cents {
	if l.toBid() {
		return net(l.rates, l.price)
	}
	return l.house
}

// net returns the price of a bid less the fee.
func net(inForce protocol.Rates, price money.Cents) money.Cents {
	return price - inForce.Fee(trades.Bid, price)
}

// assign decides who buys each entry. It repeatedly picks the pair of entry and bid with the
// largest gain over Kaibao's offer; ties go to the first entry, then to the first bid. Each use of
// a bid decrements left. Entries without such a bid go to Kaibao, with the best remaining bid
// recorded. Entries must be sorted by ID.
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

// leftOf returns how many items each bid still buys, by bid ID.
func leftOf(some ...bids.Bid) map[string]int64 {
	left := map[string]int64{}
	for _, b := range some {
		left[b.ID] = b.Remaining
	}
	return left
}

// mostFor returns the bid with the largest gain over Kaibao's offer, and that gain. Ties go to the
// lowest bid ID.
func mostFor(options []bids.Bid, l lot) (b bids.Bid, more money.Cents) {
	for _, o := range options {
		gain := net(l.rates, o.Price.For(l.QuoteValue)) - l.house
		if gain > more || gain == more && b.ID != "" && o.ID < b.ID {
			b, more = o, gain
		}
	}
	return b, more
}

// quote returns what the entries would bring now and who would buy them, if they were sold in this
// order in batches of policy.MostSoldBack.
func (s *Service) quote(tx *db.Tx, user string, ids []string) (lots []lot, err error) {
	found, err := inventory.ByIDs(tx, ids)
	if err != nil {
		return nil, err
	}
	entries, err := sellback.Sellable(found, ids, user, policy.MostQuoted)
	if err != nil {
		return nil, err
	}
	r := newMarketTx(tx, found, rates.QueueInForce(tx))
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

// house returns Kaibao's offer for an entry, or 0 if it doesn't buy.
func (s *Service) house(tx *db.Tx, e inventory.Entry) money.Cents {
	if s.SellBack != nil && s.SellBack.Closed {
		return 0
	}
	return e.Quote(tx.Now).Payout
}

// allowed reports whether the bid may be filled with the entry at its current price.
func (s *Service) allowed(e inventory.Entry, b bids.Bid) bool {
	return !s.Closed && !s.tooFar(b.Price.For(e.QuoteValue), e.QuoteValue)
}

// contenders returns the bids that a quick sell must lock: every bid that beats Kaibao's offer for
// one of the entries, and the best bid for each entry, whose price the log leaf states. The leaf
// relies only on locked rows, so a bid that was withdrawn or lowered since it was read doesn't
// count.
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

// inOrder sorts lots into the requested order.
func inOrder(lots []lot, ids []string) []lot {
	place := make(map[string]int, len(ids))
	for n, id := range ids {
		place[id] = n
	}
	slices.SortFunc(lots, func(a, b lot) int { return place[a.ID] - place[b.ID] })
	return lots
}

// quickSell sells each entry to the highest payer, all or none. It sells nothing if the total is
// below least. It returns the lots in the requested order and the user's balance.
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

// total returns the sum of the payouts, or an error that names the lots without a buyer.
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

// sellLot sells an entry to the buyer that assign chose.
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

// byID sorts entries by ID, in place.
func byID(entries []inventory.Entry) []inventory.Entry {
	slices.SortFunc(entries, func(a, b inventory.Entry) int { return strings.Compare(a.ID, b.ID) })
	return entries
}
