package load

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/fair"
)

// Report is what a run measured. Times are in milliseconds.
type Report struct {
	Pack        string      `json:"pack"`
	Nodes       int         `json:"nodes"`
	Users       int         `json:"users"`
	Concurrency int         `json:"concurrency"`
	Seconds     float64     `json:"seconds"`
	Opens       int         `json:"opens"`
	PerSecond   float64     `json:"opensPerSecond"`
	P50         float64     `json:"p50Ms"`
	P99         float64     `json:"p99Ms"`
	P999        float64     `json:"p999Ms"`
	Max         float64     `json:"maxMs"`
	Statuses    map[int]int `json:"statuses"`
	Verified    int         `json:"verified"` // receipts checked and draws recomputed after the run
}

// tally is one worker's share of a run.
type tally struct {
	times    []time.Duration
	statuses map[int]int
}

func (t *tally) record(d time.Duration, status int) {
	if t.statuses == nil {
		t.statuses = map[int]int{}
	}
	t.times = append(t.times, d)
	t.statuses[status]++
}

func (r *Report) add(tallies []tally, elapsed time.Duration) {
	var times []time.Duration
	for _, t := range tallies {
		times = append(times, t.times...)
		for status, n := range t.statuses {
			r.Statuses[status] += n
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		if len(times) == 0 {
			return 0
		}
		return float64(times[min(len(times)-1, int(share*float64(len(times))))].Microseconds()) / 1000
	}
	r.Seconds, r.Opens = elapsed.Seconds(), r.Statuses[http.StatusOK]
	r.PerSecond = float64(r.Opens) / r.Seconds
	r.P50, r.P99, r.P999, r.Max = at(0.5), at(0.99), at(0.999), at(1)
}

// String is the report as a line for people.
func (r *Report) String() string {
	return fmt.Sprintf("pack %s, %d users, %d connections, %d nodes: %d opens in %.1f s = %.0f/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, answers %v, %d verified",
		r.Pack, r.Users, r.Concurrency, r.Nodes, r.Opens, r.Seconds, r.PerSecond, r.P50, r.P99, r.P999, r.Statuses, r.Verified)
}

// verify checks every receipt and recomputes every draw, as a stranger could,
// and compares the server's last word on every account with the run's own.
func (r *run) verify(report *Report) error {
	c := r.connect(0)
	defer c.close()
	a, err := c.want(http.MethodGet, "/log/key", "", "", nil, nil)
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(string(a.body[:len(a.body)-1]))
	if err != nil {
		return err
	}
	v := &checker{note.VerifierList(verifier), map[[32]byte]*fair.Manifest{}, map[int64]fair.OpenLeaf{}}
	for _, u := range r.wallets {
		for _, o := range u.receipts {
			if err := v.receipt(c, o); err != nil {
				return fmt.Errorf("open %s: %w", o.OpenID, err)
			}
			report.Verified++
			r.Progress("verifying", int64(report.Verified), int64(report.Opens))
		}
	}
	if report.Verified != report.Opens {
		return fmt.Errorf("%d receipts for %d opens", report.Verified, report.Opens)
	}
	if err := v.finite(); err != nil {
		return err
	}
	return r.balances()
}

// checker verifies receipts; draws of a pack with finite stock are kept until
// all are there and are replayed in their order.
type checker struct {
	verifiers note.Verifiers
	manifests map[[32]byte]*fair.Manifest
	draws     map[int64]fair.OpenLeaf
}

func (v *checker) receipt(c *connection, o opened) error {
	signed, err := note.Open([]byte(o.Receipt), v.verifiers)
	if err != nil {
		return fmt.Errorf("receipt: %w", err)
	}
	parsed, err := fair.ParseLeaf([]byte(signed.Text))
	if err != nil {
		return err
	}
	leaf, ok := parsed.(fair.OpenLeaf)
	if !ok || leaf.ID != o.OpenID || int64(leaf.Nonce) != o.Nonce || leaf.ClientSeed != o.ClientSeed ||
		hex.EncodeToString(leaf.Next[:]) != o.Next.Commitment || hex.EncodeToString(leaf.Manifest[:]) != o.ManifestHash {
		return errors.New("the receipt does not say what the answer said")
	}
	m, err := v.manifest(c, leaf.Manifest)
	if err != nil {
		return err
	}
	if o.DrawSeq == 0 {
		return leaf.Verify(m, nil)
	}
	if _, twice := v.draws[o.DrawSeq]; twice {
		return fmt.Errorf("drawSeq %d was used twice", o.DrawSeq)
	}
	v.draws[o.DrawSeq] = leaf
	return nil
}

// manifest fetches a manifest once.
func (v *checker) manifest(c *connection, hash [32]byte) (*fair.Manifest, error) {
	if m := v.manifests[hash]; m != nil {
		return m, nil
	}
	a, err := c.want(http.MethodGet, "/api/fairness/manifests/"+hex.EncodeToString(hash[:]), "", "", nil, nil)
	if err != nil {
		return nil, err
	}
	if fair.Hash(a.body) != hash {
		return nil, fmt.Errorf("manifest %x is another text", hash)
	}
	m, err := fair.ParseManifest(a.body)
	v.manifests[hash] = m
	return m, err
}

// finite replays the draws of a pack with finite stock, if nobody else drew
// from it since its manifest.
func (v *checker) finite() error {
	stock := fair.Stock{}
	for seq := int64(2); len(v.draws) > 0; seq++ {
		leaf, ok := v.draws[seq]
		if !ok {
			return fmt.Errorf("drawSeq %d is missing: open the pack on a fresh server", seq)
		}
		delete(v.draws, seq)
		m := v.manifests[leaf.Manifest]
		if err := leaf.Verify(m, stock); err != nil {
			return fmt.Errorf("draw %d: %w", seq, err)
		}
		take(m, stock, leaf.Items)
	}
	return nil
}

func take(m *fair.Manifest, stock fair.Stock, items []fair.LeafItem) {
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			for _, item := range items {
				if item.Card == card.ID && card.Finite() {
					if _, known := stock[card.ID]; !known {
						stock[card.ID] = card.Stock
					}
					stock[card.ID]--
				}
			}
		}
	}
}

// balances asks the server for every account: no open may be lost or doubled.
func (r *run) balances() error {
	var mutex sync.Mutex
	var wrong []error
	err := r.each(func(c *connection, n int) error {
		u := r.wallets[n]
		var shown struct{ BalanceCents, Nonce int64 }
		if _, err := c.want(http.MethodGet, "/api/wallet", u.cookie, "", nil, &shown); err != nil {
			return err
		}
		if _, err := c.want(http.MethodGet, "/api/fairness/commitment", u.cookie, "", nil, &shown); err != nil {
			return err
		}
		if shown.BalanceCents != u.balance || shown.Nonce != u.nonce {
			mutex.Lock()
			defer mutex.Unlock()
			wrong = append(wrong, fmt.Errorf("user %d: balance %d and nonce %d, expected %d and %d", n, shown.BalanceCents, shown.Nonce, u.balance, u.nonce))
		}
		return nil
	})
	return errors.Join(append(wrong, err)...)
}
