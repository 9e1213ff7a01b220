package catalogue

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// packBytes is more than most calls take: as many series as a pack may have, with
// names as long as they may be in any script, take 13 kB, and a cover's address 8.
const packBytes = 32 << 10

type idInput struct {
	ID httpkit.PathID `path:"id"`
}

// Routes registers packs, items, manifests and the drawn art.
func (c *Catalogue) Routes(k *httpkit.Kit) {
	k.API.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[float64]())
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/packs", "list-packs", "The packs on sale"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[PackView], error) { return c.listPacks(ctx) })
	httpkit.SharedOne(k, httpkit.Get(httpkit.Public, "/api/packs/{id}", "get-pack", "A pack with its odds and its best cards"),
		func(ctx context.Context, in *idInput) (PackDetail, error) { return c.getPack(ctx, string(in.ID)) })
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/items", "list-items", "The catalogue"), c.listItems)
	httpkit.SharedOne(k, httpkit.Get(httpkit.Public, "/api/items/{id}", "get-item", "A catalogue entry"),
		func(ctx context.Context, in *idInput) (ItemView, error) {
			i, err := c.item(ctx, string(in.ID))
			return i.View(), err
		})
	httpkit.Handle(k, httpkit.Get(httpkit.Admin, "/api/admin/packs", "list-all-packs", "All packs, those that are not on sale among them"),
		func(ctx context.Context, _ *struct{}) (*httpkit.List[AdminPackView], error) {
			return c.listAllPacks(ctx)
		})
	httpkit.Act(k, httpkit.Post(httpkit.Admin, "/api/admin/items", "create-item", "Add an item to the catalogue"),
		func(tx *db.Tx, _ httpkit.Principal, in *itemInput) (ItemView, error) { return createItem(tx, in) })
	httpkit.Act(k, httpkit.Post(httpkit.Admin, "/api/admin/packs", "create-pack", "Make a pack that draws by rarity", fault.Margin, fault.Conflict).Taking(packBytes),
		func(tx *db.Tx, _ httpkit.Principal, in *packInput) (NewPackView, error) { return c.createPack(tx, in) })
	k.File(httpkit.Get(httpkit.Public, "/api/fairness/manifests/{hash}", "get-manifest", "A manifest, the bytes that were hashed"), plain, c.serving(k, c.manifest))
	k.File(httpkit.Get(httpkit.Public, "/media/items/{file}", "get-item-picture", "The picture of an item"), svgType, c.serving(k, c.itemArt))
	k.File(httpkit.Get(httpkit.Public, "/media/packs/{file}", "get-pack-picture", "The wrapper of a pack"), svgType, c.serving(k, c.packArt))
	k.File(httpkit.Get(httpkit.Public, "/media/avatars/{file}", "get-avatar", "A picture drawn from a name"), svgType, c.serving(k, avatar))
	k.File(httpkit.Get(httpkit.Public, "/media/hero/{file}", "get-hero-picture", "A picture of the home page: 1 or 2"), svgType, c.serving(k, hero))
}

func (c *Catalogue) listPacks(ctx context.Context) (*httpkit.List[PackView], error) {
	list := &httpkit.List[PackView]{Body: []PackView{}}
	err := c.DB.Read(ctx, func(tx *db.Tx) error {
		packs, err := activePacks(tx)
		if err != nil {
			return err
		}
		for _, p := range packs {
			v, _, _, err := c.view(tx, p)
			if err != nil {
				return err
			}
			list.Body = append(list.Body, v)
		}
		return nil
	})
	return list, err
}

func (c *Catalogue) listAllPacks(ctx context.Context) (*httpkit.List[AdminPackView], error) {
	list := &httpkit.List[AdminPackView]{Body: []AdminPackView{}}
	err := c.DB.Read(ctx, func(tx *db.Tx) error {
		packs, err := AllPacks(tx)
		if err != nil {
			return err
		}
		for _, p := range packs {
			v, _, _, err := c.view(tx, p)
			if err != nil {
				return err
			}
			list.Body = append(list.Body, AdminPackView{PackView: v, Paused: p.Paused})
		}
		return nil
	})
	return list, err
}

func (c *Catalogue) getPack(ctx context.Context, id string) (d PackDetail, err error) {
	err = c.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := findPack(tx, id)
		if err != nil {
			return missing(err, "Pack")
		}
		d, err = c.detail(tx, p)
		return err
	})
	return d, err
}

func (c *Catalogue) item(ctx context.Context, id string) (i Item, err error) {
	err = c.DB.Read(ctx, func(tx *db.Tx) error {
		i, err = FindItem(tx, id)
		return missing(err, "Item")
	})
	return i, err
}

const (
	plain   = "text/plain; charset=utf-8"
	svgType = "image/svg+xml"
)

// served is a file that never changes under its address.
type served struct {
	contentType string
	body        []byte
}

func (c *Catalogue) serving(k *httpkit.Kit, find func(r *http.Request) (served, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := find(r)
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		httpkit.Immutable(w, r, file.contentType, file.body)
	})
}

func (c *Catalogue) manifest(r *http.Request) (served, error) {
	hash, ok := ParseHash(r.PathValue("hash"))
	if !ok {
		return served{}, fault.Missing("Manifest")
	}
	var text string
	err := c.DB.Read(r.Context(), func(tx *db.Tx) (err error) {
		text, err = manifestText(tx, hash)
		return missing(err, "Manifest")
	})
	return served{plain, []byte(text)}, err
}

func svg(body []byte) (served, error) { return served{svgType, body}, nil }

func name(r *http.Request) string { return strings.TrimSuffix(r.PathValue("file"), ".svg") }

func (c *Catalogue) itemArt(r *http.Request) (served, error) {
	i, err := c.item(r.Context(), name(r))
	if err != nil {
		return served{}, err
	}
	return svg(art.Item(art.Entry{
		ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity,
		Grade: float64(i.GradeTenths) / 10, CertType: i.CertType, CertNumber: i.CertNumber,
	}))
}

func (c *Catalogue) packArt(r *http.Request) (served, error) {
	var p Pack
	err := c.DB.Read(r.Context(), func(tx *db.Tx) (err error) {
		p, err = findPack(tx, name(r))
		return missing(err, "Pack")
	})
	if err != nil {
		return served{}, err
	}
	cover := art.Cover{ID: p.ID, Name: p.Name}
	if len(p.Series) > 0 {
		cover.Series = p.Series[0]
	}
	return svg(art.Pack(cover))
}

func avatar(r *http.Request) (served, error) { return svg(art.Avatar(name(r))) }

func hero(r *http.Request) (served, error) {
	switch name(r) {
	case "1":
		return svg(art.Hero(1))
	case "2":
		return svg(art.Hero(2))
	default:
		return served{}, fault.Missing("Picture")
	}
}
