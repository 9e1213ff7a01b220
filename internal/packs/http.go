package packs

import (
	"context"
	"encoding/json"
	"reflect"

	"kaibao/internal/art"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// packBytes is more than most calls take: a cover's address, and as many series as a
// pack may have, each as long as it may be and every character of them escaped.
const packBytes = 40 << 10

// Routes registers packs, and their wrappers.
func (s *Service) Routes(k *httpkit.Kit) {
	k.API.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[float64]())
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/packs", "list-packs", "The packs on sale"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[PackView], error) {
			return list(ctx, s, active)
		})
	httpkit.SharedOne(k, httpkit.Get(httpkit.Public, "/api/packs/{id}", "get-pack", "A pack with its odds and its best cards"),
		func(ctx context.Context, in *struct {
			ID httpkit.PathID `path:"id"`
		}) (PackDetail, error) {
			return s.detail(ctx, string(in.ID))
		})
	httpkit.Handle(k, httpkit.Get(httpkit.Admin, "/api/admin/packs", "list-all-packs", "All packs, those that are not on sale among them"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[PackView], error) {
			return list(ctx, s, All)
		})
	httpkit.Act(k, httpkit.Post(httpkit.Admin, "/api/admin/packs", "create-pack", "Make a pack that draws by rarity", fault.Margin, fault.Conflict).Taking(packBytes), s.create)
	httpkit.Act(k, httpkit.Patch(httpkit.Admin, "/api/admin/items/{id}", catalogue.SetValue, "Set what an item is worth", fault.Conflict), s.setValue)
	art.Serve(k, "packs", "get-pack-picture", "The wrapper of a pack", s.wrapper)
}

// list shows the packs that read gives.
func list(ctx context.Context, s *Service, read func(*db.Tx) ([]Pack, error)) (*httpkit.List[PackView], error) {
	list := &httpkit.List[PackView]{}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		decks, err := s.decks(tx, read)
		list.Body = make([]PackView, len(decks))
		for n, d := range decks {
			list.Body[n] = d.view()
		}
		return err
	})
	return list, err
}

func (s *Service) detail(ctx context.Context, id string) (v PackDetail, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := find(tx, id)
		if err != nil {
			return err
		}
		deck, err := s.deckOf(tx, p)
		if err != nil {
			return err
		}
		v, err = deck.detail(tx)
		return err
	})
	return v, err
}

// wrapper draws a pack's picture.
func (s *Service) wrapper(ctx context.Context, id string) ([]byte, error) {
	var p Pack
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = find(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	cover := art.Cover{ID: p.ID, Name: p.Name}
	if len(p.Series) > 0 {
		cover.Series = p.Series[0]
	}
	return art.Pack(cover), nil
}
