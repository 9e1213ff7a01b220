package app_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// packView is the public view of a pack.
type packView struct {
	ID       string
	Sold     *int64
	SoldOut  bool
	Showcase []struct{ ID, Name string }
}

// A change to packs and their items is visible immediately on the node that made it, and within a
// second on every other node.
func TestPackChangesReachEveryNode(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			first, second := nodes(t, engine, apptest.At(clock))
			admin, buyer := first.Admin(t), second.SignIn(t)
			buyer.Deposit(t, 500)
			topItem := apptest.Get[packView](t, buyer, "/api/packs/3").Showcase[0].ID
			edit := func(path string, change payload) func() {
				return func() { admin.Call(t, http.MethodPatch, path, change).Want(t, http.StatusOK, nil) }
			}
			open := func() { buyer.Post(t, "/api/packs/3/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil) }
			sold := func(want int64) func(*apptest.Client) bool {
				return func(c *apptest.Client) bool {
					p := apptest.Get[packView](t, c, "/api/packs/3")
					return p.Sold != nil && *p.Sold == want && p.SoldOut == (want == 2)
				}
			}
			onSale := func(want bool) func(*apptest.Client) bool {
				return func(c *apptest.Client) bool {
					return want == slices.ContainsFunc(apptest.Get[[]packView](t, c, "/api/packs"), func(p packView) bool { return p.ID == "3" })
				}
			}
			named := func(c *apptest.Client) bool {
				return apptest.Get[packView](t, c, "/api/packs/3").Showcase[0].Name == "Another name"
			}
			for _, step := range []struct {
				name    string
				on      *apptest.Server
				do      func()
				visible func(*apptest.Client) bool
				before  func(*apptest.Client) bool
			}{
				{"a supply", first, edit("/api/admin/packs/3", payload{"supply": 2}), sold(0), nil},
				{"an open", second, open, sold(1), sold(0)},
				{"the last open", second, open, sold(2), sold(1)},
				{"an item's name", first, edit("/api/admin/items/"+topItem, payload{"name": "Another name"}), named, nil},
				{"the end of its sale", first, edit("/api/admin/packs/3", payload{"isActive": false}), onSale(false), onSale(true)},
				{"its sale", first, edit("/api/admin/packs/3", payload{"isActive": true}), onSale(true), onSale(false)},
			} {
				here, there := step.on.NewClient(t), first.NewClient(t)
				if step.on == first {
					there = second.NewClient(t)
				}
				for _, c := range []*apptest.Client{here, there} { // fills the caches
					if step.visible(c) || step.before != nil && !step.before(c) {
						t.Errorf("%s is visible before it is done", step.name)
					}
				}
				step.do()
				if !step.visible(here) {
					t.Errorf("%s is not visible immediately on its own node", step.name)
				}
				clock.Advance(time.Second - time.Microsecond)
				if !step.visible(there) {
					t.Errorf("%s is not visible on the other node within a second", step.name)
				}
				clock.Advance(time.Second)
			}
		})
	}
}

// A client with the current version of a pack gets 304.
func TestPacksAreRevalidatedByETag(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for _, path := range []string{"/api/packs", "/api/packs/3"} {
			tag := admin.Get(t, path).Header.Get("ETag")
			if again := admin.Get(t, path, "If-None-Match", tag); tag == "" || again.Status != http.StatusNotModified || len(again.Body) != 0 {
				t.Errorf("%s with the tag %q: %d and %d bytes", path, tag, again.Status, len(again.Body))
			}
			admin.Call(t, http.MethodPatch, "/api/admin/packs/3", payload{"supply": 1000 + len(path)}).Want(t, http.StatusOK, nil)
			if again := admin.Get(t, path, "If-None-Match", tag); again.Status != http.StatusOK {
				t.Errorf("%s has changed, but the old ETag gets %d", path, again.Status)
			}
		}
	})
}
