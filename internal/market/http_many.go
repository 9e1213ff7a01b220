package market

import (
	"context"
	"fmt"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Offers is what a set of entries would bring now.
type Offers struct {
	TotalCents money.Cents `json:"totalCents"`
	Lines      []Offer     `json:"lines" nullable:"false" doc:"In the order asked for."`
}

// Offer is what one entry would bring, and who pays it.
type Offer struct {
	InventoryID     string       `json:"inventoryId"`
	HouseCents      money.Cents  `json:"houseCents" doc:"What the house pays."`
	FloorUntil      *string      `json:"floorUntil,omitempty" doc:"Until then the quote of the draw is a floor."`
	BestBidCents    *money.Cents `json:"bestBidCents,omitempty" doc:"What the best bid pays that is left for it."`
	BestBidNetCents *money.Cents `json:"bestBidNetCents,omitempty" doc:"The same less the fee."`
	Best            string       `json:"best" enum:"house,bid" doc:"Who pays most."`
	PayoutCents     money.Cents  `json:"payoutCents" doc:"What they pay."`
}

// QuickSale is the result of a quick sell.
type QuickSale struct {
	PayoutCents  money.Cents `json:"payoutCents"`
	Sold         []QuickLine `json:"sold" nullable:"false" doc:"In the order asked for."`
	BalanceCents money.Cents `json:"balanceCents"`
}

// QuickLine is what one entry brought, and who bought it.
type QuickLine struct {
	InventoryID string      `json:"inventoryId"`
	PayoutCents money.Cents `json:"payoutCents"`
	To          string      `json:"to" enum:"house,bid"`
}

type quotesInput struct {
	Body struct {
		InventoryIDs []httpkit.ID `json:"inventoryIds" minItems:"1" maxItems:"1000" doc:"More than 100 are quoted as if they were sold a hundred after the other, in this order."`
	}
}

type quickInput struct {
	httpkit.Idempotent
	Body struct {
		InventoryIDs   []httpkit.ID `json:"inventoryIds" minItems:"1" maxItems:"100" doc:"All are sold, or none."`
		MinPayoutCents money.Cents  `json:"minPayoutCents,omitempty" minimum:"1" maximum:"10000000000" doc:"Nothing is sold where they bring less in all."`
	}
}

// AskLine is one line of a request to list or reprice several entries.
type AskLine struct {
	InventoryID httpkit.ID  `json:"inventoryId"`
	PriceCents  money.Cents `json:"priceCents" minimum:"1" maximum:"100000000"`
	Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The price again, where it is far from the value."`
}

type asksInput struct {
	httpkit.Idempotent
	Body struct {
		Lines []AskLine `json:"lines" minItems:"1" maxItems:"100" doc:"All are done, or none."`
	}
}

type delistsInput struct {
	httpkit.Idempotent
	Body struct {
		Lines []DelistLine `json:"lines" minItems:"1" maxItems:"100" doc:"All are done, or none."`
	}
}

// DelistLine is one line of a request to delist several entries.
type DelistLine struct {
	InventoryID httpkit.ID `json:"inventoryId"`
}

// ManyOffered is the result of a request to list, reprice or delist several entries.
type ManyOffered struct {
	Entries      []inventory.EntryView `json:"entries" nullable:"false" doc:"In the order of the lines, without what was sold."`
	Sold         []SoldView            `json:"sold" nullable:"false" doc:"What bids took at once."`
	BalanceCents money.Cents           `json:"balanceCents"`
}

type cartInput struct {
	httpkit.Idempotent
	Body struct {
		Lines   []CartLine `json:"lines" minItems:"1" maxItems:"50"`
		Partial bool       `json:"partial,omitempty" doc:"Buy what can be bought; else all or nothing."`
	}
}

// CartLine is an entry and the price the buyer saw, which is the most they pay.
type CartLine struct {
	InventoryID httpkit.ID  `json:"inventoryId"`
	Expected    money.Cents `json:"expectedPriceCents" minimum:"1" maximum:"100000000"`
}

// CartView is the result of buying a cart.
type CartView struct {
	Bought       []Filling   `json:"bought" nullable:"false"`
	Skipped      []Skipped   `json:"skipped" nullable:"false"`
	TotalCents   money.Cents `json:"totalCents"`
	BalanceCents money.Cents `json:"balanceCents"`
}

// Skipped is a cart line that wasn't bought, and the reason.
type Skipped struct {
	InventoryID string `json:"inventoryId"`
	Code        string `json:"code" doc:"As a buy of its own would have been refused."`
}

func (s *Service) manyRoutes(k *httpkit.Kit) {
	refusals := []apperr.Code{apperr.NotFound, apperr.AlreadyListed, apperr.AlreadySold, apperr.Conflict, apperr.NoBuyer}
	httpkit.JSON(k, httpkit.Post(httpkit.Session, "/api/inventory/quotes", "quote-sell-back", "What entries would bring now, and who would pay it", refusals...).Taking(policy.MaxQuoted),
		func(ctx context.Context, in *quotesInput) (o Offers, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				lots, err := s.quote(tx, httpkit.Caller(ctx).UserID, texts(in.Body.InventoryIDs))
				o = offers(tx, lots)
				return err
			})
			return o, err
		})
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/inventory/quick-sell", "quick-sell", "Sell entries to whoever pays most for each", append(refusals, apperr.PriceChanged)...),
		func(tx *db.Tx, caller httpkit.Principal, in *quickInput) (QuickSale, error) {
			lots, balance, err := s.quickSell(tx, caller.UserID, texts(in.Body.InventoryIDs), in.Body.MinPayoutCents)
			return quickSale(lots, balance), err
		})
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/marketplace/list-many", "list-many", "Put several items up for sale",
		apperr.NotFound, apperr.AlreadyListed, apperr.Conflict, apperr.ConfirmPrice, apperr.SwitchedOff), s.offerMany(listing))
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/marketplace/reprice-many", "reprice-many", "Change the prices of several listings",
		apperr.NotFound, apperr.NotListed, apperr.ConfirmPrice, apperr.SwitchedOff), s.offerMany(repricing))
	httpkit.Act(k, httpkit.Post(httpkit.Session, "/api/marketplace/delist-many", "delist-many", "Take several listings back", apperr.NotFound, apperr.NotListed), delistMany)
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/marketplace/cart", "buy-cart", "Buy several listings",
		apperr.NotFound, apperr.InsufficientFunds, apperr.AlreadySold, apperr.NotListed, apperr.OwnListing, apperr.PriceChanged, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff), s.buyCart)
	httpkit.Act(k, httpkit.Patch(httpkit.Customer, "/api/inventory/{id}", "set-lowest-bid", "Say below what bids on an entry are declined", apperr.NotFound), setLowest)
}

func texts(ids []httpkit.ID) []string {
	list := make([]string, len(ids))
	for n, id := range ids {
		list[n] = string(id)
	}
	return list
}

func offers(tx *db.Tx, lots []lot) Offers {
	o := Offers{Lines: make([]Offer, len(lots))}
	for n, l := range lots {
		o.Lines[n] = Offer{InventoryID: l.ID, HouseCents: l.house, Best: l.to(), PayoutCents: l.payout()}
		if tx.Now.Before(l.SellBackUntil) {
			o.Lines[n].FloorUntil = l.FloorUntil()
		}
		if l.price > 0 {
			price, left := l.price, net(l.rates, l.price)
			o.Lines[n].BestBidCents, o.Lines[n].BestBidNetCents = &price, &left
		}
		o.TotalCents += l.payout()
	}
	return o
}

// to returns who buys the entry, as in the API.
func (l lot) to() string {
	if l.toBid() {
		return "bid"
	}
	return "house"
}

func quickSale(lots []lot, balance money.Cents) QuickSale {
	q := QuickSale{Sold: make([]QuickLine, len(lots)), BalanceCents: balance}
	for n, l := range lots {
		q.Sold[n] = QuickLine{InventoryID: l.ID, PayoutCents: l.payout(), To: l.to()}
		q.PayoutCents += l.payout()
	}
	return q
}

// offerMany returns the handler that lists or reprices several entries.
func (s *Service) offerMany(asked asking) func(*db.Tx, httpkit.Principal, *asksInput) (ManyOffered, error) {
	return func(tx *db.Tx, caller httpkit.Principal, in *asksInput) (ManyOffered, error) {
		asks, ids := make([]Ask, len(in.Body.Lines)), make([]string, len(in.Body.Lines))
		for n, l := range in.Body.Lines {
			ids[n] = string(l.InventoryID)
			asks[n] = Ask{ids[n], l.PriceCents, l.Confirmed}
		}
		if err := checkLines(ids, policy.MostSoldBack); err != nil {
			return ManyOffered{}, err
		}
		r, err := s.offer(tx, caller.UserID, asked, asks)
		if err != nil {
			return ManyOffered{}, err
		}
		return r.many(caller.UserID, ids), nil
	}
}

// many returns the result for several entries of one owner.
func (r *marketTx) many(owner string, ids []string) ManyOffered {
	m := ManyOffered{Entries: []inventory.EntryView{}, Sold: []SoldView{}}
	for _, id := range ids {
		if sold := r.soldFor(owner, id); sold != nil {
			m.Sold = append(m.Sold, *sold)
			continue
		}
		e, _ := r.acts.Entry(id)
		m.Entries = append(m.Entries, e.View(r.tx.Now))
	}
	if r.batch != nil {
		m.BalanceCents = r.batch.Balance(owner)
	}
	return m
}

func delistMany(tx *db.Tx, caller httpkit.Principal, in *delistsInput) (ManyOffered, error) {
	ids := make([]string, len(in.Body.Lines))
	for n, l := range in.Body.Lines {
		ids[n] = string(l.InventoryID)
	}
	if err := checkLines(ids, policy.MostSoldBack); err != nil {
		return ManyOffered{}, err
	}
	r, err := delist(tx, caller.UserID, ids)
	if err != nil {
		return ManyOffered{}, err
	}
	return r.many(caller.UserID, ids), nil
}

// checkLines refuses too many lines, and several lines for the same entry.
func checkLines(ids []string, most int64) error {
	if err := apperr.Within("lines", int64(len(ids)), 1, most); err != nil {
		return err
	}
	for n, id := range ids {
		if slices.Index(ids, id) < n {
			return apperr.InvalidField(fmt.Sprintf("lines[%d].inventoryId", n), "is named before")
		}
	}
	return nil
}

// buyCart buys several listings, none for more than the price seen. It buys all or none, unless the
// request allows a partial purchase.
func (s *Service) buyCart(tx *db.Tx, caller httpkit.Principal, in *cartInput) (CartView, error) {
	orders, ids := make([]Order, len(in.Body.Lines)), make([]string, len(in.Body.Lines))
	for n, l := range in.Body.Lines {
		ids[n] = string(l.InventoryID)
		orders[n] = Order{Buyer: caller.UserID, Entry: ids[n], Price: l.Expected, Cheaper: true}
	}
	if err := checkLines(ids, policy.MostInCart); err != nil {
		return CartView{}, err
	}
	sales, err := s.Buy(tx, orders)
	cart := CartView{Bought: []Filling{}, Skipped: []Skipped{}}
	for n, sale := range sales {
		switch {
		case sale.Err != nil && !in.Body.Partial:
			return CartView{}, inLine(sale.Err, n, len(sales))
		case sale.Err != nil:
			cart.Skipped = append(cart.Skipped, Skipped{ids[n], apperr.As(sale.Err).Code.String()})
		default:
			cart.Bought = append(cart.Bought, Filling{ids[n], sale.Value.Price})
			cart.TotalCents += sale.Value.Price
		}
	}
	if err != nil {
		return cart, err
	}
	held, err := ledger.Find(tx, caller.UserID)
	cart.BalanceCents = held.Balance
	return cart, err
}
