package catalogue

import (
	"context"
	"strconv"

	"kaibao/internal/action"
	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// Routes registers the endpoints for items and their pictures.
func Routes(api *httpapi.API) {
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/items", "list-items", "Items in the catalogue"),
		func(ctx context.Context, in *listInput) (*httpapi.List[ItemView], error) {
			return list(ctx, api.DB, in)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/items", "create-item", "Add an item to the catalogue"), create)
	art.Serve(api, "items", "get-item-picture", "An item's picture", func(ctx context.Context, id string) ([]byte, error) {
		var i Item
		err := api.DB.Read(ctx, func(tx *db.Tx) (err error) {
			i, err = Find(tx, id)
			return err
		})
		if err != nil {
			return nil, err
		}
		return art.DrawItem(i.Drawing()), nil
	})
}

type listInput struct {
	Filter
	httpapi.Page
}

func list(ctx context.Context, d *db.DB, in *listInput) (*httpapi.List[ItemView], error) {
	total := ""
	page, err := httpapi.Paged(ctx, d.Search, in.Page, allItems.Filtered(in.Filter),
		func(tx *db.Tx, selection *db.Selection[Item]) (views []ItemView, err error) {
			if in.Filter == (Filter{}) && in.Cursor == "" {
				var all int64
				all, err = Count(tx)
				total = strconv.FormatInt(all, 10)
			}
			if err != nil {
				return nil, err
			}
			items, err := selected(tx, selection)
			views = make([]ItemView, len(items))
			for n, i := range items {
				views[n] = i.View()
			}
			return views, err
		})
	if err != nil {
		return nil, err
	}
	page.Total = total
	return page, nil
}
