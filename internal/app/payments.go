package app

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/deposits"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/paymentframe"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/deposits/solprice"
	"kaibao/internal/httpapi"
	"kaibao/internal/market/match"
	"kaibao/web"
)

// Base URLs of the APIs that quote the price of SOL.
const (
	coinGecko = "https://api.coingecko.com/api/v3"
	jupiter   = "https://api.jup.ag"
)

// depositService returns the deposit service. In a sandbox, the same code talks to the stand-in's
// addresses.
func (c Config) depositService(d *db.DB, public httpapi.PublicURL) *deposits.Service {
	s := &deposits.Service{
		DB: d, Name: c.Payments, Manual: deposits.Manual{Sandbox: c.Sandbox()}, EndBids: match.EndBids,
		Provider: &helio.Client{URL: c.HelioURL, PublicKey: c.HelioPublicKey, Secret: c.HelioSecretKey, Paylink: c.HelioPaylink},
		Chain:    &solana.Client{URL: c.SolanaRPCURL},
		Price:    &solprice.Cache{CoinGecko: coinGecko, Jupiter: jupiter, JupiterKey: c.JupiterKey, Now: d.Now},
		Merchant: deposits.Merchant{Treasury: c.Treasury, USDC: c.usdcMint()}, Network: "solana", Token: c.HelioWebhookToken,
		Frame: paymentframe.New(paymentframe.Options{Embed: c.HelioEmbedURL, Network: c.networkName(), Connect: c.widgetHosts(), Dist: web.Dist, Shop: public.String(), Origin: c.PaymentOrigin}),
	}
	way := http.DefaultTransport
	if c.Sandbox() {
		s.SandboxProvider = sandbox.New(sandbox.Options{DB: d, Webhook: public.String() + "/api/webhooks/helio", Behavior: c.SandboxBehavior})
		way = sandbox.Transport(s.SandboxProvider)
		s.Provider = &helio.Client{URL: sandbox.URL, PublicKey: sandbox.PublicKey, Secret: sandbox.Secret, Paylink: sandbox.Paylink}
		s.Chain.URL, s.Price.CoinGecko, s.Price.Jupiter = sandbox.RPC, sandbox.URL+"/api/v3", sandbox.URL
		s.Merchant, s.Network, s.Token = deposits.Merchant{Treasury: sandbox.Treasury, USDC: solana.USDC}, "sandbox", sandbox.Token
		s.Frame = paymentframe.New(paymentframe.Options{Embed: sandbox.Embed, Dist: web.Dist, Shop: public.String(), Origin: c.PaymentOrigin})
	}
	outside := &http.Client{Transport: way}
	s.Provider.HTTP, s.Chain.HTTP, s.Price.HTTP = outside, outside, outside
	return s
}

// networkName returns the network name that Helio's widget expects.
func (h Helio) networkName() string {
	if u, err := url.Parse(h.HelioURL); err == nil && strings.EqualFold(u.Hostname(), helioTestHost) {
		return "test"
	}
	return "main"
}

// widgetHosts returns the hosts that Helio's widget connects to, besides its own.
func (h Helio) widgetHosts() []string {
	talks := []string{"https://*.hel.io", "wss://*.hel.io"}
	if u, err := url.Parse(h.SolanaRPCURL); err == nil && u.Host != "" {
		talks = append(talks, u.Scheme+"://"+u.Host)
	}
	return talks
}

// Helio holds the settings of real payments; a sandbox accepts none of them.
type Helio struct {
	HelioPublicKey    string `help:"Public API key of the Helio account." placeholder:"KEY" env:"KAIBAO_HELIO_PUBLIC_KEY"`
	HelioSecretKey    string `help:"Secret API key of the Helio account. Set it in the environment, because others can read a command line." placeholder:"KEY" env:"KAIBAO_HELIO_SECRET_KEY"`
	HelioPaylink      string `help:"Id of the dynamic pay link, priced in USD, for creating charges." placeholder:"ID" env:"KAIBAO_HELIO_PAYLINK"`
	HelioWebhookToken string `help:"Shared token that signs Helio's webhooks. Set it in the environment." placeholder:"TOKEN" env:"KAIBAO_HELIO_WEBHOOK_TOKEN"`
	HelioURL          string `help:"Address of Helio's API; https://api.dev.hel.io is the test environment." default:"https://api.hel.io" placeholder:"URL" env:"KAIBAO_HELIO_URL"`
	HelioEmbedURL     string `help:"Script of Helio's checkout." default:"https://embed.hel.io/assets/index-v1.js" placeholder:"URL" env:"KAIBAO_HELIO_EMBED_URL"`
	SolanaRPCURL      string `name:"solana-rpc-url" help:"JSON-RPC address of a Solana node, for checking payments." placeholder:"URL" env:"KAIBAO_SOLANA_RPC_URL"`
	Treasury          string `help:"Solana address that receives payments." placeholder:"ADDRESS" env:"KAIBAO_TREASURY"`
	USDCMint          string `name:"usdc-mint" help:"Mint of USDC, which is accepted besides SOL. Default: the one on mainnet." placeholder:"ADDRESS" env:"KAIBAO_USDC_MINT"`
	JupiterKey        string `help:"API key of Jupiter, the fallback source for the price of SOL." placeholder:"KEY" env:"KAIBAO_JUPITER_KEY"`
}

const helioTestHost = "api.dev.hel.io"

// check refuses missing or contradictory settings. Errors never include values, because some are
// secrets.
func (h Helio) check() error {
	return errors.Join(h.checkGiven(), checkServer("--helio-url", h.HelioURL), checkServer("--helio-embed-url", h.HelioEmbedURL),
		checkServer("--solana-rpc-url", h.SolanaRPCURL), checkAddress("--treasury", h.Treasury), checkAddress("--usdc-mint", h.usdcMint()), h.checkNetwork())
}

func (h Helio) checkGiven() error {
	var missing []string
	for _, s := range []struct{ value, name string }{
		{h.HelioPublicKey, "KAIBAO_HELIO_PUBLIC_KEY"}, {h.HelioSecretKey, "KAIBAO_HELIO_SECRET_KEY"}, {h.HelioPaylink, "KAIBAO_HELIO_PAYLINK"},
		{h.HelioWebhookToken, "KAIBAO_HELIO_WEBHOOK_TOKEN"}, {h.SolanaRPCURL, "KAIBAO_SOLANA_RPC_URL"}, {h.Treasury, "KAIBAO_TREASURY"},
	} {
		if strings.TrimSpace(s.value) == "" {
			missing = append(missing, s.name)
		}
	}
	if missing != nil {
		return fmt.Errorf("--payments helio needs %s", strings.Join(missing, ", "))
	}
	if h.HelioSecretKey == h.HelioPublicKey {
		return errors.New("Helio's secret key must differ from its public key")
	}
	return nil
}

// checkNetwork refuses to mix the main network and the test network.
func (h Helio) checkNetwork() error {
	switch {
	case h.networkName() == "test" && h.usdcMint() == solana.USDC:
		return errors.New("--helio-url is Helio's test environment: set --usdc-mint to the mint of the test network")
	case h.Treasury == h.usdcMint():
		return errors.New("--treasury must be your own address, not the mint")
	}
	return nil
}

func (h Helio) usdcMint() string { return cmp.Or(h.USDCMint, solana.USDC) }

// anySet reports whether any setting is set that only real payments use.
func (h Helio) anySet() bool {
	return h.HelioPublicKey+h.HelioSecretKey+h.HelioPaylink+h.HelioWebhookToken+h.SolanaRPCURL+h.Treasury+h.USDCMint+h.JupiterKey != ""
}

// checkServer accepts an https URL, or http on this machine for tests.
func checkServer(setting, text string) error {
	if text == "" {
		return nil // checkGiven reports it
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return fmt.Errorf("%s must be an https address without a user name", setting)
	}
	if err := httpapi.CheckHost(u.Hostname()); err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func checkAddress(setting, text string) error {
	if text == "" {
		return nil
	}
	if err := solana.ParseAddress(text); err != nil {
		return fmt.Errorf("%s must be a Solana address (32 bytes in base58)", setting)
	}
	return nil
}
