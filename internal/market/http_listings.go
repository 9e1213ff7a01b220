package market

import (
	"context"
	"strconv"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/index"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// ListingView is a marketplace listing as defined in section 3 of the specification.
type ListingView struct {
	ID             string              `json:"id"`
	ListingID      string              `json:"listingId" doc:"Changes with each change of the price."`
	ForSale        bool                `json:"forSale"`
	SalePriceCents money.Cents         `json:"salePriceCents"`
	Item           inventory.EntryItem `json:"item"`
	User           Seller              `json:"user"`
	Vaulted        bool                `json:"vaulted" doc:"The item is in the vault and stays there after a sale."`
	Own            bool                `json:"own" doc:"The caller's own listing."`
}

// Seller is the public profile of a seller, with only what they chose to show.
type Seller struct {
	FirstName       string `json:"firstName" doc:"Empty if the seller has no name."`
	ProfileImageURL string `json:"profileImageUrl"`
	Handle          string `json:"handle,omitempty" doc:"Absent unless the seller's profile is public."`
}

// Purchase is the result of a purchase.
type Purchase struct {
	InventoryID  string      `json:"inventoryId"`
	PriceCents   money.Cents `json:"priceCents"`
	FeeCents     money.Cents `json:"feeCents" doc:"Kaibao's fee, paid by the seller. The buyer pays only the price."`
	BalanceCents money.Cents `json:"balanceCents" doc:"The buyer's balance."`
}

type marketInput struct {
	catalogue.Filter
	httpapi.Page
	SeenInput
	Number int `query:"page" minimum:"1" maximum:"10000000" doc:"Page number from 1, as an alternative to a cursor."`
}

// SeenInput is embedded in the inputs of routes that must reflect the caller's own latest act.
type SeenInput struct {
	Position string `header:"X-Market-Position" doc:"X-Market-Position of the caller's last call. A node that is behind waits up to half a second to catch up. Invalid values are ignored."`
}

type entryInput struct {
	action.Idempotent
	Body struct {
		InventoryID httpapi.ID `json:"inventoryId"`
	}
}

type priceInput struct {
	action.Idempotent
	Body struct {
		InventoryID httpapi.ID  `json:"inventoryId"`
		PriceCents  money.Cents `json:"priceCents" minimum:"1" maximum:"100000000"`
		Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The same price again, to confirm a price far from the value."`
	}
}

// Offered is an entry after it was listed or repriced.
type Offered struct {
	inventory.EntryView
	Sold *SoldView `json:"sold,omitempty" doc:"The sale, if a bid was filled immediately. The item is then no longer the caller's."`
}

// SoldView is the result of a sale to a bid.
type SoldView struct {
	InventoryID  string      `json:"inventoryId"`
	PriceCents   money.Cents `json:"priceCents"`
	FeeCents     money.Cents `json:"feeCents" doc:"Kaibao's fee, paid by the seller."`
	BalanceCents money.Cents `json:"balanceCents" doc:"The seller's balance after the sale."`
}

type buyInput struct {
	action.Idempotent
	Body struct {
		InventoryID httpapi.ID  `json:"inventoryId"`
		Expected    money.Cents `json:"expectedPriceCents,omitempty" minimum:"1" maximum:"100000000" doc:"The price shown to the buyer. Without it, the current price is paid."`
		ListingID   httpapi.ID  `json:"listingId,omitempty" doc:"The listing shown to the buyer. If it is gone, the error says why."`
	}
}

func (s *Service) listingRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/marketplace", "list-listings", "Items for sale, newest listing first; X-Total-Count is the number of matches"), s.listings)
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/marketplace/facets", "count-facets", "Number of matching listings for each filter option"),
		func(ctx context.Context, in *struct {
			catalogue.Filter
			SeenInput
		}) (catalogue.Facets, error) {
			return s.Index.Facets(ctx, in.Filter, in.Position)
		})
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/marketplace/list", "list-for-sale", "List an item for sale",
		apperr.NotFound, apperr.AlreadyListed, apperr.GiftWaiting, apperr.Conflict, apperr.ConfirmPrice, apperr.SwitchedOff), askOne(s.Match.List))
	action.Handle(api, httpapi.Post(httpapi.Customer, "/api/marketplace/reprice", "reprice", "Change the price of a listing",
		apperr.NotFound, apperr.NotListed, apperr.ConfirmPrice, apperr.SwitchedOff), askOne(s.Match.Reprice))
	action.Handle(api, httpapi.Post(httpapi.Session, "/api/marketplace/delist", "delist", "Delist an item", apperr.NotFound, apperr.NotListed),
		func(tx *db.Tx, caller httpapi.Principal, in *entryInput) (inventory.EntryView, error) {
			id := string(in.Body.InventoryID)
			entries, err := match.Delist(tx, caller.UserID, []string{id})
			if err != nil {
				return inventory.EntryView{}, err
			}
			return entries[id].View(tx.Now), nil
		})
	action.HandleBatch(api, httpapi.Post(httpapi.Customer, "/api/marketplace/buy", "buy", "Buy a listing",
		apperr.NotFound, apperr.InsufficientFunds, apperr.AlreadySold, apperr.NotListed, apperr.OwnListing, apperr.PriceChanged, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff),
		s.buyAll)
}

// askFunc is match.Service's List or Reprice.
type askFunc func(tx *db.Tx, owner string, asks []match.Ask) (match.ListResult, error)

// askOne returns the handler that lists or reprices one entry.
func askOne(ask askFunc) func(*db.Tx, httpapi.Principal, *priceInput) (Offered, error) {
	return func(tx *db.Tx, caller httpapi.Principal, in *priceInput) (Offered, error) {
		id := string(in.Body.InventoryID)
		listed, err := ask(tx, caller.UserID, []match.Ask{{Entry: id, Price: in.Body.PriceCents, Confirmed: in.Body.Confirmed}})
		if err != nil {
			return Offered{}, err
		}
		return Offered{listed.Entries[id].View(tx.Now), soldView(listed, id)}, nil
	}
}

// soldView returns the sale of an entry to a bid, or nil if it was listed.
func soldView(listed match.ListResult, entry string) *SoldView {
	for _, t := range listed.Sold {
		if t.Entry == entry {
			return &SoldView{InventoryID: entry, PriceCents: t.Price, FeeCents: t.Fee, BalanceCents: listed.Balance}
		}
	}
	return nil
}

// buyAll handles a batch of buy calls.
func (s *Service) buyAll(tx *db.Tx, calls []action.Call[buyInput]) ([]batch.Outcome[Purchase], error) {
	orders := make([]match.Order, len(calls))
	for i, call := range calls {
		body := call.In.Body
		orders[i] = match.Order{Buyer: call.Caller.UserID, Entry: string(body.InventoryID), Listing: string(body.ListingID), Price: body.Expected}
	}
	sales, err := s.Match.Buy(tx, orders)
	purchases := make([]batch.Outcome[Purchase], len(sales))
	for i, sale := range sales {
		purchases[i].Err = sale.Err
		purchases[i].Value = Purchase{
			InventoryID: sale.Value.Entry, PriceCents: sale.Value.Price, FeeCents: sale.Value.Fee, BalanceCents: sale.Value.Balance,
		}
	}
	return purchases, err
}

func (s *Service) listings(ctx context.Context, in *marketInput) (*httpapi.List[ListingView], error) {
	query := index.Query{Filter: in.Filter, Limit: in.Limit, Cursor: in.Cursor, Page: in.Number, Position: in.Position}
	list := &httpapi.List[ListingView]{}
	info, err := s.Index.List(ctx, query, func(tx *db.Tx, found []inventory.Entry) (err error) {
		list.Body, err = listingViews(tx, found, httpapi.Caller(ctx).UserID)
		return err
	})
	list.Next, list.Total = info.Next, strconv.FormatInt(info.Total, 10)
	return list, err
}

func listingViews(tx *db.Tx, entries []inventory.Entry, caller string) ([]ListingView, error) {
	sellers, err := sellersOf(tx, entries)
	views := make([]ListingView, len(entries))
	for n, e := range entries {
		views[n] = ListingView{
			ID: e.ID, ListingID: e.ListingID, ForSale: true, SalePriceCents: e.SalePrice, Item: inventory.ItemView(e.Item),
			User: sellers[e.Owner], Vaulted: e.Vaulted, Own: e.Owner == caller,
		}
	}
	return views, err
}
