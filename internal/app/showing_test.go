package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// sharer is a user with a public profile, a shared open, a showcase and a listing.
type sharer struct {
	*apptest.Client
	first, second *apptest.Server // nodes; on SQLite the same
	clock         *dbtest.Clock
	admin         *apptest.Client
	id, handle    string
	open          string
	entries       []string
	item, pack    string // of the listing, and of the open
}

// sharers counts the users that newSharer made, who need different handles.
var sharers atomic.Int64

// newSharer returns a user who shows everything. Nobody else must have opened the pack that they share an
// open of.
func newSharer(t *testing.T, first, second *apptest.Server, clock *dbtest.Clock, admin *apptest.Client, pack string) *sharer {
	t.Helper()
	u := &sharer{Client: first.SignIn(t), first: first, second: second, clock: clock, admin: admin, handle: fmt.Sprintf("user-of-%s-%d", pack, sharers.Add(1)), pack: pack}
	u.Deposit(t, 100)
	u.id = apptest.Get[struct{ ID string }](t, u.Client, "/api/auth/user").ID
	var opened struct {
		OpenID string
		Items  []struct{ InventoryID, ID string }
	}
	u.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	u.item = opened.Items[2].ID
	for _, item := range opened.Items {
		u.entries = append(u.entries, item.InventoryID)
	}
	u.Post(t, "/api/packs/"+pack+"/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	u.open = opened.OpenID
	u.list(t)
	u.show(t, payload{"firstName": "Name of " + u.handle, "handle": u.handle, "public": true, "language": "en", "showcase": []string{u.entries[1], u.entries[0]}})
	u.share(t, payload{"shared": true, "language": "zh"})
	first.WaitForLog(t)
	return u
}

func (u *sharer) list(t *testing.T) {
	t.Helper()
	u.Post(t, "/api/marketplace/list", payload{"inventoryId": u.entries[2], "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
}

// show changes what the user shows.
func (u *sharer) show(t *testing.T, change payload) {
	t.Helper()
	u.Call(t, http.MethodPatch, "/api/auth/user", change).Want(t, http.StatusOK, nil)
}

func (u *sharer) share(t *testing.T, body payload) {
	t.Helper()
	u.Call(t, http.MethodPatch, "/api/pulls/"+u.open, body).Want(t, http.StatusOK, nil)
}

// statuses returns the statuses of the user's pages at a node: of the pull in JSON, HTML and its picture,
// and of the profile.
func (u *sharer) statuses(t *testing.T, node *apptest.Server) (s [6]int) {
	t.Helper()
	c := node.NewClient(t)
	for i, path := range []string{"/api/pulls/" + u.open, "/pull/" + u.open, "/media/previews/pull/" + u.open + ".png",
		"/api/profiles/" + u.handle, "/u/" + u.handle, "/media/previews/u/" + u.handle + ".png"} {
		answer, err := c.Try(t.Context(), http.MethodGet, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		s[i] = answer.Status
	}
	return s
}

// The places that can name a user, and the link from a top pull to its open.
const (
	onLeaderboard, inActivity, onTopPulls, inMarket, onItemPage, onPullPage = "leaderboard", "activity", "top pulls", "market", "item page", "pull page"
	linkedOpen                                                              = "link to the open"
)

// places returns where a node shows the user.
func (u *sharer) places(t *testing.T, node *apptest.Server, reader *apptest.Client) (places []string) {
	t.Helper()
	c := *reader
	c.Base = node.URL
	for _, p := range []struct{ name, path, text string }{
		{onLeaderboard, "/api/leaderboard?limit=200", `"handle":"` + u.handle + `"`},
		{inActivity, "/api/activity/recent", `"handle":"` + u.handle + `"`},
		{onTopPulls, "/api/pulls/top?packId=" + u.pack, `"handle":"` + u.handle + `"`},
		{inMarket, "/api/marketplace?limit=200", `"handle":"` + u.handle + `"`},
		{onItemPage, "/api/items/" + u.item, `"handle":"` + u.handle + `"`},
		{onPullPage, "/api/pulls/" + u.open, `"handle":"` + u.handle + `"`},
		{linkedOpen, "/api/pulls/top?packId=" + u.pack, u.open},
	} {
		if strings.Contains(string(c.Get(t, p.path).Body), p.text) {
			places = append(places, p.name)
		}
	}
	return places
}

// cacheLife is how long lists for everyone may be older than the database.
const cacheLife = time.Second

// What a user shows disappears on every node at once when they switch it off or stop being visible; lists
// that are cached for everyone follow within a second. It comes back with the user.
func TestShownThingsDisappear(t *testing.T) {
	const ok, gone = http.StatusOK, http.StatusNotFound
	all, none := [6]int{ok, ok, ok, ok, ok, ok}, [6]int{gone, gone, gone, gone, gone, gone}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			first, second := nodes(t, engine, func(c *app.Config) { c.Now = clock.Now })
			admin := first.Admin(t)
			for n, c := range []struct {
				why      string
				do, undo func(u *sharer)
				statuses [6]int
				places   []string // that still show the user
			}{
				{"sharing is off", func(u *sharer) { u.share(t, payload{"shared": false}) }, func(u *sharer) { u.share(t, payload{"shared": true}) },
					[6]int{gone, gone, gone, ok, ok, ok}, []string{onLeaderboard, inActivity, onTopPulls, inMarket, onItemPage}},
				{"the profile is off", func(u *sharer) { u.show(t, payload{"public": false}) }, func(u *sharer) { u.show(t, payload{"public": true}) },
					[6]int{ok, ok, ok, gone, gone, gone}, []string{linkedOpen}},
				{"the user is frozen", func(u *sharer) { u.moderate(t, "freeze", payload{"reason": "A stolen card."}) }, func(u *sharer) {
					u.moderate(t, "unfreeze", payload{"reason": "A mistake."})
					u.list(t) // the freeze ended the listing
				}, none, nil},
				{"an admin hides the pages", func(u *sharer) { u.hide(t, true) }, func(u *sharer) { u.hide(t, false) }, none, nil},
				{"the user is excluded", func(u *sharer) { u.Post(t, "/api/limits/exclusion", payload{"forGood": true}).Want(t, ok, nil) }, nil, none, nil},
				{"the user is deleted", func(u *sharer) { first.DeleteUser(t, u.Client) }, nil, none, nil},
			} {
				t.Run(c.why, func(t *testing.T) {
					u := newSharer(t, first, second, clock, admin, fmt.Sprint(n+1))
					reader := first.SignIn(t)
					check := func(when string, statuses [6]int, places []string) {
						t.Helper()
						for _, node := range []*apptest.Server{second, first} {
							if got := u.statuses(t, node); got != statuses {
								t.Errorf("%s, the pages have the statuses %v, want %v", when, got, statuses)
							}
						}
						clock.Advance(cacheLife)
						for _, node := range []*apptest.Server{second, first} {
							if got := u.places(t, node, reader); !slices.Equal(got, places) {
								t.Errorf("%s, the user is shown in %q, want %q", when, got, places)
							}
						}
					}
					everywhere := []string{onLeaderboard, inActivity, onTopPulls, inMarket, onItemPage, onPullPage, linkedOpen}
					check("at first", all, everywhere)
					c.do(u)
					check("while "+c.why, c.statuses, c.places)
					if c.undo != nil {
						c.undo(u)
						check("then", all, everywhere)
					}
				})
			}
			first.Audit(t)
		})
	}
}

func (u *sharer) moderate(t *testing.T, act string, body payload) {
	t.Helper()
	u.admin.Post(t, "/api/admin/users/"+u.id+"/"+act, body).Want(t, http.StatusOK, nil)
}

func (u *sharer) hide(t *testing.T, hidden bool) {
	t.Helper()
	u.moderate(t, "profile", payload{"pagesHidden": hidden, "lock": false, "reason": "An insult."})
}

// While the user is named, the feed names them in the event of an open, but not for those who read it later.
func TestFeedNamesOnlyPublicUsers(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		u := newSharer(t, s, s, clock, s.Admin(t), "1")
		visitor := s.NewClient(t)
		apptest.Until(t, "the feed has the opens so far", func() bool {
			clock.Advance(time.Second) // it gets opens once a second
			return queryInt(t, s, `SELECT COUNT(*) FROM market_events WHERE kind = 'opened'`) == 2
		})
		clock.Advance(time.Second)
		var feed *apptest.Feed
		var start apptest.FeedEvent
		apptest.Until(t, "the node has them, too", func() bool {
			var err error
			feed, err = visitor.Follow(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			start, err = feed.Next()
			if err != nil {
				t.Fatal(err)
			}
			return start.ID == queryInt(t, s, `SELECT MAX(number) FROM market_events`)
		})
		nextOpen := func(f *apptest.Feed) string {
			for {
				event, err := f.Next()
				if err != nil {
					t.Fatal(err)
				}
				if event.Kind == "open" {
					return event.Data
				}
			}
		}
		u.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "y"}).Want(t, http.StatusOK, nil)
		if data := nextOpen(feed); !strings.Contains(data, `"handle":"`+u.handle+`"`) {
			t.Errorf("the feed doesn't name a public user: %s", data)
		}
		clock.Advance(time.Second)
		late, err := visitor.Follow(t.Context(), fmt.Sprint(start.ID))
		if err != nil {
			t.Fatal(err)
		}
		if data := nextOpen(late); strings.Contains(data, "handle") || !strings.Contains(data, "Name of "+u.handle) {
			t.Errorf("the feed names a user by handle a second later: %s", data)
		}
	})
}

// publicAnswer is what anyone gets from a path: headers and body.
func publicAnswer(t *testing.T, c *apptest.Client, path string) string {
	t.Helper()
	answer, err := c.Try(t.Context(), http.MethodGet, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for name, values := range answer.Header {
		fmt.Fprintln(&text, name, values)
	}
	text.Write(answer.Body)
	return text.String()
}

// Nothing that anyone can read tells who opened what, unless the user shows it: not the wallet or handle of
// a user who isn't public, and on pull pages, profiles and top pulls neither entries, nor tags, nor names of
// other users.
func TestPublicAnswersDontLeak(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		shown, quiet := newSharer(t, s, s, clock, admin, "1"), newSharer(t, s, s, clock, admin, "2")
		quiet.show(t, payload{"public": false})
		quiet.share(t, payload{"shared": false})
		quieter := newSharer(t, s, s, clock, admin, "3") // shares an open, but is not public
		quieter.show(t, payload{"public": false})
		all := []*sharer{shown, quiet, quieter}
		clock.Advance(cacheLife)

		var wallets, hidden, tags, entries, names []string
		for _, u := range all {
			me := apptest.Get[struct{ UserTag, UserTagSalt, FirstName string }](t, u.Client, "/api/auth/user")
			wallets = append(wallets, u.Address, me.UserTagSalt)
			tags, entries = append(tags, me.UserTag, u.id), append(entries, u.entries...)
			entries = append(entries, apptest.Get[struct {
				Items []struct{ InventoryID string }
			}](t, u.Client, "/api/opens/"+u.open).Items[0].InventoryID)
			if u != shown {
				hidden, names = append(hidden, `"`+u.handle+`"`, "@"+u.handle, "/u/"+u.handle), append(names, me.FirstName)
			}
		}
		visitor := s.NewClient(t)
		values := map[string][]string{
			"openId": {shown.open, quiet.open, quieter.open}, "handle": {shown.handle, quiet.handle}, "id": {shown.item, shown.entries[2], shown.open, "1", "demo-pack-1"},
			"file": {shown.open + ".png", quiet.open + ".png", shown.handle + ".png", quiet.handle + ".png"},
		}
		var paths, pages []string
		for _, o := range operations(t, visitor) {
			if o.access != "" || o.method != http.MethodGet || o.id == "follow-feed" {
				continue
			}
			paths = append(paths, o.path)
		}
		paths = append(paths, "/pull/{openId}", "/u/{handle}", "/")
		tried := 0
		for _, path := range paths {
			filled := []string{path}
			for name, some := range values {
				if !strings.Contains(path, "{"+name+"}") {
					continue
				}
				filled = nil
				for _, value := range some {
					filled = append(filled, strings.ReplaceAll(path, "{"+name+"}", value))
				}
			}
			isPage := strings.HasPrefix(path, "/api/pulls") || strings.HasPrefix(path, "/api/profiles") || strings.HasPrefix(path, "/media/previews") || path == "/pull/{openId}" || path == "/u/{handle}"
			for _, p := range filled {
				secrets := slices.Concat(wallets, hidden)
				if isPage {
					pages = append(pages, p)
					secrets = slices.Concat(secrets, tags, entries, names)
					if !strings.Contains(p, quiet.open) { // the answer may repeat what was asked for
						secrets = append(secrets, quiet.open)
					}
				}
				answer := publicAnswer(t, visitor, p)
				tried++
				for _, secret := range secrets {
					if strings.Contains(answer, secret) && !strings.Contains(p, strings.Trim(secret, `"@`)) {
						t.Errorf("%s contains %q: %.300s", p, secret, answer)
					}
				}
			}
		}
		if len(pages) < 12 || tried < 40 {
			t.Errorf("only %d answers of %d pages were checked", tried, len(pages))
		}
		for path, status := range map[string]int{"/api/pulls/" + shown.open: 200, "/api/pulls/" + quieter.open: 200, "/api/pulls/" + quiet.open: 404, "/api/profiles/" + quieter.handle: 404} {
			if got := visitor.Get(t, path).Status; got != status {
				t.Errorf("%s: status %d, want %d", path, got, status)
			}
		}
	})
}

// Sharing and stopping it race with what makes a user invisible. Afterwards the books are in order, and
// nobody sees a page of a user who isn't visible.
func TestSharingRaces(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			admin := first.Admin(t)
			for n, race := range []struct {
				why     string
				act     func(u *sharer) apptest.Answer
				visible bool
			}{
				{"itself", func(u *sharer) apptest.Answer {
					return u.Call(t, http.MethodPatch, "/api/pulls/"+u.open, payload{"shared": false})
				}, true},
				{"a freeze", func(u *sharer) apptest.Answer {
					return admin.Post(t, "/api/admin/users/"+u.id+"/freeze", payload{"reason": "A stolen card."})
				}, false},
				{"an exclusion", func(u *sharer) apptest.Answer {
					return u.Post(t, "/api/limits/exclusion", payload{"forGood": true})
				}, false},
			} {
				for round := range 3 {
					u := newSharer(t, first, second, nil, admin, fmt.Sprint(1+(3*n+round)%7))
					elsewhere := *u.Client
					elsewhere.Base = second.URL
					var all sync.WaitGroup
					for range 2 {
						for _, shared := range []bool{true, false} {
							all.Go(func() {
								answer := elsewhere.Call(t, http.MethodPatch, "/api/pulls/"+u.open, payload{"shared": shared})
								if answer.Status != http.StatusOK && answer.Status != http.StatusForbidden {
									t.Errorf("%s: %d %s", race.why, answer.Status, answer.Body)
								}
							})
						}
					}
					all.Go(func() {
						if answer := race.act(u); answer.Status != http.StatusOK {
							t.Errorf("%s: %d %s", race.why, answer.Status, answer.Body)
						}
					})
					all.Wait()
					shared := apptest.Get[struct{ Shared bool }](t, u.Client, "/api/opens/"+u.open).Shared
					want := http.StatusNotFound
					if shared && race.visible {
						want = http.StatusOK
					}
					for _, node := range []*apptest.Server{first, second} {
						profile := http.StatusNotFound
						if race.visible {
							profile = http.StatusOK
						}
						if got := u.statuses(t, node); got != [6]int{want, want, want, profile, profile, profile} {
							t.Errorf("after a race with %s, round %d, the statuses are %v; shared: %t", race.why, round, got, shared)
						}
					}
				}
			}
			first.Audit(t)
		})
	}
}
