package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// pendingOrders counts the orders that aren't settled, optionally only those whose round is stored.
func pendingOrders(t *testing.T, d *db.DB, roundStored bool) (count int64) {
	t.Helper()
	query := `SELECT COUNT(*) FROM orders o WHERE state = 'sealed'`
	if roundStored {
		query += ` AND EXISTS (SELECT 1 FROM beacon_rounds r WHERE r.chain = o.beacon AND r.round = o.round)`
	}
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		count, err = db.One(tx, db.Column[int64], query)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return count
}

// Players order a sealed pack with limited stock while the server is killed: while orders wait for their
// round, and while a round's orders are being drawn. After each kill the audit passes. In the end each
// order that was acknowledged is drawn once, and the log verifies.
func TestOrdersSurviveKills(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
			d := inspect(t, config)
			players := make([]*player, 3)
			for i := range players {
				players[i] = newPlayer(t, n, newBoard())
				players[i].Post(t, "/api/wallet/deposit/manual", map[string]any{"amount": 450 * 5 * killsAskedFor(t, 4)}).Want(t, http.StatusOK, nil)
			}
			for kill := range killsAskedFor(t, 4) {
				var all sync.WaitGroup
				var ordered atomic.Bool
				for _, p := range players {
					all.Go(func() {
						for order := range 5 {
							p.order(t, n, fmt.Sprintf("player-%d-%d-%d", p.number, kill, order))
						}
					})
				}
				go func() { all.Wait(); ordered.Store(true) }()
				drawing := kill%2 == 1
				apptest.Until(t, map[bool]string{false: "orders are pending", true: "a round's orders are being drawn"}[drawing], func() bool {
					// A round's orders are drawn within milliseconds, which a busy machine can miss.
					missed := ordered.Load() && pendingOrders(t, d, false) == 0
					return missed || pendingOrders(t, d, drawing) > 0
				})
				n.kill()
				n.start(t)
				all.Wait()
				succeed(t, "audit", "--data", config.Data, "--database-url", config.DatabaseURL)
			}
			apptest.Until(t, "all orders are drawn", func() bool { return pendingOrders(t, d, false) == 0 })
			for _, p := range players {
				p.repeat(t, n, func(first, now []byte) bool {
					var ordered, drawn struct{ OpenID, State string }
					return json.Unmarshal(first, &ordered) == nil && json.Unmarshal(now, &drawn) == nil && drawn.OpenID == ordered.OpenID && drawn.State == "open"
				})
			}
			s := &apptest.Server{DB: d, URL: *n.url.Load()}
			s.VerifyLog(t)
			n.kill()
			for _, p := range players {
				p.check(t, s)
			}
			s.Audit(t)
		})
	}
}

// order orders a toy, and retries until it gets an answer.
func (p *player) order(t *testing.T, n *node, key string) {
	a := act{path: "/api/packs/" + sealedPack + "/open", key: key, body: map[string]any{"clientSeed": key, "sealed": true}}
	answer, answered := p.untilAnswered(t.Context(), n, a)
	if !answered || answer.Status != http.StatusOK {
		t.Errorf("%s: status %d, want 200: %s", key, answer.Status, answer.Body)
		return
	}
	a.answer = answer.Body
	p.acknowledged = append(p.acknowledged, a)
	p.learn(a)
}

// A server that is killed after any step of an order continues with the next one when it starts again.
func TestOrderIsDrawnAfterKill(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		for step, failing := range map[string]string{
			"before its round is stored": "INSERT ON beacon_rounds",
			"before it is drawn":         "INSERT ON openings",
			"before its cards are owned": "INSERT ON inventory",
		} {
			t.Run(engine+" "+step, func(t *testing.T) {
				config := apptest.Config(t, engine)
				failed := &lineWatcher{text: "the job settlement failed", seen: make(chan struct{})}
				n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
				n.kill()
				n.stderr = failed
				n.start(t)
				d := inspect(t, config)
				s := &apptest.Server{DB: d, URL: *n.url.Load()}
				c := s.SignIn(t)
				c.Post(t, "/api/wallet/deposit/manual", map[string]any{"amount": 450}).Want(t, http.StatusOK, nil)
				rejectWrites(t, d, failing)
				id := c.Order(t, sealedPack, "x")
				select {
				case <-failed.seen:
				case <-t.Context().Done():
					t.Fatal("the settlement didn't fail")
				}

				n.kill()
				allowWrites(t, d, failing)
				n.start(t)

				s.URL, c.Base = *n.url.Load(), *n.url.Load()
				var opened struct {
					Items []struct{ InventoryID string }
				}
				c.WaitForDraw(t, id).Want(t, http.StatusOK, &opened)
				var owned []struct{ ID string }
				c.Get(t, "/api/inventory/me").Want(t, http.StatusOK, &owned)
				if len(opened.Items) != 1 || len(owned) != 1 || owned[0].ID != opened.Items[0].InventoryID {
					t.Errorf("the open has %+v and the user owns %+v, want the same toy", opened.Items, owned)
				}
				s.VerifyLog(t)
				s.Audit(t)
			})
		}
	}
}

// lineWatcher waits for a line that a program writes.
type lineWatcher struct {
	text string
	once sync.Once
	seen chan struct{} // closed once a line has the text
}

func (w *lineWatcher) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte(w.text)) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(line), nil
}
