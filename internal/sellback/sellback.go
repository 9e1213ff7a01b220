// Package sellback lets Kaibao buy back entries for a share of their value. For one day, the user
// who pulled an item gets at least the price quoted at the pull.
package sellback

import (
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/trades"
)

// Service buys entries back.
type Service struct {
	DB       *db.DB
	Packs    *packs.Service
	Disabled bool // Kaibao doesn't buy entries back
}

// SellBack is an entry that Kaibao bought back.
type SellBack struct {
	inventory.Entry // as it was before
	inventory.Quote
	DrawSeq int64 // the number of its return to the pack's stock; 0 = it didn't return
}

// CurrentPayout is the detail of a refusal because the payout fell below what the seller saw.
type CurrentPayout struct {
	PayoutCents money.Cents `json:"payoutCents"`
}

// refusals are the reasons why an entry can't be sold back, in the order in which they are checked.
var refusals = []inventory.Refusal{
	{Applies: func(e inventory.Entry, user string) bool { return e.Owner != user }, Error: apperr.Missing("Item")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.SoldBack },
		Error: apperr.New(apperr.AlreadySold, "You've already sold this item.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Listed },
		Error: apperr.New(apperr.AlreadyListed, "This item is listed on the marketplace. Delist it first, then sell it back.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.State == inventory.Giving },
		Error: apperr.New(apperr.GiftWaiting, "This item is waiting to be accepted as a gift. Cancel the gift first, then sell it back.")},
	{Applies: func(e inventory.Entry, _ string) bool { return e.Ended() },
		Error: apperr.New(apperr.Conflict, "This item has already been delivered or refunded.")},
	{Applies: func(e inventory.Entry, user string) bool { return !e.Allows(inventory.SellingBack, user) },
		Error: apperr.New(apperr.Conflict, "This item is being shipped to you and can't be sold.")},
}

var errDisabled = apperr.New(apperr.SwitchedOff, "Kaibao doesn't buy items back here. Nothing was sold.").WithDetails(houserules.Off{Rule: "sellBack"})

var errWorthless = apperr.New(apperr.Conflict, "This item's value is too low to be sold back.")

// Sellable returns the entries in the order of ids. It refuses more than limit ids, and all of them
// if the user can't sell one of them, to Kaibao or to a bid.
func Sellable(entryByID map[string]inventory.Entry, ids []string, user string, limit int64) ([]inventory.Entry, error) {
	if err := inventory.CheckIDs(ids, limit); err != nil {
		return nil, err
	}
	return inventory.Permitted(entryByID, ids, user, refusals)
}

// Result is the result of selling entries back.
type Result struct {
	Payout    money.Cents
	Balance   money.Cents // the seller's, afterwards
	SellBacks []SellBack
}

// sell sells a user's entries back, all or none. It sells nothing if the total is below minPayout.
func (s *Service) sell(tx *db.Tx, user string, ids []string, minPayout money.Cents) (result Result, err error) {
	if s.Disabled {
		return result, errDisabled
	}
	locked, err := inventory.LockAll(tx, ids)
	if err != nil {
		return result, err
	}
	entries, err := Sellable(locked, ids, user, policy.MaxSoldBack)
	if err != nil {
		return result, err
	}
	batch, err := ledger.LockBatch(tx, []string{user})
	if err != nil {
		return result, err
	}
	if batch.Play(user).Frozen() {
		return result, apperr.ErrFrozen
	}
	acts, newTrades := inventory.NewActBatch(tx, locked), make([]trades.Trade, len(entries))
	result.SellBacks = make([]SellBack, len(entries))
	for n, e := range entries {
		result.SellBacks[n], err = BuyBack(batch, acts, e, tx.Now)
		if err != nil {
			return result, err
		}
		newTrades[n] = result.SellBacks[n].Trade(trades.Direct)
		result.Payout += result.SellBacks[n].Payout
	}
	if result.Payout < minPayout {
		return Result{}, PriceDropped(result.Payout)
	}
	result.Balance = batch.Balance(user)
	return result, s.write(tx, batch, acts, newTrades, result.SellBacks)
}

// PriceDropped returns the refusal to sell for less than the seller saw.
func PriceDropped(payout money.Cents) error {
	return apperr.New(apperr.PriceChanged, "The price has dropped since this page was loaded. Nothing was sold.").
		WithDetails(CurrentPayout{payout})
}

// BuyBack buys a sellable entry for its quote. It adds the payment to batch and the entry's event
// to acts. Record stores the sell-back itself.
func BuyBack(batch *ledger.Batch, acts *inventory.ActBatch, e inventory.Entry, now time.Time) (SellBack, error) {
	b := SellBack{Entry: e, Quote: e.Quote(now)}
	if b.Payout == 0 {
		return b, errWorthless.WithDetails(inventory.Refused{InventoryIDs: []string{e.ID}})
	}
	_, err := batch.Move(ledger.Transfer{Debit: ledger.Returns, Credit: ledger.Account(e.Owner), Amount: b.Payout, Kind: ledger.KindSellBack, Ref: e.ID})
	if err != nil {
		return b, err
	}
	limits.CountSale(batch, now, b.sale())
	_, err = acts.Do(e.ID, inventory.Event{Act: inventory.SellingBack, By: e.Owner, Price: b.Payout, Ref: string(b.By)})
	return b, err
}

// Trade returns the sell-back as a trade by the given route.
func (b SellBack) Trade(route trades.Route) trades.Trade {
	return trades.Trade{
		ID: b.ID, Kind: trades.SellBack, Entry: b.ID, Item: b.Item.ID, Seller: b.Owner, Price: b.Payout, Route: route, HouseQuote: b.Payout,
		Back: b.sale().Back(), Excess: b.sale().Excess(),
	}
}

// matches verifies the leaf of a direct sell-back and compares it with the locked entry.
func (b SellBack) matches(leaf protocol.Leaf, now time.Time) error {
	l, ok := leaf.(protocol.TradeLeaf)
	if !ok || l.ID != b.ID || l.Item != b.Item.ID || l.Price != b.Entry.Quote(now).Payout {
		return fmt.Errorf("is not the sell-back of entry %s", b.ID)
	}
	return l.Verify(protocol.FirstRates) // a sell-back without a bid has no fee at any rates
}

// sale returns the sell-back as it counts for the seller's limits. Kaibao never pays more than the
// item's value, now or at the pull.
func (b SellBack) sale() limits.CountedSale {
	return limits.CountedSale{Seller: b.Owner, Own: b.Pulled(), Gift: b.Gifted(), Net: b.Payout, Quote: b.Payout, Value: b.Payout}
}

// write writes money, entries, trades and sell-backs.
func (s *Service) write(tx *db.Tx, batch *ledger.Batch, acts *inventory.ActBatch, newTrades []trades.Trade, backs []SellBack) error {
	if err := batch.Save(); err != nil {
		return err
	}
	if err := acts.Save(); err != nil {
		return err
	}
	if err := trades.Record(tx, newTrades, func(n int, leaf protocol.Leaf) error { return backs[n].matches(leaf, tx.Now) }); err != nil {
		return err
	}
	return s.Record(tx, backs)
}

// Record returns the cards to their packs' stock and stores the sell-backs. The trades must be
// recorded before.
func (s *Service) Record(tx *db.Tx, backs []SellBack) error {
	if len(backs) == 0 {
		return nil
	}
	if err := s.returnToStock(tx, backs); err != nil {
		return err
	}
	return insert(tx, backs)
}

// returnToStock returns the cards to their packs' stock, and sets DrawSeq.
func (s *Service) returnToStock(tx *db.Tx, backs []SellBack) error {
	opens, err := opensOf(tx, backs)
	if err != nil {
		return err
	}
	returns := make([]packs.StockReturn, len(backs))
	for n, b := range backs {
		open := opens[b.OpeningID]
		returns[n] = packs.StockReturn{
			PackID: open.pack, Manifest: open.manifest, Card: b.Item.ID,
			PaidBeyondQuote: max(0, b.Payout-policy.SellBack(b.PulledValue)),
		}
	}
	seqs, err := s.Packs.ReturnToStock(tx, returns)
	for n, seq := range seqs {
		backs[n].DrawSeq = seq
	}
	return err
}
