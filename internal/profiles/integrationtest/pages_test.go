package integrationtest_test

import (
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type valued struct {
	Item       struct{ ID, Name string }
	ValueCents int64
}

type pullPage struct {
	OpenID, CreatedAt, PreviewURL, Language string
	Pack                                    struct{ ID, Name, NameZH string }
	PriceCents, TotalValueCents             int64
	Items                                   []valued
	Player                                  *struct{ Handle, FirstName, Picture string }
}

type profilePage struct {
	Handle, FirstName, Picture, MemberSince, PreviewURL, Language string
	Showcase                                                      []valued
	Sets                                                          []struct {
		ID, Series, SetName string
		Owned, Total        int64
	}
	BestPulls []struct {
		valued
		Pack              struct{ ID string }
		CreatedAt, OpenID string
	}
	Listings []struct {
		Item       struct{ ID string }
		PriceCents int64
	}
}

type opened struct {
	OpenID, CreatedAt           string
	PriceCents, TotalValueCents int64
	Shared                      bool
	Items                       []struct {
		InventoryID, ID string
		BaseValueCents  int64
	}
}

// user is a signed-in browser with the user's id.
type user struct {
	*apptest.Client
	id string
}

func newUser(t *testing.T, s *apptest.Server) *user {
	t.Helper()
	u := &user{Client: s.SignIn(t)}
	u.Deposit(t, 1000)
	u.id = apptest.Get[struct{ ID string }](t, u.Client, "/api/auth/user").ID
	return u
}

func (u *user) open(t *testing.T) (o opened) {
	t.Helper()
	u.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &o)
	return o
}

func (u *user) share(t *testing.T, open string, body apptest.Body) apptest.Answer {
	t.Helper()
	return u.Call(t, http.MethodPatch, "/api/pulls/"+open, body)
}

// publish gives the user a name and a public profile.
func (u *user) publish(t *testing.T, handle string) {
	t.Helper()
	u.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": "Name of " + handle, "handle": handle, "public": true}).Want(t, http.StatusOK, nil)
}

// showcase changes the user's showcase.
func (u *user) showcase(t *testing.T, entries ...string) apptest.Answer {
	t.Helper()
	return u.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"showcase": append([]string{}, entries...)})
}

// minute rounds a time of the API down to the minute.
func minute(t *testing.T, at string) string {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Truncate(time.Minute).Format("2006-01-02T15:04:05.000Z")
}

// Only its owner shares an open. Its page is the same for everyone.
func TestPullPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, visitor := newUser(t, s), newUser(t, s), s.NewClient(t)
		open, hidden := ann.open(t), ann.open(t)
		for _, id := range []string{open.OpenID, "demo", "00000000-0000-7000-8000-000000000000", strings.Repeat("x", 64)} {
			visitor.Get(t, "/api/pulls/"+id).Refused(t, http.StatusNotFound, "not_found")
			ben.share(t, id, apptest.Body{"shared": true}).Refused(t, http.StatusNotFound, "not_found")
			ben.share(t, id, apptest.Body{"shared": false}).Refused(t, http.StatusNotFound, "not_found")
		}
		visitor.Call(t, http.MethodPatch, "/api/pulls/"+open.OpenID, apptest.Body{"shared": true}).Refused(t, http.StatusUnauthorized, "unauthenticated")
		ann.share(t, open.OpenID, apptest.Body{"shared": true, "language": "fr"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		var sharing struct {
			Shared     bool
			PreviewURL string
		}
		ann.share(t, open.OpenID, apptest.Body{"shared": true}).Want(t, http.StatusOK, &sharing)
		if !sharing.Shared || !strings.HasPrefix(sharing.PreviewURL, "/media/previews/pull/"+open.OpenID+".png") {
			t.Errorf("sharing answers %+v", sharing)
		}
		ann.share(t, open.OpenID, apptest.Body{"shared": true, "language": "zh"}).Want(t, http.StatusOK, nil)

		page := apptest.Get[pullPage](t, visitor, "/api/pulls/"+open.OpenID)
		if page.OpenID != open.OpenID || page.CreatedAt != minute(t, open.CreatedAt) || page.PriceCents != open.PriceCents || page.TotalValueCents != open.TotalValueCents ||
			page.Language != "zh" || page.Pack.ID != "demo-pack-1" || page.Pack.Name == "" || page.Player != nil || len(page.Items) != len(open.Items) {
			t.Errorf("the page is %+v of %+v", page, open)
		}
		best := slices.SortedStableFunc(slices.Values(page.Items), func(a, b valued) int { return int(b.ValueCents - a.ValueCents) })
		if !slices.Equal(best, page.Items) {
			t.Errorf("the items aren't the best first: %v", page.Items)
		}
		for _, item := range open.Items {
			if !slices.ContainsFunc(page.Items, func(v valued) bool { return v.Item.ID == item.ID && v.ValueCents == item.BaseValueCents }) {
				t.Errorf("the page lacks %v: %v", item, page.Items)
			}
		}
		shown := visitor.Get(t, "/api/pulls/"+open.OpenID)
		if own := ann.Get(t, "/api/pulls/"+open.OpenID); string(own.Body) != string(shown.Body) || shown.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("its owner sees %s, others %s with %v", own.Body, shown.Body, shown.Header)
		}
		for _, o := range append(apptest.Get[[]opened](t, ann.Client, "/api/opens"), apptest.Get[opened](t, ann.Client, "/api/opens/"+open.OpenID), apptest.Get[opened](t, ann.Client, "/api/opens/"+hidden.OpenID)) {
			if o.Shared != (o.OpenID == open.OpenID) {
				t.Errorf("open %s is shared: %t", o.OpenID, o.Shared)
			}
		}
		ann.publish(t, "ann-of-oz")
		if p := apptest.Get[pullPage](t, visitor, "/api/pulls/"+open.OpenID).Player; p == nil || p.Handle != "ann-of-oz" || p.FirstName != "Name of ann-of-oz" {
			t.Errorf("the player is %+v", p)
		}
		for range 2 {
			var sharing struct{ Shared bool }
			ann.share(t, open.OpenID, apptest.Body{"shared": false}).Want(t, http.StatusOK, &sharing)
			visitor.Get(t, "/api/pulls/"+open.OpenID).Refused(t, http.StatusNotFound, "not_found")
			if sharing.Shared || apptest.Get[opened](t, ann.Client, "/api/opens/"+open.OpenID).Shared {
				t.Error("the open is still shared")
			}
		}
		s.Audit(t)
	})
}

// Users whose pages nobody sees can't share more, but the excluded and the hidden can stop sharing.
func TestWhoMayShare(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for _, c := range []struct {
			stop   func(u *user)
			status int
			code   string
			ends   bool // the user can stop sharing
		}{
			{func(u *user) {
				u.Post(t, "/api/limits/exclusion", apptest.Body{"forGood": false}).Want(t, http.StatusOK, nil)
			}, http.StatusForbidden, "excluded", true},
			{func(u *user) {
				admin.Post(t, "/api/admin/users/"+u.id+"/profile", apptest.Body{"pagesHidden": true, "lock": false, "reason": "An insult."}).Want(t, http.StatusOK, nil)
			}, http.StatusConflict, "conflict", true},
			{func(u *user) {
				admin.Post(t, "/api/admin/users/"+u.id+"/freeze", apptest.Body{"reason": "A stolen card."}).Want(t, http.StatusOK, nil)
			}, http.StatusForbidden, "account_frozen", false},
		} {
			u := newUser(t, s)
			shared, other := u.open(t).OpenID, u.open(t).OpenID
			u.share(t, shared, apptest.Body{"shared": true}).Want(t, http.StatusOK, nil)
			c.stop(u)
			u.share(t, other, apptest.Body{"shared": true}).Refused(t, c.status, c.code)
			if c.ends {
				u.share(t, shared, apptest.Body{"shared": false}).Want(t, http.StatusOK, nil)
			}
		}
	})
}

// A profile shows what its user chose and owns.
func TestProfiles(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, visitor := newUser(t, s), newUser(t, s), s.NewClient(t)
		var pulls []opened
		for range 4 {
			pulls = append(pulls, ann.open(t))
			clock.Advance(time.Second)
		}
		ann.publish(t, "ann-of-oz")
		page := func() profilePage { return apptest.Get[profilePage](t, visitor, "/api/profiles/ann-of-oz") }
		p := page()
		if p.Handle != "ann-of-oz" || p.FirstName != "Name of ann-of-oz" || p.MemberSince != clock.Now().Format("2006-01") || p.Language != "en" ||
			!strings.HasPrefix(p.PreviewURL, "/media/previews/u/ann-of-oz.png") || len(p.Showcase)+len(p.Listings) != 0 {
			t.Errorf("the profile is %+v", p)
		}
		for _, handle := range []string{"Ann-of-oz", "ann-of-o", "ann_of_oz", "annofoz", ann.id} {
			visitor.Get(t, "/api/profiles/"+handle).Refused(t, http.StatusNotFound, "not_found")
		}

		// The best pulls, one of them shared.
		ann.share(t, pulls[1].OpenID, apptest.Body{"shared": true}).Want(t, http.StatusOK, nil)
		var values []int64
		for _, o := range pulls {
			for _, item := range o.Items {
				values = append(values, item.BaseValueCents)
			}
		}
		slices.SortFunc(values, func(a, b int64) int { return int(b - a) })
		var got []int64
		linked := 0
		for _, b := range page().BestPulls {
			got = append(got, b.ValueCents)
			of := pulls[slices.IndexFunc(pulls, func(o opened) bool {
				return minute(t, o.CreatedAt) == b.CreatedAt && slices.ContainsFunc(o.Items, func(i struct {
					InventoryID, ID string
					BaseValueCents  int64
				}) bool {
					return i.ID == b.Item.ID
				})
			})]
			if b.OpenID != "" && b.OpenID != pulls[1].OpenID || b.Pack.ID != "demo-pack-1" || of.OpenID == "" {
				t.Errorf("a best pull is %+v", b)
			}
			if b.OpenID != "" {
				linked++
			}
		}
		if !slices.Equal(got, values[:12]) {
			t.Errorf("the best pulls are worth %v, want %v", got, values[:12])
		}
		inBest := 0
		for _, item := range pulls[1].Items {
			if item.BaseValueCents > values[11] {
				inBest++
			}
		}
		if linked < inBest {
			t.Errorf("%d best pulls lead to the shared open, want at least %d", linked, inBest)
		}

		// The showcase, in the user's order, without what is gone.
		e := func(n int) string { return pulls[n/5].Items[n%5].InventoryID }
		ann.showcase(t, e(3), e(0), e(7), e(8), e(9)).Want(t, http.StatusOK, nil)
		names := func(p profilePage) (ids []string) {
			for _, v := range p.Showcase {
				ids = append(ids, v.Item.ID)
			}
			return ids
		}
		item := func(n int) string { return pulls[n/5].Items[n%5].ID }
		want := []string{item(3), item(0), item(7), item(8), item(9)}
		if got := names(page()); !slices.Equal(got, want) {
			t.Errorf("the showcase is %v, want %v", got, want)
		}
		ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": e(0), "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
		clock.Advance(time.Millisecond)
		ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": e(3), "priceCents": 400, "confirmedCents": 400}).Want(t, http.StatusOK, nil)
		if p := page(); !slices.Equal(names(p), want) || len(p.Listings) != 2 || p.Listings[0].PriceCents != 400 || p.Listings[0].Item.ID != item(3) || p.Listings[1].PriceCents != 300 {
			t.Errorf("with listings, the showcase is %v and the listings %v", names(p), p.Listings)
		}
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": e(0)}).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{e(7)}}).Want(t, http.StatusOK, nil)
		gift := ann.Give(t, apptest.ToWallet(ben.Client), e(8))
		if got := names(page()); !slices.Equal(got, []string{item(3), item(8), item(9)}) {
			t.Errorf("after sales and while a gift waits, the showcase is %v", got)
		}
		ben.Post(t, "/api/gifts/"+gift+"/accept", apptest.Body{}).Want(t, http.StatusOK, nil)
		if p := page(); !slices.Equal(names(p), []string{item(3), item(9)}) || len(p.Listings) != 1 || len(p.BestPulls) != 12 {
			t.Errorf("after a gift, the showcase is %v, %d listings, %d best pulls", names(p), len(p.Listings), len(p.BestPulls))
		}

		// The sets, the most complete first.
		mine, last := map[string]bool{}, 2.0
		for _, item := range apptest.Get[[]struct{ Item struct{ ID string } }](t, ann.Client, "/api/inventory/me?limit=200") {
			mine[item.Item.ID] = true
		}
		for _, set := range page().Sets {
			share := float64(set.Owned) / float64(set.Total)
			full := apptest.Get[struct{ OwnedCount, CardCount int64 }](t, ann.Client, "/api/sets/"+set.ID)
			if share > last || set.Owned != full.OwnedCount || set.Total != full.CardCount || set.Owned == 0 {
				t.Errorf("the profile has the set %+v, %+v", set, full)
			}
			last = share
		}
		if last == 2 || len(mine) == 0 {
			t.Error("the profile has no sets")
		}
		s.Audit(t)
	})
}

// A showcase has at most 12 different entries of its user.
func TestShowcaseRules(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := newUser(t, s), newUser(t, s)
		var own []string
		for range 3 {
			for _, item := range ann.open(t).Items {
				own = append(own, item.InventoryID)
			}
		}
		foreign := ben.open(t).Items[0].InventoryID
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{own[14]}}).Want(t, http.StatusOK, nil)
		for _, c := range []struct {
			entries []string
			ok      bool
		}{
			{own[:12], true}, {own[:13], false}, {[]string{own[0], own[0]}, false}, {[]string{own[0], foreign}, false}, {[]string{own[14]}, false},
			{[]string{"demo"}, false}, {[]string{"00000000-0000-7000-8000-000000000000"}, false}, {own[5:7], true}, {nil, true},
		} {
			answer := ann.showcase(t, c.entries...)
			if !c.ok {
				answer.Refused(t, http.StatusUnprocessableEntity, "invalid")
				continue
			}
			answer.Want(t, http.StatusOK, nil)
			if got := apptest.Get[struct{ Showcase []string }](t, ann.Client, "/api/auth/user").Showcase; !slices.Equal(got, c.entries) {
				t.Errorf("the showcase is %v, want %v", got, c.entries)
			}
		}
		ben.showcase(t, foreign).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// Pages are described to other sites in the language of the user who shows them.
func TestHeads(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, visitor := newUser(t, s), s.NewClient(t)
		open := ann.open(t)
		head := func(path string) string {
			answer, err := visitor.Try(t.Context(), http.MethodGet, path, nil, "Accept-Language", "en")
			if err != nil || answer.Status != http.StatusOK || answer.Header.Get("Cache-Control") != "no-cache" {
				t.Fatalf("%s: %d %v, %v", path, answer.Status, answer.Header, err)
			}
			head, _, _ := strings.Cut(string(answer.Body), "</head>")
			return html.UnescapeString(head)
		}
		wantAll := func(path string, texts ...string) {
			t.Helper()
			got := head(path)
			for _, text := range texts {
				if !strings.Contains(got, text) {
					t.Errorf("the head of %s lacks %q: %s", path, text, got)
				}
			}
		}
		share := func(language string) pullPage {
			ann.share(t, open.OpenID, apptest.Body{"shared": true, "language": language}).Want(t, http.StatusOK, nil)
			return apptest.Get[pullPage](t, visitor, "/api/pulls/"+open.OpenID)
		}
		path := "/pull/" + open.OpenID
		page := share("en")
		best := page.Items[0].Item.Name + " · $"
		wantAll(path, `<title>`+best, ` · Kaibao</title>`, best, "and 4 more, pulled from "+page.Pack.Name+" for 25 points. Anyone can verify the draw.",
			`content="`+s.URL+page.PreviewURL+`"`, `content="`+s.URL+path+`"`, "en_US")
		wantAll("/PULL/"+open.OpenID, best)
		page = share("zh")
		wantAll(path, "抽到 "+best, "花 25 点打开“", " 等 5 件。结果人人可校验。", "zh_CN", `content="`+s.URL+page.PreviewURL+`"`)
		ann.publish(t, "ann-of-oz")
		wantAll(path, "<title>@ann-of-oz 抽到 "+best)
		share("en")
		wantAll(path, "<title>@ann-of-oz pulled "+best, "pulled by @ann-of-oz from")
		ann.showcase(t, open.Items[0].InventoryID).Want(t, http.StatusOK, nil)
		profile := apptest.Get[profilePage](t, visitor, "/api/profiles/ann-of-oz")
		wantAll("/u/ann-of-oz", "<title>Name of ann-of-oz (@ann-of-oz) · Kaibao</title>", "Best pull: "+best, "1 item in the showcase. Member since 2", `content="profile"`,
			`content="`+s.URL+profile.PreviewURL+`"`)
		ann.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"public": true, "language": "zh"}).Want(t, http.StatusOK, nil)
		wantAll("/u/ann-of-oz", "最佳单抽："+best, "展示 1 件物品。", " 年加入 Kaibao 开包。", "@ann-of-oz 的收藏", "zh_CN")
	})
}
