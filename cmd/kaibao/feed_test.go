package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/feed"
	"kaibao/internal/marketevents"
	"kaibao/internal/publiclog"
)

// actsDuringFeed is the number of acts while the feed is read. They cause about 2,000 events.
const actsDuringFeed = 2700

// Players open and trade on three nodes of one database, or on one, while readers of the feed
// disconnect and reconnect to any node, and nodes are killed and restarted. Each reader gets every
// event once and in order, from any node. All events are delivered, and they contain no private
// data.
func TestFeedDeliversEventsOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			var nodes []*node
			if engine == "postgres" {
				nodes = newNodes(t, config, 3)
			} else {
				nodes = []*node{newNode(t, nodeArgs(config.Data, ""))}
			}
			s := &apptest.Server{DB: inspect(t, config)}
			readers := make([]*feedReader, 8)
			reading, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			var head atomic.Int64
			for n := range readers {
				readers[n] = &feedReader{random: rand.New(rand.NewPCG(uint64(n), 1)), nodes: nodes, head: &head, position: -1}
				all.Go(func() { readers[n].readAll(reading) })
			}
			players := playOn(t, nodes)
			head.Store(awaitHead(t, s))
			all.Wait()
			stop()

			whole := &feedReader{random: rand.New(rand.NewPCG(9, 9)), nodes: nodes, head: &head}
			whole.readAll(t.Context())
			for _, r := range slices.Concat(readers, []*feedReader{whole}) {
				r.wantAll(t, whole.events)
			}
			wantEventKinds(t, s, whole.events)
			wantNothingPrivate(t, s, whole.events)
			for _, p := range players {
				p.check(t, s)
			}
		})
	}
}

// playOn makes players act on the nodes and kills each node once.
func playOn(t *testing.T, nodes []*node) []*player {
	t.Helper()
	playing, stop := context.WithCancel(t.Context())
	board := newBoard()
	players := make([]*player, 8)
	var all sync.WaitGroup
	for n := range players {
		at := nodes[n%len(nodes)]
		players[n] = newPlayer(t, at, board)
		all.Go(func() { players[n].play(playing, at) })
	}
	each := actsDuringFeed / len(nodes) / 2
	for _, n := range nodes {
		n.awaitAnswers(t, each)
		n.kill()
		n.start(t)
		n.awaitAnswers(t, each)
	}
	stop()
	all.Wait()
	return players
}

// awaitHead returns the number of the last event, once all events have numbers.
func awaitHead(t *testing.T, s *apptest.Server) (head int64) {
	t.Helper()
	s.WaitForLog(t)
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for pending := true; pending; <-poll.C {
		err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			pending, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM events_waiting) OR EXISTS (SELECT 1 FROM market_digests WHERE waiting <> '[]')`)
			if err != nil {
				return err
			}
			unread, err := publiclog.FollowerLag(tx, feed.Follower)
			if err != nil {
				return err
			}
			pending = pending || unread > 0
			head, err = marketevents.Head(tx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return head
}

// feedReader reads the feed, disconnecting and reconnecting, until it has all events.
type feedReader struct {
	random   *rand.Rand
	nodes    []*node
	head     *atomic.Int64 // number of the last event, once known
	position int64         // number of the last event read; negative before the first
	first    int64
	events   []apptest.FeedEvent
	err      error
}

func (l *feedReader) done() bool {
	last := l.head.Load()
	return l.err != nil || last > 0 && l.position >= last
}

func (l *feedReader) readAll(ctx context.Context) {
	l.first = l.position + 1
	for ctx.Err() == nil && !l.done() {
		l.readFrom(ctx, *l.nodes[l.random.IntN(len(l.nodes))].url.Load())
	}
}

// readFrom reads some events from a node.
func (l *feedReader) readFrom(ctx context.Context, url string) {
	ctx, leave := context.WithTimeout(ctx, time.Duration(l.random.IntN(int(time.Second))))
	defer leave()
	last := ""
	if l.position >= 0 {
		last = strconv.FormatInt(l.position, 10)
	}
	feed, err := (&apptest.Client{Base: url, HTTP: http.DefaultClient}).Follow(ctx, last)
	if err != nil {
		<-ctx.Done() // the node is down
		return
	}
	for range l.random.IntN(600) {
		event, err := feed.Next()
		if err != nil || l.done() {
			return
		}
		l.add(event)
	}
}

func (l *feedReader) add(event apptest.FeedEvent) {
	switch {
	case event.Kind == "" && l.position < 0:
		l.position, l.first = event.ID, event.ID+1
	case event.Kind == "" || event.Kind == "reset" || event.ID != l.position+1:
		l.err = fmt.Errorf("after %d came %+v", l.position, event)
	default:
		l.position, l.events = event.ID, append(l.events, event)
	}
}

// wantAll compares the reader's events with the complete feed.
func (l *feedReader) wantAll(t *testing.T, whole []apptest.FeedEvent) {
	t.Helper()
	if l.err != nil || l.position != l.head.Load() {
		t.Fatalf("got events up to %d of %d: %v", l.position, l.head.Load(), l.err)
	}
	for n, event := range l.events {
		if event != whole[l.first-1+int64(n)] {
			t.Fatalf("got %+v, another reader %+v", event, whole[l.first-1+int64(n)])
		}
	}
}

// wantEventKinds compares the events with the database.
func wantEventKinds(t *testing.T, s *apptest.Server, whole []apptest.FeedEvent) {
	t.Helper()
	got := map[string]int{}
	for _, event := range whole {
		switch event.Kind {
		case "more":
			var more struct{ Count int }
			if err := json.Unmarshal([]byte(event.Data), &more); err != nil {
				t.Fatal(err)
			}
			got["open"] += more.Count
		default:
			got[event.Kind]++
		}
	}
	for kind, query := range map[string]string{
		"open":     `SELECT CAST(COUNT(*) AS TEXT) FROM openings`,
		"listing":  `SELECT CAST(COUNT(*) AS TEXT) FROM entry_events WHERE act IN ('list', 'reprice')`,
		"delisted": `SELECT CAST(COUNT(*) AS TEXT) FROM entry_events WHERE act = 'delist'`,
		"sale":     `SELECT CAST(COUNT(*) AS TEXT) FROM trades WHERE kind <> 'sell-back'`,
	} {
		if want := texts(t, s, query)[0]; strconv.Itoa(got[kind]) != want || want == "0" {
			t.Errorf("%s events: got %d, want %s", kind, got[kind], want)
		}
	}
	t.Logf("events by kind: %v", got)
}

// wantNothingPrivate checks that no event links an open to its player.
func wantNothingPrivate(t *testing.T, s *apptest.Server, whole []apptest.FeedEvent) {
	t.Helper()
	var text strings.Builder
	for _, event := range whole {
		text.WriteString(event.Data + "\n")
		var open struct{ CreatedAt string }
		if event.Kind == "open" && (json.Unmarshal([]byte(event.Data), &open) != nil || !strings.HasSuffix(open.CreatedAt, ":00.000Z")) {
			t.Errorf("an open event contains its time: %s", event.Data)
		}
	}
	for _, query := range []string{
		`SELECT CAST(id AS TEXT) FROM users`, `SELECT wallet_address FROM users`, `SELECT tag FROM users`,
		`SELECT CAST(id AS TEXT) FROM openings`, `SELECT CAST(created_at AS TEXT) FROM openings`,
	} {
		for _, private := range texts(t, s, query) {
			if strings.Contains(text.String(), private) {
				t.Errorf("the feed contains %s from %s", private, query)
			}
		}
	}
}

func texts(t *testing.T, s *apptest.Server, query string) (found []string) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.All(tx, db.Column[string], query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
