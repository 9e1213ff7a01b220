package profiles

import (
	"context"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/toppulls"
)

// ValuedItem is an item that a page shows.
type ValuedItem struct {
	Item       catalogue.ItemView `json:"item"`
	ValueCents money.Cents        `json:"valueCents" doc:"On a pull, the value in the manifest of the draw; in a showcase, the current value."`
}

// Player is a user with a public profile.
type Player struct {
	Handle    string `json:"handle"`
	FirstName string `json:"firstName" doc:"Empty if they have no name."`
	Picture   string `json:"picture" doc:"Where this server serves their picture; empty for the generated one."`
}

// PullPage is a shared open. It is the same for its owner and for everyone else.
type PullPage struct {
	OpenID          string             `json:"openId" doc:"Also its id in the public log: get-open-proof proves it."`
	Pack            toppulls.PackNames `json:"pack"`
	PriceCents      money.Cents        `json:"priceCents" doc:"Price of the open."`
	CreatedAt       string             `json:"createdAt" format:"date-time" doc:"Rounded down to the minute."`
	Items           []ValuedItem       `json:"items" nullable:"false" doc:"Best first."`
	TotalValueCents money.Cents        `json:"totalValueCents"`
	Player          *Player            `json:"player,omitempty" doc:"Absent unless the owner's profile is public."`
	PreviewURL      string             `json:"previewUrl" doc:"Path of the page's picture, for other sites."`
	Language        string             `json:"language" enum:"en,zh" doc:"Language of the picture."`
}

// PublicProfile is a user's public profile.
type PublicProfile struct {
	Player
	MemberSince string          `json:"memberSince" pattern:"^[0-9]{4}-[0-9]{2}$" doc:"Year and month."`
	Showcase    []ValuedItem    `json:"showcase" nullable:"false" doc:"What the user chose to show and still owns, at most 12 items."`
	Sets        []ProfileSet    `json:"sets" nullable:"false" doc:"Sets of which the user owns cards, the most complete first, at most 12."`
	BestPulls   []BestPull      `json:"bestPulls" nullable:"false" doc:"The user's most valuable pulls, at most 12, including items that they don't own any more."`
	Listings    []ProfileListed `json:"listings" nullable:"false" doc:"What the user has for sale, newest first, at most 24."`
	PreviewURL  string          `json:"previewUrl" doc:"Path of the page's picture, for other sites."`
	Language    string          `json:"language" enum:"en,zh" doc:"Language of the picture."`
}

// ProfileSet is how much of a series or set a user owns.
type ProfileSet struct {
	ID      string `json:"id" doc:"As in get-set."`
	Series  string `json:"series"`
	SetName string `json:"setName,omitempty" doc:"Absent for a series that has no sets."`
	Owned   int64  `json:"owned" doc:"Number of its cards that the user owns."`
	Total   int64  `json:"total" doc:"Number of its cards."`
}

// BestPull is one of a user's most valuable pulls.
type BestPull struct {
	ValuedItem
	Pack      toppulls.PackNames `json:"pack"`
	CreatedAt string             `json:"createdAt" format:"date-time" doc:"Rounded down to the minute."`
	OpenID    string             `json:"openId,omitempty" doc:"Absent unless the user shares the pull."`
}

// ProfileListed is an item that a user has for sale. Its item page leads to the listing.
type ProfileListed struct {
	Item       catalogue.ItemView `json:"item"`
	PriceCents money.Cents        `json:"priceCents"`
}

// Sharing is whether an open has a public page.
type Sharing struct {
	Shared     bool   `json:"shared"`
	PreviewURL string `json:"previewUrl,omitempty" doc:"Path of the page's picture; absent unless shared."`
}

type pullInput struct {
	OpenID httpapi.PathID `path:"openId"`
}

type shareInput struct {
	OpenID httpapi.PathID `path:"openId"`
	Body   struct {
		Shared   bool   `json:"shared"`
		Language string `json:"language,omitempty" enum:"en,zh" default:"en" doc:"Language of the page's picture."`
	}
}

type profileInput struct {
	Handle httpapi.PathID `path:"handle"`
}

// Routes registers pull pages and profiles, and their pictures.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/pulls/{openId}", "get-pull", "An open that its owner shares", apperr.NotFound), s.pullPage)
	httpapi.JSON(api, httpapi.Patch(httpapi.Session, "/api/pulls/{openId}", "share-pull", "Start or stop sharing one of the caller's opens", apperr.NotFound, apperr.Excluded, apperr.Conflict), s.share)
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/profiles/{handle}", "get-profile", "A user's public profile", apperr.NotFound), s.profilePage)
	s.pictureRoutes(api)
}

func (s *Service) share(ctx context.Context, in *shareInput) (v Sharing, err error) {
	open := string(in.OpenID)
	v.Shared = in.Body.Shared
	var p pull
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		err := setShared(tx, httpapi.Caller(ctx).UserID, open, v.Shared, in.Body.Language)
		if err != nil || !v.Shared {
			return err
		}
		p, err = loadPull(tx, open)
		return err
	})
	if err != nil {
		return v, err
	}
	s.Changed()
	if v.Shared {
		s.start(p.page(), p.picture())
		v.PreviewURL = pullPath(open, p.picture())
	}
	return v, nil
}

func (s *Service) pullPage(ctx context.Context, in *pullInput) (page PullPage, err error) {
	var p pull
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = loadPull(tx, string(in.OpenID))
		return err
	})
	page = PullPage{
		OpenID: p.id, Pack: p.pack, PriceCents: p.price, CreatedAt: minute(p.at), Items: valuedItems(p.items), TotalValueCents: p.total,
		PreviewURL: pullPath(p.id, p.picture()), Language: p.language,
	}
	if p.player != nil {
		page.Player = new(player(*p.player))
	}
	return page, err
}

func (s *Service) profilePage(ctx context.Context, in *profileInput) (page PublicProfile, err error) {
	all, err := s.Sets.All(ctx)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := s.loadProfile(ctx, tx, all, string(in.Handle))
		if err != nil {
			return err
		}
		page = PublicProfile{
			Player: player(p.user), MemberSince: p.memberSince(), Showcase: valuedItems(p.showcase), Sets: []ProfileSet{}, BestPulls: []BestPull{},
			PreviewURL: profilePath(p), Language: p.user.Language,
		}
		for _, c := range p.sets[:min(len(p.sets), maxSets)] {
			page.Sets = append(page.Sets, ProfileSet{ID: c.ID, Series: c.Series, SetName: c.Name, Owned: c.Owned, Total: c.Cards})
		}
		for _, b := range p.bestPulls {
			page.BestPulls = append(page.BestPulls, b.view())
		}
		page.Listings, err = listed(tx, p.user.ID)
		return err
	})
	return page, err
}

func listed(tx *db.Tx, user string) ([]ProfileListed, error) {
	entries, err := inventory.NewestListingsOf(tx, user, maxListings)
	items := make([]ProfileListed, len(entries))
	for i, e := range entries {
		items[i] = ProfileListed{e.Item.View(), e.SalePrice}
	}
	return items, err
}

func player(u identity.PublicUser) Player { return Player{u.Handle, u.FirstName, u.Picture()} }

func (p profile) memberSince() string { return p.user.CreatedAt.UTC().Format("2006-01") }

func (b bestPull) view() BestPull {
	v := BestPull{ValuedItem: b.shownItem.view(), Pack: b.pack, CreatedAt: minute(b.at)}
	if b.shared {
		v.OpenID = b.open
	}
	return v
}

func (i shownItem) view() ValuedItem {
	i.item.BaseValue = i.value
	return ValuedItem{i.item.View(), i.value}
}

func valuedItems(items []shownItem) []ValuedItem {
	views := make([]ValuedItem, len(items))
	for n, i := range items {
		views[n] = i.view()
	}
	return views
}
