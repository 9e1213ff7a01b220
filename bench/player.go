package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"
	"time"

	"github.com/mr-tron/base58"
)

// player is a signed-in wallet that can open in several runs; `kaibao load` has new
// ones in each.
type player struct {
	http    *http.Client
	balance int64
}

// signIn makes some new players with a connection pool of their own.
func signIn(ctx context.Context, node *url.URL, number int) ([]*player, error) {
	pool := http.DefaultTransport.(*http.Transport).Clone()
	pool.MaxIdleConnsPerHost = atOnce
	players := make([]*player, number)
	err := together(atOnce, number, func(n int) error {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return err
		}
		players[n] = &player{http: &http.Client{Transport: pool, Jar: jar}}
		return players[n].signIn(ctx, node)
	})
	return players, err
}

// together does something for every number below n, with some workers.
func together(workers, n int, do func(n int) error) error {
	var group sync.WaitGroup
	failures := make([]error, workers)
	for w := range workers {
		group.Go(func() {
			for i := w; i < n && failures[w] == nil; i += workers {
				failures[w] = do(i)
			}
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

func (p *player) signIn(ctx context.Context, node *url.URL) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	address := base58.Encode(public)
	var challenge struct{ Message string }
	if err := p.post(ctx, node, "/api/auth/challenge", map[string]any{"address": address}, &challenge); err != nil {
		return err
	}
	signature := base58.Encode(ed25519.Sign(private, []byte(challenge.Message)))
	return p.post(ctx, node, "/api/auth/verify", map[string]any{"address": address, "signature": signature}, nil)
}

func (p *player) post(ctx context.Context, node *url.URL, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, node.String()+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	response, err := p.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("POST %s: %s: %s", path, response.Status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// open opens a pack and returns how long that took; the purse is filled in time.
func (p *player) open(ctx context.Context, node *url.URL) (time.Duration, error) {
	if p.balance < 100_00 {
		var deposit struct{ Wallet struct{ BalanceCents int64 } }
		if err := p.post(ctx, node, "/api/wallet/deposit/manual", map[string]any{"amount": 10_000}, &deposit); err != nil {
			return 0, err
		}
		p.balance = deposit.Wallet.BalanceCents
	}
	begin := time.Now()
	var opened struct{ BalanceCents int64 }
	err := p.post(ctx, node, "/api/packs/"+ordinaryPack+"/open", map[string]any{"clientSeed": rand.Text()}, &opened)
	p.balance = opened.BalanceCents
	return time.Since(begin), err
}

// play lets players open in turn for a while, atOnce of them at the same time.
func play(ctx context.Context, node *url.URL, players []*player, span time.Duration) ([]time.Duration, error) {
	var mutex sync.Mutex
	var all []time.Duration
	end := time.Now().Add(span)
	err := together(atOnce, atOnce, func(n int) error {
		var times []time.Duration
		defer func() {
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, times...)
		}()
		for i := n; time.Now().Before(end); i += atOnce {
			took, err := players[i%len(players)].open(ctx, node)
			if err != nil {
				return err
			}
			times = append(times, took)
		}
		return nil
	})
	return all, err
}
