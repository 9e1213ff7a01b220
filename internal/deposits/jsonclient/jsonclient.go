// Package jsonclient requests JSON from external services, with a time limit and a size limit.
// Every failure becomes an "unavailable" error that contains no part of the request, because an
// address or a header may hold a key.
package jsonclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/apperr"
)

const (
	// Timeout is the timeout of a call, including reading the response.
	Timeout = 5 * time.Second
	// MaxResponseBytes is the maximum size of a response in bytes.
	MaxResponseBytes = 1 << 20

	defaultRetryAfter, maxRetryAfter = 5 * time.Second, time.Minute // RetryAfter of an error: default and maximum
)

// ErrTooLarge is the cause if a response exceeds MaxResponseBytes.
var ErrTooLarge = fmt.Errorf("response larger than %d bytes", MaxResponseBytes)

// ErrNull is the cause if the response is null or empty.
var ErrNull = errors.New("empty response")

// StatusError is the cause if the status is not 2xx. Redirects aren't followed, since the request's
// secrets are only for the original server.
type StatusError int

// Error implements error.
func (e StatusError) Error() string { return "responded with status " + strconv.Itoa(int(e)) }

// Call is a request.
type Call struct {
	Service string // the service's name in user-facing errors: "The payment provider"
	Purpose string // purpose, for the log: "create a charge"
	Method  string
	URL     string
	Header  http.Header
	Body    any      // sent as JSON; nil = no body
	Secrets []string // secrets that errors must not repeat, such as a key echoed by a broken server
}

// Do sends the request with client, or http.DefaultClient if it is nil, and decodes the response into
// answer, a pointer. Every failure is an apperr.Unavailable that is safe to show to users; its
// cause is for the log.
func (c Call) Do(ctx context.Context, client *http.Client, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	request, err := c.request(ctx)
	if err != nil {
		return c.Failed(err)
	}
	if client == nil {
		client = http.DefaultClient
	}
	noRedirects := *client
	noRedirects.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := noRedirects.Do(request)
	if err != nil {
		return c.Failed(withoutURL(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 != 2 {
		return c.unavailable(StatusError(response.StatusCode), retryAfter(response.Header))
	}
	if err := decodeResponse(response.Body, answer); err != nil {
		return c.Failed(err)
	}
	return nil
}

// Failed returns the error for a call whose response is unusable.
func (c Call) Failed(cause error) error { return c.unavailable(cause, defaultRetryAfter) }

func (c Call) unavailable(cause error, retryAfter time.Duration) error {
	for _, hidden := range c.Secrets {
		if hidden != "" && strings.Contains(cause.Error(), hidden) {
			cause = errors.New("error hidden because it contains a secret key")
		}
	}
	return apperr.New(apperr.Unavailable, c.Service+" isn't responding.").After(retryAfter).Because(fmt.Errorf("%s: %w", c.Purpose, cause))
}

func (c Call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if c.Body != nil {
		text, err := json.Marshal(c.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, c.Method, c.URL, body)
	if err != nil {
		return nil, errors.New("invalid address") // the error would quote it
	}
	maps.Copy(request.Header, c.Header)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "kaibao")
	if c.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// withoutURL removes the address from a *url.Error.
func withoutURL(err error) error {
	if urlErr, ok := errors.AsType[*url.Error](err); ok {
		return urlErr.Err
	}
	return err
}

// retryAfter returns the Retry-After of an overloaded server, bounded.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds <= 0 {
		return defaultRetryAfter
	}
	return time.Duration(min(seconds, int(maxRetryAfter/time.Second))) * time.Second
}

func decodeResponse(body io.Reader, answer any) error {
	text, err := io.ReadAll(io.LimitReader(body, MaxResponseBytes+1))
	if err != nil {
		return err
	}
	if len(text) > MaxResponseBytes {
		return ErrTooLarge
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || string(trimmed) == "null" {
		return ErrNull
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return withoutQuotes(err)
	}
	return nil
}

// withoutQuotes describes a parse error without quoting the response, since a server may echo the
// request.
func withoutQuotes(err error) error {
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("response field %q at byte %d has the wrong type", typeErr.Field, typeErr.Offset)
	}
	if syntaxErr, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("response is not JSON from byte %d", syntaxErr.Offset)
	}
	return errors.New("unreadable response")
}
