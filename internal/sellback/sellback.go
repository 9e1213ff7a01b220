// Package sellback is the house buying back what users own: for its part of an item's
// value, and from who pulled it not for less than it quoted then, for a day.
package sellback

import (
	"fmt"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
	"kaibao/internal/terms"
	"kaibao/internal/trades"
)

// Service buys back.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
}

// SellBack is an entry that the house bought back.
type SellBack struct {
	collection.Entry // as it was
	collection.Quote
	DrawSeq int64 // of its return to the pack it was drawn from; 0 = it did not return
}

// Unsellable names the entries for which a sell-back is refused.
type Unsellable struct {
	InventoryIDs []string `json:"inventoryIds"`
}

// CurrentPayout is what a seller must know to go on when it fell below what they saw.
type CurrentPayout struct {
	PayoutCents money.Cents `json:"payoutCents"`
}

// refusals are why an entry cannot be sold back, in the order in which they are told
// where entries have several.
var refusals = []struct {
	fits    func(e collection.Entry, user string, now time.Time) bool
	refusal *fault.Error
}{
	{func(e collection.Entry, user string, _ time.Time) bool { return e.Owner != user }, fault.Missing("Item")},
	{func(e collection.Entry, _ string, _ time.Time) bool { return e.State == collection.SoldBack },
		fault.New(fault.AlreadySold, "You have sold this item already.")},
	{func(e collection.Entry, _ string, _ time.Time) bool { return e.State == collection.Listed },
		fault.New(fault.AlreadyListed, "This item is on the marketplace. Take it off first, then sell it back.")},
	{func(e collection.Entry, user string, _ time.Time) bool {
		return !e.Allows(collection.SellingBack, user)
	},
		fault.New(fault.Conflict, "This item is being sent to you and cannot be sold.")},
	{func(e collection.Entry, _ string, now time.Time) bool { return e.Quote(now).Payout == 0 },
		fault.New(fault.Conflict, "This item is worth too little to be sold back.")},
}

// sellable gives the entries of some ids, in their order, or refuses all of them where
// a user cannot sell one back.
func sellable(found map[string]collection.Entry, ids []string, user string, now time.Time) ([]collection.Entry, error) {
	for _, why := range refusals {
		var named []string
		for _, id := range ids {
			if why.fits(found[id], user, now) {
				named = append(named, id)
			}
		}
		if named != nil {
			return nil, why.refusal.WithDetails(Unsellable{named})
		}
	}
	entries := make([]collection.Entry, len(ids))
	for n, id := range ids {
		entries[n] = found[id]
	}
	return entries, nil
}

// checkIDs refuses a list that the contract does not take, whoever asks.
func checkIDs(ids []string) error {
	if err := fault.Within("inventoryIds", int64(len(ids)), 1, terms.MostSoldBack); err != nil {
		return err
	}
	seen := map[string]bool{}
	for n, id := range ids {
		if seen[id] {
			return fault.InvalidField(fmt.Sprintf("inventoryIds[%d]", n), "is named before")
		}
		seen[id] = true
	}
	return nil
}

// quotes tells what a user's entries would bring now.
func quotes(tx *db.Tx, user string, ids []string) ([]collection.Entry, error) {
	if err := checkIDs(ids); err != nil {
		return nil, err
	}
	found, err := collection.ByIDs(tx, ids)
	if err != nil {
		return nil, err
	}
	return sellable(found, ids, user, tx.Now)
}

// Sold is what a sell-back brought.
type Sold struct {
	Payout  money.Cents
	Balance money.Cents // the seller's, after it
	Backs   []SellBack
}

// sell sells entries of a user's back, all or none, unless they bring less than least.
func (s *Service) sell(tx *db.Tx, user string, ids []string, least money.Cents) (Sold, error) {
	if err := checkIDs(ids); err != nil {
		return Sold{}, err
	}
	found, err := collection.LockAll(tx, ids)
	if err != nil {
		return Sold{}, err
	}
	entries, err := sellable(found, ids, user, tx.Now)
	if err != nil {
		return Sold{}, err
	}
	sold := Sold{Backs: make([]SellBack, len(entries))}
	for n, e := range entries {
		sold.Backs[n] = SellBack{Entry: e, Quote: e.Quote(tx.Now)}
		sold.Payout += sold.Backs[n].Payout
	}
	if sold.Payout < least {
		return Sold{}, fault.New(fault.PriceChanged, "These items bring less now than when this page was loaded. Nothing was sold.").
			WithDetails(CurrentPayout{sold.Payout})
	}
	err = s.settle(tx, user, &sold)
	return sold, err
}

// settle hands the entries over, pays for them and puts back what returns to a stock.
func (s *Service) settle(tx *db.Tx, user string, sold *Sold) error {
	entries, quoted := make([]collection.Entry, len(sold.Backs)), make([]collection.Quote, len(sold.Backs))
	payouts := make([]ledger.Transfer, len(sold.Backs))
	for n, b := range sold.Backs {
		entries[n], quoted[n] = b.Entry, b.Quote
		payouts[n] = ledger.Transfer{Debit: ledger.Returns, Credit: ledger.Account(user), Amount: b.Payout, Kind: ledger.KindSellBack, Ref: b.ID}
	}
	lines, err := ledger.Move(tx, payouts...)
	if err != nil {
		return err
	}
	sold.Balance = lines[len(lines)-1].Balance
	if err := collection.SellBack(tx, entries, user, quoted); err != nil {
		return err
	}
	if err := s.takeBack(tx, sold.Backs); err != nil {
		return err
	}
	if err := trades.Record(tx, soldTo(sold.Backs)); err != nil {
		return err
	}
	return record(tx, sold.Backs)
}

// soldTo are the trades that sell-backs are.
func soldTo(backs []SellBack) []trades.Trade {
	sold := make([]trades.Trade, len(backs))
	for n, b := range backs {
		sold[n] = trades.Trade{
			ID: b.ID, Kind: trades.SellBack, Entry: b.ID, Item: b.Item.ID, Seller: b.Owner,
			Price: b.Payout, Route: trades.Direct, HouseQuote: b.Payout,
		}
	}
	return sold
}

// takeBack gives the cards to their packs.
func (s *Service) takeBack(tx *db.Tx, backs []SellBack) error {
	drawn, err := drawnBy(tx, backs)
	if err != nil {
		return err
	}
	returns := make([]packs.Return, len(backs))
	for n, b := range backs {
		by := drawn[b.OpeningID]
		returns[n] = packs.Return{
			Pack: by.pack, Manifest: by.manifest, Card: b.Item.ID,
			Beyond: max(0, b.Payout-terms.SellBack(b.PulledValue)),
		}
	}
	seqs, err := s.Packs.TakeBack(tx, returns)
	for n, seq := range seqs {
		backs[n].DrawSeq = seq
	}
	return err
}

// Audit proves that every trade with the house was paid by its quote, which its entry's
// life tells, too; that each return to a stock has its leaf, and each such leaf its
// return; and what packs lost by it.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, unquoted, misquoted, returnsOff, beyondOff)
}

// returnsOff compares each return with its leaf.
func returnsOff(tx *db.Tx) (found []audit.Breach, err error) {
	manifests := &packs.Service{}
	all, err := allReturns(tx)
	if err != nil {
		return nil, err
	}
	leaves, err := publiclog.AllOf[fair.StockLeaf](tx)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, leaf := range leaves {
		told[string(leaf.Format())] = true
	}
	off := func(row, detail string) {
		found = append(found, audit.Breach{Rule: "a return to a stock is what its leaf says", Row: row, Detail: detail})
	}
	for _, r := range all {
		m, err := manifests.Manifest(tx, r.manifest)
		if err != nil {
			return nil, err
		}
		if !m.FiniteCard(r.card) {
			off("sell-back "+r.entry, "the card could not run out when it was drawn")
		}
		if leaf := r.tell(); !told[leaf] {
			off("sell-back "+r.entry, fmt.Sprintf("the log has no leaf %q", leaf))
		} else {
			delete(told, leaf)
		}
	}
	for leaf := range told {
		off("the log", fmt.Sprintf("there is no sell-back of %q", leaf))
	}
	return found, nil
}
