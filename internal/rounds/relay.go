package rounds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

const (
	requestTimeout = 3 * time.Second // for a request with its response
	maxAnswer      = 4 << 10         // bytes of a response; usual ones have less than 400
	maxRedirects   = 3
)

func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxResponseHeaderBytes = 16 << 10
	return t
}

// checkRedirect allows up to maxRedirects redirects within the same host: the operator chose this relay.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
		return errors.New("the relay redirects to another host")
	}
	if len(via) > maxRedirects {
		return errors.New("too many redirects")
	}
	return nil
}

// relay is a server with drand's HTTP API.
type relay struct {
	base    string // URL
	host    string // for people; the URL may contain a key
	client  *http.Client
	invalid *atomic.Int64 // signatures
	log     *slog.Logger
}

// answer is what a relay says about a round. It also has `randomness`, which is the signature's
// hash and therefore ignored.
type answer struct {
	Round     uint64 `json:"round"`
	Signature string `json:"signature"`
}

const latestRound = "latest"

// get requests a round by its number, or the latest one.
func (r *relay) get(ctx context.Context, chain [32]byte, name string) (a answer, err error) {
	ctx, end := context.WithTimeout(ctx, requestTimeout)
	defer end()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%x/public/%s", r.base, chain, name), http.NoBody)
	if err != nil {
		return a, fmt.Errorf("%s has an invalid address", r.host) // the error would quote it
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "kaibao")
	response, err := r.client.Do(request)
	if err != nil {
		return a, fmt.Errorf("%s: %w", r.host, withoutURL(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusNotFound {
		return a, fmt.Errorf("%s responded with %s: %w", r.host, response.Status, ErrNotPublished)
	}
	if response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("%s responded with %s", r.host, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("more than %d bytes", maxAnswer)
	}
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", r.host, err)
	}
	return a, nil
}

// withoutURL removes the address, which may contain a key, from an error of a client.
func withoutURL(err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		return cause
	}
	return err
}

// fetch returns the signature of a round from a relay. Relays cache for minutes that a round doesn't
// exist yet, so the latest one is tried, too.
func (c *chain) fetch(ctx context.Context, r *relay, round uint64) (protocol.Signature, error) {
	signature, err := c.fetchAs(ctx, r, strconv.FormatUint(round, 10), round)
	if err == nil || ctx.Err() != nil {
		return signature, err
	}
	signature, latestErr := c.fetchAs(ctx, r, latestRound, round)
	if latestErr != nil {
		// Only the answer for the round itself says whether the relay has it.
		latestErr = fmt.Errorf("%w; %s", err, latestErr.Error())
	}
	return signature, latestErr
}

// fetchAs returns the signature of a round that a relay has under a name.
func (c *chain) fetchAs(ctx context.Context, r *relay, name string, round uint64) (protocol.Signature, error) {
	a, err := r.get(ctx, c.hash, name)
	if err == nil && a.Round != round {
		err = fmt.Errorf("%s has round %d under the name %s: %w", r.host, a.Round, name, ErrNotPublished)
	}
	if err != nil {
		return protocol.Signature{}, err
	}
	return c.check(ctx, r, round, a.Signature)
}

// latest returns the newest round that a relay has, if it is above a known one.
func (c *chain) latest(ctx context.Context, r *relay, above uint64) (round uint64, err error) {
	a, err := r.get(ctx, c.hash, latestRound)
	if err == nil && a.Round <= above {
		err = fmt.Errorf("%s has no round above %d", r.host, above)
	}
	if err != nil {
		return 0, err
	}
	_, err = c.check(ctx, r, a.Round, a.Signature)
	return a.Round, err
}

// check verifies a signature. An invalid one counts against its relay.
func (c *chain) check(ctx context.Context, r *relay, round uint64, text string) (protocol.Signature, error) {
	signature, err := beacon.ParseSignature(text)
	if err == nil {
		err = c.Verify(round, signature)
	}
	if err != nil {
		r.invalid.Add(1)
		r.log.WarnContext(ctx, "a relay sent an invalid signature", "relay", r.host, "beacon", c.ID, "round", round, "error", err)
		return signature, fmt.Errorf("%s: %w: %w", r.host, ErrNotPublished, err)
	}
	return signature, nil
}
