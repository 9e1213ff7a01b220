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
	OwnImageURL string            `json:"ownImageUrl" doc:"Empty for a generated picture."`
	IsActive    bool              `json:"isActive" doc:"false = retired."`
	Stock       *StockView        `json:"stock,omitempty" doc:"Absent for unlimited items."`
	Approval    *approval.Waiting `json:"approval,omitempty" doc:"The request waiting for a second admin. Until it is approved, the value doesn't change."`
}

// StockView is the remaining stock of an item, and the restock that waits for pending orders.
type StockView struct {
	PackID     string `json:"packId"`
	PackName   string `json:"packName"`
	PackNameZH string `json:"packNameZh,omitempty"`
	Left       int64  `json:"left"`
	Waiting    int64  `json:"waiting,omitempty" doc:"Number that the pack's waiting publication adds; negative to remove."`
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
	Retired bool `query:"retired" doc:"Only retired items instead of only active ones."`
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
