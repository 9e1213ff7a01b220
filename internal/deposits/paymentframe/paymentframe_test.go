package paymentframe_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"kaibao/internal/deposits/paymentframe"
	"kaibao/internal/httpapi"
)

func get(t *testing.T, o paymentframe.Options, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	public, err := httpapi.ParsePublicURL("https://kaibao.example")
	if err != nil {
		t.Fatal(err)
	}
	api := httpapi.New(httpapi.Options{PublicURL: public, Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now})
	paymentframe.New(o).Routes(api)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://kaibao.example"+target, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, r)
	return w
}

var helio = paymentframe.Options{
	Embed: "https://embed.hel.io/assets/index-v1.js", Network: "test",
	Connect: []string{"https://*.hel.io", "https://rpc.example"}, Shop: "https://kaibao.example", Origin: "https://pay.example",
}

// The policy allows only what the provider needs, and only the shop may frame the page. On the
// shop's own address the page is sandboxed.
func TestContentSecurityPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		options paymentframe.Options
		policy  string
	}{
		"Helio's": {helio, "default-src 'none'; script-src https://pay.example https://embed.hel.io; style-src 'unsafe-inline' https://embed.hel.io; " +
			"font-src https://kaibao.example data: https://embed.hel.io; img-src data: https://embed.hel.io https://*.hel.io https://rpc.example; " +
			"connect-src https://embed.hel.io https://*.hel.io https://rpc.example; base-uri 'none'; form-action 'none'; frame-ancestors https://kaibao.example"},
		"our own": {paymentframe.Options{Embed: "/sandbox/assets/index-v1.js", Shop: "https://kaibao.example"}, "sandbox allow-scripts; default-src 'none'; script-src https://kaibao.example; style-src 'unsafe-inline' https://kaibao.example; " +
			"font-src https://kaibao.example data:; img-src data: https://kaibao.example; connect-src https://kaibao.example; base-uri 'none'; form-action 'none'; frame-ancestors https://kaibao.example"},
	} {
		h := get(t, c.options, "/payment-frame").Header()
		if got := h.Values("Content-Security-Policy"); len(got) != 1 || got[0] != c.policy {
			t.Errorf("%s: %q", name, got)
		}
		if got := h.Get("Permissions-Policy"); !strings.HasSuffix(got, ", publickey-credentials-get=(), publickey-credentials-create=()") {
			t.Errorf("%s: permissions %q", name, got)
		}
	}
}

func TestPageHasLanguageAndTheme(t *testing.T) {
	dist := fstest.MapFS{"dist/assets/inter-latin-wght-normal-Ab12.woff2": {}}
	built := helio
	built.Dist = dist
	for query, want := range map[string][]string{
		"?lang=en&theme=dark":               {`<html lang="en" class="dark">`, "color-scheme: dark"},
		"?lang=zh&theme=light":              {`<html lang="zh-CN" class="light">`, "color-scheme: light", "<title>支付</title>"},
		"":                                  {`<html lang="en" class="dark">`},
		"?lang=%22%3E%3Cscript%3E&theme=x":  {`<html lang="en" class="dark">`},
		"?lang=zh&theme=dark&theme=light#x": {`<html lang="zh-CN" class="dark">`},
	} {
		body := get(t, built, "/payment-frame"+query).Body.String()
		for _, part := range append(want, `data-embed="https://embed.hel.io/assets/index-v1.js" data-network="test" data-shop="https://kaibao.example"`, `src="/payment-frame/frame.js"`, "url('https://kaibao.example/assets/inter-latin-wght-normal-Ab12.woff2')") {
			if !strings.Contains(body, part) {
				t.Errorf("%s: %s is missing in %s", query, part, body)
			}
		}
		if strings.Contains(body, "{face}") || strings.Contains(body, "><script>") {
			t.Errorf("%s: %s", query, body)
		}
	}
	if body := get(t, helio, "/payment-frame").Body.String(); strings.Contains(body, "@font-face") {
		t.Errorf("a typeface that is not there: %s", body)
	}
}

func TestPageAndScriptAreCached(t *testing.T) {
	for path, kind := range map[string]string{"/payment-frame?lang=zh&theme=light": "text/html; charset=utf-8", "/payment-frame/frame.js": "text/javascript; charset=utf-8"} {
		first := get(t, helio, path)
		if first.Code != http.StatusOK || first.Header().Get("Content-Type") != kind || first.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", path, first.Code, first.Header())
		}
		if again := get(t, helio, path, "If-None-Match", first.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d", path, again.Code)
		}
	}
}
