package match

import (
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/fees"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/sellback"
	"kaibao/internal/trades"
)

var errNoBuyer = apperr.New(apperr.NoBuyer, "There is no buyer for this item right now. Nothing was sold.")

// Lot is an entry in a quick sell and its buyer: the best bid for it, or Kaibao if no bid pays
// more.
type Lot struct {
	inventory.Entry
	HouseQuote money.Cents    // Kaibao's offer, 0 if it doesn't buy
	BestBid    money.Cents    // price of the best bid for it, 0 if there is none
	buyer      bids.Bid       // the buying bid; zero if Kaibao buys
	rates      protocol.Rates // the rates in force
}

// ToBid reports whether a bid buys the entry.
func (l Lot) ToBid() bool { return l.buyer.ID != "" }

// BestBidNet returns what the seller would get from the best bid.
func (l Lot) BestBidNet() money.Cents { return netOfFee(l.rates, l.BestBid) }

// Payout returns what the seller gets.
func (l Lot) Payout() money.Cents {
	if l.ToBid() {
		return l.BestBidNet()
	}
	return l.HouseQuote
}

// netOfFee returns the price of a bid less the fee.
func netOfFee(inForce protocol.Rates, price money.Cents) money.Cents {
	return price - inForce.Fee(trades.Bid, price)
}

// Quote returns what the entries would bring now and who would buy them, if they were sold in this
// order in batches of policy.MaxSoldBack.
func (s *Service) Quote(tx *db.Tx, user string, ids []string) (lots []Lot, err error) {
	found, err := inventory.ByIDs(tx, ids)
	if err != nil {
		return nil, err
	}
	entries, err := sellback.Sellable(found, ids, user, policy.MaxQuotes)
	if err != nil {
		return nil, err
	}
	m := newMarketTx(tx, found, fees.QueueInForce(tx))
	seen, err := m.fittingBids(ids, len(ids), s.mayFill)
	if err != nil {
		return nil, err
	}
	inForce, err := m.rates()
	if err != nil {
		return nil, err
	}
	left := remaining(seen)
	for chunk := range slices.Chunk(entries, policy.MaxSoldBack) {
		lots = append(lots, s.assign(tx, inForce, chunk, seen, left)...)
	}
	sortLots(lots, ids)
	_, err = totalPayout(lots)
	return lots, err
}

// QuickSell sells each entry to the highest payer, all or none. It sells nothing if the total is
// below least. It returns the lots in the requested order and the user's balance.
func (s *Service) QuickSell(tx *db.Tx, user string, ids []string, least money.Cents) ([]Lot, money.Cents, error) {
	m, err := beginMarketTx(tx, ids)
	if err != nil {
		return nil, 0, err
	}
	entries, err := sellback.Sellable(m.acts.Entries(), ids, user, policy.MaxSoldBack)
	if err != nil {
		return nil, 0, err
	}
	inForce, err := s.lockForQuickSell(m, user, entries)
	if err != nil {
		return nil, 0, err
	}
	if err := m.checkNotFrozen(user); err != nil {
		return nil, 0, err
	}
	open := m.activeBids()
	lots := s.assign(tx, inForce, entries, open, remaining(open))
	sortLots(lots, ids)
	payout, err := totalPayout(lots)
	if err != nil {
		return nil, 0, err
	}
	if payout < least {
		return nil, 0, sellback.PriceDropped(payout)
	}
	for _, l := range lots {
		if err := m.sellLot(l); err != nil {
			return nil, 0, err
		}
	}
	m.checkQuickSell = s.quickSellCheck(m)
	if err := m.save(); err != nil {
		return nil, 0, err
	}
	return lots, m.accounts.Balance(user), s.SellBack.Record(tx, m.sellBacks)
}

// lockForQuickSell locks the bids that may buy the entries, and the accounts. It returns the rates
// in force.
func (s *Service) lockForQuickSell(m *marketTx, user string, entries []inventory.Entry) (protocol.Rates, error) {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	seen, err := m.fittingBids(ids, len(ids), s.mayFill)
	if err != nil {
		return protocol.Rates{}, err
	}
	inForce, err := m.rates()
	if err != nil {
		return inForce, err
	}
	return inForce, m.lock(s.contenders(inForce, seen, entries, m.tx.Now), user)
}

// contenders returns the bids that a quick sell must lock: every bid that beats Kaibao's offer for
// one of the entries, and the best bid for each entry, whose price the log leaf states. The leaf
// relies only on locked rows, so a bid that was withdrawn or lowered since it was read doesn't
// count.
func (s *Service) contenders(inForce protocol.Rates, seen []bids.Bid, entries []inventory.Entry, now time.Time) (ids []string) {
	for _, e := range entries {
		for i, b := range bestBids(seen, e, now, len(seen)) {
			if i == 0 || netOfFee(inForce, b.Price.For(e.QuoteValue)) > s.houseQuote(e, now) {
				ids = append(ids, b.ID)
			}
		}
	}
	return sortedSet(ids)
}

// assign decides who buys each entry. It repeatedly picks the pair of entry and bid with the
// largest gain over Kaibao's offer; ties go to the entry with the lowest ID, then to the bid with
// the lowest ID. Each use of a bid decrements left. Entries without such a bid go to Kaibao, with
// the best remaining bid recorded.
func (s *Service) assign(tx *db.Tx, inForce protocol.Rates, entries []inventory.Entry, open []bids.Bid, left map[string]int64) []Lot {
	entries = sortedByID(entries)
	lots, options := make([]Lot, len(entries)), make([][]bids.Bid, len(entries))
	usedUp := func(b bids.Bid) bool { return left[b.ID] == 0 }
	for i, e := range entries {
		lots[i] = Lot{Entry: e, HouseQuote: s.houseQuote(e, tx.Now), rates: inForce}
		fitting := slices.DeleteFunc(slices.Clone(open), func(b bids.Bid) bool { return usedUp(b) || !s.mayFill(e, b) })
		options[i] = bestBids(fitting, e, tx.Now, len(entries)+spareBids)
	}
	for {
		bestLot, bestGain, buyer := -1, money.Cents(0), bids.Bid{}
		for i, l := range lots {
			if l.ToBid() {
				continue
			}
			options[i] = slices.DeleteFunc(options[i], usedUp)
			if b, gain := l.largestGain(options[i]); gain > bestGain {
				bestLot, bestGain, buyer = i, gain, b
			}
		}
		if bestLot < 0 {
			break
		}
		lots[bestLot].buyer, lots[bestLot].BestBid = buyer, buyer.Price.For(lots[bestLot].QuoteValue)
		left[buyer.ID]--
	}
	for i, l := range lots {
		if !l.ToBid() && len(options[i]) > 0 {
			lots[i].BestBid = options[i][0].Price.For(l.QuoteValue)
		}
	}
	return lots
}

// largestGain returns the bid with the largest gain over Kaibao's offer, and that gain. Ties go to
// the lowest bid ID.
func (l Lot) largestGain(options []bids.Bid) (best bids.Bid, gain money.Cents) {
	for _, b := range options {
		g := netOfFee(l.rates, b.Price.For(l.QuoteValue)) - l.HouseQuote
		if g > gain || g == gain && best.ID != "" && b.ID < best.ID {
			best, gain = b, g
		}
	}
	return best, gain
}

// remaining returns how many items each bid still buys, by bid ID.
func remaining(all []bids.Bid) map[string]int64 {
	left := map[string]int64{}
	for _, b := range all {
		left[b.ID] = b.Remaining
	}
	return left
}

// houseQuote returns Kaibao's offer for an entry, or 0 if it doesn't buy.
func (s *Service) houseQuote(e inventory.Entry, now time.Time) money.Cents {
	if s.SellBack != nil && s.SellBack.Disabled {
		return 0
	}
	return e.Quote(now).Payout
}

// mayFill reports whether the bid may be filled with the entry at its current price.
func (s *Service) mayFill(e inventory.Entry, b bids.Bid) bool {
	return !s.Closed && !s.tooFar(b.Price.For(e.QuoteValue), e.QuoteValue)
}

// totalPayout returns the sum of the payouts, or an error that names the lots without a buyer.
func totalPayout(lots []Lot) (sum money.Cents, err error) {
	var unsold []string
	for _, l := range lots {
		sum += l.Payout()
		if l.Payout() == 0 {
			unsold = append(unsold, l.ID)
		}
	}
	if unsold != nil {
		err = errNoBuyer.WithDetails(inventory.Refused{InventoryIDs: unsold})
	}
	return sum, err
}

// sellLot sells an entry to the buyer that assign chose.
func (m *marketTx) sellLot(l Lot) error {
	if l.ToBid() {
		_, err := m.fillBid(l.Entry, m.bids[l.buyer.ID], trades.Trade{
			Kind: trades.Bid, Price: l.BestBid, Route: trades.Quick, HouseQuote: l.HouseQuote, BestBid: l.BestBid,
		})
		return err
	}
	back, err := sellback.BuyBack(m.accounts, m.acts, l.Entry, m.tx.Now)
	m.sellBacks = append(m.sellBacks, back)
	t := back.Trade(trades.Quick)
	t.BestBid = l.BestBid
	m.trades = append(m.trades, t)
	return err
}

// sortedByID returns a copy of the entries, sorted by ID.
func sortedByID(entries []inventory.Entry) []inventory.Entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b inventory.Entry) int { return strings.Compare(a.ID, b.ID) })
}

// sortLots sorts lots into the requested order of entries.
func sortLots(lots []Lot, ids []string) {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	slices.SortFunc(lots, func(a, b Lot) int { return place[a.ID] - place[b.ID] })
}
