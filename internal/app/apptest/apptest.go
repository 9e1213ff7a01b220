// Package apptest runs the whole server in a test and calls it as a wallet would: over HTTP, signed
// in with a real key.
package apptest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/admin"
	"kaibao/internal/app"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/loadgen"
	"kaibao/internal/policy"
	"kaibao/internal/publiclog"
	"kaibao/internal/verify"
)

// Server is a running node.
type Server struct {
	URL    string
	OpsURL string // of the operator's listener
	DB     *db.DB // a second handle on the same database, for inspection
	Config app.Config
	stop   func()
}

// Each runs test on every engine, each with a fresh node.
func Each(t *testing.T, test func(t *testing.T, s *Server)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { test(t, Start(t, Config(t, engine))) })
	}
}

// EachWithClock runs test on every engine, each with a fresh node, changed configuration and a
// clock that only the test moves.
func EachWithClock(t *testing.T, test func(t *testing.T, s *Server, clock *dbtest.Clock), changes ...func(*app.Config)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			config := Config(t, engine, append(changes, At(clock))...)
			test(t, Start(t, config), clock)
		})
	}
}

// Profile sets the house rules: a built-in profile or a file.
func Profile(name string) func(*app.Config) { return func(c *app.Config) { c.Profile = name } }

// Empty leaves out the demo data.
func Empty(c *app.Config) { c.Demo = false }

// RenderPreviews renders preview pictures.
func RenderPreviews(c *app.Config) { c.PlainPreviews = false }

// Seeds sets the seed key, in hex, and thereby gives the node a separate log.
func Seeds(key string) func(*app.Config) {
	return func(c *app.Config) { c.SeedKey = key }
}

// Outbound makes transport answer the node's requests for pictures on other hosts.
func Outbound(transport http.RoundTripper) func(*app.Config) {
	return func(c *app.Config) { c.Outbound = transport }
}

// SandboxBehavior sets the behavior of the sandbox's payment provider. behavior is called for each
// decision.
func SandboxBehavior(behavior func() sandbox.Behavior) func(*app.Config) {
	return func(c *app.Config) { c.SandboxBehavior = behavior }
}

// At makes the node use a test clock.
func At(clock *dbtest.Clock) func(*app.Config) {
	return func(c *app.Config) { c.Now = clock.Now }
}

// Config returns the configuration of a sandbox node with the demo data on a separate database,
// after applying the changes. The log key and the demo data's leaves are shared by all tests of a
// package, unless a change sets another seed key or leaves the data out.
func Config(t testing.TB, engine string, changes ...func(*app.Config)) app.Config {
	t.Helper()
	config := baseConfig()
	for _, change := range changes {
		change(&config)
	}
	if config.Demo && config.SeedKey == "" {
		config.Storage = demoStorage(t, demoVariant{engine, config.Now != nil})
	} else {
		config.Storage = storageOf(dbtest.Options(t, engine))
	}
	return config
}

func baseConfig() app.Config {
	return app.Config{
		Addr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", Payments: "sandbox", Demo: true, RateLimits: "off", ManifestDelay: policy.OrdinaryNotice, LogLevel: "warn", PlainPreviews: true,
	}
}

// Start runs a node until the test ends. Several nodes may share one configuration's database, and
// a configuration may be started again after Stop.
func Start(t testing.TB, c app.Config) *Server {
	t.Helper()
	if c.DatabaseURL != "" { // SQLite, with one writer, locks no rows
		c.Watch = watchLocks(t)
	}
	a, err := app.Open(t.Context(), c, "test")
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	s := &Server{URL: a.URL, OpsURL: a.OpsAddress(), Config: c, DB: dbtest.Open(t, db.Options{Dir: c.Data, URL: c.DatabaseURL, Now: c.Now, CallTime: time.Hour})}
	stopped := false
	s.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	t.Cleanup(s.stop)
	return s
}

// Stop stops the node as SIGTERM does.
func (s *Server) Stop() { s.stop() }

// Audit fails the test for every row that breaks a rule of the books.
func (s *Server) Audit(t testing.TB) {
	t.Helper()
	err := s.DB.Inspect(t.Context(), func(tx *db.Tx) error {
		breaches, err := app.Audit(tx, true, nil)
		for _, b := range breaches {
			t.Errorf("%s: %s: %s", b.Rule, b.Row, b.Detail)
		}
		return err
	})
	if err != nil {
		t.Fatalf("audit: %v", err)
	}
}

// untilDeadline returns a context that ends shortly before the test's deadline, which leaves time
// to report what it waited for.
func untilDeadline(t testing.TB) (context.Context, context.CancelFunc) {
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := limited.Deadline(); ok {
			return context.WithDeadline(t.Context(), end.Add(-5*time.Second))
		}
	}
	return context.WithCancel(t.Context())
}

// Until polls a condition until it holds or the test's deadline is near.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := untilDeadline(t)
	defer cancel()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for !holds() {
		select {
		case <-poll.C:
		case <-ctx.Done():
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// WaitForLog waits until every leaf is in the signed log and counted.
func (s *Server) WaitForLog(t testing.TB) {
	t.Helper()
	Until(t, "every leaf is signed and counted", func() bool {
		var left int64
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			unsigned, err := publiclog.UnsignedLeaves(tx)
			if err != nil {
				return err
			}
			uncounted, err := publiclog.FollowerLag(tx, "draws", "standings", "top pulls")
			left = unsigned + uncounted
			return err
		})
		if err != nil {
			t.Fatalf("count the leaves that aren't signed or counted: %v", err)
		}
		return left == 0
	})
}

// VerifyLog waits until every leaf is signed and counted, and then verifies the public log as
// anyone can. It fails the test unless the log verifies completely.
func (s *Server) VerifyLog(t testing.TB) *verify.Report {
	t.Helper()
	s.WaitForLog(t)
	report, err := verify.Log(t.Context(), verify.Options{Location: s.URL})
	if err != nil {
		t.Fatalf("verify the log: %v", err)
	}
	if report.Fault != nil || report.Unknown != nil || len(report.Sealed.LostOrders) > 0 {
		t.Errorf("the log does not verify: fault %v, unknown leaf %v, lost orders %v", report.Fault, report.Unknown, report.Sealed.LostOrders)
	}
	return report
}

// Mirror copies the log into a folder, which may have an earlier copy, and fails the test unless
// the copy verifies.
func (s *Server) Mirror(t testing.TB, dir string) {
	t.Helper()
	if _, newer, err := verify.Mirror(t.Context(), s.URL, dir, "", func(int64, int64) {}); err != nil || newer != nil {
		t.Fatalf("mirror the log: %v, %v", newer, err)
	}
	if report, err := verify.Log(t.Context(), verify.Options{Location: dir}); err != nil || report.Fault != nil || report.Unknown != nil || len(report.Sealed.LostOrders) > 0 {
		t.Fatalf("the mirror does not verify: %+v, error %v", report, err)
	}
}

// Client is a browser with cookies and, optionally, a wallet.
type Client struct {
	Base    string
	Address string
	Key     ed25519.PrivateKey
	HTTP    *http.Client
}

// NewClient returns a browser with a fresh wallet that isn't signed in.
func (s *Server) NewClient(t testing.TB) *Client {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{Base: s.URL, Address: base58.Encode(public), Key: private, HTTP: &http.Client{Jar: jar, Transport: transport}}
}

// SignIn returns a browser signed in with a fresh wallet.
func (s *Server) SignIn(t testing.TB) *Client {
	t.Helper()
	c := s.NewClient(t)
	c.SignIn(t)
	return c
}

// Admin returns a browser signed in with a fresh wallet that has the role admin.
func (s *Server) Admin(t testing.TB) *Client {
	t.Helper()
	c := s.SignIn(t)
	s.Promote(t, c)
	return c
}

// Promote sets the role of a signed-in browser's wallet to admin.
func (s *Server) Promote(t testing.TB, c *Client) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return admin.SetRole(tx, c.Address, "admin") }); err != nil {
		t.Fatal(err)
	}
}

// SetValue has an admin set an item's value. If that needs approval, a second admin approves it.
func (s *Server) SetValue(t testing.TB, admin *Client, item string, cents int64) {
	t.Helper()
	var set struct{ Approval *struct{ ID string } }
	admin.Call(t, http.MethodPatch, "/api/admin/items/"+item, Body{"baseValueCents": cents, "source": "An auction", "reason": "It was sold."}).
		Want(t, http.StatusOK, &set)
	if set.Approval != nil {
		s.Admin(t).Post(t, "/api/admin/approvals/"+set.Approval.ID, Body{"decision": "approve", "reason": "I saw the sale."}).Want(t, http.StatusOK, nil)
	}
}

// SignIn signs the client's wallet in.
func (c *Client) SignIn(t testing.TB) {
	t.Helper()
	err := loadgen.SignIn(c.Key, func(path string, body, into any) error {
		c.Post(t, path, body).Want(t, http.StatusOK, into)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Deposit adds sandbox points, in whole dollars.
func (c *Client) Deposit(t testing.TB, dollars int) {
	t.Helper()
	c.Post(t, "/api/wallet/deposit/manual", map[string]any{"amount": dollars}).Want(t, http.StatusOK, nil)
}

// Body is a JSON object to send.
type Body map[string]any

// With returns a copy of the body with one field changed.
func (b Body) With(field string, value any) Body {
	changed := maps.Clone(b)
	changed[field] = value
	return changed
}

// Get returns the decoded JSON response of a path.
func Get[T any](t testing.TB, c *Client, path string) (v T) {
	t.Helper()
	c.Get(t, path).Want(t, http.StatusOK, &v)
	return v
}

// Status is what the operator's listener says of the node.
type Status struct {
	Status, Reason string
	WrongLeaves    int64
	Jobs           []JobStatus
}

// JobStatus is the state of a background job. Times are RFC 3339.
type JobStatus struct {
	Name, LastSuccess string
	LastError         *struct{ At, Message string }
	Behind            int64
}

// Status asks the operator's listener.
func (s *Server) Status(t testing.TB) (status Status) {
	t.Helper()
	answer, err := (&Client{Base: s.OpsURL, HTTP: http.DefaultClient}).Try(t.Context(), http.MethodGet, "/readyz", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Read(&status); err != nil {
		t.Fatalf("the operator's listener answered %s: %v", answer.Body, err)
	}
	return status
}

// Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get requests a path.
func (c *Client) Get(t testing.TB, path string, headers ...string) Answer {
	t.Helper()
	return c.Call(t, http.MethodGet, path, nil, headers...)
}

// Post sends a JSON body to a path.
func (c *Client) Post(t testing.TB, path string, body any, headers ...string) Answer {
	t.Helper()
	return c.Call(t, http.MethodPost, path, body, headers...)
}

// Call sends a request. Body is JSON text, a value to encode, or nil. Headers are alternating names
// and values. The test fails for an undocumented error.
func (c *Client) Call(t testing.TB, method, path string, body any, headers ...string) Answer {
	t.Helper()
	answer, err := c.Try(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	answer.asDocumented(t, method, path)
	return answer
}

// Try is Call for a server that may be down.
func (c *Client) Try(ctx context.Context, method, path string, body any, headers ...string) (Answer, error) {
	text, isText := body.(string)
	payload := []byte(text)
	if !isText && body != nil {
		var err error
		payload, err = json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(payload))
	if err != nil {
		return Answer{}, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	response, err := c.HTTP.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	read, err := Read(response)
	return Answer{Status: response.StatusCode, Header: response.Header, Body: read}, err
}

// CSV returns the rows of a CSV file. The file must start with a byte order mark, as spreadsheets
// need.
func (a Answer) CSV(t testing.TB) [][]string {
	t.Helper()
	text, marked := strings.CutPrefix(string(a.Body), csvfile.ByteOrderMark)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if !marked || err != nil || len(rows) == 0 {
		t.Fatalf("%d %.300q is no CSV file with a byte order mark: %v", a.Status, a.Body, err)
	}
	return rows
}

// Read returns a response's body, or the beginning of a stream, which has no end.
func Read(response *http.Response) ([]byte, error) {
	if response.Header.Get("Content-Type") != "text/event-stream" {
		return io.ReadAll(response.Body)
	}
	first := make([]byte, 1<<10)
	n, err := response.Body.Read(first)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return first[:n], err
}

// Want fails the test unless the response has this status, and decodes the body.
func (a Answer) Want(t testing.TB, status int, into any) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("read %s: %v", a.Body, err)
	}
}

// Read decodes the body as JSON.
func (a Answer) Read(into any) error { return json.Unmarshal(a.Body, into) }

// Refusal is the body of an error response.
type Refusal struct {
	Message, Code, RequestID string
	Fields                   map[string]string
	Details                  json.RawMessage
}

// Refused fails the test unless the response has this status and error code, and returns the error.
func (a Answer) Refused(t testing.TB, status int, code string) (r Refusal) {
	t.Helper()
	a.Want(t, status, &r)
	if r.Code != code || r.Message == "" || r.RequestID == "" {
		t.Fatalf("refused with %s, want code %s, a message and a request id", a.Body, code)
	}
	return r
}
