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
	"kaibao/internal/db/dbtest"
)

// The number of groups, of actions between two kills, and of kills.
const (
	groups         = 3
	actionsBetween = 60
	historyKills   = 3
)

// Groups of traders list, buy and bid for a few entries on two nodes, one of which is killed and
// restarted. The history must be linearizable: some sequential order of the actions, each between
// its request and its response, explains all responses. Actions without a response may or may not
// have been executed.
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
	for n := range groups {
		all = append(all, newHistory(t, nodes, rand.New(rand.NewPCG(seed, uint64(n))), all))
	}
	acting, stop := context.WithCancel(t.Context())
	var acts sync.WaitGroup
	for _, h := range all {
		for who := range groupSize {
			random := rand.New(rand.NewPCG(h.random.Uint64(), 0))
			acts.Go(func() { h.act(acting, who, random) })
		}
	}
	for range historyKills {
		nodes[0].awaitAnswers(t, actionsBetween)
		nodes[1].awaitAnswers(t, actionsBetween)
		nodes[1].kill()
		nodes[0].awaitAnswers(t, actionsBetween)
		nodes[1].start(t)
	}
	nodes[1].awaitAnswers(t, actionsBetween)
	stop()
	acts.Wait()
	for _, h := range all {
		h.check(t)
	}
	s := &apptest.Server{DB: inspect(t, config)}
	s.WaitForLog(t)
	s.Audit(t)
}

// history records the actions of a group of traders, and the responses.
type history struct {
	nodes   []*node
	random  *rand.Rand
	clients [groupSize]*apptest.Client
	entries [entryCount]string
	item    string
	began   time.Time

	mutex      sync.Mutex
	operations []porcupine.Operation
	placed     int
	bids       map[string]action // known bids, by id
	owner      [entryCount]int   // as far as the group knows, to choose likely actions
	prices     [entryCount]int64 // last known price of each entry
	mayAbandon int               // number of unanswered actions that may still be abandoned
}

// newHistory creates a group whose first trader has two entries of one item. No other group may
// trade that item, since its bids would match too.
func newHistory(t *testing.T, nodes []*node, random *rand.Rand, others []*history) *history {
	t.Helper()
	h := &history{nodes: nodes, random: random, bids: map[string]action{}, mayAbandon: 3}
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
			if len(of[i.ID]) == entryCount && !taken {
				h.item, h.entries = i.ID, [entryCount]string(of[i.ID])
			}
		}
	}
	h.began = time.Now()
	return h
}

// act executes random actions until ctx is canceled.
func (h *history) act(ctx context.Context, who int, random *rand.Rand) {
	for ctx.Err() == nil {
		asked, id := h.choose(who, random)
		call := time.Since(h.began)
		came, ended := h.send(ctx, asked, id, random)
		back := ended.Sub(h.began)
		if came.unanswered {
			back = time.Duration(1<<62) + call // it may take effect at any later time
		}
		h.record(porcupine.Operation{ClientId: who, Input: asked, Call: int64(call), Output: came, Return: int64(back)})
	}
}

// record stores an action with its outcome.
func (h *history) record(op porcupine.Operation) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.operations = append(h.operations, op)
	d, came := op.Input.(action), op.Output.(outcome)
	switch {
	case came.price > 0 && (d.kind == "buy" || d.kind == "bid"):
		h.owner[d.entry], h.prices[d.entry] = d.trader, 0
	case came.price > 0 || came.refused == "not_found" && h.owner[d.entry] == d.trader: // lost to someone else
		h.owner[d.entry], h.prices[d.entry] = -1, 0
	case came.refused == "gone":
		h.prices[d.entry] = 0
	case came == (outcome{}) && (d.kind == "list" || d.kind == "reprice"):
		h.prices[d.entry] = d.price
	case d.kind == "entries" && came.view[d.entry].price != 0:
		h.owner[d.entry] = d.trader
	}
}

// choose returns the next action and the id of its bid.
func (h *history) choose(who int, random *rand.Rand) (d action, id string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	d = action{trader: who, entry: random.IntN(entryCount), price: 70 + 5*random.Int64N(5)}
	likely := []string{"buy", "bid", "bid", "withdraw", "bids", "bids"}
	switch {
	case h.owner[d.entry] < 0:
		likely = []string{"entries"}
	case h.owner[d.entry] == who:
		likely = []string{"list", "list", "reprice", "delist", "accept", "accept"}
	case h.prices[d.entry] > 0:
		likely = []string{"buy", "buy", "bid"}
	}
	d.kind = likely[random.IntN(len(likely))]
	if random.IntN(6) == 0 {
		d.kind = []string{"list", "reprice", "delist", "buy", "bid", "accept", "entries"}[random.IntN(7)]
	}
	if d.kind == "bid" && h.placed == maxBids-1 {
		d.kind = "bids"
	}
	switch d.kind {
	case "buy":
		if asked := h.prices[d.entry]; asked > 0 && random.IntN(6) > 0 {
			d.price = asked
		}
	case "bid":
		h.placed++
		d.bidNumber, d.scope, d.quantity = h.placed, d.entry, 1
		if random.IntN(3) == 0 {
			d.scope = forItem
			d.price, d.quantity = 50+5*random.Int64N(4), 1+random.Int64N(3)
		}
	case "withdraw", "accept":
		id = h.someBid(who, d.kind == "withdraw", random)
		if id == "" {
			d.kind = "bids"
			break
		}
		b := h.bids[id]
		d.bidNumber, d.scope, d.bidder, d.price = b.bidNumber, b.scope, b.trader, b.price
		if b.scope != forItem {
			d.entry = b.scope
		}
	}
	return d, id
}

// someBid returns one of the latest bids, of the trader or of anyone.
func (h *history) someBid(who int, own bool, random *rand.Rand) (id string) {
	last := 0
	for candidate, b := range h.bids {
		if (!own || b.trader == who) && (id == "" || b.bidNumber > last && random.IntN(3) > 0) {
			id, last = candidate, b.bidNumber
		}
	}
	return id
}

// send retries an action on either node until it gets a response. A few actions are abandoned.
func (h *history) send(ctx context.Context, d action, id string, random *rand.Rand) (outcome, time.Time) {
	key := fmt.Sprintf("action-%d", random.Uint64())
	at := random.IntN(len(h.nodes))
	for {
		method, path, body := h.request(d, id)
		n := h.nodes[at]
		c := *h.clients[d.trader]
		c.Base = *n.url.Load()
		answer, err := c.Try(context.WithoutCancel(ctx), method, path, body, "Idempotency-Key", key)
		ended := time.Now()
		if err == nil && answer.Status < http.StatusInternalServerError {
			select {
			case n.answered <- struct{}{}:
			default:
			}
			return h.outcomeOf(d, answer), ended
		}
		if method != http.MethodGet && h.abandon() {
			return outcome{unanswered: true}, ended
		}
		at = (at + 1) % len(h.nodes)
	}
}

// abandon reports whether to abandon an unanswered action.
func (h *history) abandon() bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.mayAbandon--
	return h.mayAbandon >= 0
}
