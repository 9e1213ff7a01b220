package integrationtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
)

type entry struct {
	ID   string
	Item json.RawMessage
}

// collector creates a user with points and five entries.
func collector(t *testing.T, s *apptest.Server, name string) (c *apptest.Client, owned []entry) {
	t.Helper()
	c = s.SignIn(t)
	c.Deposit(t, 100)
	c.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": name}).Want(t, http.StatusOK, nil)
	c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c, apptest.Get[[]entry](t, c, "/api/inventory/me")
}

// feedClient is a client of the feed.
type feedClient struct {
	*testing.T
	*apptest.Feed
	at   int64
	seen []apptest.FeedEvent
}

// eventTimeout is how long a test waits for an event.
const eventTimeout = time.Minute

// listen follows the feed after an event, or from now on.
func listen(t *testing.T, c *apptest.Client, last string) *feedClient {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), eventTimeout)
	t.Cleanup(end)
	feed, err := c.Follow(ctx, last)
	if err != nil {
		t.Fatal(err)
	}
	a := &feedClient{T: t, Feed: feed}
	if last == "" {
		first, err := feed.Next()
		if err != nil || first.Kind != "" {
			t.Fatalf("the stream begins with %+v, %v", first, err)
		}
		a.at = first.ID
	}
	return a
}

// wantEvent waits for the next event, skipping leaderboard events, and checks its kind and payload.
func (a *feedClient) wantEvent(kind string, want apptest.Body) {
	a.Helper()
	for {
		event, err := a.Next()
		if err != nil {
			a.Fatalf("waiting for %s: %v", kind, err)
		}
		if event.ID != a.at+1 {
			a.Errorf("event %d follows event %d, want %d", event.ID, a.at, a.at+1)
		}
		a.at, a.seen = event.ID, append(a.seen, event)
		if event.Kind == "leaderboard" && kind != "leaderboard" {
			continue
		}
		if event.Kind != kind {
			a.Fatalf("got %+v, want %s", event, kind)
		}
		a.wantJSON(event.Data, want)
		return
	}
}

// wantJSON compares JSON with a body, in which anything matches any non-empty text.
func (a *feedClient) wantJSON(data string, want apptest.Body) {
	a.Helper()
	var got, wanted map[string]any
	text, err := json.Marshal(want)
	if err == nil {
		err = json.Unmarshal(text, &wanted)
	}
	if err != nil || json.Unmarshal([]byte(data), &got) != nil {
		a.Fatalf("%s: %v", data, err)
	}
	for field, value := range wanted {
		if text, _ := got[field].(string); value == anything && text != "" {
			got[field] = anything
		}
	}
	if !reflect.DeepEqual(got, wanted) {
		a.Errorf("got %s, want %s", data, text)
	}
}

const anything = "anything"

// shown returns the item as the feed shows it.
func (e entry) shown(t *testing.T) apptest.Body {
	t.Helper()
	var i struct{ ID, Name, ImageURL, Series, Rarity string }
	if err := json.Unmarshal(e.Item, &i); err != nil {
		t.Fatal(err)
	}
	return apptest.Body{"id": i.ID, "name": i.Name, "imageUrl": i.ImageURL, "series": i.Series, "rarity": i.Rarity}
}

func (e entry) item(t *testing.T) string { return fmt.Sprint(e.shown(t)["id"]) }

func list(t *testing.T, c *apptest.Client, id string, price int) {
	t.Helper()
	c.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
}

func bid(t *testing.T, c *apptest.Client, entry string, price int) (id string) {
	t.Helper()
	var placed struct{ ID string }
	c.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"inventoryId": entry}, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, &placed)
	return placed.ID
}

// Every act appears in the feed as documented, and a client that connects later gets the same
// events.
func TestFeedReportsEverything(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		a := listen(t, s.NewClient(t), "")
		from := a.at
		ann, owned := collector(t, s, "Ann")
		a.hearsAnOpen(t, ann)
		ben := s.SignIn(t)
		ben.Deposit(t, 100)
		first, second, third := owned[0], owned[1], owned[2]

		list(t, ann, first.ID, 900)
		a.wantEvent("listing", apptest.Body{"inventoryId": first.ID, "listingId": anything, "priceCents": 900, "item": first.shown(t)})
		ann.Post(t, "/api/marketplace/reprice", apptest.Body{"inventoryId": first.ID, "priceCents": 800, "confirmedCents": 800}).Want(t, http.StatusOK, nil)
		a.wantEvent("listing", apptest.Body{"inventoryId": first.ID, "listingId": anything, "priceCents": 800, "item": first.shown(t)})
		ann.Post(t, "/api/marketplace/delist", apptest.Body{"inventoryId": first.ID}).Want(t, http.StatusOK, nil)
		a.wantEvent("delisted", apptest.Body{"inventoryId": first.ID, "itemId": first.item(t)})
		list(t, ann, first.ID, 700)
		a.wantEvent("listing", apptest.Body{"inventoryId": first.ID, "listingId": anything, "priceCents": 700, "item": first.shown(t)})
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": first.ID}).Want(t, http.StatusOK, nil)
		a.wantEvent("sale", apptest.Body{"inventoryId": first.ID, "kind": "listing", "priceCents": 700, "item": first.shown(t), "at": anything})

		taken := bid(t, ben, second.ID, 500)
		a.wantEvent("book", apptest.Body{"inventoryId": second.ID, "itemId": ""})
		ann.Post(t, "/api/bids/"+taken+"/accept", apptest.Body{"inventoryId": second.ID, "expectedPriceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, nil)
		a.wantEvent("sale", apptest.Body{"inventoryId": second.ID, "kind": "bid", "priceCents": 500, "item": second.shown(t), "at": anything})
		a.wantEvent("book", apptest.Body{"inventoryId": second.ID, "itemId": ""})
		answered := bid(t, ben, third.ID, 500)
		a.wantEvent("book", apptest.Body{"inventoryId": third.ID, "itemId": ""})
		ann.Post(t, "/api/bids/"+answered+"/counter", apptest.Body{"inventoryId": third.ID, "priceCents": 650, "confirmedCents": 650}).Want(t, http.StatusOK, nil)
		ben.Post(t, "/api/bids/"+answered+"/accept-counter", apptest.Body{"expectedPriceCents": 650}).Want(t, http.StatusOK, nil)
		a.wantEvent("sale", apptest.Body{"inventoryId": third.ID, "kind": "counter", "priceCents": 650, "item": third.shown(t), "at": anything})
		a.wantEvent("book", apptest.Body{"inventoryId": third.ID, "itemId": ""})

		ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{third.ID}}).Want(t, http.StatusOK, nil)
		a.wantEvent("left", apptest.Body{"inventoryId": third.ID, "itemId": third.item(t)})
		s.SetValue(t, s.Admin(t), first.item(t), 1)
		a.wantEvent("value", apptest.Body{"itemId": first.item(t), "valueCents": 1})

		later := listen(t, s.NewClient(t), strconv.FormatInt(from, 10))
		for _, want := range a.seen {
			if got, err := later.Next(); err != nil || got != want {
				t.Fatalf("the later client got %+v, %v, want %+v", got, err, want)
			}
		}
		beyond := listen(t, s.NewClient(t), strconv.FormatInt(a.at+5, 10))
		if got, err := beyond.Next(); err != nil || got.Kind != "reset" || got.Data != "{}" || got.ID < a.at {
			t.Errorf("after a number not yet assigned: %+v, %v", got, err)
		}
	})
}

// hearsAnOpen waits for the only open and the leaderboard change it caused, in either order.
func (a *feedClient) hearsAnOpen(t *testing.T, c *apptest.Client) {
	t.Helper()
	latest := apptest.Get[[]apptest.Body](t, c, "/api/activity/recent")
	received := map[string]string{}
	for len(received) < 2 {
		event, err := a.Next()
		if err != nil || event.ID != a.at+1 {
			t.Fatalf("%+v, %v, after %d", event, err, a.at)
		}
		a.at, a.seen = event.ID, append(a.seen, event)
		received[event.Kind] = event.Data
	}
	a.wantJSON(received["open"], latest[0])
	if received["leaderboard"] != "{}" || !strings.Contains(received["open"], `"firstName":"Ann"`) {
		t.Errorf("got %v", received)
	}
}

// Of many opens, the best are sent individually and the rest summed up.
func TestManyOpensAreSummedUp(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		a := listen(t, s.NewClient(t), "")
		c := s.SignIn(t)
		c.Deposit(t, 9000)
		const many = 60
		for n := range many {
			c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": strconv.Itoa(n)}).Want(t, http.StatusOK, nil)
		}
		var packs []string
		for opened := 0; opened < many; {
			event, err := a.Next()
			if err != nil {
				t.Fatal(err)
			}
			switch event.Kind {
			case "open":
				opened++
			case "more":
				var more struct {
					Count   int
					PackIDs []string
				}
				if err := json.Unmarshal([]byte(event.Data), &more); err != nil {
					t.Fatal(err)
				}
				opened, packs = opened+more.Count, append(packs, more.PackIDs...)
			}
			if opened > many {
				t.Errorf("%d opens sent, there were %d", opened, many)
			}
		}
		if slices.ContainsFunc(packs, func(pack string) bool { return pack != "2" }) {
			t.Errorf("opens of packs %q, want only pack 2", packs)
		}
	})
}

// A signed-in user's stream names the events about their own entries and bids, another user's the
// trades that they are part of.
func TestOwnEventsAreNamed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := collector(t, s, "Ann")
		ben := s.SignIn(t)
		ben.Deposit(t, 100)
		streams := map[string]*feedClient{"ann": listen(t, ann, ""), "ben": listen(t, ben, ""), "nobody": listen(t, s.NewClient(t), "")}
		list(t, ann, owned[0].ID, 900)
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID}).Want(t, http.StatusOK, nil)
		bid(t, ben, owned[1].ID, 500)
		ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{owned[0].ID}}).Want(t, http.StatusOK, nil)
		for name, want := range map[string]string{"ann": "listing sale", "ben": "sale book left", "nobody": ""} {
			if got := streams[name].ownKinds(); got != want {
				t.Errorf("%s is told that these are their own: %q, want %q", name, got, want)
			}
		}
	})
}

// ownKinds reads up to the first left event, and returns the kinds of the events named as own.
func (a *feedClient) ownKinds() string {
	a.Helper()
	own := map[string]bool{}
	var kinds []string
	for {
		event, err := a.Next()
		if err != nil {
			a.Fatal(err)
		}
		if event.Kind == "own" {
			var named struct{ IDs []string }
			if err := json.Unmarshal([]byte(event.Data), &named); err != nil {
				a.Fatal(err)
			}
			for _, id := range named.IDs {
				own[id] = true
			}
		}
		if own[strconv.FormatInt(event.ID, 10)] {
			kinds = append(kinds, event.Kind)
		}
		if event.Kind == "left" {
			return strings.Join(kinds, " ")
		}
	}
}
