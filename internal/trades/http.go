package trades

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/catalogue"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/money"
)

// Activity is a trade as users see it. The API contract has this name.
type Activity struct {
	ID          string      `json:"id"`
	Kind        Kind        `json:"kind" enum:"listing,bid,counter,sell-back" doc:"What was accepted. sell-back: Kaibao bought it."`
	At          string      `json:"at"`
	ItemID      string      `json:"itemId"`
	ItemName    string      `json:"itemName"`
	ImageURL    string      `json:"imageUrl" doc:"The item's picture."`
	InventoryID string      `json:"inventoryId"`
	PriceCents  money.Cents `json:"priceCents"`
	Side        string      `json:"side,omitempty" enum:"sold,bought" doc:"The caller's role; absent in lists of everyone's trades."`
	micros      int64
}

// ItemSales are an item's sales statistics.
type ItemSales struct {
	LastSaleCents money.Cents `json:"lastSaleCents,omitempty" doc:"Price of the last counted sale; absent without one."`
	LastSaleAt    string      `json:"lastSaleAt,omitempty"`
	Spans         []SalesSpan `json:"spans" nullable:"false" doc:"For the last 7, 30 and 90 days, and for all, from at most the last 1,000 sales."`
	Sales         []ItemSale  `json:"sales" nullable:"false" doc:"The last sales, newest first."`
}

// SalesSpan summarizes the counted sales of the last days.
type SalesSpan struct {
	Days        int         `json:"days" doc:"0 for all."`
	Count       int         `json:"count"`
	MedianCents money.Cents `json:"medianCents" doc:"0 without sales, as for the range."`
	LowCents    money.Cents `json:"lowCents"`
	HighCents   money.Cents `json:"highCents"`
}

// ItemSale is a sale of an item.
type ItemSale struct {
	Kind       Kind        `json:"kind" enum:"listing,bid,counter"`
	PriceCents money.Cents `json:"priceCents"`
	At         string      `json:"at"`
	Counted    bool        `json:"counted" doc:"false if the price is below a third or above three times the value, or if the same two users had already traded the item that day."`
}

type activityInput struct {
	csvfile.PagedInput
	ItemID string       `query:"itemId" maxLength:"64" doc:"Only this item."`
	Series string       `query:"series" maxLength:"64" doc:"A series, or a category's id."`
	Kind   activityKind `query:"kind" doc:"Only this kind."`
}

type activityKind string

// Schema implements huma.SchemaProvider.
func (activityKind) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Enum: []any{string(Listing), string(Bid), string(Counter), string(SellBack)}}
	s.PrecomputeMessages()
	return s
}

// activityColumns are the columns of the users' files; saleColumns are those of the admins'.
var activityColumns = []string{"time", "kind", "itemId", "item", "entry", "price", "side", "id"}

func activityRecord(a Activity) []string {
	return []string{a.At, string(a.Kind), a.ItemID, a.ItemName, a.InventoryID, a.PriceCents.String(), a.Side, a.ID}
}

// Routes registers the routes for activity and sales.
func Routes(api *httpapi.API) {
	adminRoutes(api)
	csvfile.Table(api, httpapi.Get(httpapi.Public, "/api/activity", "list-trades", "Completed trades, newest first"),
		"kaibao-activity", activityColumns, activityRecord, func(ctx context.Context, in *activityInput) (*httpapi.List[Activity], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, func(tx *db.Tx, page *db.Selection[Activity]) ([]Activity, error) {
				return withItems(tx)(allActivity(tx, page))
			})
		})
	csvfile.Table(api, httpapi.Get(httpapi.Session, "/api/activity/me", "list-my-trades", "The caller's sales and purchases, newest first"),
		"kaibao-my-activity", activityColumns, activityRecord, func(ctx context.Context, in *activityInput) (*httpapi.List[Activity], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, func(tx *db.Tx, page *db.Selection[Activity]) ([]Activity, error) {
				return withItems(tx)(userActivity(tx, httpapi.Caller(ctx).UserID, page))
			})
		})
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/items/{id}/sales", "get-item-sales", "Sales statistics of an item"),
		func(ctx context.Context, in *itemInput) (sales ItemSales, err error) {
			err = api.DB.Read(ctx, func(tx *db.Tx) error {
				if _, err := catalogue.Find(tx, string(in.ID)); err != nil {
					return err
				}
				f, err := FiguresOf(tx, string(in.ID))
				sales = f.view()
				return err
			})
			return sales, err
		})
}

type itemInput struct {
	ID httpapi.PathID `path:"id"`
}

func (in *activityInput) selection(limit int, cursor string) (*db.Selection[Activity], error) {
	page, err := newestActivity.Select(limit, cursor)
	if err != nil {
		return nil, err
	}
	if in.ItemID != "" {
		page.Where("t.item_id = ?", in.ItemID)
	}
	if in.Series != "" {
		catalogue.WhereSeries(page, in.Series)
	}
	if in.Kind != "" {
		page.Where("t.kind = ?", string(in.Kind))
	}
	return page, nil
}

// withItems adds item names and pictures to a list.
func withItems(tx *db.Tx) func([]Activity, error) ([]Activity, error) {
	return func(list []Activity, err error) ([]Activity, error) {
		if err != nil {
			return nil, err
		}
		ids := make([]string, len(list))
		for n, a := range list {
			ids[n] = a.ItemID
		}
		items, err := catalogue.Items(tx, ids)
		for n := range list {
			item := items[list[n].ItemID]
			list[n].ItemName, list[n].ImageURL = item.Name, item.Picture()
		}
		return list, err
	}
}

func (f Figures) view() ItemSales {
	v := ItemSales{LastSaleCents: f.LastSale, Spans: make([]SalesSpan, len(f.Spans)), Sales: make([]ItemSale, len(f.Sales))}
	if f.LastSale > 0 {
		v.LastSaleAt = httpapi.Timestamp(f.LastSaleAt)
	}
	for n, s := range f.Spans {
		v.Spans[n] = SalesSpan{s.Days, s.Count, s.Median, s.Low, s.High}
	}
	for n, s := range f.Sales {
		v.Sales[n] = ItemSale{s.Kind, s.Price, httpapi.Timestamp(s.At), s.Counted}
	}
	return v
}
