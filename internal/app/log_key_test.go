package app_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/keys"
	registry "kaibao/internal/nodes"
	"kaibao/internal/publiclog"
	"kaibao/internal/verify"
)

// addLogKey adds a key to the end of the log.key that the nodes share.
func addLogKey(t *testing.T, s *apptest.Server) {
	t.Helper()
	key, err := publiclog.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Config.Data, "log.key")
	keys, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte(string(keys)+key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// signedOpen is an open as its request was answered.
type signedOpen struct{ OpenID, Receipt string }

// untilLogKeysLoaded waits until both nodes have as many log keys.
func untilLogKeysLoaded(t *testing.T, s *apptest.Server, count int) {
	t.Helper()
	apptest.Until(t, "all nodes have read the changed log.key", func() bool {
		var live []registry.Node
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { live, err = registry.Live(tx); return err }); err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(live, func(n registry.Node) bool {
			return len(slices.DeleteFunc(slices.Clone(n.Keys), func(k registry.Key) bool { return k.Kind != string(keys.Log) })) != count
		})
	})
}

// players are users who open packs on several nodes.
type players struct {
	clients []*apptest.Client
	mutex   sync.Mutex
	opens   []signedOpen
}

func newPlayers(t *testing.T, nodes []*apptest.Server) *players {
	t.Helper()
	p := &players{}
	for n := range 4 {
		client := nodes[n%len(nodes)].SignIn(t)
		client.Deposit(t, 10_000)
		p.clients = append(p.clients, client)
	}
	return p
}

func (p *players) count() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.opens)
}

// open has all players open packs until stop is called, and returns once each has begun.
func (p *players) open(t *testing.T) (stop func()) {
	t.Helper()
	ended := make(chan struct{})
	var all sync.WaitGroup
	before := p.count()
	for n, client := range p.clients {
		all.Go(func() {
			for i, last := 0, false; !last; i++ {
				select {
				case <-ended:
					last = true // one more
				default:
				}
				p.openOnce(t, client, fmt.Sprintf("open-%d-%d-%d", before, n, i), i%5 == 0)
			}
		})
	}
	apptest.Until(t, "users open packs", func() bool { return p.count() > before+10 })
	return func() { close(ended); all.Wait() }
}

// openOnce opens a pack. repeat sends the request again, as after a lost answer.
func (p *players) openOnce(t *testing.T, client *apptest.Client, key string, repeat bool) {
	var open, again signedOpen
	answer := client.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": key}, "Idempotency-Key", key)
	if answer.Status != http.StatusOK || answer.Read(&open) != nil {
		t.Errorf("%s: %d %s", key, answer.Status, answer.Body)
		return
	}
	if repeat {
		answer := client.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": key}, "Idempotency-Key", key)
		if answer.Status != http.StatusOK || answer.Read(&again) != nil || again.Receipt != open.Receipt {
			t.Errorf("the receipt of %s was %q and is %q", open.OpenID, open.Receipt, again.Receipt)
		}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.opens = append(p.opens, open)
}

// While users open packs on two nodes, the log's key is replaced twice. No request fails, every
// receipt is signed with the key of the log that has its leaf, and someone who followed the log from
// before accepts what came after.
func TestKeyReplacedWhileUsersOpenPacks(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		nodes := []*apptest.Server{s, apptest.Start(t, s.Config)}
		s.WaitForLog(t)
		c := s.NewClient(t)
		before := verify.Options{
			Location: s.URL, Key: strings.TrimSpace(string(c.Get(t, "/log/key").Body)), EarlierCheckpoint: c.Get(t, "/log/checkpoint").Body,
		}
		mirror := t.TempDir()
		s.Mirror(t, mirror)

		players := newPlayers(t, nodes)
		for n := range 2 {
			addLogKey(t, s)
			untilLogKeysLoaded(t, s, n+2)
			stop := players.open(t)
			if _, err := app.ReplaceLogKey(t.Context(), s.Config.Storage, s.Config.Keys, "", time.Minute, func(string) {}); err != nil {
				t.Error(err)
			}
			stop()
		}
		opens := players.opens
		s.WaitForLog(t)

		report, err := verify.Log(t.Context(), before)
		if err != nil || report.Fault != nil || len(report.EndedLogs) != 2 || !report.EndedLogs[0].KeyReplaced || report.EarlierSize == nil {
			t.Fatalf("%+v, fault %v, %v", report, report.Fault, err)
		}
		s.Mirror(t, mirror)
		before.Location = mirror
		if report, err := verify.Log(t.Context(), before); err != nil || report.Fault != nil || report.Opens < int64(len(opens)) {
			t.Errorf("the mirror: %+v, %v", report, err)
		}
		logs := map[string]int{}
		for n, open := range opens {
			if n%3 != 0 {
				continue
			}
			proof := apptest.Get[struct{ Receipt, LogKey string }](t, nodes[n%2].NewClient(t), "/api/fairness/opens/"+open.OpenID)
			if proof.Receipt != open.Receipt {
				t.Errorf("open %s has the receipt %q, but was answered with %q", open.OpenID, proof.Receipt, open.Receipt)
			}
			logs[proof.LogKey]++
			steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: s.URL + "/api/fairness/opens/" + open.OpenID, Key: proof.LogKey, Now: time.Now()})
			if err != nil || verify.AnyFailed(steps) {
				t.Errorf("open %s: %+v, %v", open.OpenID, steps, err)
			}
		}
		if len(logs) != 3 {
			t.Errorf("the opens are in %d logs, want 3: %v", len(logs), logs)
		}
		ended := c.Get(t, "/log/ended/"+path.Base(report.EndedLogs[0].Origin)+"/tile/entries/000.p/1")
		ended.Want(t, http.StatusOK, nil)
		if cache := ended.Header.Get("Cache-Control"); !strings.Contains(cache, "immutable") {
			t.Errorf("a bundle of an ended log is cached as %q", cache)
		}
		keys := apptest.Get[publiclog.ReplacedKeys](t, c, "/api/fairness/replaced-keys").Keys
		if len(keys) != 2 || keys[0].NextKey != report.Key || keys[1].Key != before.Key || keys[0].Key != keys[1].NextKey {
			t.Errorf("the replaced keys are %+v", keys)
		}
		s.Audit(t)
	})
}
