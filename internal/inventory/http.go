package inventory

import (
	"context"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// EntryItem is an entry's item in the API (specification, section 3).
type EntryItem struct {
	catalogue.ItemFacts
	Grader         string      `json:"certification"`
	BaseValueCents money.Cents `json:"baseValueCents"`
}

// PublicView is an entry as shown to everyone.
type PublicView struct {
	ID             string       `json:"id"`
	ForSale        bool         `json:"forSale"`
	SalePriceCents *money.Cents `json:"salePriceCents" nullable:"true"`
	Item           EntryItem    `json:"item"`
	PackName       string       `json:"packName"`
	PackNameZH     string       `json:"packNameZh,omitempty"`
	AcquiredAt     string       `json:"acquiredAt"`
	AcquiredFrom   Source       `json:"acquiredFrom"`
	Vaulted        bool         `json:"vaulted"`
	State          State        `json:"state"`
}

// EntryView is an entry as shown to its owner.
type EntryView struct {
	PublicView
	SellBackCents money.Cents `json:"sellBackCents" doc:"Kaibao's current offer."`
	SellBackUntil *string     `json:"sellBackUntil" nullable:"true" doc:"End of the price floor from the draw; null if the caller didn't pull the item."`
}

// OwnView is an entry as listed for its owner.
type OwnView struct {
	EntryView
	PaidCents money.Cents `json:"paidCents" doc:"What the owner paid: for a pull, its part of the pack's price in proportion to the values at the draw; for a purchase, the price; 0 for a gift. The profit is baseValueCents minus this."`
}

// Schema implements huma.SchemaProvider.
func (State) Schema(huma.Registry) *huma.Schema {
	return enumSchema(append(slices.Clone(ownedStates), SoldBack, Delivered, MadeGood))
}

// Schema implements huma.SchemaProvider.
func (Kind) Schema(huma.Registry) *huma.Schema {
	kinds := []Kind{pulled, sold}
	for _, r := range transitions {
		if r.kind != "" {
			kinds = append(kinds, r.kind)
		}
	}
	slices.Sort(kinds)
	return enumSchema(slices.Compact(kinds))
}

// presentState is the state of an entry that has not ended; lists show no others.
type presentState State

// Schema implements huma.SchemaProvider.
func (presentState) Schema(huma.Registry) *huma.Schema { return enumSchema(ownedStates) }

// Schema implements huma.SchemaProvider.
func (Source) Schema(huma.Registry) *huma.Schema {
	return enumSchema([]Source{FromPack, FromMarket, FromOffer, FromGift})
}

func enumSchema[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	s.PrecomputeMessages()
	return s
}

// ItemView converts an entry's item.
func ItemView(i catalogue.Item) EntryItem {
	return EntryItem{ItemFacts: i.Facts(), Grader: i.Grader, BaseValueCents: i.BaseValue}
}

func (e Entry) publicView() PublicView {
	var price *money.Cents
	if e.State == Listed {
		price = &e.SalePrice
	}
	return PublicView{
		ID: e.ID, ForSale: e.State == Listed, SalePriceCents: price, PackName: e.PackName, PackNameZH: e.PackNameZH, Item: ItemView(e.Item),
		AcquiredAt: httpapi.Timestamp(e.AcquiredAt), AcquiredFrom: e.AcquiredFrom, Vaulted: e.Vaulted, State: e.State,
	}
}

// View converts an entry for its owner.
func (e Entry) View(now time.Time) EntryView {
	return EntryView{PublicView: e.publicView(), SellBackCents: e.Quote(now).Payout, SellBackUntil: e.FloorUntil()}
}

// FloorUntil formats when the floor ends; nil if there is no floor or the entry has ended.
func (e Entry) FloorUntil() *string {
	if e.SellBackUntil.IsZero() || e.Ended() {
		return nil
	}
	until := httpapi.Timestamp(e.SellBackUntil)
	return &until
}

// Summary holds the totals shown on the collection pages.
type Summary struct {
	Count      int64       `json:"count"`
	ValueCents money.Cents `json:"valueCents"`
	Listed     int64       `json:"listed"`
	Rarities   int64       `json:"rarities" doc:"Number of different rarities."`

	VaultedCount      int64       `json:"vaultedCount" doc:"Number of items in the vault."`
	VaultedValueCents money.Cents `json:"vaultedValueCents" doc:"Total value of the items in the vault."`
}

type listInput struct {
	State presentState `query:"state"`
	catalogue.Filter
	httpapi.Page
}

// Routes registers the inventory endpoints.
func Routes(api *httpapi.API) {
	topPullRoutes(api)
	adminRoutes(api)
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/inventory/me", "list-inventory", "The caller's items"),
		func(ctx context.Context, in *listInput) (*httpapi.List[OwnView], error) {
			return list(ctx, api.DB, in.Filter, in.Page, ownViews, func(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error) {
				return ownedEntries(tx, user, State(in.State), page)
			})
		})
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/inventory/summary", "summarise-inventory", "Totals of the caller's items"),
		func(ctx context.Context, _ *struct{}) (total Summary, err error) {
			err = api.DB.Search(ctx, func(tx *db.Tx) error {
				total, err = Summarize(tx, httpapi.Caller(ctx).UserID)
				return err
			})
			return total, err
		})
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/inventory/{id}", "get-entry", "An item with its history; price floor and quote are hidden from others"),
		func(ctx context.Context, in *struct {
			ID httpapi.PathID `path:"id"`
		}) (v LifeView, err error) {
			err = api.DB.Read(ctx, func(tx *db.Tx) error {
				v, err = entryWithHistory(tx, string(in.ID), httpapi.Caller(ctx).UserID)
				return err
			})
			return v, err
		})
	valueRoutes(api)
	vaultRoutes(api)
}

// list returns a page of the caller's entries.
func list[V any](
	ctx context.Context, d *db.DB, f catalogue.Filter, page httpapi.Page, views func(*db.Tx, []Entry) ([]V, error),
	read func(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error),
) (*httpapi.List[V], error) {
	return httpapi.Paged(ctx, d.Search, page, entryList.Filtered(f), func(tx *db.Tx, page *db.Selection[Entry]) ([]V, error) {
		found, err := read(tx, httpapi.Caller(ctx).UserID, page)
		if err != nil {
			return nil, err
		}
		return views(tx, found)
	})
}

func ownViews(tx *db.Tx, entries []Entry) ([]OwnView, error) {
	paid, err := Paid(tx, entries)
	views := make([]OwnView, len(entries))
	for n, e := range entries {
		views[n] = OwnView{e.View(tx.Now), paid[e.ID]}
	}
	return views, err
}
