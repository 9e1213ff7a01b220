// Package market serves the marketplace over HTTP: listings, purchases, bids, quick sells, order
// books and item pages. Package match holds the rules of trading, package index finds listings.
package market

import (
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/market/index"
	"kaibao/internal/market/match"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
)

// Service serves the marketplace and its item, listing and bid pages.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
	Log   *publiclog.Log
	Index *index.Service
	Match *match.Service
}

// Routes registers the marketplace's routes.
func (s *Service) Routes(api *httpapi.API) {
	s.bidRoutes(api)
	s.bookRoutes(api)
	s.bulkRoutes(api)
	s.quickSellRoutes(api)
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/items/{id}", "get-item", "An item with its values, sales, odds and listings"), s.item)
	s.listingRoutes(api)
}
