package packs

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// Routes registers packs, their wrappers, and manifests.
func (s *Service) Routes(k *httpkit.Kit) {
	k.API.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[float64]())
	httpkit.Shared(k, httpkit.Get("/api/packs", "list-packs", "The packs on sale"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[PackView], error) {
			return list(ctx, s, active, (*Deck).view)
		})
	httpkit.SharedOne(k, httpkit.Get("/api/packs/{id}", "get-pack", "A pack with its odds and its best cards"),
		func(ctx context.Context, in *struct {
			ID httpkit.PathID `path:"id"`
		}) (PackDetail, error) {
			return s.detail(ctx, string(in.ID))
		})
	httpkit.Handle(k, httpkit.Admin, httpkit.Get("/api/admin/packs", "list-all-packs", "All packs, those that are not on sale among them"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[AdminPackView], error) {
			return list(ctx, s, All, (*Deck).adminView)
		})
	httpkit.AdminAct(k, httpkit.Post("/api/admin/packs", "create-pack", "Make a pack that draws by rarity", fault.Margin, fault.Conflict), s.create)
	k.File(httpkit.Public, httpkit.Get("/api/fairness/manifests/{hash}", "get-manifest", "A manifest, the bytes that were hashed"), plain,
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, err := s.manifestText(r.Context(), r.PathValue("hash"))
			if err != nil {
				k.Fail(w, r, err)
				return
			}
			httpkit.Immutable(w, r, plain, []byte(text))
		}))
	art.Serve(k, "packs", "get-pack-picture", "The wrapper of a pack", s.wrapper)
}

const plain = "text/plain; charset=utf-8"

// list shows the packs that read gives.
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

func (s *Service) manifestText(ctx context.Context, name string) (text string, err error) {
	hash, ok := ParseHash(name)
	if !ok {
		return "", fault.Missing("Manifest")
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		text, err = manifestText(tx, hash)
		return err
	})
	if errors.Is(err, db.ErrNoRow) {
		err = fault.Missing("Manifest")
	}
	return text, err
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
