package integrationtest_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

// A log of 70,000 leaves (three levels of tiles) passes the checker written by the authors of the
// layout, and any changed byte fails it. The checker reads the log over HTTP, as anyone would.
func TestIndependentCheckerAcceptsLog(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	const leaves, each = 70_000, 10_000
	for first := 0; first < leaves; first += each {
		many := make([]string, each)
		for n := range many {
			many[n] = string(protocol.StockLeaf{Pack: "2", Draw: uint64(first + n), Card: "card", Count: 1, Reason: "test"}.Format())
		}
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return log.Append(tx, many...) }); err != nil {
			t.Fatal(err)
		}
	}
	s.WaitForLog(t)
	checker := t.TempDir() + "/logfsck"
	build := exec.CommandContext(t.Context(), "go", "build", "-C", "../../../tools", "-o", checker, "./logfsck")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the checker: %v: %s", err, out)
	}
	key := strings.TrimSpace(string(s.NewClient(t).Get(t, "/log/key").Body))
	fsck := func(address string) (string, error) {
		out, err := exec.CommandContext(t.Context(), checker, address+"/log/", key).CombinedOutput()
		return string(out), err
	}
	if out, err := fsck(s.URL); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, path := range map[string]string{
		"a leaf": "/log/tile/entries/100", "a leaf's hash": "/log/tile/0/100", "a hash above": "/log/tile/1/001.p/17", "the top": "/log/tile/2/000.p/1",
	} {
		falsified := tamper(t, s.URL, path)
		if out, err := fsck(falsified.URL); err == nil || falsified.changed == 0 {
			t.Errorf("%s is changed (%d times), and the checker says: %s", name, falsified.changed, out)
		}
	}
}

// proxy forwards requests to another server and flips a byte in some responses.
type proxy struct {
	*httptest.Server
	changed int
}

func tamper(t *testing.T, target, path string) *proxy {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(u)
		r.Out.Header.Del("Accept-Encoding")
	}}
	forward.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Path != path {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) == 0 {
			return fmt.Errorf("nothing to change: %w", err)
		}
		p.changed++
		body[len(body)/2] ^= 1
		r.Body = io.NopCloser(bytes.NewReader(body))
		return nil
	}
	p.Server = httptest.NewServer(forward)
	t.Cleanup(p.Close)
	return p
}
