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

// What a client of the stand-in is set up with. None of it is secret: the provider's
// paths are reached in process alone (Transport), and what its webhooks say is never
// believed before the provider was asked.
const (
	URL       = "https://" + host // of the provider and of the sources of the price
	RPC       = URL + "/rpc"      // of the chain
	PublicKey = "sandbox-public-key"
	Secret    = "sandbox-secret-key"
	Token     = "sandbox-webhook-token" // shared between the sender and the reader of webhooks
	Paylink   = "5a4d0b0c5a4d0b0c5a4d0b0c"
	Treasury  = "SandboxTreasury1111111111111111111111111111" // the merchant's address, of which nobody has a key
	Embed     = "/sandbox/assets/index-v1.js"                 // the path of the embed script at our own origin

	host = "sandbox.invalid" // leads nowhere, wherever it is looked up (RFC 2606)
)

// Price is what one SOL costs here. It never moves, so that an estimate is what the
// charge asks.
const Price money.Cents = 18742

// Knobs are how the stand-in behaves. Nobody outside the program reaches them.
type Knobs struct {
	Late      bool          // charges can be paid after their end
	More      int64         // lamports that a payer sends beyond what is asked; negative = too few
	Confirmed time.Duration // from the payment until the chain has it
	Finalized time.Duration // from the payment until it is final
	Copies    int           // webhooks of a payment; 0 = they are lost
	Delay     time.Duration // from the payment until they are sent
	Newest    bool          // of those that are due the newest is sent first

	// Instead answers a call of our own server, and says whether it did. Nil never does.
	Instead func(http.ResponseWriter, *http.Request) bool
}

// Ordinary is the behaviour of the product.
func Ordinary() Knobs { return Knobs{Copies: 1, Finalized: 2 * time.Second} }

// Options say what the stand-in works with.
type Options struct {
	DB      *db.DB
	Webhook string       // the address that is told of payments
	HTTP    *http.Client // reaches it; nil = http.DefaultClient
	Knobs   func() Knobs // asked each time; nil = Ordinary
}

// Provider is the stand-in on one node.
type Provider struct {
	Options
	paths *http.ServeMux
}

// New makes the stand-in; nothing is asked of the database yet.
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

// ServeHTTP answers the calls of our own server: Helio's paths, JSON-RPC at /rpc, and
// the prices. It is registered nowhere; Transport leads to it.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if instead := p.Knobs().Instead; instead != nil && instead(w, r) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	p.paths.ServeHTTP(w, r)
}

// fail answers as the provider does.
func fail(w http.ResponseWriter, err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		refused = &refusal{http.StatusServiceUnavailable, "The stand-in does not reach its database."}
	}
	answer(w, refused.status, map[string]any{"code": refused.status, "message": refused.message})
}

// refusal is an error that the provider tells its caller.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

// servePrices registers CoinGecko's call and Jupiter's.
func (p *Provider) servePrices() {
	usd := json.Number(Price.String())
	p.paths.HandleFunc("GET /api/v3/simple/price", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"solana": map[string]any{"usd": usd, "last_updated_at": p.DB.Now().Unix()}})
	})
	p.paths.HandleFunc("GET /price/v3", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"So11111111111111111111111111111111111111112": map[string]any{"usdPrice": usd, "decimals": 9}})
	})
}
