package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// kills is how often the server is killed under load on each engine. killsVariable overrides it.
const (
	kills         = 12
	killsVariable = "KAIBAO_KILLS"
)

// killsAskedFor returns the number of kills for a test with few by default.
func killsAskedFor(t *testing.T, few int) int {
	t.Helper()
	asked := os.Getenv(killsVariable)
	if asked == "" {
		return few
	}
	n, err := strconv.Atoi(asked)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is not a number of kills", killsVariable, asked)
	}
	return n
}

// Players open, list, reprice, delist, buy, bid, withdraw and sell to bids continuously while the
// server is killed and restarted. Each player retries a request with the same key until it gets a
// response. After each kill the audit passes. In the end every acknowledged act returns the same
// response again, and no open is duplicated.
func TestActsSurviveKills(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
			board := newBoard()
			players := make([]*player, 8)
			for i := range players {
				players[i] = newPlayer(t, n, board)
			}
			playing, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for _, p := range players {
				all.Go(func() { p.play(playing, n) })
			}
			for range killsAskedFor(t, kills) {
				n.awaitAnswers(t, 60)
				n.kill()
				n.start(t)
				succeed(t, "audit", "--data", config.Data, "--database-url", config.DatabaseURL)
			}
			n.awaitAnswers(t, 60)
			stop()
			all.Wait()
			acts := 0
			for _, p := range players {
				p.askAgain(t, n)
				acts += len(p.acknowledged)
			}
			n.kill()

			s := &apptest.Server{DB: inspect(t, config)}
			for _, p := range players {
				p.check(t, s)
			}
			s.Audit(t)
			t.Logf("%d acts acknowledged", acts)
		})
	}
}

// inspect opens the database of running servers. Its calls may take long, because tests read whole
// tables, even while the servers are busy.
func inspect(t *testing.T, c app.Config) *db.DB {
	return dbtest.Open(t, db.Options{Dir: c.Data, URL: c.DatabaseURL, CallTime: time.Hour})
}

// node is a server that is killed and restarts on another port.
type node struct {
	args     []string
	env      []string // nil = the test's
	built    string   // path of the program, by default this one
	stderr   io.Writer
	process  *exec.Cmd
	url      atomic.Pointer[string]
	answered chan struct{}
	broken   chan error // errors of players
}

func newNode(t *testing.T, args []string) *node {
	t.Helper()
	return newNodeOf(t, built, args)
}

// newNodeOf starts a node of another program.
func newNodeOf(t *testing.T, program string, args []string) *node {
	t.Helper()
	n := &node{args: args, built: program, answered: make(chan struct{}, 1024), broken: make(chan error, 1024)}
	n.start(t)
	t.Cleanup(n.kill)
	return n
}

func (n *node) start(t *testing.T) {
	t.Helper()
	n.process = exec.CommandContext(context.WithoutCancel(t.Context()), cmp.Or(n.built, built), n.args...)
	n.process.Env, n.process.Stderr = n.env, n.stderr
	out, err := n.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.process.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("first line %q: %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	// Release 0.1.0 has no localhost, and cookies of one name aren't sent to the other.
	address = strings.Replace(address, "//localhost:", "//127.0.0.1:", 1)
	n.url.Store(&address)
}

func (n *node) kill() {
	if n.process.ProcessState == nil {
		_ = n.process.Process.Kill()
		_ = n.process.Wait()
	}
}

// awaitAnswers waits for a number of responses, so that every kill happens under load.
func (n *node) awaitAnswers(t *testing.T, answers int) {
	t.Helper()
	for range answers {
		select {
		case <-n.answered:
		case err := <-n.broken:
			t.Fatal(err)
		case <-t.Context().Done():
			t.Fatal("the load is stuck")
		}
	}
}

// act is a request and, once acknowledged, its response.
type act struct {
	method    string // default POST
	path, key string
	body      map[string]any
	answer    []byte
}

func (a act) verb() string { return cmp.Or(a.method, http.MethodPost) }

// sent returns the body or nil.
func (a act) sent() any {
	if a.body == nil {
		return nil
	}
	return a.body
}

// player is a wallet that acts and remembers the responses.
type player struct {
	*apptest.Client
	number       int
	random       *rand.Rand
	board        *board
	owned, bids  []string
	acknowledged []act
	opened       map[string]bool
	broken       error
}

var playerNumber atomic.Int64

func newPlayer(t *testing.T, n *node, b *board) *player {
	t.Helper()
	c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
	number := playerNumber.Add(1)
	return &player{
		Client: c, number: int(number), random: rand.New(rand.NewPCG(uint64(number), 0)), board: b, opened: map[string]bool{},
	}
}

// play executes random acts until ctx is canceled.
func (p *player) play(ctx context.Context, n *node) {
	for request := 0; ctx.Err() == nil; request++ {
		a := p.choose()
		a.key = fmt.Sprintf("player-%d-%d", p.number, request)
		answer, answered := p.untilAnswered(ctx, n, a)
		if !answered {
			return
		}
		if answer.Status == http.StatusPaymentRequired {
			a = act{path: "/api/wallet/deposit/manual", key: a.key + "-deposit", body: map[string]any{"amount": 10_000}}
			answer, answered = p.untilAnswered(ctx, n, a)
			if !answered {
				return
			}
		}
		switch {
		case answer.Status == http.StatusOK || answer.Status == http.StatusNoContent:
			a.answer = answer.Body
			p.acknowledged = append(p.acknowledged, a)
			p.learn(a)
		case answer.Status != http.StatusConflict && answer.Status != http.StatusNotFound && !limited(answer):
			p.broken = fmt.Errorf("%s answered %d %s", a.path, answer.Status, answer.Body)
			n.broken <- p.broken
			return
		}
		select {
		case n.answered <- struct{}{}:
		default:
		}
	}
}

// limited reports whether a bid was refused because the user has too many open bids.
func limited(answer apptest.Answer) bool {
	return answer.Status == http.StatusForbidden && bytes.Contains(answer.Body, []byte(`"limit_reached"`))
}

// choose returns the next act: an open, a sale, a change, a purchase or a bid. Other players act on
// the same entries, so many acts are refused.
func (p *player) choose() act {
	open := act{path: "/api/packs/2/open", body: map[string]any{"clientSeed": fmt.Sprint(p.random.Uint64())}}
	if len(p.owned) == 0 {
		return open
	}
	mine := p.owned[p.random.IntN(len(p.owned))]
	price := 1 + p.random.Int64N(100)
	switch p.random.IntN(12) {
	case 0, 1:
		return act{path: "/api/marketplace/list", body: map[string]any{"inventoryId": mine, "priceCents": price, "confirmedCents": price}}
	case 2:
		return act{path: "/api/marketplace/reprice", body: map[string]any{"inventoryId": mine, "priceCents": price, "confirmedCents": price}}
	case 3:
		return act{path: "/api/marketplace/delist", body: map[string]any{"inventoryId": mine}}
	case 4, 5:
		if id, price := p.board.some(); id != "" {
			return act{path: "/api/marketplace/buy", body: map[string]any{"inventoryId": id, "expectedPriceCents": price}}
		}
	case 6, 7, 8, 9:
		if a := p.bidding(); a.path != "" {
			return a
		}
	}
	return open
}

// learn applies the effects of an acknowledged act.
func (p *player) learn(a act) {
	id, _ := a.body["inventoryId"].(string)
	price, _ := a.body["priceCents"].(int64)
	switch {
	case strings.HasPrefix(a.path, "/api/bids"):
		p.learnBid(a)
	case strings.HasSuffix(a.path, "/open"):
		var opened struct {
			OpenID string
			Items  []struct{ InventoryID string }
		}
		p.broken = json.Unmarshal(a.answer, &opened)
		p.opened[opened.OpenID] = true
		for _, item := range opened.Items {
			p.owned = append(p.owned, item.InventoryID)
		}
	case strings.HasSuffix(a.path, "list") || strings.HasSuffix(a.path, "reprice"):
		p.board.put(id, price) // price 0 when delisted
	case strings.HasSuffix(a.path, "buy"):
		p.board.put(id, 0)
		p.owned = append(p.owned, id)
	}
}

// untilAnswered retries a request with its key while the server is down.
func (p *player) untilAnswered(ctx context.Context, n *node, a act) (answer apptest.Answer, answered bool) {
	for ctx.Err() == nil {
		p.Base = *n.url.Load()
		answer, err := p.Try(ctx, a.verb(), a.path, a.sent(), "Idempotency-Key", a.key)
		if err == nil && answer.Status != http.StatusServiceUnavailable {
			return answer, true
		}
	}
	return apptest.Answer{}, false
}

// askAgain repeats every acknowledged act. If one had been lost, it would be executed now instead
// of replayed.
func (p *player) askAgain(t *testing.T, n *node) {
	t.Helper()
	p.repeat(t, n, bytes.Equal)
}

// repeat repeats every acknowledged act. same compares its first response with the one it gets now.
func (p *player) repeat(t *testing.T, n *node, same func(first, now []byte) bool) {
	t.Helper()
	p.Base = *n.url.Load()
	for _, a := range p.acknowledged {
		answer := p.Call(t, a.verb(), a.path, a.sent(), "Idempotency-Key", a.key)
		if answer.Status/100 != 2 || answer.Header.Get("Idempotency-Replayed") != "true" || !same(a.answer, answer.Body) {
			t.Errorf("%s %s was acknowledged with %s, and is now answered with %d %s", a.path, a.key, a.answer, answer.Status, answer.Body)
		}
	}
}

// check compares the player's acknowledged opens with those in the database.
func (p *player) check(t *testing.T, s *apptest.Server) {
	t.Helper()
	if p.broken != nil {
		t.Error(p.broken)
	}
	var ids []string
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		ids, err = db.All(tx, db.Column[string], `SELECT o.id FROM openings o JOIN users u ON u.id = o.user_id
			WHERE u.wallet_address = $1`, p.Address)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	// The last request may have been executed without a response.
	if extra := len(ids) - len(p.opened); extra < 0 || extra > 1 {
		t.Errorf("%d opens for %d acknowledged", len(ids), len(p.opened))
	}
}
