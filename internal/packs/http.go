package packs

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/art"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// packBytes is the request size limit for packs. It fits a cover address and the maximum number of
// series, each of maximum length with every character escaped.
const packBytes = 40 << 10

// countTime is the time limit of an edit, which may have to count all opens of a pack.
const countTime = 15 * time.Second

// Routes registers the endpoints for packs, their covers, and the admin's items.
func (s *Service) Routes(k *httpkit.Kit) {
	k.API.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[float64]())
	s.cache = s.newResponseCache()
	httpkit.SharedCached(k, httpkit.Get(httpkit.Public, "/api/packs", "list-packs", "The packs on sale"), s.cache.packs)
	httpkit.SharedCached(k, httpkit.Get(httpkit.Public, "/api/packs/{id}", "get-pack", "A pack with its odds and its best cards"), s.cache.details)
	httpkit.Table(k, httpkit.Get(httpkit.Admin, "/api/admin/packs", "list-all-packs", "All packs, those that are not on sale among them"),
		"kaibao-packs", exportColumns, exportRecord, func(ctx context.Context, _ *struct{ httpkit.TabledWhole }) (*httpkit.List[AdminPackView], error) {
			return list(ctx, s, All, (*Deck).adminView)
		})
	httpkit.Act(k, httpkit.Post(httpkit.Admin, "/api/admin/packs", "create-pack", "Make a pack that draws by rarity", apperr.Margin, apperr.Conflict, apperr.RequestWaiting).Taking(packBytes), s.create)
	httpkit.Act(k, httpkit.Patch(httpkit.Admin, "/api/admin/items/{id}", catalogue.Edit, "Change an item, its value and its stock among it", apperr.Conflict, apperr.RequestWaiting, apperr.OwnInterest), s.editItem)
	httpkit.Handle(k, httpkit.Get(httpkit.Admin, "/api/admin/items", "list-all-items", "The catalogue, with what is retired and what is left of each"), s.items)
	httpkit.Act(k, httpkit.Patch(httpkit.Admin, "/api/admin/packs/{id}", "edit-pack", "Change a pack; what an open costs or yields is announced first", apperr.Margin, apperr.Conflict, apperr.RequestWaiting).
		Taking(packBytes).Within(countTime), s.edit)
	httpkit.JSON(k, httpkit.Post(httpkit.Admin, "/api/admin/packs/preview", "preview-pack", "What making or editing a pack would do", apperr.NotFound).Taking(packBytes), s.preview)
	art.Serve(k, "packs", "get-pack-picture", "The wrapper of a pack", s.picture)
}

// list returns the views of the packs that read selects.
func list[V any](ctx context.Context, s *Service, read func(*db.Tx) ([]Pack, error), view func(*Deck) V) (*httpkit.List[V], error) {
	list := &httpkit.List[V]{}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		decks, err := s.decks(tx, read)
		list.Body = make([]V, len(decks))
		for n, d := range decks {
			list.Body[n] = view(d)
		}
		return err
	})
	return list, err
}

// Covers lists the covers of the packs shown in the store, in store order.
func (s *Service) Covers(ctx context.Context) (covers []Cover, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		packs, err := activePacks(tx)
		for _, p := range packs {
			if !p.HiddenFromStore {
				covers = append(covers, p.Cover())
			}
		}
		return err
	})
	return covers, err
}

// picture draws a pack's picture.
func (s *Service) picture(ctx context.Context, id string) ([]byte, error) {
	var p Pack
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = byID(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return art.DrawCover(p.drawnCover()), nil
}
