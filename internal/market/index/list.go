package index

import (
	"context"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// Query is a request for a page of listings.
type Query struct {
	catalogue.Filter
	Limit    int
	Cursor   string
	Page     int    // 1, 2, 3 … instead of a cursor; 0 = the first
	Position string // the position that the page must include; empty = none
}

// PageInfo says where the next page starts and how many listings match.
type PageInfo struct {
	Next  string // cursor; empty after the last page
	Total int64  // of all pages
}

// List finds a page and passes its entries to show, which loads what else a listing shows. The page
// excludes listings that this node has sold, and those that another node sold more than
// marketevents.MaxLag ago.
func (s *Service) List(ctx context.Context, q Query, show func(*db.Tx, []inventory.Entry) error) (PageInfo, error) {
	selection, err := inventory.OnMarket.Filtered(q.Filter)(q.Limit, q.Cursor)
	if err != nil {
		return PageInfo{}, err
	}
	if q.Page > 0 {
		if q.Cursor != "" {
			return PageInfo{}, apperr.InvalidField("page", "can't be combined with a cursor")
		}
		selection.Skip((q.Page - 1) * q.Limit)
	}
	ready, info := s.ready(ctx, q.Position), PageInfo{}
	if !ready && s.searchWhileLagging(ctx, func(ctx context.Context) (err error) {
		info, err = s.search(ctx, q.Filter, selection, show)
		return err
	}) {
		return info, nil
	}
	if found, total, ok := s.find(q.Filter, selection); ok {
		if len(found) > selection.Limit() {
			found = found[:selection.Limit()]
			selection.EndAt(found[len(found)-1])
		}
		info = PageInfo{selection.Next(), total}
		if ready {
			return info, s.db.Peek(ctx, func(tx *db.Tx) error { return show(tx, found) })
		}
		return info, s.showStillListed(ctx, found, show)
	}
	return s.search(ctx, q.Filter, selection, show)
}

// searchWhileLagging runs a search in the database while the model lags, and reports whether it
// succeeded. Only one such search runs at a time and it has a short timeout, because a far page of
// a million listings takes seconds.
func (s *Service) searchWhileLagging(ctx context.Context, search func(context.Context) error) bool {
	if !s.built() || !s.searchLock.TryLock() {
		return false
	}
	defer s.searchLock.Unlock()
	ctx, end := context.WithTimeout(ctx, s.searchTimeout)
	defer end()
	return search(ctx) == nil
}

// find returns a page from the model, plus one listing if there is another page.
func (s *Service) find(f catalogue.Filter, selection *db.Selection[inventory.Entry]) (found []inventory.Entry, total int64, ok bool) {
	words, err := f.Words()
	after, skip := selection.Start()
	k, isID := keyOf(after)
	if err != nil || !isID {
		return nil, 0, false
	}
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	if s.model == nil {
		return nil, 0, false
	}
	by, back := s.model.orderOf(f.SortBy)
	c := s.model.matchListings(f, words)
	return s.model.find(c, pageRequest{by, back, k, int64(skip), int64(selection.Limit()) + 1}), c.total, true
}

// showStillListed shows a page from a lagging model. It leaves out listings that have ended or were
// repriced, which gives them a new ID.
func (s *Service) showStillListed(ctx context.Context, found []inventory.Entry, show func(*db.Tx, []inventory.Entry) error) error {
	return s.db.Read(ctx, func(tx *db.Tx) error {
		listings := make([]string, len(found))
		for n, e := range found {
			listings[n] = e.ListingID
		}
		listed, err := inventory.StillListed(tx, listings)
		if err != nil {
			return err
		}
		return show(tx, slices.DeleteFunc(found, func(e inventory.Entry) bool { return !listed[e.ListingID] }))
	})
}

// search reads a page from the database.
func (s *Service) search(
	ctx context.Context, f catalogue.Filter, selection *db.Selection[inventory.Entry], show func(*db.Tx, []inventory.Entry) error,
) (info PageInfo, err error) {
	err = s.db.Search(ctx, func(tx *db.Tx) error {
		rows, err := inventory.CountListings(tx, f)
		if err != nil {
			return err
		}
		info.Total = f.Total(rows)
		found, err := inventory.ListedEntries(tx, selection)
		if err != nil {
			return err
		}
		return show(tx, found)
	})
	info.Next = selection.Next()
	return info, err
}

// Facets counts the listings for each choice of a filter.
func (s *Service) Facets(ctx context.Context, f catalogue.Filter, position string) (facets catalogue.Facets, err error) {
	words, err := f.Words()
	if err != nil {
		return facets, err
	}
	search := func(ctx context.Context) error {
		return s.db.Search(ctx, func(tx *db.Tx) error {
			rows, err := inventory.CountListings(tx, f)
			facets = f.Facets(rows)
			return err
		})
	}
	if !s.ready(ctx, position) && s.searchWhileLagging(ctx, search) {
		return facets, nil
	}
	if rows, ok := s.kindCounts(f, words); ok {
		return f.Facets(rows), nil
	}
	return facets, search(ctx)
}

func (s *Service) kindCounts(f catalogue.Filter, words []catalogue.Word) ([]catalogue.KindCount, bool) {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	if s.model == nil {
		return nil, false
	}
	return s.model.kindCounts(f, words), true
}
