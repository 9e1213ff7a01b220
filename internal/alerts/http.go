package alerts

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// AlertView is an alert as the contract writes it.
type AlertView struct {
	ID          string      `json:"id"`
	Kind        Kind        `json:"kind"`
	At          string      `json:"at"`
	ItemID      string      `json:"itemId,omitempty"`
	InventoryID string      `json:"inventoryId,omitempty"`
	BidID       string      `json:"bidId,omitempty"`
	PriceCents  money.Cents `json:"priceCents,omitempty"`
	Read        bool        `json:"read" doc:"The caller has marked it, or a later one, as read."`
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
		UpTo httpkit.ID `json:"upTo" doc:"The id of the newest alert that was seen."`
	}
}

// Routes registers the alerts.
func Routes(k *httpkit.Kit) {
	httpkit.Handle(k, httpkit.Get(httpkit.Session, "/api/alerts", "list-alerts", "What the caller is told, newest first"),
		func(ctx context.Context, in *struct{ httpkit.Page }) (*httpkit.List[AlertView], error) {
			return httpkit.Paged(ctx, k.DB.Read, in.Page, newestFirst.Select, func(tx *db.Tx, page *db.Selection[told]) ([]AlertView, error) {
				return views(tx, httpkit.Caller(ctx).UserID, page)
			})
		})
	httpkit.Handle(k, httpkit.Post(httpkit.Session, "/api/alerts/read", "read-alerts", "Mark alerts as read").Answering(http.StatusNoContent),
		func(ctx context.Context, in *readInput) (*struct{}, error) {
			upTo := string(in.Body.UpTo)
			if _, err := db.ID(upTo).Packed(); err != nil {
				return nil, fault.InvalidField("upTo", "is not the id of an alert")
			}
			return nil, k.DB.InTx(ctx, func(tx *db.Tx) error { return mark(tx, httpkit.Caller(ctx).UserID, upTo) })
		})
}

func views(tx *db.Tx, user string, page *db.Selection[told]) ([]AlertView, error) {
	upTo, err := markOf(tx, user)
	if err != nil {
		return nil, err
	}
	list, err := written(tx, user, page)
	views := make([]AlertView, len(list))
	for n, t := range list {
		views[n] = AlertView{
			ID: t.id, Kind: t.Kind, At: httpkit.Timestamp(t.at()), ItemID: t.Item, InventoryID: t.Entry, BidID: t.Bid,
			PriceCents: t.Price, Read: t.id <= upTo,
		}
	}
	return views, err
}
