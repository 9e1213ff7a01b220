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
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/apperr"
)

const (
	// Patience is how long one call may take, its answer included.
	Patience = 5 * time.Second
	// Largest is the most bytes of an answer that are read.
	Largest = 1 << 20

	soon, late = 5 * time.Second, time.Minute // when to come back: unless told, and at most
)

// ErrTooLarge is the cause of the failure when an answer has more than Largest bytes.
var ErrTooLarge = fmt.Errorf("the answer has more than %d bytes", Largest)

// ErrNull is the cause of the failure when the answer is null or nothing at all.
var ErrNull = errors.New("the answer is empty")

// StatusError is the cause of the failure when the answer is none of the 200s. A redirect
// is not followed: whatever the request bears is for the server asked and no other.
type StatusError int

// Error implements error.
func (e StatusError) Error() string { return "answered with status " + strconv.Itoa(int(e)) }

// Call is a question.
type Call struct {
	Of     string // who is asked, as people are told: "The payment provider"
	For    string // what for, as the log is told: "create a charge"
	Method string
	URL    string
	Header http.Header
	Body   any      // sent as JSON; nil = nothing
	Hidden []string // what no error may repeat, such as a key that a broken server sends back
}

// Do asks, through web or http.DefaultClient if that is nil, and reads the answer into
// a pointer. Whatever fails is a apperr.Unavailable that may be shown to everybody; its
// cause is for the log.
func (c Call) Do(ctx context.Context, web *http.Client, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	request, err := c.request(ctx)
	if err != nil {
		return c.Failed(err)
	}
	if web == nil {
		web = http.DefaultClient
	}
	here := *web
	here.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := here.Do(request)
	if err != nil {
		return c.Failed(unaddressed(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 != 2 {
		return c.failed(StatusError(response.StatusCode), wait(response.Header))
	}
	if err := read(response.Body, answer); err != nil {
		return c.Failed(err)
	}
	return nil
}

// Failed is the error of a call that was answered, but with nothing that helps.
func (c Call) Failed(cause error) error { return c.failed(cause, soon) }

func (c Call) failed(cause error, after time.Duration) error {
	for _, hidden := range c.Hidden {
		if hidden != "" && strings.Contains(cause.Error(), hidden) {
			cause = errors.New("it failed in a way that repeats a key")
		}
	}
	return apperr.New(apperr.Unavailable, c.Of+" does not answer.").After(after).Because(fmt.Errorf("%s: %w", c.For, cause))
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
		return nil, errors.New("its address cannot be read") // the error would quote it
	}
	for name, values := range c.Header {
		request.Header[name] = values
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "kaibao")
	if c.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// unaddressed is what failed without the address that a *url.Error repeats.
func unaddressed(err error) error {
	if told, ok := errors.AsType[*url.Error](err); ok {
		return told.Err
	}
	return err
}

// wait is what a server asks for that has too much to do.
func wait(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds <= 0 {
		return soon
	}
	return min(time.Duration(min(seconds, 60))*time.Second, late)
}

func read(body io.Reader, answer any) error {
	text, err := io.ReadAll(io.LimitReader(body, Largest+1))
	if err != nil {
		return err
	}
	if len(text) > Largest {
		return ErrTooLarge
	}
	if bare := bytes.TrimSpace(text); len(bare) == 0 || string(bare) == "null" {
		return ErrNull
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return unquoted(err)
	}
	return nil
}

// unquoted says where an answer cannot be read and leaves out what it says there: a
// server may send back what it was sent.
func unquoted(err error) error {
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("the answer's %q at byte %d is of another type", typed.Field, typed.Offset)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("the answer is no JSON from byte %d", syntax.Offset)
	}
	return errors.New("the answer cannot be read")
}
