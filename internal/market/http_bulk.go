package market

import (
	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// AskLine is one line of a request to list or reprice several entries.
type AskLine struct {
	InventoryID httpapi.ID  `json:"inventoryId"`
	PriceCents  money.Cents `json:"priceCents" minimum:"1" maximum:"100000000"`
	Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The same price again, to confirm a price far from the value."`
}

type asksInput struct {
	action.Idempotent
	Body struct {
		Lines []AskLine `json:"lines" minItems:"1" maxItems:"100" doc:"All are done, or none."`
	}
}

type delistsInput struct {
	action.Idempotent
	Body struct {
		Lines []DelistLine `json:"lines" minItems:"1" maxItems:"100" doc:"All are done, or none."`
	}
}

// DelistLine is one line of a request to delist several entries.
type DelistLine struct {
	InventoryID httpapi.ID `json:"inventoryId"`
}

// ManyOffered is the result of a request to list, reprice or delist several entries.
type ManyOffered struct {
	Entries      []inventory.EntryView `json:"entries" nullable:"false" doc:"In the order of the lines, without sold items."`
	Sold         []SoldView            `json:"sold" nullable:"false" doc:"Items sold to bids immediately."`
	BalanceCents money.Cents           `json:"balanceCents"`
}

type cartInput struct {
	action.Idempotent
	Body struct {
		Lines   []CartLine `json:"lines" minItems:"1" maxItems:"50"`
		Partial bool       `json:"partial,omitempty" doc:"Buy the available items. By default all are bought, or none."`
	}
}

// CartLine is an entry and the price the buyer saw, which is the most they pay.
type CartLine struct {
	InventoryID httpapi.ID  `json:"inventoryId"`
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
	Code        string `json:"code" doc:"The error code that a purchase of only this item would return."`
}

func (s *Service) bulkRoutes(api *httpapi.API) {
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/marketplace/list-many", "list-many", "List several items for sale",
		apperr.NotFound, apperr.AlreadyListed, apperr.GiftWaiting, apperr.Conflict, apperr.ConfirmPrice, apperr.SwitchedOff), askMany(s.Match.List))
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/marketplace/reprice-many", "reprice-many", "Change the prices of several listings",
		apperr.NotFound, apperr.NotListed, apperr.ConfirmPrice, apperr.SwitchedOff), askMany(s.Match.Reprice))
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/marketplace/delist-many", "delist-many", "Delist several items", apperr.NotFound, apperr.NotListed), delistMany)
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/marketplace/cart", "buy-cart", "Buy several listings",
		apperr.NotFound, apperr.InsufficientFunds, apperr.AlreadySold, apperr.NotListed, apperr.OwnListing, apperr.PriceChanged, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff), s.buyCart)
}

// askMany returns the handler that lists or reprices several entries.
func askMany(ask askFunc) func(*db.Tx, httpapi.Principal, *asksInput) (ManyOffered, error) {
	return func(tx *db.Tx, caller httpapi.Principal, in *asksInput) (ManyOffered, error) {
		asks, ids := make([]match.Ask, len(in.Body.Lines)), make([]string, len(in.Body.Lines))
		for i, l := range in.Body.Lines {
			ids[i] = string(l.InventoryID)
			asks[i] = match.Ask{Entry: ids[i], Price: l.PriceCents, Confirmed: l.Confirmed}
		}
		listed, err := ask(tx, caller.UserID, asks)
		if err != nil {
			return ManyOffered{}, err
		}
		return manyOffered(tx, listed, ids), nil
	}
}

func delistMany(tx *db.Tx, caller httpapi.Principal, in *delistsInput) (ManyOffered, error) {
	ids := make([]string, len(in.Body.Lines))
	for i, l := range in.Body.Lines {
		ids[i] = string(l.InventoryID)
	}
	entries, err := match.Delist(tx, caller.UserID, ids)
	if err != nil {
		return ManyOffered{}, err
	}
	account, err := ledger.Find(tx, caller.UserID)
	return manyOffered(tx, match.ListResult{Entries: entries, Balance: account.Balance}, ids), err
}

// manyOffered returns the result for several entries of one owner, in the order of ids.
func manyOffered(tx *db.Tx, listed match.ListResult, ids []string) ManyOffered {
	m := ManyOffered{Entries: []inventory.EntryView{}, Sold: []SoldView{}, BalanceCents: listed.Balance}
	for _, id := range ids {
		if sold := soldView(listed, id); sold != nil {
			m.Sold = append(m.Sold, *sold)
			continue
		}
		m.Entries = append(m.Entries, listed.Entries[id].View(tx.Now))
	}
	return m
}

// buyCart buys several listings.
func (s *Service) buyCart(tx *db.Tx, caller httpapi.Principal, in *cartInput) (CartView, error) {
	lines := make([]match.CartLine, len(in.Body.Lines))
	for i, l := range in.Body.Lines {
		lines[i] = match.CartLine{Entry: string(l.InventoryID), Price: l.Expected}
	}
	cart, err := s.Match.BuyCart(tx, caller.UserID, lines, in.Body.Partial)
	view := CartView{Bought: []Filling{}, Skipped: []Skipped{}, BalanceCents: cart.Balance}
	for i, sale := range cart.Outcomes {
		if sale.Err != nil {
			view.Skipped = append(view.Skipped, Skipped{lines[i].Entry, apperr.As(sale.Err).Code.String()})
			continue
		}
		view.Bought = append(view.Bought, Filling{lines[i].Entry, sale.Value.Price})
		view.TotalCents += sale.Value.Price
	}
	return view, err
}
