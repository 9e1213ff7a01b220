package toppulls

import (
	"context"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/identity"
	"kaibao/internal/money"
)

// PackNames identifies a pack.
type PackNames struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	NameZH string `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
}

// AnonymousPullView is a pull in the API. It names neither its open nor its player: those would link it to the
// player's pseudonym in the public log.
type AnonymousPullView struct {
	Item       catalogue.ItemView `json:"item" doc:"With its value at the draw."`
	ValueCents money.Cents        `json:"valueCents" doc:"Value in the manifest of the draw."`
	CreatedAt  string             `json:"createdAt" format:"date-time" doc:"Rounded down to the minute."`
}

// TopPullView is a top pull in the API. It has its open and its player only if that user shows them.
type TopPullView struct {
	AnonymousPullView
	Pack   PackNames   `json:"pack"`
	OpenID string      `json:"openId,omitempty" doc:"Absent unless its player shares the pull."`
	Player *PullPlayer `json:"player,omitempty" doc:"Absent unless the player's profile is public."`
}

// PullPlayer is the player of a pull who has a public profile.
type PullPlayer struct {
	Handle    string `json:"handle"`
	FirstName string `json:"firstName" doc:"Empty if they have no name."`
}

type topInput struct {
	Period listKind `query:"period" enum:"today,week,all" default:"all" doc:"today starts at 00:00 UTC, week on Monday."`
	PackID string   `query:"packId" maxLength:"64" doc:"Only pulls of this pack."`
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
			list, err = readTop(tx, listKey{in.PackID, in.Period})
			return err
		})
		return list, err
	})}
}

// Invalidate drops this node's cache after a user changed what they show. Other nodes' caches expire within
// a second.
func (s *Service) Invalidate() { s.cache.Invalidate() }

// Routes registers the endpoint for top pulls.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.SharedCached(api, httpapi.Get(httpapi.Public, "/api/pulls/top", "list-public-top-pulls", "The most valuable pulls of a period, best first"), s.cache)
}

func readTop(tx *db.Tx, key listKey) (*httpapi.List[TopPullView], error) {
	pulls, err := top(tx, key)
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
	names, err := packNames(tx, packIDs)
	if err != nil {
		return nil, err
	}
	shown, err := readShown(tx, pulls)
	views := make([]TopPullView, len(pulls))
	for n, p := range pulls {
		views[n] = TopPullView{AnonymousPullView: p.view(items[p.Item]), Pack: names[p.Pack]}
		shown.addTo(&views[n], p.Open)
	}
	return &httpapi.List[TopPullView]{Body: views}, err
}

// shownPlayers is what the players of pulls show of themselves now.
type shownPlayers struct {
	opens   map[string]openPlayer
	visible map[string]bool
	public  map[string]identity.PublicUser
}

func readShown(tx *db.Tx, pulls []pull) (s shownPlayers, err error) {
	opens := make([]string, len(pulls))
	for i, p := range pulls {
		opens[i] = p.Open
	}
	s.opens, err = openPlayers(tx, opens)
	if err != nil {
		return s, err
	}
	var players, sharers []string
	for _, o := range s.opens {
		players = append(players, o.user)
		if o.shared {
			sharers = append(sharers, o.user)
		}
	}
	s.public, err = identity.PublicUsers(tx, players)
	if err == nil && sharers != nil {
		s.visible, err = identity.VisibleUsers(tx, sharers)
	}
	return s, err
}

// addTo adds to a pull what its player shows.
func (s shownPlayers) addTo(v *TopPullView, open string) {
	o := s.opens[open]
	if o.shared && s.visible[o.user] {
		v.OpenID = open
	}
	if u, ok := s.public[o.user]; ok {
		v.Player = &PullPlayer{u.Handle, u.FirstName}
	}
}

// view returns the pull in the API, given its item. The public may know the time to the minute.
func (p pull) view(item catalogue.Item) AnonymousPullView {
	item.BaseValue = p.Value
	at := db.Time(p.At).Truncate(time.Minute)
	return AnonymousPullView{Item: item.View(), ValueCents: p.Value, CreatedAt: httpapi.Timestamp(at)}
}
