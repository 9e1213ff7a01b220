package packs

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/apperr"
	"kaibao/internal/art"
	"kaibao/internal/catalogue"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

// packBytes is the request size limit for packs. It fits a cover URL and the maximum number of
// series, each of maximum length with every character escaped.
const packBytes = 40 << 10

// countTime is the time limit of an edit, which may have to count all opens of a pack.
const countTime = 15 * time.Second

// Routes registers the endpoints for packs, their covers, and the admin's items.
func (s *Service) Routes(api *httpapi.API) {
	api.Huma.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[float64]())
	s.cache = s.newResponseCache()
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/packs", "list-packs", "Packs on sale"), s.cache.packs)
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/packs/{id}", "get-pack", "A pack with its odds and top cards"), s.cache.details)
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/packs/{id}/cards", "list-pack-cards", "The cards that a pack can yield now with their chances, the most valuable first; X-Total-Count is the number of matches"), s.cache.cards)
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/packs/{id}/demo", "get-demo-pull", "Draw a card of a demo open; nothing is charged or kept", apperr.SoldOut), s.demo)
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/packs", "list-all-packs", "All packs, including those not on sale"),
		"kaibao-packs", exportColumns, exportRecord, func(ctx context.Context, _ *struct{ csvfile.Input }) (*httpapi.List[AdminPackView], error) {
			return list(ctx, s, All, (*LivePack).adminView)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/packs", "create-pack", "Create a pack that draws by rarity", apperr.Margin, apperr.Conflict, apperr.RequestWaiting).WithBodyLimit(packBytes), s.create)
	action.Handle(api, httpapi.Patch(httpapi.Admin, "/api/admin/items/{id}", catalogue.EditOperation, "Edit an item, including its value and stock", apperr.Conflict, apperr.RequestWaiting, apperr.OwnInterest), s.editItem)
	httpapi.Handle(api, httpapi.Get(httpapi.Admin, "/api/admin/items", "list-all-items", "The catalogue, including retired items and stock"), s.items)
	action.Handle(api, httpapi.Patch(httpapi.Admin, "/api/admin/packs/{id}", "edit-pack", "Edit a pack; changes of price or odds are announced first", apperr.Margin, apperr.Conflict, apperr.RequestWaiting).
		WithBodyLimit(packBytes).WithTimeLimit(countTime), s.edit)
	httpapi.JSON(api, httpapi.Post(httpapi.Admin, "/api/admin/packs/preview", "preview-pack", "Preview creating or editing a pack", apperr.NotFound).WithBodyLimit(packBytes), s.preview)
	art.Serve(api, "packs", "get-pack-picture", "A pack's cover", s.picture)
}

// list returns the views of the packs that read selects.
func list[V any](ctx context.Context, s *Service, read func(*db.Tx) ([]Pack, error), view func(*LivePack) V) (*httpapi.List[V], error) {
	list := &httpapi.List[V]{}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		live, err := s.livePacks(tx, read)
		list.Body = make([]V, len(live))
		for n, d := range live {
			list.Body[n] = view(d)
		}
		return err
	})
	return list, err
}

var exportColumns = []string{
	"id", "name", "series", "price", "items", "supply", "sold", "onSale", "paused", "soldOut", "demo", "expectedValue", "listedExpectedValue", "lost", "manifest", "nameZh",
}

// exportRecord returns a pack's row in the CSV export, as it can be opened now.
func exportRecord(p AdminPackView) []string {
	sold := ""
	if p.Sold != nil {
		sold = strconv.FormatInt(*p.Sold, 10)
	}
	return []string{
		p.ID, p.Name, strings.Join(p.Series, "; "), p.PriceCents.String(), strconv.FormatInt(p.ItemsPerPack, 10), strconv.FormatInt(p.Supply, 10), sold,
		strconv.FormatBool(p.IsActive), p.Paused, strconv.FormatBool(p.SoldOut), strconv.FormatBool(p.IsDemo),
		p.ExpectedValueCents.String(), p.ListedExpectedValueCents.String(), p.LostCents.String(), p.ManifestHash, p.NameZH,
	}
}
