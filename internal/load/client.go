package load

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"
)

// connection is one kept-alive HTTP/1.1 connection. It spends as little as can
// be, as it shares the machine with the server that it measures.
type connection struct {
	node   *url.URL
	socket net.Conn
	reader *bufio.Reader
	buffer bytes.Buffer
}

type answer struct {
	status  int
	cookies []*http.Cookie
	body    []byte
}

func (c *connection) call(method, path, cookies, key string, body any) (answer, error) {
	payload := []byte(nil)
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return answer{}, err
		}
	}
	a, err := c.send(method, path, cookies, key, payload)
	if err != nil {
		c.close()
		return answer{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return a, nil
}

func (c *connection) send(method, path, cookies, key string, payload []byte) (answer, error) {
	if c.socket == nil {
		socket, err := net.Dial("tcp", c.node.Host)
		if err != nil {
			return answer{}, err
		}
		c.socket, c.reader = socket, bufio.NewReaderSize(socket, 16<<10)
	}
	c.buffer.Reset()
	c.buffer.WriteString(method + " " + path + " HTTP/1.1\r\nHost: " + c.node.Host + "\r\n")
	if cookies != "" {
		c.buffer.WriteString("Cookie: " + cookies + "\r\n")
	}
	if key != "" {
		c.buffer.WriteString("Idempotency-Key: " + key + "\r\n")
	}
	if payload != nil {
		c.buffer.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(payload)) + "\r\n")
	}
	c.buffer.WriteString("\r\n")
	c.buffer.Write(payload)
	if _, err := c.socket.Write(c.buffer.Bytes()); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Cookies(), read}, err
}

func (c *connection) close() {
	if c.socket != nil {
		_ = c.socket.Close()
		c.socket = nil
	}
}

// want calls and expects 200.
func (c *connection) want(method, path, cookies, key string, body, into any) (answer, error) {
	a, err := c.call(method, path, cookies, key, body)
	if err != nil {
		return a, err
	}
	if a.status != http.StatusOK {
		return a, fmt.Errorf("%s %s: %d %s", method, path, a.status, a.body)
	}
	if into == nil {
		return a, nil
	}
	return a, json.Unmarshal(a.body, into)
}

// signIn wins a session for a wallet and returns its cookie.
func (c *connection) signIn(key ed25519.PrivateKey) (cookie string, err error) {
	address := base58.Encode(key.Public().(ed25519.PublicKey))
	var challenge struct{ Message string }
	a, err := c.want(http.MethodPost, "/api/auth/challenge", "", "", map[string]string{"address": address}, &challenge)
	if err != nil {
		return "", err
	}
	signature := base58.Encode(ed25519.Sign(key, []byte(challenge.Message)))
	a, err = c.want(http.MethodPost, "/api/auth/verify", join(a.cookies), "",
		map[string]string{"address": address, "signature": signature}, nil)
	return join(a.cookies), err
}

func join(cookies []*http.Cookie) string {
	var parts []string
	for _, cookie := range cookies {
		if cookie.MaxAge >= 0 {
			parts = append(parts, cookie.Name+"="+cookie.Value)
		}
	}
	return strings.Join(parts, "; ")
}
