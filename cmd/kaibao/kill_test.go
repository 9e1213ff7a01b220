package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// kills is how often the server dies under load on each engine.
const kills = 50

// Clients open without pause while the server is killed and started again. Each
// repeats its request with the same key until it is answered. Afterwards every
// acknowledged open is there, none is there twice, and the books are in order.
func TestNothingIsLostOrDoubledByKilling(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
			players := make([]*player, 8)
			for i := range players {
				players[i] = newPlayer(t, n)
			}
			playing, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for _, p := range players {
				all.Go(func() { p.play(playing, n) })
			}
			for range kills {
				n.awaitAnswers(t, 10)
				n.kill()
				n.start(t)
			}
			n.awaitAnswers(t, 10)
			stop()
			all.Wait()
			n.kill()

			s := &apptest.Server{DB: dbtest.Open(t, db.Options{Dir: config.Data, URL: config.DatabaseURL})}
			opened := 0
			for _, p := range players {
				p.check(t, s)
				opened += len(p.acknowledged)
			}
			s.Audit(t)
			t.Logf("%d opens acknowledged over %d kills", opened, kills)
		})
	}
}

// node is a server that dies and comes back at another port.
type node struct {
	args     []string
	process  *exec.Cmd
	url      atomic.Pointer[string]
	answered chan struct{}
}

func newNode(t *testing.T, args []string) *node {
	t.Helper()
	n := &node{args: args, answered: make(chan struct{}, 1024)}
	n.start(t)
	t.Cleanup(n.kill)
	return n
}

func (n *node) start(t *testing.T) {
	t.Helper()
	n.process = program(context.WithoutCancel(t.Context()), n.args...)
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
	n.url.Store(&address)
}

func (n *node) kill() {
	if n.process.ProcessState == nil {
		_ = n.process.Process.Kill()
		_ = n.process.Wait()
	}
}

// awaitAnswers waits until the load has had some answers, so that every kill
// falls into the middle of it.
func (n *node) awaitAnswers(t *testing.T, answers int) {
	t.Helper()
	for range answers {
		select {
		case <-n.answered:
		case <-t.Context().Done():
			t.Fatal("the load stands still")
		}
	}
}

// player is a wallet that opens packs and remembers what it was told.
type player struct {
	*apptest.Client
	number       int
	acknowledged []string
	broken       error
}

var playerNumber atomic.Int64

func newPlayer(t *testing.T, n *node) *player {
	t.Helper()
	c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
	c.Deposit(t, 10000)
	return &player{Client: c, number: int(playerNumber.Add(1))}
}

// play opens until told to stop; an open under way is finished first.
func (p *player) play(ctx context.Context, n *node) {
	for request := 0; ctx.Err() == nil; request++ {
		key := fmt.Sprintf("player-%d-%d", p.number, request)
		id, status := p.openUntilAnswered(ctx, n, key)
		if status != http.StatusOK {
			if ctx.Err() == nil && status != http.StatusPaymentRequired {
				p.broken = fmt.Errorf("open answered %d", status)
			}
			return
		}
		p.acknowledged = append(p.acknowledged, id)
		select {
		case n.answered <- struct{}{}:
		default:
		}
	}
}

// openUntilAnswered repeats one open with one key while the server is away.
func (p *player) openUntilAnswered(ctx context.Context, n *node, key string) (id string, status int) {
	for ctx.Err() == nil {
		p.Base = *n.url.Load()
		answer, err := p.Try(ctx, http.MethodPost, "/api/packs/2/open", map[string]string{"clientSeed": key}, "Idempotency-Key", key)
		if err != nil || answer.Status == http.StatusServiceUnavailable {
			continue
		}
		var opened struct{ OpenID string }
		if err := answer.Read(&opened); err != nil {
			return "", 0
		}
		return opened.OpenID, answer.Status
	}
	return "", 0
}

// check compares what the player was told with what the database holds.
func (p *player) check(t *testing.T, s *apptest.Server) {
	t.Helper()
	if p.broken != nil {
		t.Error(p.broken)
	}
	ids := map[string]int{}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		rows, err := db.All(tx, db.Column[string], `SELECT o.id FROM openings o JOIN users u ON u.id = o.user_id
			WHERE u.wallet_address = $1`, p.Address)
		for _, id := range rows {
			ids[id]++
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, id := range p.acknowledged {
		if ids[id] != 1 {
			t.Errorf("open %s was acknowledged and is there %d times", id, ids[id])
		}
	}
	// The last request may have been done and not answered when the load ended.
	if extra := len(ids) - len(p.acknowledged); extra < 0 || extra > 1 {
		t.Errorf("%d opens for %d acknowledged", len(ids), len(p.acknowledged))
	}
}
