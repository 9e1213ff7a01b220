package integrationtest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// modelGift is a gift as the model has it.
type modelGift struct {
	id        string
	giver, to int // users; to is -1 for a link
	card      string
	state     string
	made      time.Time
	expires   time.Time
}

// model predicts what three users' acts with gifts lead to.
type model struct {
	*testing.T
	*rand.Rand
	counts  map[string]int // outcomes of acts
	cards   []string
	clients [3]*apptest.Client
	clock   *dbtest.Clock
	owner   map[string]int    // by card
	state   map[string]string // of cards: held, listed or giving
	gifts   []*modelGift
	blocks  map[[2]int]bool // by receiver and giver
	off     [3]bool
}

func (m *model) expire() {
	for _, g := range m.gifts {
		if g.state == "waiting" && !m.clock.Now().Before(g.expires) {
			g.state, m.state[g.card] = "expired", "held"
		}
	}
}

// waiting counts the gifts that wait from a user for another.
func (m *model) waiting(giver, to int) (n int) {
	for _, g := range m.gifts {
		if g.giver == giver && g.to == to && to >= 0 && g.state == "waiting" {
			n++
		}
	}
	return n
}

// today counts the cards that a user has given today.
func (m *model) today(giver int) (n int) {
	for _, g := range m.gifts {
		if g.giver == giver && !g.made.Before(m.clock.Now().Truncate(24*time.Hour)) {
			n++
		}
	}
	return n
}

// wantGive returns the status of giving a card.
func (m *model) wantGive(giver, to int, card string) int {
	switch {
	case m.owner[card] != giver:
		return http.StatusNotFound
	case m.state[card] != "held":
		return http.StatusConflict
	case m.waiting(giver, to) >= 3 || m.today(giver) >= 20:
		return http.StatusForbidden
	}
	return http.StatusOK
}

// wantAccept returns the status of accepting a gift.
func (m *model) wantAccept(g *modelGift, user int) int {
	switch {
	case g.to < -1, g.to >= 0 && g.to != user:
		return http.StatusNotFound
	case g.giver == user, g.state != "waiting", m.off[user], m.blocks[[2]int{user, g.giver}]:
		return http.StatusConflict
	}
	return http.StatusOK
}

// Random acts of three users lead to what the model predicts, and pass the audit.
func TestGiftsFollowModel(t *testing.T) {
	const acts = 250
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		m := &model{T: t, Rand: rand.New(rand.NewPCG(5, 6)), clock: clock, owner: map[string]int{}, state: map[string]string{}, blocks: map[[2]int]bool{}, counts: map[string]int{}}
		for i := range m.clients {
			m.clients[i] = s.SignIn(t)
			for _, card := range pull(t, m.clients[i]) {
				m.owner[card], m.state[card] = i, "held"
				m.cards = append(m.cards, card)
			}
		}
		for n := range acts {
			[]func(){m.give, m.give, m.give, m.give, m.accept, m.accept, m.refuse, m.cancel, m.listOrDelist, m.switchGifts, m.wait}[m.IntN(11)]()
			if d := m.difference(t); d != "" {
				t.Fatalf("after act %d: %s", n, d)
			}
		}
		for _, outcome := range []string{"give 200", "give 403", "give 404", "give 409", "accept 200", "accept 404", "accept 409", "refuse 200", "refuse 404", "refuse 409", "cancel 200", "cancel 404", "cancel 409"} {
			if m.counts[outcome] == 0 {
				t.Errorf("no act led to %q, so that isn't tested: %v", outcome, m.counts)
			}
		}
		s.Audit(t)
	})
}

// want checks the status of an act and reports whether it was done.
func (m *model) want(act string, a apptest.Answer, status int) bool {
	m.Helper()
	m.counts[fmt.Sprint(act, " ", status)]++
	if a.Status != status {
		m.Fatalf("%s: status %d, want %d: %s", act, a.Status, status, a.Body)
	}
	return status == http.StatusOK
}

// randomGift returns a gift, more often a recent one.
func (m *model) randomGift() *modelGift {
	n := len(m.gifts)
	if n == 0 {
		return &modelGift{id: "none", giver: -1, to: -2, state: "missing"}
	}
	return m.gifts[n-1-m.IntN(min(n, 6))]
}

func (m *model) give() {
	giver, to, card := m.IntN(3), m.IntN(4)-1, m.cards[m.IntN(len(m.cards))]
	if m.IntN(4) > 0 {
		giver = m.owner[card]
	}
	if m.IntN(2) == 0 {
		to = (giver + 1) % 3
	}
	if to == giver {
		to = -1
	}
	target := apptest.ToLink(secret)
	if to >= 0 {
		target = apptest.ToWallet(m.clients[to])
	}
	body := payload{"inventoryIds": []string{card}}
	maps.Copy(body, target)
	if m.want("give", m.clients[giver].Post(m, "/api/gifts/challenge", body), m.wantGive(giver, to, card)) {
		id := m.clients[giver].Give(m, target, card)
		m.gifts = append(m.gifts, &modelGift{id, giver, to, card, "waiting", m.clock.Now(), m.clock.Now().Add(7 * 24 * time.Hour)})
		m.state[card] = "giving"
	}
}

func (m *model) accept() {
	g, by := m.randomGift(), m.IntN(3)
	body := payload{}
	if g.to == -1 {
		body["secret"] = secret
	} else if g.to >= 0 && m.IntN(2) == 0 {
		by = g.to
	}
	if m.want("accept", respond(m, m.clients[by], g.id, "accept", body), m.wantAccept(g, by)) {
		g.state, m.owner[g.card], m.state[g.card] = "accepted", by, "held"
	}
}

// wantEnd returns the status of an act that ends a gift, by one of its sides.
func (g *modelGift) wantEnd(allowed bool) int {
	switch {
	case !allowed:
		return http.StatusNotFound
	case g.state != "waiting":
		return http.StatusConflict
	}
	return http.StatusOK
}

func (m *model) refuse() {
	g, by, block := m.randomGift(), m.IntN(3), m.IntN(6) == 0
	if g.to >= 0 && m.IntN(2) == 0 {
		by = g.to
	}
	if m.want("refuse", respond(m, m.clients[by], g.id, "refuse", payload{"blockGiver": block}), g.wantEnd(g.to == by)) {
		g.state, m.state[g.card] = "refused", "held"
		m.blocks[[2]int{by, g.giver}] = m.blocks[[2]int{by, g.giver}] || block
	}
}

func (m *model) cancel() {
	g, by := m.randomGift(), m.IntN(3)
	if m.want("cancel", respond(m, m.clients[by], g.id, "cancel", nil), g.wantEnd(g.giver == by)) {
		g.state, m.state[g.card] = "canceled", "held"
	}
}

// listOrDelist changes whether a card is for sale. The price is above that of all bids.
func (m *model) listOrDelist() {
	card := m.cards[m.IntN(len(m.cards))]
	owner := m.clients[m.owner[card]]
	if m.state[card] == "listed" {
		m.want("delist", owner.Post(m, "/api/marketplace/delist", payload{"inventoryId": card}), http.StatusOK)
		m.state[card] = "held"
		return
	}
	listing := owner.Post(m, "/api/marketplace/list", payload{"inventoryId": card, "priceCents": 900_000, "confirmedCents": 900_000})
	if m.state[card] == "giving" {
		m.want("list", listing, http.StatusConflict)
	} else if m.want("list", listing, http.StatusOK) {
		m.state[card] = "listed"
	}
}

func (m *model) switchGifts() {
	u := m.IntN(3)
	m.off[u] = !m.off[u] && m.IntN(3) == 0
	acceptsGifts(m, m.clients[u], !m.off[u])
}

// wait lets some days pass, after which expired gifts return.
func (m *model) wait() {
	if m.IntN(4) > 0 {
		return
	}
	m.clock.Advance(time.Duration(1+m.IntN(4)) * 24 * time.Hour)
	for _, c := range m.clients {
		c.SignIn(m)
	}
	m.expire()
	apptest.Until(m, "expired gifts return", func() bool { return m.difference(m) == "" })
}

// difference returns how the users' cards and gifts differ from the model, or an empty string.
func (m *model) difference(t testing.TB) string {
	for i, c := range m.clients {
		for _, e := range apptest.Get[[]struct{ ID, State string }](t, c, "/api/inventory/me") {
			if m.owner[e.ID] != i || m.state[e.ID] != e.State {
				return fmt.Sprintf("user %d has card %s, %s; in the model user %d has it, %s", i, e.ID, e.State, m.owner[e.ID], m.state[e.ID])
			}
		}
		seen := map[string]string{}
		for _, g := range giftsOf(t, c, "limit=200") {
			seen[g.ID] = g.State
		}
		for _, g := range m.gifts {
			hidden := g.state != "accepted" && g.state != "refused" && (m.off[i] || m.blocks[[2]int{i, g.giver}])
			if shown := g.giver == i || g.to == i && !hidden; shown && seen[g.id] != g.state {
				return fmt.Sprintf("user %d sees gift %s as %q, want %s", i, g.id, seen[g.id], g.state)
			} else if !shown && g.to == i && seen[g.id] != "" {
				return fmt.Sprintf("user %d sees gift %s as %q, want it hidden", i, g.id, seen[g.id])
			}
		}
	}
	return ""
}
