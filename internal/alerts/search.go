package alerts

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/policy"
)

// search is a saved filter of the marketplace.
type search struct {
	id, name, query string
	alert           bool
}

var (
	errManySearches = apperr.New(apperr.LimitReached, "You have reached the limit of saved searches. Delete one first.")
	errNoSearch     = apperr.Missing("Saved search")
)

// filterOf parses a query as the marketplace does.
var filterOf = httpapi.ReadQuery[catalogue.Filter]()

// save stores a search, or updates the user's search of the same name.
func save(tx *db.Tx, user string, s search) (search, error) {
	s.id, s.name = tx.NewID(), strings.TrimSpace(s.name)
	if err := s.check(); err != nil {
		return s, err
	}
	if err := lock(tx, user); err != nil {
		return s, err
	}
	if err := saveSearch(tx, user, s); err != nil {
		return s, err
	}
	count, err := countOf(tx, "saved_searches", user)
	if err == nil && count > policy.MaxSavedSearches {
		err = errManySearches
	}
	return s, err
}

func (s search) check() error {
	if s.name == "" {
		return apperr.InvalidField("name", "must not be empty")
	}
	if err := apperr.CheckMaxLength("name", s.name, policy.MaxSearchNameLength); err != nil {
		return err
	}
	if err := apperr.CheckMaxLength("query", s.query, policy.MaxQueryLength); err != nil {
		return err
	}
	values, err := url.ParseQuery(s.query)
	if err == nil && slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(values))...), isInvalidText) {
		err = apperr.InvalidField("query", "contains characters that are not text")
	}
	if err == nil {
		_, err = s.listings(1)
	}
	return err
}

// isInvalidText reports whether the database would refuse the value as text. Every run of a search
// with such a value would fail.
func isInvalidText(value string) bool {
	return !utf8.ValidString(value) || strings.ContainsRune(value, 0)
}

// listings selects the listings that match the search, newest first.
func (s search) listings(limit int) (*db.Selection[inventory.Entry], error) {
	filter, err := filterOf(s.query)
	if err != nil {
		return nil, err
	}
	filter.SortBy = ""
	return inventory.OnMarket.Filtered(filter)(limit, "")
}

// SearchView is a saved search.
type SearchView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Query     string `json:"query" doc:"The part of a marketplace address after the question mark."`
	Alert     bool   `json:"alert" doc:"Alert about new matching listings."`
	CreatedAt string `json:"createdAt" doc:"When it was saved or last changed."`
}

type searchInput struct {
	Body struct {
		Name  string `json:"name" minLength:"1" maxLength:"60" doc:"An existing search with this name is replaced."`
		Query string `json:"query" maxLength:"500" doc:"The part of a marketplace address after the question mark."`
		Alert bool   `json:"alert,omitempty" doc:"Alert about new matching listings."`
	}
}

func searchRoutes(api *httpapi.API) {
	httpapi.Handle(api, httpapi.Get(httpapi.Session, "/api/saved-searches", "list-saved-searches", "The caller's saved searches, newest first"),
		func(ctx context.Context, in *struct{ httpapi.Page }) (*httpapi.List[SearchView], error) {
			return httpapi.Paged(ctx, api.DB.Read, in.Page, newestSearches.Select, func(tx *db.Tx, page *db.Selection[search]) ([]SearchView, error) {
				found, err := searches(tx, httpapi.Caller(ctx).UserID, page)
				views := make([]SearchView, len(found))
				for i, s := range found {
					views[i] = s.view()
				}
				return views, err
			})
		})
	httpapi.JSON(api, httpapi.Post(httpapi.Session, "/api/saved-searches", "save-search", "Save a search of the marketplace, or replace one", apperr.LimitReached),
		func(ctx context.Context, in *searchInput) (view SearchView, err error) {
			wanted := search{name: in.Body.Name, query: in.Body.Query, alert: in.Body.Alert}
			err = api.DB.InTx(ctx, func(tx *db.Tx) error {
				saved, err := save(tx, httpapi.Caller(ctx).UserID, wanted)
				view = saved.view()
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
