package catalogue

import (
	"context"

	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// Routes registers the items and their drawn art.
func Routes(k *httpkit.Kit) {
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/items", "list-items", "The catalogue"),
		func(ctx context.Context, in *listInput) (*httpkit.List[ItemView], error) { return list(ctx, k.DB, in) })
	httpkit.SharedOne(k, httpkit.Get(httpkit.Public, "/api/items/{id}", "get-item", "A catalogue entry"),
		func(ctx context.Context, in *struct {
			ID httpkit.PathID `path:"id"`
		}) (ItemView, error) {
			i, err := get(ctx, k.DB, string(in.ID))
			return i.View(), err
		})
	httpkit.Act(k, httpkit.Post(httpkit.Admin, "/api/admin/items", "create-item", "Add an item to the catalogue"), create)
	art.Serve(k, "items", "get-item-picture", "The picture of an item", func(ctx context.Context, id string) ([]byte, error) {
		i, err := get(ctx, k.DB, id)
		if err != nil {
			return nil, err
		}
		return art.Item(art.Entry{
			ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity,
			Grade: float64(i.GradeTenths) / 10, CertType: i.CertType, CertNumber: i.CertNumber,
		}), nil
	})
}

func get(ctx context.Context, d *db.DB, id string) (i Item, err error) {
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		i, err = find(tx, id)
		return err
	})
	return i, err
}

type listInput struct {
	Filter
	httpkit.Page
}

func list(ctx context.Context, d *db.DB, in *listInput) (*httpkit.List[ItemView], error) {
	selection, err := in.Select(everything, in.Page)
	if err != nil {
		return nil, err
	}
	var found []Item
	var total string
	err = d.Search(ctx, func(tx *db.Tx) (err error) {
		if in.Filter == (Filter{}) && in.Cursor == "" {
			total, err = count(tx)
		}
		if err != nil {
			return err
		}
		found, err = selected(tx, selection)
		return err
	})
	if err != nil {
		return nil, err
	}
	cut := httpkit.Cut(found, in.Limit, func(i Item) string { return selection.Cursor(i.ID, i.BaseValue, i) })
	page := &httpkit.List[ItemView]{Next: cut.Next, Total: total, Body: make([]ItemView, len(cut.Body))}
	for n, i := range cut.Body {
		page.Body[n] = i.View()
	}
	return page, nil
}
