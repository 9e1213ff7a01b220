package alerts

import (
	"cmp"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/policy"
)

// cursor is the name of an alert. A page starts with the next older alert.
type cursor string

// firstPage is the cursor of the first page.
const firstPage cursor = db.MaxID

// maxID returns the greatest ID that an alert after the cursor can have.
func (c cursor) maxID() string { return string(c)[:len(db.MaxID)] }

// parseCursor parses the name of an alert. field names the request field for errors.
func parseCursor(field, name string) (cursor, error) {
	id := name[:min(len(name), len(firstPage))]
	if _, err := db.ID(id).Packed(); err != nil {
		return "", apperr.InvalidField(field, "is not the id of one of your alerts")
	}
	return cursor(name), nil
}

// page returns a user's alerts after a cursor: stored ones, and listings that match the user's
// watches and saved searches.
func page(tx *db.Tx, user string, after cursor, limit int) ([]userAlert, error) {
	sources := []func(*db.Tx, string, cursor, int) ([]userAlert, error){storedAlerts, watchAlerts, searchAlerts}
	account, err := ledger.Find(tx, user)
	if err != nil {
		return nil, err
	}
	if limits.CheckStopped(account.Play, tx.Now) != nil {
		sources = sources[:1] // don't encourage users in a time-out or exclusion to buy
	}
	var all []userAlert
	for _, source := range sources {
		found, err := source(tx, user, after, limit+1) // the alert of the cursor itself may be among them
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(a userAlert) bool { return a.name() >= string(after) })
	slices.SortStableFunc(all, func(a, b userAlert) int { return cmp.Compare(b.name(), a.name()) })
	// Several searches may find the same listing.
	all = slices.CompactFunc(all, func(a, b userAlert) bool { return a.name() == b.name() })
	return all[:min(len(all), limit)], nil
}

// searchAlerts returns other users' listings that match the user's searches and are newer than the
// search. It considers only the newest policy.ListingsSearched listings, so its cost doesn't grow
// with the market.
func searchAlerts(tx *db.Tx, user string, after cursor, limit int) ([]userAlert, error) {
	searches, err := alertingSearches(tx, user)
	if err != nil || len(searches) == 0 {
		return nil, err
	}
	since, err := inventory.NthNewestListing(tx, policy.ListingsSearched)
	if err != nil {
		return nil, err
	}
	var all []userAlert
	for _, s := range searches {
		listings, err := s.listings(limit)
		if err != nil {
			continue // the filter is no longer valid
		}
		listings.Where("n.listing_id > ? AND n.listing_id >= ? AND n.listing_id <= ? AND n.user_id <> ?", s.id, since, after.maxID(), user)
		entries, err := inventory.ListedEntries(tx, listings)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			all = append(all, userAlert{id: e.ListingID, search: s.name, Alert: Alert{User: user, Kind: listed, Item: e.Item.ID, Entry: e.ID, Price: e.SalePrice}})
		}
	}
	return all, nil
}
