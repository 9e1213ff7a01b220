package alerts

import (
	"context"
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

// WatchView is a line of a watchlist.
type WatchView struct {
	ID          string             `json:"id"`
	ItemID      string             `json:"itemId"`
	Item        catalogue.ItemView `json:"item"`
	BelowCents  *money.Cents       `json:"belowCents" nullable:"true" doc:"Alert when another user lists it at this price or less; null for no alert."`
	LowestCents *money.Cents       `json:"lowestCents" nullable:"true" doc:"Lowest price of other users' listings; null without one."`
	CreatedAt   string             `json:"createdAt" doc:"When it was added or last changed."`
}

// SearchView is a saved search.
type SearchView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Query     string `json:"query" doc:"The part of a marketplace address after the question mark."`
	Alert     bool   `json:"alert" doc:"Alert about new matching listings."`
	CreatedAt string `json:"createdAt" doc:"When it was saved or last changed."`
}

type watchlistInput struct {
	ItemID string `query:"itemId" pattern:"^[a-z0-9-]{1,64}$" doc:"Only this item."`
	httpapi.Page
}

type watchInput struct {
	Body struct {
		ItemID     httpapi.ID  `json:"itemId"`
		BelowCents money.Cents `json:"belowCents,omitempty" minimum:"1" maximum:"100000000" doc:"Alert when another user lists it at this price or less; leave it out for no alert."`
	}
}

type searchInput struct {
	Body struct {
		Name  string `json:"name" minLength:"1" maxLength:"60" doc:"An existing search with this name is replaced."`
		Query string `json:"query" maxLength:"500" doc:"The part of a marketplace address after the question mark."`
		Alert bool   `json:"alert,omitempty" doc:"Alert about new matching listings."`
	}
}

type removeInput struct {
	ID httpapi.PathID `path:"id"`
}

func watchRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/watchlist", "list-watchlist", "The caller's watchlist, newest first"),
		func(ctx context.Context, in *watchlistInput) (*httpapi.List[WatchView], error) {
			choose := func(limit int, cursor string) (*db.Selection[watched], error) {
				page, err := newestWatches.Select(limit, cursor)
				if err == nil && in.ItemID != "" {
					page.Where("w.item_id = ?", in.ItemID)
				}
				return page, err
			}
			return httpapi.Paged(ctx, api.DB.Read, in.Page, choose, func(tx *db.Tx, page *db.Selection[watched]) ([]WatchView, error) {
				found, err := watchlist(tx, httpapi.Caller(ctx).UserID, page)
				if err != nil {
					return nil, err
				}
				return watchViews(tx, found)
			})
		})
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/watchlist", "watch-item", "Watch an item, or change its alert price", apperr.NotFound, apperr.LimitReached),
		func(ctx context.Context, in *watchInput) (view WatchView, err error) {
			user, item := httpapi.Caller(ctx).UserID, string(in.Body.ItemID)
			err = api.DB.InTx(ctx, func(tx *db.Tx) error {
				if err := watch(tx, user, item, in.Body.BelowCents); err != nil {
					return err
				}
				view, err = oneWatch(tx, user, item)
				return err
			})
			return view, err
		})
	httpapi.Handle(api, httpapi.Delete(httpapi.Session, "/api/watchlist/{id}", "unwatch-item", "Remove an item from the watchlist"),
		func(ctx context.Context, in *removeInput) (*struct{}, error) {
			return nil, removeOwn(ctx, api.DB, "watches", string(in.ID), errNoWatch)
		})
}

// oneWatch returns the watchlist line of an item.
func oneWatch(tx *db.Tx, user, item string) (WatchView, error) {
	page, err := newestWatches.Select(1, "")
	if err != nil {
		return WatchView{}, err
	}
	page.Where("w.item_id = ?", item)
	found, err := watchlist(tx, user, page)
	if err != nil {
		return WatchView{}, err
	}
	views, err := watchViews(tx, found)
	if err != nil {
		return WatchView{}, err
	}
	return views[0], nil
}

func watchViews(tx *db.Tx, list []watched) ([]WatchView, error) {
	ids := make([]string, len(list))
	for n, w := range list {
		ids[n] = w.item
	}
	items, err := catalogue.Items(tx, ids)
	views := make([]WatchView, len(list))
	for n, w := range list {
		views[n] = WatchView{
			ID: w.id, ItemID: w.item, Item: items[w.item].View(), BelowCents: some(w.below), LowestCents: some(w.lowest),
			CreatedAt: httpapi.Timestamp(db.ID(w.id).Time()),
		}
	}
	return views, err
}

// some returns the amount, or nil for 0.
func some(amount money.Cents) *money.Cents {
	if amount == 0 {
		return nil
	}
	return &amount
}

func searchRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/saved-searches", "list-saved-searches", "The caller's saved searches, newest first"),
		func(ctx context.Context, in *struct{ httpapi.Page }) (*httpapi.List[SearchView], error) {
			return httpapi.Paged(ctx, api.DB.Read, in.Page, newestSearches.Select, func(tx *db.Tx, page *db.Selection[search]) ([]SearchView, error) {
				found, err := searches(tx, httpapi.Caller(ctx).UserID, page)
				views := make([]SearchView, len(found))
				for n, s := range found {
					views[n] = s.view()
				}
				return views, err
			})
		})
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/saved-searches", "save-search", "Save a search of the marketplace, or replace one", apperr.LimitReached),
		func(ctx context.Context, in *searchInput) (view SearchView, err error) {
			asked := search{name: in.Body.Name, query: in.Body.Query, alert: in.Body.Alert}
			err = api.DB.InTx(ctx, func(tx *db.Tx) error {
				kept, err := save(tx, httpapi.Caller(ctx).UserID, asked)
				view = kept.view()
				return err
			})
			return view, err
		})
	httpapi.Handle(api, httpapi.Delete(httpapi.Session, "/api/saved-searches/{id}", "delete-saved-search", "Delete a saved search"),
		func(ctx context.Context, in *removeInput) (*struct{}, error) {
			return nil, removeOwn(ctx, api.DB, "saved_searches", string(in.ID), errNoSearch)
		})
}

func (s search) view() SearchView {
	return SearchView{ID: s.id, Name: s.name, Query: s.query, Alert: s.alert, CreatedAt: httpapi.Timestamp(db.ID(s.id).Time())}
}

// removeOwn deletes the caller's row. For a row of another user it returns none, as if there were
// no such row.
func removeOwn(ctx context.Context, d *db.DB, table, id string, none error) error {
	err := d.InTx(ctx, func(tx *db.Tx) error { return remove(tx, table, httpapi.Caller(ctx).UserID, id) })
	if errors.Is(err, db.ErrNoRow) {
		return none
	}
	return err
}
