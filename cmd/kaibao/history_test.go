package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// The number of gangs, of deeds per gang between two kills, and of kills.
const (
	gangs        = 3
	deedsBetween = 60
	historyKills = 3
)

// Gangs list, buy and bid for a few entries on two nodes, one of which is killed and restarted. The
// history must be linearizable: some sequential order of the deeds, each between its request and
// its response, explains all responses. Deeds without a response may or may not have been executed.
func TestTradingIsLinearizable(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	config := apptest.Config(t, "postgres")
	nodes := newNodes(t, config, 2)
	var all []*history
	for n := range gangs {
		all = append(all, newHistory(t, nodes, rand.New(rand.NewPCG(seed, uint64(n))), all))
	}
	acting, stop := context.WithCancel(t.Context())
	var acts sync.WaitGroup
	for _, h := range all {
		for who := range gang {
			random := rand.New(rand.NewPCG(h.random.Uint64(), 0))
			acts.Go(func() { h.act(acting, who, random) })
		}
	}
	for range historyKills {
		nodes[0].awaitAnswers(t, deedsBetween)
		nodes[1].awaitAnswers(t, deedsBetween)
		nodes[1].kill()
		nodes[0].awaitAnswers(t, deedsBetween)
		nodes[1].start(t)
	}
	nodes[1].awaitAnswers(t, deedsBetween)
	stop()
	acts.Wait()
	for _, h := range all {
		h.check(t)
	}
	s := &apptest.Server{DB: dbtest.Open(t, db.Options{URL: config.DatabaseURL})}
	s.WaitForLog(t)
	s.Audit(t)
}

// history is what a gang did and which responses it got.
type history struct {
	nodes   []*node
	random  *rand.Rand
	clients [gang]*apptest.Client
	entries [things]string
	item    string
	began   time.Time

	mutex  sync.Mutex
	deeds  []porcupine.Operation
	placed int
	bids   map[string]deed // known bids, by id
	owner  [things]int     // as far as the gang knows, to choose likely deeds
	asked  [things]int64   // last known price of each entry
	left   int             // number of unanswered deeds that may be abandoned
}

// newHistory creates a gang whose first member has two entries of one item. No other gang may trade
// that item, since its bids would match too.
func newHistory(t *testing.T, nodes []*node, random *rand.Rand, others []*history) *history {
	t.Helper()
	h := &history{nodes: nodes, random: random, bids: map[string]deed{}, left: 3}
	for n := range h.clients {
		h.clients[n] = (&apptest.Server{URL: *nodes[0].url.Load()}).SignIn(t)
		h.clients[n].Deposit(t, 500)
	}
	of := map[string][]string{}
	for h.item == "" {
		var opened struct {
			Items []struct{ InventoryID, ID string }
		}
		h.clients[0].Post(t, "/api/packs/demo-pack-1/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		for _, i := range opened.Items {
			of[i.ID] = append(of[i.ID], i.InventoryID)
			taken := slices.ContainsFunc(others, func(o *history) bool { return o.item == i.ID })
			if len(of[i.ID]) == things && !taken {
				h.item, h.entries = i.ID, [things]string(of[i.ID])
			}
		}
	}
	h.began = time.Now()
	return h
}

// act executes random deeds until ctx is canceled.
func (h *history) act(ctx context.Context, who int, random *rand.Rand) {
	for ctx.Err() == nil {
		asked, id := h.choose(who, random)
		call := time.Since(h.began)
		came, ended := h.ask(ctx, asked, id, random)
		back := ended.Sub(h.began)
		if came.lost {
			back = time.Duration(1<<62) + call // it may take effect at any later time
		}
		h.keep(porcupine.Operation{ClientId: who, Input: asked, Call: int64(call), Output: came, Return: int64(back)})
	}
}

// keep records a deed.
func (h *history) keep(op porcupine.Operation) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.deeds = append(h.deeds, op)
	d, came := op.Input.(deed), op.Output.(found)
	switch {
	case came.price > 0 && (d.what == "buy" || d.what == "bid"):
		h.owner[d.entry], h.asked[d.entry] = d.who, 0
	case came.price > 0 || came.refused == "not_found" && h.owner[d.entry] == d.who: // lost to someone else
		h.owner[d.entry], h.asked[d.entry] = -1, 0
	case came.refused == "gone":
		h.asked[d.entry] = 0
	case came == (found{}) && (d.what == "list" || d.what == "reprice"):
		h.asked[d.entry] = d.price
	case d.what == "entries" && came.seen[d.entry].price != 0:
		h.owner[d.entry] = d.who
	}
}

// choose returns the next deed and the id of its bid.
func (h *history) choose(who int, random *rand.Rand) (d deed, id string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	d = deed{who: who, entry: random.IntN(things), price: 70 + 5*random.Int64N(5)}
	likely := []string{"buy", "bid", "bid", "withdraw", "bids", "bids"}
	switch {
	case h.owner[d.entry] < 0:
		likely = []string{"entries"}
	case h.owner[d.entry] == who:
		likely = []string{"list", "list", "reprice", "delist", "accept", "accept"}
	case h.asked[d.entry] > 0:
		likely = []string{"buy", "buy", "bid"}
	}
	d.what = likely[random.IntN(len(likely))]
	if random.IntN(6) == 0 {
		d.what = []string{"list", "reprice", "delist", "buy", "bid", "accept", "entries"}[random.IntN(7)]
	}
	if d.what == "bid" && h.placed == mostPlaced-1 {
		d.what = "bids"
	}
	switch d.what {
	case "buy":
		if asked := h.asked[d.entry]; asked > 0 && random.IntN(6) > 0 {
			d.price = asked
		}
	case "bid":
		h.placed++
		d.number, d.scope, d.left = h.placed, d.entry, 1
		if random.IntN(3) == 0 {
			d.scope = forItem
			d.price, d.left = 50+5*random.Int64N(4), 1+random.Int64N(3)
		}
	case "withdraw", "accept":
		id = h.someBid(who, d.what == "withdraw", random)
		if id == "" {
			d.what = "bids"
			break
		}
		b := h.bids[id]
		d.number, d.scope, d.bidder, d.price = b.number, b.scope, b.who, b.price
		if b.scope != forItem {
			d.entry = b.scope
		}
	}
	return d, id
}

// someBid returns one of the latest bids, of the member or of anyone.
func (h *history) someBid(who int, own bool, random *rand.Rand) (id string) {
	last := 0
	for candidate, b := range h.bids {
		if (!own || b.who == who) && (id == "" || b.number > last && random.IntN(3) > 0) {
			id, last = candidate, b.number
		}
	}
	return id
}

// ask retries a deed on either node until it gets a response. A few deeds are abandoned.
func (h *history) ask(ctx context.Context, d deed, id string, random *rand.Rand) (found, time.Time) {
	key := fmt.Sprintf("deed-%d", random.Uint64())
	at := random.IntN(len(h.nodes))
	for {
		method, path, body := h.call(d, id)
		n := h.nodes[at]
		c := *h.clients[d.who]
		c.Base = *n.url.Load()
		answer, err := c.Try(context.WithoutCancel(ctx), method, path, body, "Idempotency-Key", key)
		ended := time.Now()
		if err == nil && answer.Status < http.StatusInternalServerError {
			select {
			case n.answered <- struct{}{}:
			default:
			}
			return h.read(d, answer), ended
		}
		if method != http.MethodGet && h.leave() {
			return found{lost: true}, ended
		}
		at = (at + 1) % len(h.nodes)
	}
}

// leave reports whether an unanswered deed is abandoned.
func (h *history) leave() bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.left--
	return h.left >= 0
}
