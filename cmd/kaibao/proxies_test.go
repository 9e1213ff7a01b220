package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	secure "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/csv"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// The hosts in the example files of deploy/.
const (
	shopURL       = "https://shop.example"
	paymentOrigin = "https://pay.example"
)

// proxy is a reverse proxy that runs with its example file of deploy/.
type proxy struct {
	http, https string // addresses it listens on
	stats       string // address of HAProxy's statistics
	roots       *x509.CertPool
	usesCertbot bool // it gets its certificates from certbot
}

// The reverse proxies of deploy/, each started with its example file in front of one running and one
// stopped node: they serve TLS, deliver events at once, pass on the client's address and nobody
// else's, let large imports through, and show nothing of the operator's listener.
func TestReverseProxies(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"haproxy", "nginx", "caddy"} {
		t.Run(name, func(t *testing.T) {
			config := apptest.Config(t, dbtest.Engines()[0])
			log := &syncBuffer{}
			n := &node{stderr: log, args: append(nodeArgs(config.Data, config.DatabaseURL), "--public-url", shopURL, "--payment-origin", paymentOrigin,
				"--sandbox-public", "--trusted-proxies", "127.0.0.1/32", "--log-format", "json")}
			n.start(t)
			t.Cleanup(n.kill)
			address, _ := strings.CutPrefix(*n.url.Load(), "http://")
			p := startProxy(t, name, address, freeAddress(t))
			s := &apptest.Server{URL: shopURL, DB: inspect(t, config)}

			p.wantTLS(t)
			c := p.signIn(t, s)
			p.wantEventsAtOnce(t, c)
			p.wantClientAddress(t, c, log)
			p.wantNothingOfTheOperators(t, c)
			s.Promote(t, c)
			wantLargeImport(t, c)
			for range 20 { // also those that are first sent to the stopped node
				openPack(t, c)
			}
		})
	}
}

// While no node is ready, as during a migration, HAProxy sends requests to nodes that run.
func TestHAProxyWithoutReadyNodes(t *testing.T) {
	t.Parallel()
	var unready atomic.Bool
	fake := func() string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/readyz" && unready.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = io.WriteString(w, "a node's answer")
		}))
		t.Cleanup(server.Close)
		return server.Listener.Addr().String()
	}
	p := startProxy(t, "haproxy", fake(), fake())
	unready.Store(true)
	apptest.Until(t, "HAProxy finds no ready node", func() bool { return !p.isUp(t, "first") && !p.isUp(t, "second") })
	answer := (&apptest.Client{Base: shopURL, HTTP: p.browser()}).Get(t, "/packs")
	if answer.Status != http.StatusOK || string(answer.Body) != "a node's answer" {
		t.Errorf("a page answers %d %s", answer.Status, answer.Body)
	}
}

// challengePath is where a certificate authority looks for the proof that the host is ours. In these
// tests the proof is the path itself.
const challengePath = "/.well-known/acme-challenge/token"

// wantTLS checks that the proxy speaks HTTP/2 over TLS 1.2 or newer, for both hosts, and redirects
// plain HTTP except for challenges of certificate authorities.
func (p *proxy) wantTLS(t *testing.T) {
	t.Helper()
	browser := p.browser()
	response, err := browser.Get("http://shop.example/packs/2?from=1")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	to, err := response.Location()
	if err != nil || response.StatusCode/100 != 3 || to.Scheme != "https" || to.Hostname() != "shop.example" || to.RequestURI() != "/packs/2?from=1" {
		t.Errorf("plain HTTP answers %s, to %v: %v", response.Status, to, err)
	}
	if p.usesCertbot {
		answer := (&apptest.Client{Base: "http://shop.example", HTTP: browser}).Get(t, challengePath)
		if answer.Status != http.StatusOK || string(answer.Body) != challengePath {
			t.Errorf("a certificate's challenge gets %d %s", answer.Status, answer.Body)
		}
	}
	for origin, status := range map[string]int{shopURL: http.StatusOK, paymentOrigin: http.StatusNotFound} {
		response, err := browser.Get(origin + "/api/packs")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != status || response.ProtoMajor != 2 || response.TLS == nil || response.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s answers %s, %s, %v", origin, response.Status, response.Proto, response.Header)
		}
	}
	old := &tls.Config{RootCAs: p.roots, ServerName: "shop.example", MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	if conn, err := tls.Dial("tcp", p.https, old); err == nil {
		_ = conn.Close()
		t.Error("the proxy accepts TLS 1.1")
	}
}

// wantEventsAtOnce checks that the feed's next event arrives while the feed is open.
func (p *proxy) wantEventsAtOnce(t *testing.T, c *apptest.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	feed, err := c.Follow(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	openPack(t, c)
	for event := (apptest.FeedEvent{}); event.Kind == ""; { // the first one states only the position
		event, err = feed.Next()
		if err != nil {
			t.Fatalf("no event arrived: %v", err)
		}
	}
}

// wantClientAddress checks that a node logs the client's address and the proxy's request id, even if
// the client sends forwarding headers of its own.
func (p *proxy) wantClientAddress(t *testing.T, c *apptest.Client, log *syncBuffer) {
	t.Helper()
	const forged = "203.0.113.9"
	answer := c.Get(t, "/api/packs?forged", "X-Forwarded-For", forged, "Forwarded", "for="+forged, "X-Real-IP", forged, "X-Request-Id", "forged",
		"X-Forwarded-Host", "evil.example", "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	answer.Want(t, http.StatusOK, nil)
	id := answer.Header.Get("X-Request-Id")
	if len(id) < 32 || strings.Contains(id, "forged") {
		t.Errorf("the request id is %q, want a UUID from the proxy", id)
	}
	var line struct{ Client string }
	apptest.Until(t, "the request is logged", func() bool {
		for text := range strings.Lines(log.String()) {
			if strings.Contains(text, id) {
				return json.Unmarshal([]byte(text), &line) == nil
			}
		}
		return false
	})
	if line.Client != clientAddress {
		t.Errorf("the log has the client %q, want %s", line.Client, clientAddress)
	}
}

// wantNothingOfTheOperators checks that nothing of the operator's listener is public.
func (p *proxy) wantNothingOfTheOperators(t *testing.T, c *apptest.Client) {
	t.Helper()
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/goroutine?debug=1"} {
		answer, err := c.Try(t.Context(), http.MethodGet, path, nil)
		if err != nil || answer.Status != http.StatusNotFound || bytes.Contains(answer.Body, []byte("kaibao_")) || bytes.Contains(answer.Body, []byte("goroutine")) {
			t.Errorf("GET %s answers %d: %.200s %v", path, answer.Status, answer.Body, err)
		}
	}
	var state map[string]any
	c.Get(t, "/readyz").Want(t, http.StatusOK, &state)
	if state["jobs"] != nil || state["reason"] != nil {
		t.Errorf("GET /readyz shows details: %v", state)
	}
}

// wantLargeImport checks that an import of 24 MB reaches the node.
func wantLargeImport(t *testing.T, admin *apptest.Client) {
	t.Helper()
	var items []apptest.Body
	for i := range 400 {
		items = append(items, apptest.Body{"id": fmt.Sprint("large-", i), "name": fmt.Sprint("Large ", i), "series": "Large", "rarity": "Rare", "baseValueCents": 5,
			"note": strings.Repeat("x", 60<<10)})
	}
	text, err := json.Marshal(items)
	if err != nil {
		t.Fatal(err)
	}
	admin.Post(t, "/api/admin/catalogue/import", apptest.Body{"format": "json", "text": string(text), "ignoreColumns": []string{"note"}, "reason": "A list.", "dryRun": true}).
		Want(t, http.StatusOK, nil)
}

// startProxy starts a proxy with its example file in front of nodes at two addresses, and waits for it.
func startProxy(t *testing.T, name, first, second string) *proxy {
	t.Helper()
	p := &proxy{http: freeAddress(t), https: freeAddress(t), stats: freeAddress(t)}
	dir := t.TempDir()
	p.roots = putCertificate(t, dir, "shop.example", "pay.example")
	var process *exec.Cmd
	switch name {
	case "haproxy":
		process = p.haproxy(t, dir, first, second)
	case "nginx":
		process = p.nginx(t, dir, first, second)
	case "caddy":
		process = p.caddy(t, dir, first, second)
	}
	said := &syncBuffer{}
	process.Stdout, process.Stderr = said, said
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = process.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM) // if it were killed, nginx's workers would live on
		<-ended
		if t.Failed() {
			t.Logf("%s said: %s", name, said)
		}
	})
	browser := p.browser()
	apptest.Until(t, name+" answers", func() bool {
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", name, process.ProcessState)
		default:
		}
		response, err := browser.Get(shopURL + "/readyz")
		return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
	return p
}

func (p *proxy) haproxy(t *testing.T, dir, first, second string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(deployDir, "haproxy", "haproxy.cfg")
	if os.Getuid() != 0 { // it can't change its user
		text := replaced(t, file, map[string]string{"  user haproxy\n": "", "  group haproxy\n": ""})
		file = filepath.Join(dir, "haproxy.cfg")
		put(t, file, text)
	}
	certbot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }))
	t.Cleanup(certbot.Close)
	p.usesCertbot = true
	process := proxyProgram(t, "haproxy", "-db", "-f", file)
	process.Env = append(os.Environ(), "HTTP="+p.http, "HTTPS="+p.https, "CERTIFICATE="+filepath.Join(dir, "shop.pem"),
		"NODE_1="+first, "NODE_2="+second, "STATS="+p.stats, "CERTBOT="+certbot.Listener.Addr().String())
	return process
}

func (p *proxy) nginx(t *testing.T, dir, first, second string) *exec.Cmd {
	t.Helper()
	p.usesCertbot = true
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(challengePath)), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, challengePath), []byte(challengePath))
	site := filepath.Join(dir, "kaibao.conf")
	put(t, site, replaced(t, filepath.Join(deployDir, "nginx", "kaibao.conf"), map[string]string{
		"10.0.0.11:8080": first, "10.0.0.12:8080": second,
		"listen 80 ": "listen " + p.http + " ", "listen [::]:80 ": "listen " + freeAddress(t) + " ",
		"listen 443 ": "listen " + p.https + " ", "listen [::]:443 ": "listen " + freeAddress(t) + " ",
		"/etc/letsencrypt/live/shop.example": dir, "/var/www/acme": dir,
	}))
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // its workers write to the test's folder
	}
	main := filepath.Join(dir, "nginx.conf")
	put(t, main, fmt.Appendf(nil, `%[1]s
daemon off;
pid %[2]s/pid;
error_log stderr;
events {}
http {
  client_body_temp_path %[2]s/body;
  proxy_temp_path %[2]s/proxied;
  fastcgi_temp_path %[2]s/unused;
  uwsgi_temp_path %[2]s/unused;
  scgi_temp_path %[2]s/unused;
  include %[3]s;
}
`, user, dir, site))
	return proxyProgram(t, "nginx", "-e", "stderr", "-c", main)
}

func (p *proxy) caddy(t *testing.T, dir, first, second string) *exec.Cmd {
	t.Helper()
	_, httpPort, _ := net.SplitHostPort(p.http)
	_, httpsPort, _ := net.SplitHostPort(p.https)
	file := filepath.Join(dir, "Caddyfile")
	put(t, file, replaced(t, filepath.Join(deployDir, "caddy", "Caddyfile"), map[string]string{
		"10.0.0.11:8080": first, "10.0.0.12:8080": second,
		"email you@shop.example":      "admin off\n\thttp_port " + httpPort + "\n\thttps_port " + httpsPort,
		"shop.example, pay.example {": "shop.example, pay.example {\n\tbind 127.0.0.1\n\ttls " + dir + "/fullchain.pem " + dir + "/privkey.pem",
	}))
	process := proxyProgram(t, "caddy", "run", "--adapter", "caddyfile", "--config", file)
	process.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	return process
}

// proxyProgram returns a command of a program that Debian may have put into a folder of the
// administrator's.
func proxyProgram(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path = "/usr/sbin/" + name
	}
	return exec.CommandContext(context.WithoutCancel(t.Context()), path, args...)
}

// deployDir has the example files for operators.
const deployDir = "../../deploy"

// replaced returns an example file with its example values replaced. Each of them must be in the
// file.
func replaced(t *testing.T, path string, values map[string]string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for example, value := range values {
		if !bytes.Contains(text, []byte(example)) {
			t.Fatalf("%s doesn't contain %q", path, example)
		}
		pairs = append(pairs, example, value)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(text)))
}

// clientAddress is the address of the tests' clients. It differs from the proxy's, 127.0.0.1.
const clientAddress = "127.0.0.2"

// transport connects to the proxy from clientAddress, whatever host a URL has.
func (p *proxy) transport() *http.Transport {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(clientAddress)}}
	return &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: p.roots, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			to := p.https
			if strings.HasSuffix(address, ":80") {
				to = p.http
			}
			return dialer.DialContext(ctx, network, to)
		},
	}
}

// browser returns a client that doesn't follow redirects.
func (p *proxy) browser() *http.Client {
	return &http.Client{Transport: p.transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// newClient returns a browser with a wallet whose requests go through the proxy.
func (p *proxy) newClient(t *testing.T, s *apptest.Server) *apptest.Client {
	t.Helper()
	c, transport := s.NewClient(t), p.transport()
	t.Cleanup(transport.CloseIdleConnections)
	c.HTTP.Transport = transport
	return c
}

// signIn returns a signed-in browser with points whose requests go through the proxy.
func (p *proxy) signIn(t *testing.T, s *apptest.Server) *apptest.Client {
	t.Helper()
	c := p.newClient(t, s)
	c.SignIn(t)
	c.Deposit(t, 10_000)
	return c
}

// isUp reports whether HAProxy sends requests to a node, as its statistics say.
func (p *proxy) isUp(t *testing.T, node string) bool {
	t.Helper()
	answer := (&apptest.Client{Base: "http://" + p.stats, HTTP: http.DefaultClient}).Get(t, "/;csv")
	rows, err := csv.NewReader(bytes.NewReader(answer.Body)).ReadAll()
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("HAProxy's statistics: %d %v", answer.Status, err)
	}
	const backend, server, status = 0, 1, 17 // columns
	for _, row := range rows {
		if row[backend] == "nodes" && row[server] == node {
			return row[status] == "UP"
		}
	}
	t.Fatalf("HAProxy has no node %s: %s", node, answer.Body)
	return false
}

// putCertificate writes a certificate for some hosts and its key into a folder: fullchain.pem,
// privkey.pem and, with both, shop.pem. It returns the roots that trust it.
func putCertificate(t *testing.T, dir string, hosts ...string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), secure.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: hosts, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(secure.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	secret := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	put(t, filepath.Join(dir, "fullchain.pem"), chain)
	put(t, filepath.Join(dir, "privkey.pem"), secret)
	put(t, filepath.Join(dir, "shop.pem"), append(chain, secret...))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	return roots
}

// syncBuffer is a buffer that a process writes to while a test reads it.
type syncBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write implements io.Writer.
func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

// String returns what was written so far.
func (b *syncBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}
