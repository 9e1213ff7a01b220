package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

type echo struct {
	Body struct {
		Name  string `json:"name" maxLength:"5"`
		Count int    `json:"count,omitempty"`
		Text  string `json:"text,omitempty"`
	}
}

// addRoutes registers one call of each kind.
func addRoutes(e *httpapitest.Server) {
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/echo", "echo", "Echo"),
		func(_ context.Context, in *echo) (string, error) { return in.Body.Name, nil })
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/prove", "prove", "Prove").WithRate(httpapi.SignIns),
		func(context.Context, *struct{}) (string, error) { return "", nil })
	httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/read", "read", "Read"),
		func(context.Context, *struct{}) (string, error) { return "read", nil })
}

func TestErrorResponses(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	addRoutes(e)
	const json = "application/json"
	for name, c := range map[string]struct {
		contentType, body string
		status            int
		code              string
		field             string
		message           string
	}{
		"malformed JSON":       {json, `{"name":`, 400, "malformed", "", "The request body is not valid JSON"},
		"no body":              {json, "", 400, "malformed", "", "needs a JSON body"},
		"another type":         {"text/plain", "name", 415, "unsupported_media_type", "", "application/json"},
		"a form":               {"application/x-www-form-urlencoded", "name=a", 415, "unsupported_media_type", "", "application/json"},
		"no type":              {"", `{"name":"a"}`, 200, "", "", ""},
		"type with parameter":  {json + "; charset=utf-8", `{"name":"a"}`, 200, "", "", ""},
		"missing field":        {json, `{}`, 422, "invalid", "name", "name"},
		"wrong type":           {json, `{"name":"a","count":"1"}`, 422, "invalid", "count", "count"},
		"too long":             {json, `{"name":"longer"}`, 422, "invalid", "name", "name"},
		"not an object":        {json, `[]`, 422, "invalid", "body", "body"},
		"over 16 kibibytes":    {json, `{"name":"a","text":"` + strings.Repeat("x", 16<<10-21) + `"}`, 413, "too_large", "", "limit is 16384 bytes"},
		"unknown field":        {json, `{"name":"a","new":1}`, 200, "", "", ""},
		"16 kibibytes exactly": {json, `{"name":"a","text":"` + strings.Repeat("x", 16<<10-22) + `"}`, 200, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := e.Call("POST", "/api/echo", c.body, "Content-Type", c.contentType)
			if c.code == "" {
				if w.Code != c.status {
					t.Errorf("status %d: %s", w.Code, w.Body)
				}
				return
			}
			r := httpapitest.Refused(t, w, c.status, c.code)
			if !strings.Contains(r.Message, c.message) {
				t.Errorf("message %q, want %q in it", r.Message, c.message)
			}
			if c.field == "" && r.Fields != nil || c.field != "" && (len(r.Fields) != 1 || r.Fields[c.field] == "") {
				t.Errorf("fields %v, want one for %q", r.Fields, c.field)
			}
		})
	}
	if log := e.NonRequestLog(); log != "" {
		t.Errorf("callers' errors were logged: %s", log)
	}
}

// Every code has a status, for calls and for raw handlers.
func TestErrorCodesMapToStatuses(t *testing.T) {
	statuses := map[apperr.Kind]int{
		apperr.KindMalformed: 400, apperr.KindUnauthenticated: 401, apperr.KindInsufficientFunds: 402, apperr.KindForbidden: 403,
		apperr.KindNotFound: 404, apperr.KindMethod: 405, apperr.KindTooSlow: 408, apperr.KindConflict: 409, apperr.KindGone: 410,
		apperr.KindTooLarge: 413, apperr.KindMediaType: 415, apperr.KindMisdirected: 421, apperr.KindInvalid: 422,
		apperr.KindRateLimited: 429, apperr.KindInternal: 500, apperr.KindDisabled: 501, apperr.KindUnavailable: 503,
	}
	for _, code := range apperr.Codes() {
		e := httpapitest.New(t, "https://kaibao.example")
		failure := apperr.New(code, "Some text.").After(1500e6)
		httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/call", "call", "Fails"),
			func(context.Context, *struct{}) (string, error) { return "", fmt.Errorf("use case: %w", failure) })
		e.Raw(httpapi.Get(httpapi.Public, "/raw", "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Fail(w, r, failure) }))
		for _, path := range []string{"/api/call", "/raw"} {
			w := e.Call("GET", path, "")
			httpapitest.Refused(t, w, statuses[code.Kind()], code.String())
			if w.Header().Get("Retry-After") != "2" {
				t.Errorf("%s: Retry-After is %q, want 2", code, w.Header().Get("Retry-After"))
			}
		}
	}
}

// Unexpected errors are logged once, and their text is never sent.
func TestUnexpectedErrorsAreNotExposed(t *testing.T) {
	for name, fail := range map[string]func() (string, error){
		"error":          func() (string, error) { return "", errors.New("the secret is 42") },
		"wrapped":        func() (string, error) { return "", apperr.As(errors.New("the secret is 42")) },
		"panic":          func() (string, error) { panic("the secret is 42") },
		"panic of error": func() (string, error) { panic(errors.New("the secret is 42")) },
	} {
		t.Run(name, func(t *testing.T) {
			e := httpapitest.New(t, "https://kaibao.example")
			httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/call", "call", "Fails"),
				func(context.Context, *struct{}) (string, error) { return fail() })
			e.Raw(httpapi.Get(httpapi.Public, "/raw", "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, err := fail()
				e.Fail(w, r, err)
			}))
			for _, path := range []string{"/api/call", "/raw"} {
				e.Logged.Reset()
				w := e.Call("GET", path, "", "Accept-Encoding", "gzip")
				httpapitest.Refused(t, w, 500, "internal")
				if strings.Contains(w.Body.String(), "secret") {
					t.Errorf("the response contains the error's text: %s", w.Body)
				}
				log := e.Logged.String()
				if strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "the secret is 42") ||
					!strings.Contains(log, "requestId=request-1 route="+path+" ") {
					t.Errorf("logged %s", log)
				}
			}
		})
	}
}

// Refusals with a cause are logged as errors if the server is to blame, except for a pause of sealed packs:
// while the beacon or the witnesses are late, it is expected.
func TestLevelsOfLoggedRefusals(t *testing.T) {
	for code, level := range map[apperr.Code]string{
		apperr.Internal: "ERROR", apperr.Unavailable: "ERROR", apperr.SealedPaused: "WARN", apperr.CommitmentChanged: "INFO",
	} {
		e := httpapitest.New(t, "https://kaibao.example")
		httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/call", "call", "Fails"), func(context.Context, *struct{}) (string, error) {
			return "", apperr.New(code, "Some text.").Because(errors.New("no quorum"))
		})
		e.Call("GET", "/api/call", "")
		if log := e.NonRequestLog(); !strings.Contains(log, "level="+level+" ") || !strings.Contains(log, "no quorum") || strings.Count(log, "\n") != 1 {
			t.Errorf("%s: logged %s, want one line of level %s", code, log, level)
		}
	}
}

func TestHosts(t *testing.T) {
	const page, call = "text/html,*/*", "application/json"
	for _, c := range []struct {
		public, host, accept string
		status               int
	}{
		{"https://kaibao.example", "kaibao.example", page, 200},
		{"https://kaibao.example", "KAIBAO.example", call, 200},
		{"https://kaibao.example:443", "kaibao.example", call, 200}, // browsers omit the default port
		{"https://kaibao.example:8443", "kaibao.example:8443", call, 200},
		{"https://kaibao.example:8443", "kaibao.example", call, 421},
		{"https://kaibao.example", "evil.example", page, 421},
		{"https://kaibao.example", "kaibao.example.evil.example", call, 421},
		{"https://kaibao.example", "kaibao.example:444", call, 421},
		{"https://kaibao.example", "localhost", call, 421},
		{"https://kaibao.example", "127.0.0.1:8080", page, 421},
		{"https://kaibao.example", "", call, 421},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", page, 200},
		{"http://127.0.0.1:8080", "localhost:8080", call, 200},
		{"http://127.0.0.1:8080", "localhost:8080", page, 307},
		{"http://127.0.0.1:8080", "[::1]:8080", page, 307},
		{"http://127.0.0.1:8080", "127.1.2.3", call, 200},
		{"http://127.0.0.1:8080", "0.0.0.0:8080", call, 421},
		{"http://127.0.0.1:8080", "rebound.evil.example:8080", call, 421},
		{"http://127.0.0.1:8080", "localhost.evil.example", page, 421},
		{"http://localhost:8080", "127.0.0.1:8080", page, 307},
	} {
		t.Run(c.public+" requested as "+c.host, func(t *testing.T) {
			e := httpapitest.New(t, c.public)
			addRoutes(e)
			w := e.Call("GET", "/api/read?a=1", "", "Host", c.host, "Accept", c.accept)
			switch {
			case c.status == 421:
				httpapitest.Refused(t, w, 421, "misdirected")
			case w.Code != c.status:
				t.Errorf("status %d %s, want %d", w.Code, w.Body, c.status)
			case c.status == 307 && w.Header().Get("Location") != c.public+"/api/read?a=1":
				t.Errorf("redirected to %s", w.Header().Get("Location"))
			}
		})
	}
}

// The host that the shop has left serves nothing but the list of related origins.
func TestEarlierHost(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) { o.EarlierHost = "old.example" })
	addRoutes(e)
	e.Raw(httpapi.Get(httpapi.Public, httpapi.WebAuthnPath, "", ""), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	for target, want := range map[string]int{httpapi.WebAuthnPath: 200, "/api/read": 421, "/": 421} {
		if w := e.Call("GET", target, "", "Host", "Old.example"); w.Code != want {
			t.Errorf("%s: status %d, want %d", target, w.Code, want)
		}
	}
	if w := e.Call("GET", httpapi.WebAuthnPath, "", "Host", "other.example"); w.Code != 421 {
		t.Errorf("at another host: status %d", w.Code)
	}
}

func TestPublicURLs(t *testing.T) {
	for text, want := range map[string]string{
		"https://kaibao.example":      "https://kaibao.example",
		"https://Kaibao.Example/":     "https://kaibao.example",
		"https://kaibao.example:443":  "https://kaibao.example",
		"http://kaibao.example:80":    "http://kaibao.example",
		"https://kaibao.example:80":   "https://kaibao.example:80",
		"http://[::1]:8080":           "http://[::1]:8080",
		"https://[2001:db8::1]:443":   "https://[2001:db8::1]",
		"kaibao.example":              "",
		"ftp://kaibao.example":        "",
		"https://":                    "",
		"https://kaibao.example/shop": "",
		"https://kaibao.example?a":    "",
		"https://kaibao.example#a":    "",
		"https://me@kaibao.example":   "",
		"https://my_shop":             "https://my_shop",
		"https://kaibao.example.":     "",
		"https://kaibao.example.:443": "",
		"http://localhost.:8080":      "",
		"http://127.0.0.1.:8080":      "",
		"https://kaibao..example":     "",
		"https://.kaibao.example":     "",
		"https://kaibao.example:":     "",
		"https://:443":                "",
		"https://卡包.example":          "",
		"https://kai%62ao.example":    "",
		"https://[fe80::1%25eth0]":    "",
	} {
		got, err := httpapi.ParsePublicURL(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%s parsed as %s (%v), want %q", text, got, err, want)
		}
	}
}

func TestOtherSitesCannotWrite(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	addRoutes(e)
	for _, c := range []struct {
		method, header, value string
		status                int
	}{
		{"POST", "", "", 200}, // not a browser
		{"POST", "Sec-Fetch-Site", "same-origin", 200},
		{"POST", "Sec-Fetch-Site", "none", 200},
		{"POST", "Sec-Fetch-Site", "same-site", 403},
		{"POST", "Sec-Fetch-Site", "cross-site", 403},
		{"POST", "Origin", "https://kaibao.example", 200},
		{"POST", "Origin", "https://evil.example", 403},
		{"POST", "Origin", "https://kaibao.example:444", 403},
		{"POST", "Origin", "null", 403},
		{"GET", "Sec-Fetch-Site", "cross-site", 200}, // a link
	} {
		path, body := "/api/echo", `{"name":"a"}`
		if c.method == "GET" {
			path, body = "/api/read", ""
		}
		w := e.Call(c.method, path, body, c.header, c.value)
		if c.status == 403 {
			httpapitest.Refused(t, w, 403, "forbidden")
		} else if w.Code != c.status {
			t.Errorf("%s with %s %q: %d", c.method, c.header, c.value, w.Code)
		}
	}
}

// Every response has the security headers, including errors and pages.
func TestSecurityHeaders(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	addRoutes(e)
	e.Raw(httpapi.Get(httpapi.Public, "/page", "", ""), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("page")) }))
	for _, target := range []string{"/api/read", "/api/none", "/page"} {
		h := e.Call("GET", target, "").Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin-allow-popups", "X-Request-Id": "request-1",
			"Strict-Transport-Security": "max-age=31536000",
			"Permissions-Policy":        "camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", target, name, h.Get(name))
			}
		}
		for _, directive := range []string{"default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'", "form-action 'self'"} {
			if !strings.Contains(h.Get("Content-Security-Policy"), directive) {
				t.Errorf("%s: the policy lacks %s", target, directive)
			}
		}
		if stored := h.Get("Cache-Control") != "no-store"; strings.HasPrefix(target, "/api/") && stored {
			t.Errorf("%s may be stored: %q", target, h.Get("Cache-Control"))
		}
	}
}

func TestOpenerPolicyIsOmittedForDirectNavigation(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	addRoutes(e)
	for from, isolated := range map[string]bool{"": true, "cross-site": true, "same-site": true, "same-origin": true, "none": false} {
		policy := e.Call("GET", "/api/read", "", "Sec-Fetch-Site", from).Header().Get("Cross-Origin-Opener-Policy")
		if got := policy == "same-origin-allow-popups"; got != isolated {
			t.Errorf("Sec-Fetch-Site %q: policy %q", from, policy)
		}
	}
}

// deadlineRecorder records the read deadline that a handler sets on the connection.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	readDeadline time.Time
}

// SetReadDeadline is called through http.ResponseController.
func (c *deadlineRecorder) SetReadDeadline(t time.Time) error {
	c.readDeadline = t
	return nil
}

// A read deadline would cancel the context of a call whose body has arrived, as if the caller had
// disconnected.
func TestReadDeadlineIsClearedOnceTheRequestHasArrived(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	var w *deadlineRecorder
	deadline := func() (string, error) { return w.readDeadline.String(), nil }
	httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/read", "read", "Read"), func(context.Context, *struct{}) (string, error) { return deadline() })
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/end", "end", "End"), func(context.Context, *struct{}) (string, error) { return deadline() })
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/echo", "echo", "Echo"), func(context.Context, *echo) (string, error) { return deadline() })
	httpapi.Download(e.API, httpapi.Get(httpapi.Public, "/api/file", "file", "File"), func(*struct{}) string { return "file.csv" }, func(context.Context, *struct{}) error { return nil },
		func(_ context.Context, _ *struct{}, out io.Writer) error {
			text, _ := deadline()
			_, err := io.WriteString(out, `"`+text+`"`)
			return err
		})
	for _, c := range []struct {
		method, path string
		body         io.Reader
	}{
		{http.MethodGet, "/api/read", nil},
		{http.MethodPost, "/api/end", nil},
		{http.MethodPost, "/api/echo", strings.NewReader(`{"name":"a"}`)},
		{http.MethodGet, "/api/file", nil},
	} {
		w = &deadlineRecorder{httptest.NewRecorder(), time.Now().Add(time.Second)}
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, c.body)
		r.Host = e.PublicURL.Host()
		r.Header.Set("Content-Type", "application/json")
		if c.body == nil {
			r.Body = http.NoBody // as net/http servers do
		}
		e.Handler().ServeHTTP(w, r)
		if want := `"` + (time.Time{}).String() + `"`; strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s %s: %d %s, want no deadline", c.method, c.path, w.Code, w.Body)
		}
	}
}

// A download is aborted when its caller loses access.
func TestDownloadIsAbortedWhenCallerLosesRole(t *testing.T) {
	now, role := time.Now(), "admin"
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) {
		o.Clock = func() time.Time { return now }
		o.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
			return httpapi.Principal{UserID: dbtest.ID("user"), Role: role}, nil
		}
	})
	httpapi.Download(e.API, httpapi.Get(httpapi.Admin, "/api/file", "file", "File"), func(*struct{}) string { return "file.csv" }, func(context.Context, *struct{}) error { return nil },
		func(_ context.Context, _ *struct{}, out io.Writer) error {
			for n := range 4 {
				if _, err := fmt.Fprintln(out, n); err != nil {
					return err
				}
				now = now.Add(time.Minute)
				if n == 1 {
					role = "user"
				}
			}
			return nil
		})
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/file", http.NoBody)
	r.Host = e.PublicURL.Host()
	r.Header.Set("Cookie", e.PublicURL.Cookie(httpapi.SessionCookie)+"=admin")
	func() {
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
				t.Error("the download was not aborted")
			}
		}()
		e.Handler().ServeHTTP(w, r)
	}()
	if w.Body.String() != "0\n1\n" {
		t.Errorf("the file contains %q", w.Body)
	}
}
