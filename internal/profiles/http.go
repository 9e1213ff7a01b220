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

// Routes registers pull pages and profiles.
func (s *Service) Routes(api *httpapi.API) {
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/pulls/{openId}", "get-pull", "An open that its owner shares", apperr.NotFound), s.pullPage)
	httpapi.JSON(api, httpapi.Patch(httpapi.Session, "/api/pulls/{openId}", "share-pull", "Start or stop sharing one of the caller's opens", apperr.NotFound, apperr.Excluded, apperr.Conflict), s.share)
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/profiles/{handle}", "get-profile", "A user's public profile", apperr.NotFound), s.profile)
}

func (s *Service) share(ctx context.Context, in *shareInput) (v Sharing, err error) {
	open := string(in.OpenID)
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		return setShared(tx, httpapi.Caller(ctx).UserID, open, in.Body.Shared, in.Body.Language)
	})
	if err != nil {
		return v, err
	}
	s.Changed()
	v.Shared = in.Body.Shared
	if v.Shared {
		v.PreviewURL = pullPicture(open)
	}
	return v, nil
}

func pullPicture(open string) string      { return "/media/previews/pull/" + open + ".png" }
func profilePicture(handle string) string { return "/media/previews/u/" + handle + ".png" }

func player(u identity.PublicUser) Player { return Player{u.Handle, u.FirstName, u.Picture()} }

func (s *Service) pullPage(ctx context.Context, in *pullInput) (page PullPage, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		p, err := visiblePull(tx, string(in.OpenID))
		if err != nil {
			return err
		}
		page = PullPage{
			OpenID: p.id, Pack: p.pack, PriceCents: p.price, CreatedAt: minute(p.at), TotalValueCents: p.total,
			PreviewURL: pullPicture(p.id), Language: p.language,
		}
		page.Items, err = pulledItems(tx, p.id)
		if err != nil {
			return err
		}
		public, err := identity.PublicUsers(tx, []string{p.owner})
		if u, ok := public[p.owner]; ok {
			page.Player = new(player(u))
		}
		return err
	})
	return page, err
}

func (s *Service) profile(ctx context.Context, in *profileInput) (page PublicProfile, err error) {
	all, err := s.Sets.All(ctx)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		u, err := publicUser(tx, string(in.Handle))
		if err != nil {
			return err
		}
		page = PublicProfile{
			Player: player(u), MemberSince: u.CreatedAt.UTC().Format("2006-01"),
			PreviewURL: profilePicture(u.Handle), Language: u.Language, Sets: []ProfileSet{},
		}
		owned, err := s.owned.count(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		for _, c := range all.Completions(owned, maxSets) {
			page.Sets = append(page.Sets, ProfileSet{ID: c.ID, Series: c.Series, SetName: c.Name, Owned: c.Owned, Total: c.Cards})
		}
		page.Showcase, err = showcased(tx, u.ID)
		if err != nil {
			return err
		}
		page.BestPulls, err = bestPulls(tx, u.ID, maxBestPulls)
		if err != nil {
			return err
		}
		page.Listings, err = listed(tx, u.ID)
		return err
	})
	return page, err
}

func showcased(tx *db.Tx, user string) ([]ValuedItem, error) {
	entries, err := Showcase(tx, user)
	items := make([]ValuedItem, len(entries))
	for i, e := range entries {
		items[i] = valued(e.Item, e.Item.BaseValue)
	}
	return items, err
}

func listed(tx *db.Tx, user string) ([]ProfileListed, error) {
	entries, err := inventory.NewestListingsOf(tx, user, maxListings)
	items := make([]ProfileListed, len(entries))
	for i, e := range entries {
		items[i] = ProfileListed{e.Item.View(), e.SalePrice}
	}
	return items, err
}

// valued returns an item with a value that it is shown with.
func valued(item catalogue.Item, value money.Cents) ValuedItem {
	item.BaseValue = value
	return ValuedItem{item.View(), value}
}
