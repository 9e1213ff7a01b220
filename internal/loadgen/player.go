package loadgen

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/policy"
	"kaibao/internal/verify"
)

// openResponse is the part of an open's response that is checked.
type openResponse struct {
	OpenID       string `json:"openId"`
	Commitment   string `json:"commitment"`
	ClientSeed   string `json:"clientSeed"`
	ManifestHash string `json:"manifestHash"`
	Receipt      string `json:"receipt"`
	State        string `json:"state"` // "open" or, before the draw of a sealed pack, "sealed"
	PriceCents   int64  `json:"priceCents"`
	TotalCents   int64  `json:"totalValueCents"`
	BalanceCents int64  `json:"balanceCents"`
	Nonce        int64  `json:"nonce"`
	Items        []struct {
		InventoryID    string `json:"inventoryId"`
		ID             string `json:"id"`
		BaseValueCents int64  `json:"baseValueCents"`
	} `json:"items"`
	Next nextOpen `json:"next"`
}

// nextOpen is the commitment and nonce of the next open.
type nextOpen struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
}

// player is a signed-in wallet and the expected state of its account.
type player struct {
	name    string // prefix of its idempotency keys
	calls   int64
	cookie  string
	balance int64
	next    nextOpen
	opens   []openResponse // not verified yet
	entries []heldEntry    // to trade
}

// SignIn creates a session for a wallet. post must send body as JSON, decode the response unless
// into is nil, and keep the cookies.
func SignIn(key ed25519.PrivateKey, post func(path string, body, into any) error) error {
	address := base58.Encode(key.Public().(ed25519.PublicKey))
	var challenge struct{ Message string }
	if err := post("/api/auth/challenge", map[string]string{"address": address}, &challenge); err != nil {
		return err
	}
	signature := base58.Encode(ed25519.Sign(key, []byte(challenge.Message)))
	return post("/api/auth/verify", map[string]string{"address": address, "signature": signature}, nil)
}

// newPlayer signs in and funds a new wallet.
func newPlayer(ctx context.Context, c *connection) (*player, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	p := &player{name: rand.Text()}
	err = SignIn(key, func(path string, body, into any) error {
		a, err := p.post(ctx, c, path, body, into)
		p.cookie = cookieHeader(a.header)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := p.get(ctx, c, "/api/fairness/commitment", &p.next); err != nil {
		return nil, err
	}
	err = p.fund(ctx, c)
	return p, err
}

// cookieHeader converts the Set-Cookie headers of a response to the next request's Cookie header.
func cookieHeader(header http.Header) string {
	var parts []string
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		if cookie.MaxAge >= 0 {
			parts = append(parts, cookie.Name+"="+cookie.Value)
		}
	}
	return strings.Join(parts, "; ")
}

func (p *player) get(ctx context.Context, c *connection, path string, into any) error {
	_, err := c.want(ctx, request{method: http.MethodGet, path: path, cookie: p.cookie}, into)
	return err
}

func (p *player) post(ctx context.Context, c *connection, path string, body, into any) (response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return response{}, err
	}
	return c.want(ctx, p.newPost(path, string(text)), into)
}

// newPost returns a POST request with a new idempotency key.
func (p *player) newPost(path, body string) request {
	p.calls++
	return request{http.MethodPost, path, p.cookie, p.name + strconv.FormatInt(p.calls, 10), body}
}

// deposit deposits the maximum amount and returns the new balance.
func (p *player) deposit(ctx context.Context, c *connection) (balance int64, err error) {
	var made struct{ Wallet struct{ BalanceCents int64 } }
	_, err = p.post(ctx, c, "/api/wallet/deposit/manual", map[string]int64{"amount": int64(policy.MaxDeposit / 100)}, &made)
	return made.Wallet.BalanceCents, err
}

// fund calls deposit and checks the new balance.
func (p *player) fund(ctx context.Context, c *connection) error {
	now, err := p.deposit(ctx, c)
	if err == nil && now != p.balance+int64(policy.MaxDeposit) {
		return fmt.Errorf("balance %d after a deposit of %d on %d", now, policy.MaxDeposit, p.balance)
	}
	p.balance = now
	return err
}

// open opens the round's pack and records the response.
func (p *player) open(ctx context.Context, c *connection, r *round, t *tally) error {
	if p.balance < r.price {
		if err := p.fund(ctx, c); err != nil {
			return err
		}
	}
	request := p.newPost("/api/packs/"+r.Pack+"/open", `{"clientSeed":"`+rand.Text()+`","commitment":"`+p.next.Commitment+`","sealed":`+strconv.FormatBool(r.Sealed)+`}`)
	start := time.Now()
	a, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	t.record(time.Since(start), a.status)
	switch {
	case a.status == http.StatusOK:
		return p.applyOpen(a.body, r)
	case a.status == http.StatusGone && r.Drop:
		return nil
	default:
		return fmt.Errorf("open: %d %s", a.status, a.body)
	}
}

// applyOpen checks an open's response against the account and updates it.
func (p *player) applyOpen(body []byte, r *round) error {
	var o openResponse
	if err := json.Unmarshal(body, &o); err != nil {
		return err
	}
	var total int64
	for _, item := range o.Items {
		total += item.BaseValueCents
	}
	switch {
	case (o.State == "sealed") != r.Sealed:
		return fmt.Errorf("open %s is %s", o.OpenID, o.State)
	case total != o.TotalCents || (len(o.Items) == 0) != r.Sealed:
		return fmt.Errorf("open %s: items worth %d, total %d", o.OpenID, total, o.TotalCents)
	case o.PriceCents != r.price || o.BalanceCents != p.balance-r.price:
		return fmt.Errorf("open %s: balance %d after %d, price %d", o.OpenID, o.BalanceCents, p.balance, o.PriceCents)
	case o.Nonce != p.next.Nonce || o.Commitment != p.next.Commitment || o.Next.Nonce != o.Nonce+1:
		return fmt.Errorf("open %s: nonce %d and commitment %s, want %+v", o.OpenID, o.Nonce, o.Commitment, p.next)
	}
	p.balance, p.next = o.BalanceCents, o.Next
	p.opens = append(p.opens, o)
	return nil
}

// check verifies an open's receipt and compares it with the response.
func (o openResponse) check(receipts *verify.ReceiptChecker) error {
	leaf, err := receipts.Check(o.Receipt)
	if err != nil {
		return err
	}
	same := leaf.ID == o.OpenID && int64(leaf.Nonce) == o.Nonce && leaf.ClientSeed == o.ClientSeed && int64(leaf.Price) == o.PriceCents &&
		hex.EncodeToString(leaf.Next[:]) == o.Next.Commitment && hex.EncodeToString(leaf.Manifest[:]) == o.ManifestHash &&
		len(leaf.Items) == len(o.Items)
	for n := 0; same && n < len(o.Items); n++ {
		same = leaf.Items[n].Card == o.Items[n].ID && int64(leaf.Items[n].Value) == o.Items[n].BaseValueCents
	}
	if !same {
		return errors.New("the receipt differs from the response")
	}
	return nil
}

// checkAccount compares the server's account with the expected one: no open may be lost or
// duplicated.
func (p *player) checkAccount(ctx context.Context, c *connection) error {
	var balance struct{ BalanceCents int64 }
	var next nextOpen
	err := errors.Join(p.get(ctx, c, "/api/wallet", &balance), p.get(ctx, c, "/api/fairness/commitment", &next))
	if err == nil && (balance.BalanceCents != p.balance || next != p.next) {
		err = fmt.Errorf("balance %d and next %+v, want %d and %+v", balance.BalanceCents, next, p.balance, p.next)
	}
	return err
}
