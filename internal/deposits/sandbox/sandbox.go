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

// Behavior configures the behavior of the fake provider in tests.
type Behavior struct {
	AcceptLate         bool          // charges can be paid after expiry
	ExtraLamports      int64         // lamports that payers send on top; negative = too few
	ConfirmDelay       time.Duration // delay until the payment is on the chain
	FinalizeDelay      time.Duration // delay until the payment is final
	WebhookCopies      int           // webhooks per payment; 0 = lost
	WebhookDelay       time.Duration // delay until webhooks are sent
	NewestWebhookFirst bool          // send the newest due webhook first

	// Override may respond to a request in place of the provider. It reports whether it did. May be nil.
	Override func(http.ResponseWriter, *http.Request) bool
}

// DefaultBehavior returns the behavior used in production.
func DefaultBehavior() Behavior { return Behavior{WebhookCopies: 1, FinalizeDelay: 2 * time.Second} }

// Options configure a Provider.
type Options struct {
	DB       *db.DB
	Webhook  string          // URL that receives webhooks
	HTTP     *http.Client    // sends webhooks; nil = http.DefaultClient
	Behavior func() Behavior // called on each use; nil = DefaultBehavior
}

// Provider is the fake provider on one node.
type Provider struct {
	Options
	paths *http.ServeMux
}

// New returns a fake provider. It doesn't access the database yet.
func New(o Options) *Provider {
	if o.Behavior == nil {
		o.Behavior = DefaultBehavior
	}
	o.HTTP = cmp.Or(o.HTTP, http.DefaultClient)
	p := &Provider{Options: o, paths: http.NewServeMux()}
	p.registerPayments()
	p.registerChain()
	p.registerPrices()
	return p
}

// ServeHTTP responds to requests of this server: Helio's paths, JSON-RPC at /rpc, and the prices. No
// listener serves it; use Transport to reach it.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if override := p.Behavior().Override; override != nil && override(w, r) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	p.paths.ServeHTTP(w, r)
}

// writeError writes an error in the provider's format.
func writeError(w http.ResponseWriter, err error) {
	var providerErr *providerError
	if !errors.As(err, &providerErr) {
		providerErr = &providerError{http.StatusServiceUnavailable, "The sandbox provider can't reach its database."}
	}
	writeJSON(w, providerErr.status, map[string]any{"code": providerErr.status, "message": providerErr.message})
}

// providerError is an error that is returned to the caller.
type providerError struct {
	status  int
	message string
}

func (r *providerError) Error() string { return r.message }

// registerPrices registers the price endpoints of CoinGecko and Jupiter.
func (p *Provider) registerPrices() {
	usd := json.Number(Price.String())
	p.paths.HandleFunc("GET /api/v3/simple/price", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"solana": map[string]any{"usd": usd, "last_updated_at": p.DB.Now().Unix()}})
	})
	p.paths.HandleFunc("GET /price/v3", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"So11111111111111111111111111111111111111112": map[string]any{"usdPrice": usd, "decimals": 9}})
	})
}
