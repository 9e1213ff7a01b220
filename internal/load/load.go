// Package load opens packs as fast as a server can, as many wallets at once, and
// checks every single answer: a figure that comes out of a wrong run is worth
// nothing.
package load

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"kaibao/internal/terms"
)

// Options say what to do to which nodes.
type Options struct {
	Nodes       []*url.URL
	Users       int           // at least as many as Concurrency
	Concurrency int           // connections, each with one request under way
	Duration    time.Duration // of the measured part
	Pack        string
	Drop        bool // every user asks once, all at the same time
	Now         func() time.Time

	// Progress is told what is done, and how much of it; nil = nobody asks.
	Progress func(what string, done, total int64)
}

// opened is what is checked of an answer.
type opened struct {
	OpenID, Commitment, ClientSeed, ManifestHash, Receipt string

	PriceCents, TotalValueCents, BalanceCents, Nonce, DrawSeq int64

	Items []struct {
		ID             string
		BaseValueCents int64
	}
	Next struct {
		Commitment string
		Nonce      int64
	}
}

// wallet is a user and what is known of the account.
type wallet struct {
	cookie     string
	balance    int64
	nonce      int64
	commitment string
	receipts   []opened
}

type run struct {
	Options
	price    int64
	wallets  []*wallet
	requests atomic.Int64
}

// Run signs the users in, funds them, opens, and checks everything.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Users < o.Concurrency {
		return nil, errors.New("there must be at least as many users as connections")
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	r := &run{Options: o, wallets: make([]*wallet, o.Users)}
	if err := r.readPrice(); err != nil {
		return nil, err
	}
	var ready atomic.Int64
	err := r.each(func(c *connection, n int) error {
		r.Progress("signing in", ready.Add(1), int64(o.Users))
		return r.prepare(c, n)
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the users: %w", err)
	}
	report := &Report{Pack: o.Pack, Users: o.Users, Concurrency: o.Concurrency, Nodes: len(o.Nodes), Statuses: map[int]int{}}
	if err := r.measure(ctx, report); err != nil {
		return report, err
	}
	return report, r.verify(report)
}

func (r *run) connect(n int) *connection { return &connection{node: r.Nodes[n%len(r.Nodes)]} }

func (r *run) readPrice() error {
	var pack struct{ PriceCents int64 }
	c := r.connect(0)
	defer c.close()
	_, err := c.want(http.MethodGet, "/api/packs/"+r.Pack, "", "", nil, &pack)
	r.price = pack.PriceCents
	return err
}

// each does something for every user, with one connection a worker.
func (r *run) each(do func(c *connection, user int) error) error {
	var workers sync.WaitGroup
	failures := make([]error, r.Concurrency)
	for w := range r.Concurrency {
		workers.Go(func() {
			c := r.connect(w)
			defer c.close()
			for n := w; n < r.Users && failures[w] == nil; n += r.Concurrency {
				failures[w] = do(c, n)
			}
		})
	}
	workers.Wait()
	return errors.Join(failures...)
}

func (r *run) prepare(c *connection, n int) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	u := &wallet{}
	r.wallets[n] = u
	if u.cookie, err = c.signIn(key); err != nil {
		return err
	}
	var shown struct {
		Commitment string
		Nonce      int64
	}
	if _, err := c.want(http.MethodGet, "/api/fairness/commitment", u.cookie, "", nil, &shown); err != nil {
		return err
	}
	u.commitment, u.nonce = shown.Commitment, shown.Nonce
	return r.fund(c, u)
}

func (r *run) fund(c *connection, u *wallet) error {
	amount := int64(terms.MostDeposit / 100)
	if r.Drop {
		amount = (r.price + 99) / 100
	}
	var deposit struct{ Wallet struct{ BalanceCents int64 } }
	_, err := c.want(http.MethodPost, "/api/wallet/deposit/manual", u.cookie, r.key(), map[string]int64{"amount": amount}, &deposit)
	if err == nil && deposit.Wallet.BalanceCents != u.balance+amount*100 {
		err = fmt.Errorf("balance %d after a deposit of %d dollars on %d", deposit.Wallet.BalanceCents, amount, u.balance)
	}
	u.balance = deposit.Wallet.BalanceCents
	return err
}

func (r *run) key() string { return fmt.Sprintf("load-%s-%d", rand.Text()[:8], r.requests.Add(1)) }

// measure lets every worker open with its own users in turn until time is up,
// or in a drop with each of them once.
func (r *run) measure(ctx context.Context, report *Report) error {
	var workers sync.WaitGroup
	failures := make([]error, r.Concurrency)
	tallies := make([]tally, r.Concurrency)
	start := r.Now()
	for w := range r.Concurrency {
		workers.Go(func() {
			c := r.connect(w)
			defer c.close()
			tallies[w], failures[w] = r.work(ctx, c, w, start.Add(r.Duration))
		})
	}
	workers.Wait()
	report.add(tallies, r.Now().Sub(start))
	return errors.Join(failures...)
}

func (r *run) work(ctx context.Context, c *connection, w int, end time.Time) (t tally, err error) {
	for n := w; ctx.Err() == nil; n += r.Concurrency {
		if n >= r.Users {
			if r.Drop {
				break
			}
			n = w
		}
		if !r.Drop && !r.Now().Before(end) {
			break
		}
		if w == 0 {
			whole := int64(r.Duration.Seconds())
			r.Progress("opening (seconds)", min(whole, int64(r.Now().Sub(end.Add(-r.Duration)).Seconds())), whole)
		}
		u := r.wallets[n]
		if !r.Drop && u.balance < r.price {
			if err := r.fund(c, u); err != nil {
				return t, err
			}
		}
		start := r.Now()
		a, err := c.call(http.MethodPost, "/api/packs/"+r.Pack+"/open", u.cookie, r.key(), map[string]string{"clientSeed": rand.Text(), "commitment": u.commitment})
		if err != nil {
			return t, err
		}
		t.record(r.Now().Sub(start), a.status)
		if a.status != http.StatusOK {
			if r.Drop && a.status == http.StatusGone {
				continue
			}
			return t, fmt.Errorf("open: %d %s", a.status, a.body)
		}
		if err := r.check(u, a.body); err != nil {
			return t, err
		}
	}
	return t, nil
}

// check compares an answer with what is known of the account.
func (r *run) check(u *wallet, body []byte) error {
	var o opened
	if err := json.Unmarshal(body, &o); err != nil {
		return err
	}
	var total int64
	for _, item := range o.Items {
		total += item.BaseValueCents
	}
	switch {
	case total != o.TotalValueCents || len(o.Items) == 0:
		return fmt.Errorf("open %s: items worth %d, total %d", o.OpenID, total, o.TotalValueCents)
	case o.PriceCents != r.price || o.BalanceCents != u.balance-r.price:
		return fmt.Errorf("open %s: balance %d after %d, price %d", o.OpenID, o.BalanceCents, u.balance, o.PriceCents)
	case o.Nonce != u.nonce || o.Commitment != u.commitment || o.Next.Nonce != u.nonce+1:
		return fmt.Errorf("open %s: nonce %d and commitment %s, expected %d and %s", o.OpenID, o.Nonce, o.Commitment, u.nonce, u.commitment)
	}
	u.balance, u.nonce, u.commitment = o.BalanceCents, o.Next.Nonce, o.Next.Commitment
	u.receipts = append(u.receipts, o)
	return nil
}
