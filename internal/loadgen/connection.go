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
	// patience is the timeout of a request.
	patience = 30 * time.Second
	// busyTimes is how often a request is retried if the server is busy.
	busyTimes = 30
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

// call is a request. cookie, key and body may be empty.
type call struct{ method, path, cookie, key, body string }

type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request. If the server is busy, it waits for the Retry-After time and retries with
// the same key.
func (c *connection) send(ctx context.Context, asked call) (a answer, err error) {
	for range busyTimes {
		a, err = c.once(asked)
		if err != nil {
			c.close()
			return a, fmt.Errorf("%s %s: %w", asked.method, asked.path, err)
		}
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			return a, nil
		}
		c.busy++
		if err := pause(ctx, a.header.Get("Retry-After")); err != nil {
			return a, err
		}
	}
	return a, nil
}

func pause(ctx context.Context, seconds string) error {
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

func (c *connection) once(asked call) (answer, error) {
	if err := c.write(asked); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

func (c *connection) write(asked call) error {
	if c.socket == nil {
		socket, err := net.Dial("tcp", c.node.Host)
		if err != nil {
			return err
		}
		c.socket, c.reader = socket, bufio.NewReaderSize(socket, 16<<10)
	}
	b := &c.buffer
	b.Reset()
	b.WriteString(asked.method + " " + asked.path + " HTTP/1.1\r\nHost: " + c.node.Host + "\r\n")
	if asked.cookie != "" {
		b.WriteString("Cookie: " + asked.cookie + "\r\n")
	}
	if asked.key != "" {
		b.WriteString("Idempotency-Key: " + asked.key + "\r\n")
	}
	if asked.body != "" {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(asked.body)) + "\r\n")
	}
	b.WriteString("\r\n" + asked.body)
	if err := c.socket.SetDeadline(time.Now().Add(patience)); err != nil {
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
func (c *connection) want(ctx context.Context, asked call, into any) (answer, error) {
	a, err := c.send(ctx, asked)
	if err != nil {
		return a, err
	}
	if a.status != http.StatusOK {
		return a, fmt.Errorf("%s %s: %d %s", asked.method, asked.path, a.status, a.body)
	}
	if into == nil {
		return a, nil
	}
	return a, json.Unmarshal(a.body, into)
}
