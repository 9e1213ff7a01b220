package loadgen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	requestTimeout = 30 * time.Second
	// maxAttempts limits how often a request is sent while the server is busy.
	maxAttempts = 30
)

// connection is a keep-alive HTTP/1.1 connection. It does as little as possible, since it shares
// the machine with the server under test.
type connection struct {
	node   *url.URL
	socket net.Conn
	reader *bufio.Reader
	buffer bytes.Buffer
	busy   int // busy responses received
}

// request is an HTTP request. cookie, key and body may be empty.
type request struct{ method, path, cookie, key, body string }

type response struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request. If the server is busy, it waits for the Retry-After time and retries with
// the same key.
func (c *connection) send(ctx context.Context, r request) (a response, err error) {
	for range maxAttempts {
		a, err = c.sendOnce(r)
		if err != nil {
			c.close()
			return a, fmt.Errorf("%s %s: %w", r.method, r.path, err)
		}
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			return a, nil
		}
		c.busy++
		if err := waitRetryAfter(ctx, a.header.Get("Retry-After")); err != nil {
			return a, err
		}
	}
	return a, nil
}

func waitRetryAfter(ctx context.Context, seconds string) error {
	wait, err := strconv.Atoi(seconds)
	if err != nil {
		return fmt.Errorf("Retry-After %q: %w", seconds, err)
	}
	timer := time.NewTimer(time.Duration(wait) * time.Second)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (c *connection) sendOnce(r request) (response, error) {
	if err := c.write(r); err != nil {
		return response{}, err
	}
	received, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return response{}, err
	}
	defer func() { _ = received.Body.Close() }()
	body, err := io.ReadAll(received.Body)
	return response{received.StatusCode, received.Header, body}, err
}

func (c *connection) write(r request) error {
	if c.socket == nil {
		socket, err := net.Dial("tcp", c.node.Host)
		if err != nil {
			return err
		}
		c.socket, c.reader = socket, bufio.NewReaderSize(socket, 16<<10)
	}
	b := &c.buffer
	b.Reset()
	b.WriteString(r.method + " " + r.path + " HTTP/1.1\r\nHost: " + c.node.Host + "\r\n")
	if r.cookie != "" {
		b.WriteString("Cookie: " + r.cookie + "\r\n")
	}
	if r.key != "" {
		b.WriteString("Idempotency-Key: " + r.key + "\r\n")
	}
	if r.body != "" {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(r.body)) + "\r\n")
	}
	b.WriteString("\r\n" + r.body)
	if err := c.socket.SetDeadline(time.Now().Add(requestTimeout)); err != nil {
		return err
	}
	_, err := c.socket.Write(b.Bytes())
	return err
}

func (c *connection) close() {
	if c.socket != nil {
		_ = c.socket.Close()
		c.socket = nil
	}
}

// want expects status 200 and decodes the body, unless into is nil.
func (c *connection) want(ctx context.Context, r request, into any) (response, error) {
	a, err := c.send(ctx, r)
	if err != nil {
		return a, err
	}
	if a.status != http.StatusOK {
		return a, fmt.Errorf("%s %s: %d %s", r.method, r.path, a.status, a.body)
	}
	if into == nil {
		return a, nil
	}
	return a, json.Unmarshal(a.body, into)
}
