package toppulls

import (
	"context"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/money"
)

// PackNames identifies a pack.
type PackNames struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	NameZH string `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
}

// TopPullView is a top pull in the API. It names neither its open nor its player: those would link it to
// the player's pseudonym in the public log.
type TopPullView struct {
	Item       catalogue.ItemView `json:"item" doc:"With its value at the draw."`
	ValueCents money.Cents        `json:"valueCents" doc:"Value in the manifest of the draw."`
	Pack       PackNames          `json:"pack"`
	CreatedAt  string             `json:"createdAt" format:"date-time" doc:"Rounded down to the minute."`
}

// BigPullView is a pack's last big pull in the API.
type BigPullView struct {
	Item       catalogue.ItemView `json:"item" doc:"With its value at the draw."`
	ValueCents money.Cents        `json:"valueCents" doc:"Value in the manifest of the draw."`
	CreatedAt  string             `json:"createdAt" format:"date-time" doc:"Rounded down to the minute."`
}

type topInput struct {
	Period Period `query:"period" enum:"today,week,all" default:"all" doc:"today starts at 00:00 UTC, week on Monday."`
	PackID string `query:"packId" maxLength:"64" doc:"Only pulls of this pack."`
}

// Service serves the lists.
type Service struct {
	cache *httpcache.Cache[topInput, *httpapi.List[TopPullView]]
}

// cacheLife is how long responses are cached.
const cacheLife = time.Second

// New returns a Service.
func New(d *db.DB) *Service {
	return &Service{httpcache.New(d.Now, cacheLife, func(ctx context.Context, in topInput) (list *httpapi.List[TopPullView], err error) {
		err = d.Peek(ctx, func(tx *db.Tx) error {
			list, err = readTop(tx, board{in.PackID, in.Period})
			return err
		})
		return list, err
	})}
}

// Routes registers the endpoint for top pulls.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/pulls/top", "list-public-top-pulls", "The most valuable pulls of a period, best first"), s.cache)
}

func readTop(tx *db.Tx, b board) (*httpapi.List[TopPullView], error) {
	pulls, err := top(tx, b)
	if err != nil {
		return nil, err
	}
	var itemIDs, packIDs []string
	for _, p := range pulls {
		itemIDs, packIDs = append(itemIDs, p.Item), append(packIDs, p.Pack)
	}
	items, err := catalogue.Items(tx, itemIDs)
	if err != nil {
		return nil, err
	}
	names, err := namesOf(tx, packIDs)
	views := make([]TopPullView, len(pulls))
	for n, p := range pulls {
		item := items[p.Item]
		item.BaseValue = p.Value
		views[n] = TopPullView{Item: item.View(), ValueCents: p.Value, Pack: PackNames{p.Pack, names[p.Pack].name, names[p.Pack].nameZH}, CreatedAt: httpapi.Timestamp(minute(p.At))}
	}
	return &httpapi.List[TopPullView]{Body: views}, err
}
