package alerts

import (
	"context"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// watched is a line of a user's watchlist.
type watched struct {
	id     string
	item   string
	below  money.Cents // alert at this price or less; 0 = never
	lowest money.Cents // the lowest price of others' listings; 0 = none
}

var (
	errManyWatches = apperr.New(apperr.LimitReached, "Your watchlist is full. Remove an item first.")
	errNoWatch     = apperr.Missing("Watched item")
)

// watch adds an item to a user's watchlist, or changes its alert price; 0 = no alert.
func watch(tx *db.Tx, user, item string, below money.Cents) error {
	if err := apperr.CheckRange("belowCents", int64(below), 0, int64(policy.MaxPrice)); err != nil {
		return err
	}
	if _, err := catalogue.Find(tx, item); err != nil {
		return err
	}
	if err := lock(tx, user); err != nil {
		return err
	}
	if err := saveWatch(tx, user, watched{id: tx.NewID(), item: item, below: below}); err != nil {
		return err
	}
	count, err := countOf(tx, "watches", user)
	if err == nil && count > policy.MaxWatched {
		err = errManyWatches
	}
	return err
}

// WatchView is a line of a watchlist.
type WatchView struct {
	ID          string             `json:"id"`
	ItemID      string             `json:"itemId"`
	Item        catalogue.ItemView `json:"item"`
	BelowCents  *money.Cents       `json:"belowCents" nullable:"true" doc:"Alert when another user lists it at this price or less; null for no alert."`
	LowestCents *money.Cents       `json:"lowestCents" nullable:"true" doc:"Lowest price of other users' listings; null without one."`
	CreatedAt   string             `json:"createdAt" doc:"When it was added or last changed."`
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
	for i, w := range list {
		ids[i] = w.item
	}
	items, err := catalogue.Items(tx, ids)
	views := make([]WatchView, len(list))
	for i, w := range list {
		views[i] = WatchView{
			ID: w.id, ItemID: w.item, Item: items[w.item].View(), BelowCents: nilIfZero(w.below), LowestCents: nilIfZero(w.lowest),
			CreatedAt: httpapi.Timestamp(db.ID(w.id).Time()),
		}
	}
	return views, err
}

// nilIfZero returns the amount, or nil for 0.
func nilIfZero(amount money.Cents) *money.Cents {
	if amount == 0 {
		return nil
	}
	return &amount
}
