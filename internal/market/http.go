package market

import (
	"context"
	"strconv"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/market/index"
	"kaibao/internal/money"
)

// ListingView is a marketplace listing as defined in section 3 of the specification.
type ListingView struct {
	ID             string              `json:"id"`
	ListingID      string              `json:"listingId" doc:"Another one after each change of the price."`
	ForSale        bool                `json:"forSale"`
	SalePriceCents money.Cents         `json:"salePriceCents"`
	Item           inventory.EntryItem `json:"item"`
	User           Seller              `json:"user"`
	Vaulted        bool                `json:"vaulted" doc:"It lies in the vault, and stays there when it is sold."`
	Own            bool                `json:"own" doc:"The caller's own listing."`
}

// Seller is the public profile of a seller, with only what they chose to show.
type Seller struct {
	FirstName       string `json:"firstName" doc:"Empty without one."`
	ProfileImageURL string `json:"profileImageUrl"`
}

// Purchase is the result of a purchase.
type Purchase struct {
	InventoryID  string      `json:"inventoryId"`
	PriceCents   money.Cents `json:"priceCents"`
	FeeCents     money.Cents `json:"feeCents" doc:"The seller's part for the house; the buyer pays the price alone."`
	BalanceCents money.Cents `json:"balanceCents" doc:"The buyer's."`
}

type marketInput struct {
	catalogue.Filter
	httpkit.Page
	SeenInput
	Number int `query:"page" minimum:"1" maximum:"10000000" doc:"Which page of so many, without a cursor: 1, 2, 3 …"`
}

// SeenInput is embedded in the inputs of routes that must reflect the caller's own latest act.
type SeenInput struct {
	Position string `header:"X-Market-Position" doc:"That of the caller's last act: a node that has not heard of it waits for that, half a second at most. What is none is ignored."`
}

type entryInput struct {
	httpkit.Idempotent
	Body struct {
		InventoryID httpkit.ID `json:"inventoryId"`
	}
}

type priceInput struct {
	httpkit.Idempotent
	Body struct {
		InventoryID httpkit.ID  `json:"inventoryId"`
		PriceCents  money.Cents `json:"priceCents" minimum:"1" maximum:"100000000"`
		Confirmed   money.Cents `json:"confirmedCents,omitempty" minimum:"1" maximum:"100000000" doc:"The price again, where it is far from the value."`
	}
}

// Offered is an entry after it was listed or repriced.
type Offered struct {
	inventory.EntryView
	Sold *SoldView `json:"sold,omitempty" doc:"What it brought, where a bid took it at once: it is not the caller's any more."`
}

// SoldView is the result of a sale to a bid.
type SoldView struct {
	InventoryID  string      `json:"inventoryId"`
	PriceCents   money.Cents `json:"priceCents"`
	FeeCents     money.Cents `json:"feeCents" doc:"The seller's part for the house."`
	BalanceCents money.Cents `json:"balanceCents" doc:"The seller's, after it."`
}

type buyInput struct {
	httpkit.Idempotent
	Body struct {
		InventoryID httpkit.ID  `json:"inventoryId"`
		Expected    money.Cents `json:"expectedPriceCents,omitempty" minimum:"1" maximum:"100000000" doc:"The price that the buyer saw; without it, whatever it is."`
		ListingID   httpkit.ID  `json:"listingId,omitempty" doc:"The listing that the buyer saw: if it is gone, the refusal says what became of it."`
	}
}

// Routes registers the marketplace's routes.
func (s *Service) Routes(k *httpkit.Kit) {
	s.bidRoutes(k)
	s.bookRoutes(k)
	s.manyRoutes(k)
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/items/{id}", "get-item", "An item with its value history, sales, odds and listings"), s.item)
	httpkit.Handle(k, httpkit.Get(httpkit.Session, "/api/marketplace", "list-listings", "What is for sale, the newest listing first; X-Total-Count is how many listings pass the filter"), s.listings)
	httpkit.JSON(k, httpkit.Get(httpkit.Session, "/api/marketplace/facets", "count-facets", "How many listings each choice of the filter would leave"),
		func(ctx context.Context, in *struct {
			catalogue.Filter
			SeenInput
		}) (catalogue.Facets, error) {
			return s.Index.Facets(ctx, in.Filter, in.Position)
		})
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/marketplace/list", "list-for-sale", "Put an item up for sale",
		apperr.NotFound, apperr.AlreadyListed, apperr.Conflict, apperr.ConfirmPrice, apperr.SwitchedOff), s.offerOne(listing))
	httpkit.Act(k, httpkit.Post(httpkit.Customer, "/api/marketplace/reprice", "reprice", "Change the price of a listing",
		apperr.NotFound, apperr.NotListed, apperr.ConfirmPrice, apperr.SwitchedOff), s.offerOne(repricing))
	httpkit.Act(k, httpkit.Post(httpkit.Session, "/api/marketplace/delist", "delist", "Take a listing back", apperr.NotFound, apperr.NotListed),
		func(tx *db.Tx, caller httpkit.Principal, in *entryInput) (inventory.EntryView, error) {
			id := string(in.Body.InventoryID)
			r, err := delist(tx, caller.UserID, []string{id})
			if err != nil {
				return inventory.EntryView{}, err
			}
			e, _ := r.acts.Entry(id)
			return e.View(tx.Now), nil
		})
	httpkit.ActBatch(k, httpkit.Post(httpkit.Customer, "/api/marketplace/buy", "buy", "Buy a listing",
		apperr.NotFound, apperr.InsufficientFunds, apperr.AlreadySold, apperr.NotListed, apperr.OwnListing, apperr.PriceChanged, apperr.TimedOut, apperr.Excluded, apperr.SwitchedOff),
		httpkit.Batch[buyInput, Purchase]{Begin: httpkit.WithoutPrefetch(s.buyAll)})
}

// offerOne returns the handler that lists or reprices one entry.
func (s *Service) offerOne(asked asking) func(*db.Tx, httpkit.Principal, *priceInput) (Offered, error) {
	return func(tx *db.Tx, caller httpkit.Principal, in *priceInput) (Offered, error) {
		id := string(in.Body.InventoryID)
		r, err := s.offer(tx, caller.UserID, asked, []Ask{{id, in.Body.PriceCents, in.Body.Confirmed}})
		if err != nil {
			return Offered{}, err
		}
		e, _ := r.acts.Entry(id)
		return Offered{e.View(tx.Now), r.soldFor(caller.UserID, id)}, nil
	}
}

// soldFor returns the sale of an entry in this transaction, or nil.
func (r *marketTx) soldFor(owner, entry string) *SoldView {
	for _, t := range r.trades {
		if t.Entry == entry {
			return &SoldView{InventoryID: entry, PriceCents: t.Price, FeeCents: t.Fee, BalanceCents: r.batch.Balance(owner)}
		}
	}
	return nil
}

// buyAll handles a batch of buy calls.
func (s *Service) buyAll(tx *db.Tx, calls []httpkit.Call[buyInput]) ([]batch.Outcome[Purchase], error) {
	orders := make([]Order, len(calls))
	for n, call := range calls {
		asked := call.In.Body
		orders[n] = Order{Buyer: call.Caller.UserID, Entry: string(asked.InventoryID), Listing: string(asked.ListingID), Price: asked.Expected}
	}
	sales, err := s.Buy(tx, orders)
	purchases := make([]batch.Outcome[Purchase], len(sales))
	for n, s := range sales {
		purchases[n].Err = s.Err
		purchases[n].Value = Purchase{InventoryID: s.Value.Entry, PriceCents: s.Value.Price, FeeCents: s.Value.Fee, BalanceCents: s.Value.Balance}
	}
	return purchases, err
}

func (s *Service) listings(ctx context.Context, in *marketInput) (*httpkit.List[ListingView], error) {
	asked := index.Asked{Filter: in.Filter, Limit: in.Limit, Cursor: in.Cursor, Page: in.Number, Position: in.Position}
	list := &httpkit.List[ListingView]{}
	listed, err := s.Index.List(ctx, asked, func(tx *db.Tx, found []inventory.Entry) (err error) {
		list.Body, err = views(tx, found, httpkit.Caller(ctx).UserID)
		return err
	})
	list.Next, list.Total = listed.Next, strconv.FormatInt(listed.Total, 10)
	return list, err
}

func views(tx *db.Tx, entries []inventory.Entry, caller string) ([]ListingView, error) {
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
