package packs

import (
	"context"

	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// AdminItemView is an item as shown to admins.
type AdminItemView struct {
	catalogue.ItemView
	OwnImageURL string            `json:"ownImageUrl" doc:"Empty = the picture is drawn."`
	IsActive    bool              `json:"isActive" doc:"false = it is retired."`
	Stock       *StockView        `json:"stock,omitempty" doc:"Without it the item never runs out."`
	Approval    *approval.Waiting `json:"approval,omitempty" doc:"What waits for a second admin: until then the value is what it was."`
}

// StockView is the remaining stock of an item.
type StockView struct {
	PackID   string `json:"packId"`
	PackName string `json:"packName"`
	Left     int64  `json:"left"`
}

func adminItemViews(tx *db.Tx, items []catalogue.Item) ([]AdminItemView, error) {
	ids := make([]string, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	stock, err := stockViews(tx, ids)
	views := make([]AdminItemView, len(items))
	for n, i := range items {
		views[n] = AdminItemView{ItemView: i.View(), OwnImageURL: i.ImageURL, IsActive: i.Active, Stock: stock[i.ID]}
	}
	return views, err
}

type itemsInput struct {
	catalogue.Filter
	httpapi.Page
	Retired bool `query:"retired" doc:"Those that are retired instead of those that are not."`
}

// items lists the catalogue for admins.
func (s *Service) items(ctx context.Context, in *itemsInput) (*httpapi.List[AdminItemView], error) {
	return httpapi.Paged(ctx, s.DB.Search, in.Page, catalogue.PageOf(in.Filter, in.Retired),
		func(tx *db.Tx, page *db.Selection[catalogue.Item]) ([]AdminItemView, error) {
			found, err := catalogue.Selected(tx, page)
			if err != nil {
				return nil, err
			}
			return adminItemViews(tx, found)
		})
}
