// Package sandbox implements `--payments sandbox`: a fake payment provider with Helio's paths and
// objects, a fake chain, and fake price sources. Its data is in the server's database, so all nodes
// and restarts see the same charges. No real money moves.
package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// The settings for clients of the fake provider. None is secret: the provider's paths are reachable
// only in process (Transport), and webhooks are never trusted without asking the provider.
const (
	URL       = "https://" + host // of the provider and the price sources
	RPC       = URL + "/rpc"      // of the chain
	PublicKey = "sandbox-public-key"
	Secret    = "sandbox-secret-key"
	Token     = "sandbox-webhook-token" // shared secret of the webhooks
	Paylink   = "5a4d0b0c5a4d0b0c5a4d0b0c"
	Treasury  = "SandboxTreasury1111111111111111111111111111" // the merchant's; nobody has its key
	Embed     = "/sandbox/assets/index-v1.js"                 // path of the embed script

	host = "sandbox.invalid" // never resolves (RFC 2606)
)

// Price is the price of one SOL. It is constant, so that estimates equal the charges.
const Price money.Cents = 18742

// Knobs configure the behavior of the fake provider in tests.
type Knobs struct {
	Late      bool          // charges can be paid after expiry
	More      int64         // lamports that payers send on top; negative = too few
	Confirmed time.Duration // delay until the payment is on the chain
	Finalized time.Duration // delay until the payment is final
	Copies    int           // webhooks per payment; 0 = lost
	Delay     time.Duration // delay until webhooks are sent
	Newest    bool          // send the newest due webhook first

	// Instead may answer a request of our own server and reports whether it did. May be nil.
	Instead func(http.ResponseWriter, *http.Request) bool
}

// Ordinary returns the knobs used in production.
func Ordinary() Knobs { return Knobs{Copies: 1, Finalized: 2 * time.Second} }

// Options configure a Provider.
type Options struct {
	DB      *db.DB
	Webhook string       // URL that receives webhooks
	HTTP    *http.Client // sends webhooks; nil = http.DefaultClient
	Knobs   func() Knobs // called on each use; nil = Ordinary
}

// Provider is the fake provider on one node.
type Provider struct {
	Options
	paths *http.ServeMux
}

// New returns a fake provider. It doesn't access the database yet.
func New(o Options) *Provider {
	if o.Knobs == nil {
		o.Knobs = Ordinary
	}
	o.HTTP = cmp.Or(o.HTTP, http.DefaultClient)
	p := &Provider{Options: o, paths: http.NewServeMux()}
	p.servePayments()
	p.serveChain()
	p.servePrices()
	return p
}

// ServeHTTP answers requests of our own server: Helio's paths, JSON-RPC at /rpc, and the prices. It
// is registered on no listener; use Transport to reach it.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if instead := p.Knobs().Instead; instead != nil && instead(w, r) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	p.paths.ServeHTTP(w, r)
}

// fail writes an error in the provider's format.
func fail(w http.ResponseWriter, err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		refused = &refusal{http.StatusServiceUnavailable, "The stand-in does not reach its database."}
	}
	answer(w, refused.status, map[string]any{"code": refused.status, "message": refused.message})
}

// refusal is an error that is returned to the caller.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

// servePrices registers the price endpoints of CoinGecko and Jupiter.
func (p *Provider) servePrices() {
	usd := json.Number(Price.String())
	p.paths.HandleFunc("GET /api/v3/simple/price", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"solana": map[string]any{"usd": usd, "last_updated_at": p.DB.Now().Unix()}})
	})
	p.paths.HandleFunc("GET /price/v3", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"So11111111111111111111111111111111111111112": map[string]any{"usdPrice": usd, "decimals": 9}})
	})
}
