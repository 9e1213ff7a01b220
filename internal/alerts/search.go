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
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/policy"
)

// search is a filter of the marketplace that a user has saved.
type search struct {
	id, name, query string
	alert           bool
}

// filterOf reads a query as the marketplace reads its address.
var filterOf = httpkit.ReadQuery[catalogue.Filter]()

// save keeps a search, or changes the one of its name.
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
		return apperr.InvalidField("name", "is empty")
	}
	if err := apperr.Short("name", s.name, policy.LongestSearchName); err != nil {
		return err
	}
	if err := apperr.Short("query", s.query, policy.LongestQuery); err != nil {
		return err
	}
	values, err := url.ParseQuery(s.query)
	if err == nil && slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(values))...), isNoText) {
		err = apperr.InvalidField("query", "has what is no text")
	}
	if err == nil {
		_, err = s.newest(1)
	}
	return err
}

// isNoText tells of what no database takes as a text, and would fail each look of the search.
func isNoText(value string) bool { return !utf8.ValidString(value) || strings.ContainsRune(value, 0) }

// newest selects what a search finds on the market, the newest first.
func (s search) newest(most int) (*db.Selection[inventory.Entry], error) {
	filter, err := filterOf(s.query)
	if err != nil {
		return nil, err
	}
	filter.SortBy = ""
	return inventory.OnMarket.Filtered(filter)(most, "")
}

// place is where a page of alerts begins: behind this one, the newest first.
type place string

const newest place = db.BehindIDs

// upTo is not less than any id that comes behind the place.
func (p place) upTo() string { return string(p)[:len(db.BehindIDs)] }

// page gives some of what a user is told: what was written, and what is for sale that
// they watch and search for.
func page(tx *db.Tx, user string, behind place, most int) ([]told, error) {
	sources := []func(*db.Tx, string, place, int) ([]told, error){written, cheap, found}
	held, err := ledger.Find(tx, user)
	if err != nil {
		return nil, err
	}
	if limits.Stopped(held.Play, tx.Now) != nil {
		sources = sources[:1] // nothing calls to buy
	}
	var all []told
	for _, source := range sources {
		some, err := source(tx, user, behind, most+1) // one may be at the place, not behind it
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	all = slices.DeleteFunc(all, func(t told) bool { return t.name() >= string(behind) })
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(b.name(), a.name()) })
	all = slices.CompactFunc(all, func(a, b told) bool { return a.name() == b.name() }) // which two searches found
	return all[:min(len(all), most)], nil
}

// found are listings of others that a user's searches find, newer than the search. Only
// the newest of all listings are looked at, so that it takes no longer with a larger market.
func found(tx *db.Tx, user string, behind place, most int) ([]told, error) {
	searches, err := alerting(tx, user)
	if err != nil || len(searches) == 0 {
		return nil, err
	}
	since, err := inventory.ListedSince(tx, policy.ListingsSearched)
	var all []told
	for _, s := range searches {
		listings, err := s.newest(most)
		if err != nil {
			continue // of a filter that the marketplace had once
		}
		listings.Where("n.listing_id > ? AND n.listing_id >= ? AND n.listing_id <= ? AND n.user_id <> ?", s.id, since, behind.upTo(), user)
		entries, err := inventory.ForSale(tx, listings)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			all = append(all, told{id: e.ListingID, search: s.name, Alert: Alert{User: user, Kind: listed, Item: e.Item.ID, Entry: e.ID, Price: e.SalePrice}})
		}
	}
	return all, err
}
