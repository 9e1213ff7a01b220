package collection

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// EntryItem is the item of an entry as the specification's section 3 writes it.
type EntryItem struct {
	ID             string      `json:"id"`
	Name           string      `json:"name"`
	ImageURL       string      `json:"imageUrl"`
	Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade          *float64    `json:"grade" nullable:"true"`
	Series         string      `json:"series"`
	Grader         string      `json:"certification"`
	CertNumber     string      `json:"certNumber"`
	BaseValueCents money.Cents `json:"baseValueCents"`
}

// EntryView is an entry as the contract writes it, for its owner.
type EntryView struct {
	ID             string       `json:"id"`
	ForSale        bool         `json:"forSale"`
	SalePriceCents *money.Cents `json:"salePriceCents" nullable:"true"`
	Item           EntryItem    `json:"item"`
	PackName       string       `json:"packName"`
	AcquiredAt     string       `json:"acquiredAt"`
	AcquiredFrom   Source       `json:"acquiredFrom"`
	Vaulted        bool         `json:"vaulted"`
	State          State        `json:"state"`
	SellBackCents  money.Cents  `json:"sellBackCents" doc:"What the house pays now."`
	SellBackUntil  *string      `json:"sellBackUntil" nullable:"true" doc:"Until then the quote of the draw is a floor; null for anybody but who pulled it."`
}

// Schema implements huma.SchemaProvider: what has ended is shown to nobody.
func (State) Schema(huma.Registry) *huma.Schema { return oneOf(present) }

// Schema implements huma.SchemaProvider.
func (Source) Schema(huma.Registry) *huma.Schema {
	return oneOf([]Source{FromPack, FromMarket, FromOffer})
}

func oneOf[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	s.PrecomputeMessages()
	return s
}

// ItemView shows the item of an entry.
func ItemView(i catalogue.Item) EntryItem {
	return EntryItem{
		ID: i.ID, Name: i.Name, ImageURL: i.Picture(), Rarity: i.Rarity, Grade: i.Grade(), Series: i.Series,
		Grader: i.Grader, CertNumber: i.CertNumber, BaseValueCents: i.BaseValue,
	}
}

// View shows an entry to its owner.
func (e Entry) View(now time.Time) EntryView {
	var price *money.Cents
	if e.State == Listed {
		price = &e.SalePrice
	}
	return EntryView{
		ID: e.ID, ForSale: e.State == Listed, SalePriceCents: price, PackName: e.PackName, Item: ItemView(e.Item),
		AcquiredAt: httpkit.Timestamp(e.AcquiredAt), AcquiredFrom: e.AcquiredFrom, Vaulted: e.Vaulted, State: e.State,
		SellBackCents: e.SellBack(now), SellBackUntil: e.FloorUntil(),
	}
}

// FloorUntil shows how long the floor holds; it is nil where there is none.
func (e Entry) FloorUntil() *string {
	if e.SellBackUntil.IsZero() {
		return nil
	}
	until := httpkit.Timestamp(e.SellBackUntil)
	return &until
}

// Summary is the tiles of the pages that show what the caller owns.
type Summary struct {
	Count      int64       `json:"count"`
	ValueCents money.Cents `json:"valueCents"`
	Listed     int64       `json:"listed"`
	Rarities   int64       `json:"rarities" doc:"How many different ones."`

	VaultedCount      int64       `json:"vaultedCount" doc:"How many of them are in the vault."`
	VaultedValueCents money.Cents `json:"vaultedValueCents" doc:"What those are worth."`
}

type listInput struct {
	State  State  `query:"state"`
	Rarity string `query:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	catalogue.Filter
	httpkit.Page
}

// Routes registers the collection's calls.
func Routes(k *httpkit.Kit) {
	httpkit.Handle(k, httpkit.Get(httpkit.Session, "/api/inventory/me", "list-inventory", "What the caller owns"),
		func(ctx context.Context, in *listInput) (*httpkit.List[EntryView], error) {
			return list(ctx, k.DB, in.Filter, in.Page, Entry.View, func(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error) {
				return owned(tx, user, in.State, in.Rarity, page)
			})
		})
	httpkit.JSON(k, httpkit.Get(httpkit.Session, "/api/inventory/summary", "summarise-inventory", "Totals of what the caller owns"),
		func(ctx context.Context, _ *struct{}) (total Summary, err error) {
			err = k.DB.Search(ctx, func(tx *db.Tx) error {
				total, err = summarise(tx, httpkit.Caller(ctx).UserID)
				return err
			})
			return total, err
		})
	vaultRoutes(k)
}

// list answers a page of what the caller has on the shelf.
func list[V any](
	ctx context.Context, d *db.DB, f catalogue.Filter, page httpkit.Page, view func(Entry, time.Time) V,
	read func(tx *db.Tx, user string, page *db.Selection[Entry]) ([]Entry, error),
) (*httpkit.List[V], error) {
	return httpkit.Paged(ctx, d.Search, page, shelf.Filtered(f), func(tx *db.Tx, page *db.Selection[Entry]) ([]V, error) {
		found, err := read(tx, httpkit.Caller(ctx).UserID, page)
		views := make([]V, len(found))
		for n, e := range found {
			views[n] = view(e, tx.Now)
		}
		return views, err
	})
}
