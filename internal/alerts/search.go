package alerts

import (
	"cmp"
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
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/policy"
)

// search is a saved filter of the marketplace.
type search struct {
	id, name, query string
	alert           bool
}

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
	number, err := countOf(tx, "saved_searches", user)
	if err == nil && number > policy.MostSearches {
		err = errManySearches
	}
	return s, err
}

func (s search) check() error {
	if s.name == "" {
		return apperr.InvalidField("name", "is empty: set at least one filter")
	}
	if err := apperr.Short("name", s.name, policy.LongestSearchName); err != nil {
		return err
	}
	if err := apperr.Short("query", s.query, policy.LongestQuery); err != nil {
		return err
	}
	values, err := url.ParseQuery(s.query)
	if err == nil && slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(values))...), isNoText) {
		err = apperr.InvalidField("query", "contains characters that are not text")
	}
	if err == nil {
		_, err = s.newest(1)
	}
	return err
}

// isNoText reports whether the database would refuse the value as text, which would fail every run
// of the search.
func isNoText(value string) bool { return !utf8.ValidString(value) || strings.ContainsRune(value, 0) }

// newest selects the listings that match the search, newest first.
func (s search) newest(most int) (*db.Selection[inventory.Entry], error) {
	filter, err := filterOf(s.query)
	if err != nil {
		return nil, err
	}
	filter.SortBy = ""
	return inventory.OnMarket.Filtered(filter)(most, "")
}

// place is a position in the alerts, newest first; a page begins after it.
type place string

const newest place = db.BehindIDs

// upTo returns an upper bound for the IDs that follow the place.
func (p place) upTo() string { return string(p)[:len(db.BehindIDs)] }

// page returns a user's alerts after a place: stored ones, and listings that match the user's
// watches and saved searches.
func page(tx *db.Tx, user string, behind place, most int) ([]told, error) {
	sources := []func(*db.Tx, string, place, int) ([]told, error){storedAlerts, watchAlerts, searchAlerts}
	held, err := ledger.Find(tx, user)
	if err != nil {
		return nil, err
	}
	if limits.CheckStopped(held.Play, tx.Now) != nil {
		sources = sources[:1] // don't encourage users in a time-out or exclusion to buy
	}
	var all []told
	for _, source := range sources {
		some, err := source(tx, user, behind, most+1) // one may be at the place itself
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	all = slices.DeleteFunc(all, func(t told) bool { return t.name() >= string(behind) })
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(b.name(), a.name()) })
	// Several searches may find the same listing.
	all = slices.CompactFunc(all, func(a, b told) bool { return a.name() == b.name() })
	return all[:min(len(all), most)], nil
}

// searchAlerts returns other users' listings that match the user's searches and are newer than the
// search. It considers only the newest policy.ListingsSearched listings, so its cost doesn't grow
// with the market.
func searchAlerts(tx *db.Tx, user string, behind place, most int) ([]told, error) {
	searches, err := alerting(tx, user)
	if err != nil || len(searches) == 0 {
		return nil, err
	}
	since, err := inventory.NthNewestListing(tx, policy.ListingsSearched)
	var all []told
	for _, s := range searches {
		listings, err := s.newest(most)
		if err != nil {
			continue // the filter is no longer valid
		}
		listings.Where("n.listing_id > ? AND n.listing_id >= ? AND n.listing_id <= ? AND n.user_id <> ?", s.id, since, behind.upTo(), user)
		entries, err := inventory.ListedEntries(tx, listings)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			all = append(all, told{id: e.ListingID, search: s.name, Alert: Alert{User: user, Kind: listed, Item: e.Item.ID, Entry: e.ID, Price: e.SalePrice}})
		}
	}
	return all, err
}
