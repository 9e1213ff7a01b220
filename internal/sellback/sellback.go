// Package sellback lets the house buy back entries for a share of their value. For one day, the
// user who pulled an item gets at least the price quoted at the pull.
package sellback

import (
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/trades"
)

// Service buys back.
type Service struct {
	DB     *db.DB
	Packs  *packs.Service
	Closed bool // the house does not buy
}

// SellBack is an entry that the house bought back.
type SellBack struct {
	inventory.Entry // as it was
	inventory.Quote
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
	fits    func(e inventory.Entry, user string) bool
	refusal *apperr.Error
}{
	{func(e inventory.Entry, user string) bool { return e.Owner != user }, apperr.Missing("Item")},
	{func(e inventory.Entry, _ string) bool { return e.State == inventory.SoldBack },
		apperr.New(apperr.AlreadySold, "You have sold this item already.")},
	{func(e inventory.Entry, _ string) bool { return e.State == inventory.Listed },
		apperr.New(apperr.AlreadyListed, "This item is on the marketplace. Take it off first, then sell it back.")},
	{func(e inventory.Entry, user string) bool {
		return !e.Allows(inventory.SellingBack, user)
	},
		apperr.New(apperr.Conflict, "This item is being sent to you and cannot be sold.")},
}

var errOff = apperr.New(apperr.SwitchedOff, "This house does not buy back. Nothing was sold.").WithDetails(houserules.Off{Rule: "sellBack"})

var errWorthless = apperr.New(apperr.Conflict, "This item is worth too little to be sold back.")

// Sellable gives the entries of some ids, in their order, or refuses all of them where
// a user cannot sell one back, or to a bid.
func Sellable(found map[string]inventory.Entry, ids []string, user string, most int64) ([]inventory.Entry, error) {
	if err := checkIDs(ids, most); err != nil {
		return nil, err
	}
	for _, why := range refusals {
		var named []string
		for _, id := range ids {
			if why.fits(found[id], user) {
				named = append(named, id)
			}
		}
		if named != nil {
			return nil, why.refusal.WithDetails(Unsellable{named})
		}
	}
	entries := make([]inventory.Entry, len(ids))
	for n, id := range ids {
		entries[n] = found[id]
	}
	return entries, nil
}

// checkIDs refuses a list that the contract does not take, whoever asks.
func checkIDs(ids []string, most int64) error {
	if err := apperr.Within("inventoryIds", int64(len(ids)), 1, most); err != nil {
		return err
	}
	seen := map[string]bool{}
	for n, id := range ids {
		if seen[id] {
			return apperr.InvalidField(fmt.Sprintf("inventoryIds[%d]", n), "is named before")
		}
		seen[id] = true
	}
	return nil
}

// Sold is what a sell-back brought.
type Sold struct {
	Payout  money.Cents
	Balance money.Cents // the seller's, after it
	Backs   []SellBack
}

// sell sells entries of a user's back, all or none, unless they bring less than least.
func (s *Service) sell(tx *db.Tx, user string, ids []string, least money.Cents) (sold Sold, err error) {
	if s.Closed {
		return sold, errOff
	}
	found, err := inventory.LockAll(tx, ids)
	if err != nil {
		return sold, err
	}
	entries, err := Sellable(found, ids, user, policy.MostSoldBack)
	if err != nil {
		return sold, err
	}
	batch, err := ledger.LockBatch(tx, []string{user})
	if err != nil {
		return sold, err
	}
	acts, told := inventory.Begin(tx, found), make([]trades.Trade, len(entries))
	sold.Backs = make([]SellBack, len(entries))
	for n, e := range entries {
		sold.Backs[n], err = Agree(batch, acts, e, tx.Now)
		if err != nil {
			return sold, err
		}
		told[n] = sold.Backs[n].Trade(trades.Direct)
		sold.Payout += sold.Backs[n].Payout
	}
	if sold.Payout < least {
		return Sold{}, LessNow(sold.Payout)
	}
	sold.Balance = batch.Balance(user)
	return sold, s.write(tx, batch, acts, told, sold.Backs)
}

// LessNow refuses to sell for less than somebody saw.
func LessNow(payout money.Cents) error {
	return apperr.New(apperr.PriceChanged, "These items bring less now than when this page was loaded. Nothing was sold.").
		WithDetails(CurrentPayout{payout})
}

// Agree buys an entry that is sellable back, for its quote: money and entry move with till
// and acts, all else with Settle.
func Agree(batch *ledger.Batch, acts *inventory.Acts, e inventory.Entry, now time.Time) (SellBack, error) {
	b := SellBack{Entry: e, Quote: e.Quote(now)}
	if b.Payout == 0 {
		return b, errWorthless.WithDetails(Unsellable{[]string{e.ID}})
	}
	_, err := batch.Move(ledger.Transfer{Debit: ledger.Returns, Credit: ledger.Account(e.Owner), Amount: b.Payout, Kind: ledger.KindSellBack, Ref: e.ID})
	if err != nil {
		return b, err
	}
	limits.Sold(batch, now, b.counts())
	_, err = acts.Do(e.ID, inventory.Event{Act: inventory.SellingBack, By: e.Owner, Price: b.Payout, Ref: string(b.By)})
	return b, err
}

// Trade is the trade that a sell-back is, by the way that its owner took to it.
func (b SellBack) Trade(route trades.Route) trades.Trade {
	return trades.Trade{
		ID: b.ID, Kind: trades.SellBack, Entry: b.ID, Item: b.Item.ID, Seller: b.Owner, Price: b.Payout, Route: route, HouseQuote: b.Payout,
		Back: b.counts().Back(),
	}
}

// matches verifies the leaf of a direct sell-back, and compares it with the locked entry.
func (b SellBack) matches(leaf protocol.Leaf, now time.Time) error {
	l, ok := leaf.(protocol.TradeLeaf)
	if !ok || l.ID != b.ID || l.Item != b.Item.ID || l.Price != b.Entry.Quote(now).Payout {
		return fmt.Errorf("it is not the sell-back of entry %s", b.ID)
	}
	return l.Verify(protocol.FirstRates) // which a sell-back without a bid does not depend on
}

// counts is the sell-back as it counts for the seller: the house never pays for more than
// the item is worth, or was when it was pulled.
func (b SellBack) counts() limits.Sale {
	return limits.Sale{Seller: b.Owner, Own: b.Pulled(), Net: b.Payout, Quote: b.Payout, Value: b.Payout}
}

// write writes down what was agreed.
func (s *Service) write(tx *db.Tx, batch *ledger.Batch, acts *inventory.Acts, told []trades.Trade, backs []SellBack) error {
	if err := batch.Settle(); err != nil {
		return err
	}
	if err := acts.Settle(); err != nil {
		return err
	}
	if err := trades.Record(tx, told, func(n int, leaf protocol.Leaf) error { return backs[n].matches(leaf, tx.Now) }); err != nil {
		return err
	}
	return s.Settle(tx, backs)
}

// Settle puts back what returns to a stock, and keeps by what was paid. The trades are
// recorded before.
func (s *Service) Settle(tx *db.Tx, backs []SellBack) error {
	if len(backs) == 0 {
		return nil
	}
	if err := s.takeBack(tx, backs); err != nil {
		return err
	}
	return record(tx, backs)
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
			Beyond: max(0, b.Payout-policy.SellBack(b.PulledValue)),
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
	leaves, err := publiclog.AllOf[protocol.StockLeaf](tx)
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
