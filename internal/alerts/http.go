package alerts

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// AlertView is an alert as the API returns it.
type AlertView struct {
	ID          string      `json:"id"`
	Kind        Kind        `json:"kind"`
	At          string      `json:"at"`
	ItemID      string      `json:"itemId,omitempty"`
	ItemName    string      `json:"itemName,omitempty"`
	InventoryID string      `json:"inventoryId,omitempty"`
	BidID       string      `json:"bidId,omitempty" doc:"A bid of the caller's. A filled alert without one means that the caller's listing was sold, or that a bidder accepted the caller's counter-offer."`
	Search      string      `json:"search,omitempty" doc:"For new listings: the name of the saved search that matched."`
	PriceCents  money.Cents `json:"priceCents,omitempty"`
	GiftID      string      `json:"giftId,omitempty" doc:"For kind gift."`
	GiftEvent   GiftEvent   `json:"giftEvent,omitempty" enum:"offered,accepted,refused,expired" doc:"For kind gift. The caller was offered a gift; or the caller's gift was accepted, refused or expired."`
	Read        bool        `json:"read" doc:"The caller has marked it, or a later alert, as read."`
}

// Schema implements huma.SchemaProvider.
func (Kind) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, k := range kinds {
		s.Enum = append(s.Enum, string(k))
	}
	s.PrecomputeMessages()
	return s
}

type readInput struct {
	Body struct {
		UpTo httpapi.ID `json:"upTo" doc:"Id of the newest alert seen. It and all earlier ones are marked as read."`
	}
}

type removeInput struct {
	ID httpapi.PathID `path:"id"`
}

// Routes registers the routes for alerts, watchlist and saved searches.
func Routes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/alerts", "list-alerts", "The caller's alerts, newest first"),
		func(ctx context.Context, in *struct{ httpapi.Page }) (*httpapi.List[AlertView], error) {
			return list(ctx, api.DB, in.Page)
		})
	httpapi.Handle(api, httpapi.Post(httpapi.Session, "/api/alerts/read", "read-alerts", "Mark alerts as read").WithStatus(http.StatusNoContent),
		func(ctx context.Context, in *readInput) (*struct{}, error) {
			newestRead, err := parseCursor("upTo", string(in.Body.UpTo))
			if err != nil {
				return nil, err
			}
			return nil, api.DB.InTx(ctx, func(tx *db.Tx) error { return mark(tx, httpapi.Caller(ctx).UserID, newestRead.maxID()) })
		})
	watchRoutes(api)
	searchRoutes(api)
}

func list(ctx context.Context, d *db.DB, in httpapi.Page) (*httpapi.List[AlertView], error) {
	after, user := firstPage, httpapi.Caller(ctx).UserID
	if in.Cursor != "" {
		var err error
		after, err = parseCursor("cursor", in.Cursor)
		if err != nil {
			return nil, err
		}
	}
	answer := &httpapi.List[AlertView]{}
	err := d.Search(ctx, func(tx *db.Tx) error {
		alerts, err := page(tx, user, after, in.Limit+1)
		if err != nil {
			return err
		}
		if len(alerts) > in.Limit {
			alerts = alerts[:in.Limit]
			answer.Next = alerts[in.Limit-1].name()
		}
		answer.Body, err = views(tx, user, alerts)
		return err
	})
	return answer, err
}

func views(tx *db.Tx, user string, alerts []userAlert) ([]AlertView, error) {
	upTo, err := markOf(tx, user)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(alerts))
	for i, a := range alerts {
		ids[i] = a.Item
	}
	items, err := catalogue.Items(tx, ids)
	views := make([]AlertView, len(alerts))
	for i, a := range alerts {
		views[i] = AlertView{
			ID: a.name(), Kind: a.Kind, At: httpapi.Timestamp(a.at()), ItemID: a.Item, ItemName: items[a.Item].Name, InventoryID: a.Entry, BidID: a.Bid,
			Search: a.search, PriceCents: a.Price, GiftID: a.Gift, GiftEvent: a.GiftEvent, Read: a.id <= upTo,
		}
	}
	return views, err
}

// removeOwn deletes the caller's row, or returns notFound if the caller has no such row.
func removeOwn(ctx context.Context, d *db.DB, table, id string, notFound error) error {
	err := d.InTx(ctx, func(tx *db.Tx) error { return remove(tx, table, httpapi.Caller(ctx).UserID, id) })
	if errors.Is(err, db.ErrNoRow) {
		return notFound
	}
	return err
}
