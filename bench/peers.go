package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// peers measures other systems with the most similar work, as defined in their request files.
type peers struct {
	*bench
	requests map[string]peerRequests
	next     atomic.Int64
}

// peerRequests is a peer's request file: requests sent once, requests sent once per user, and the
// measured request. {user} is replaced by the user's number and {n} by a unique number.
type peerRequests struct {
	Once    []request `json:"once"`
	User    []request `json:"user"`
	Measure request   `json:"measure"`
}

type request struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
}

const peerClients = 64

func (p *peers) prepare(ctx context.Context) error {
	p.requests = map[string]peerRequests{}
	for name, node := range p.peers {
		text, err := os.ReadFile(filepath.Join("bench", "peers", name+".json"))
		if err != nil {
			return fmt.Errorf("requests of the peer %s: %w", name, err)
		}
		var w peerRequests
		if err := json.Unmarshal(text, &w); err != nil {
			return fmt.Errorf("requests of the peer %s: %w", name, err)
		}
		p.requests[name] = w
		c := peerClient()
		for _, r := range w.Once {
			if err := p.send(ctx, c, node, r, 0); err != nil {
				return err
			}
		}
		err = parallel(ctx, peerClients, wrkUserCount, func(ctx context.Context, user int) error {
			for _, r := range w.User {
				if err := p.send(ctx, c, node, r, user); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parallel calls do for 0 to n-1 with a number of workers, until one call fails.
func parallel(ctx context.Context, workers, n int, do func(ctx context.Context, n int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func peerClient() *http.Client {
	pool := http.DefaultTransport.(*http.Transport).Clone()
	pool.MaxIdleConnsPerHost = peerClients
	return &http.Client{Transport: pool, Timeout: 30 * time.Second}
}

func (p *peers) send(ctx context.Context, c *http.Client, node *url.URL, r request, user int) error {
	fill := strings.NewReplacer("{user}", strconv.Itoa(user), "{n}", strconv.FormatInt(p.next.Add(1), 10))
	body := bytes.NewReader([]byte(fill.Replace(string(r.Body))))
	sent, err := http.NewRequestWithContext(ctx, r.Method, node.String()+fill.Replace(r.Path), body)
	if err != nil {
		return err
	}
	sent.Header.Set("Content-Type", "application/json")
	response, err := c.Do(sent)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %s: %s", r.Method, sent.URL, response.Status, answer)
	}
	return err
}

func (p *peers) round(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(p.peers)) {
		c, begin := peerClient(), time.Now()
		var done atomic.Int64
		err := parallel(ctx, peerClients, peerClients, func(ctx context.Context, n int) error {
			for user := n; time.Since(begin) < p.duration; user = (user + peerClients) % wrkUserCount {
				if err := p.send(ctx, c, p.peers[name], p.requests[name].Measure, user); err != nil {
					return err
				}
				done.Add(1)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("peer %s: %w", name, err)
		}
		rate := float64(done.Load()) / time.Since(begin).Seconds()
		p.record(name+" rate", rate)
		if len(p.samples["PostgreSQL 64 rate"]) > 0 {
			p.record(name+" ratio", p.latest("PostgreSQL 64 rate")/rate)
		}
		p.logf("%s: %.0f/s", name, rate)
	}
	return nil
}

func (*peers) finish(context.Context) error { return nil }
