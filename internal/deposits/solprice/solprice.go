// Package solprice fetches the price of SOL, to show an estimate of what a deposit will cost. The
// amount due is the one in the provider's charge.
package solprice

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"kaibao/internal/deposits/jsonclient"
	"kaibao/internal/money"
)

const (
	// Fallback is shown, marked as such, while no source has a price.
	Fallback money.Cents = 240_00
	// CacheTime is how long the last good price is used if no source responds.
	CacheTime = 10 * time.Minute

	maxPlausiblePrice money.Cents = 1_000_000_00 // prices above it mean that a source is broken
	wrappedSOLMint                = "So11111111111111111111111111111111111111112"
)

// Cache caches the price of SOL from the last successful Refresh. It is safe for concurrent use.
type Cache struct {
	CoinGecko  string           // https://api.coingecko.com/api/v3
	Jupiter    string           // https://api.jup.ag
	JupiterKey string           // "" = don't use Jupiter
	HTTP       *http.Client     // nil = http.DefaultClient
	Now        func() time.Time // the clock

	mu   sync.Mutex
	last Quote
}

// Quote is the price of one SOL and when it was fetched.
type Quote struct {
	USD      money.Cents
	AsOf     time.Time
	Fallback bool
}

// Quote returns the last good price, or the fallback if that is older than CacheTime. It never
// blocks on a request.
func (p *Cache) Quote() Quote {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if p.last.USD == 0 || now.Sub(p.last.AsOf) > CacheTime {
		return Quote{USD: Fallback, AsOf: now, Fallback: true}
	}
	return p.last
}

// Refresh requests the price from the sources in order until one responds. If none does, it returns
// apperr.Unavailable and keeps the last price.
func (p *Cache) Refresh(ctx context.Context) error {
	usd, err := p.fetchPrice(ctx)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = Quote{USD: usd, AsOf: p.Now()}
	return nil
}

func (p *Cache) fetchPrice(ctx context.Context) (money.Cents, error) {
	usd, err := p.coinGecko(ctx)
	if err == nil || p.JupiterKey == "" {
		return usd, err
	}
	usd, err2 := p.jupiter(ctx)
	if err2 != nil {
		return 0, errors.Join(err, err2)
	}
	return usd, nil
}

// coinGecko calls https://docs.coingecko.com/reference/simple-price.
func (p *Cache) coinGecko(ctx context.Context) (money.Cents, error) {
	call := p.call("CoinGecko", p.CoinGecko+"/simple/price?ids=solana&vs_currencies=usd&include_last_updated_at=true", nil)
	var answer struct {
		Solana struct {
			USD     json.Number `json:"usd"`
			Updated int64       `json:"last_updated_at"` // Unix seconds
		} `json:"solana"`
	}
	if err := call.Do(ctx, p.HTTP, &answer); err != nil {
		return 0, err
	}
	if p.Now().Sub(time.Unix(answer.Solana.Updated, 0)) > CacheTime {
		return 0, call.Failed(errors.New("outdated price"))
	}
	return parseCents(call, answer.Solana.USD)
}

// jupiter calls https://dev.jup.ag/api-reference/price/v3/price. The response omits tokens without
// a reliable price.
func (p *Cache) jupiter(ctx context.Context) (money.Cents, error) {
	call := p.call("Jupiter", p.Jupiter+"/price/v3?"+url.Values{"ids": {wrappedSOLMint}}.Encode(), http.Header{"X-Api-Key": {p.JupiterKey}})
	call.Secrets = []string{p.JupiterKey}
	var answer map[string]struct {
		USD json.Number `json:"usdPrice"`
	}
	if err := call.Do(ctx, p.HTTP, &answer); err != nil {
		return 0, err
	}
	return parseCents(call, answer[wrappedSOLMint].USD)
}

func (p *Cache) call(source, address string, header http.Header) jsonclient.Call {
	return jsonclient.Call{Service: "The price source " + source, Purpose: "the price of SOL", Method: http.MethodGet, URL: address, Header: header}
}

// parseCents rounds a price half up to whole cents and rejects implausible ones.
func parseCents(call jsonclient.Call, price json.Number) (money.Cents, error) {
	whole, fraction, _ := strings.Cut(price.String(), ".")
	fraction += "000"
	amount, err := money.Parse(whole + "." + fraction[:2])
	if err == nil && fraction[2] >= '5' {
		amount++
	}
	if err != nil || strings.Trim(whole+fraction, "0123456789") != "" || amount <= 0 || amount > maxPlausiblePrice {
		return 0, call.Failed(errors.New("implausible price"))
	}
	return amount, nil
}

// Estimate converts an amount to SOL, rounded half up to 6 decimals: "0.123456". The amount must be
// between 0 and 10^12 cents.
func (q Quote) Estimate(amount money.Cents) string {
	millionths := (int64(amount)*2_000_000 + int64(q.USD)) / (2 * int64(q.USD))
	fraction := strconv.FormatInt(1_000_000+millionths%1_000_000, 10)[1:]
	return strconv.FormatInt(millionths/1_000_000, 10) + "." + fraction
}
