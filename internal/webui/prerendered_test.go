package webui_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"kaibao/internal/fees"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/packs"
	"kaibao/internal/webui"
)

// first returns a dist with prerendered pages, each of which starts with its path.
func first() fstest.MapFS {
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("empty page <html lang></head>")}}
	const parts = " <html lang></head>asks=/api/packs/first-name <!--sandbox-->sandbox<!--/sandbox--> <!--social-->at https://social.invalid<!--/social--> " +
		"<!--chat-->at https://chat.invalid<!--/chat--> first-version https://public-url.invalid " +
		"<!--market-->market<!--/market--> <!--rules-->rules<!--/rules--> " +
		"<!--cover-0-->first-cover-0 first-sources-0<!--/cover-0--> <!--cover-1-->first-cover-1<!--/cover-1--> <!--cover-2-->first-cover-2<!--/cover-2--> " +
		"named <!--cover-named-->first-cover-named<!--/cover-named--> (first-cover-named)"
	for _, at := range []string{"en/visitor/index", "en/visitor/pack/_", "zh/visitor/index", "en/member/index", "en/visitor/verify", "en/visitor/verify/_"} {
		dist["dist/first/"+at+".html.gz"] = gzippedFile(at + parts)
	}
	return dist
}

func gzippedFile(content string) *fstest.MapFile {
	var file bytes.Buffer
	packer := gzip.NewWriter(&file)
	_, _ = packer.Write([]byte(content)) // writing to memory can't fail
	_ = packer.Close()
	return &fstest.MapFile{Data: file.Bytes()}
}

func TestPrerenderedPagesByAddressLanguageAndSession(t *testing.T) {
	call := serve(t, first(), webui.PageConfig{})
	const cookie = "__Host-" + httpapi.SessionCookie + "=token"
	for _, c := range []struct{ path, language, cookie, want string }{
		{"/", "en-US,en;q=0.9", "", "en/visitor/index"},
		{"/", "EN", "", "en/visitor/index"},
		{"/", "zh-CN,en", "", "zh/visitor/index"},
		{"/", "zh", "language=en", "en/visitor/index"},
		{"/", "en", "language=zh", "zh/visitor/index"},
		{"/", "en", "language=../zh", "en/visitor/index"},
		{"/", "en", cookie + "; language=en", "en/member/index"},
		{"/", "", "", "zh/visitor/index"},
		{"/", "enm", "", "zh/visitor/index"}, // Middle English is not English
		{"/", "en", cookie, "en/member/index"},
		{"/pack/2", "en", "", "en/visitor/pack/_"},
		{"/PACK/2", "en", "", "en/visitor/pack/_"},
		{"/verify", "en", "", "en/visitor/verify <"},
		{"/verify/x", "en", "", "en/visitor/verify/_"},
		{"/verify/x/y", "en", "", "empty page"},
		{"/none", "en", "", "empty page"},
		{"/pack/2", "zh", "", "empty page"},
		{"/index", "en", "", "empty page"},
	} {
		w := call("GET", c.path, "Accept-Language", c.language, "Cookie", c.cookie)
		if !strings.HasPrefix(w.Body.String(), c.want) {
			t.Errorf("%s in %q: %v %.60s, want %s", c.path, c.language, w.Header(), w.Body, c.want)
		}
	}
}

// The chosen theme applies from the first frame.
func TestPageTheme(t *testing.T) {
	call := serve(t, first(), webui.PageConfig{})
	for _, c := range []struct{ path, language, cookie, want string }{
		{"/", "en", "", `<html lang>`},
		{"/", "", "language=zh", `<html lang>`},
		{"/", "en", "theme=light", `<html class="light" lang>`},
		{"/", "", "theme=light", `<html class="light" lang>`},
		{"/", "en", `theme=light"onload=`, `<html lang>`},
		{"/", "en", "theme=dark", `<html lang>`},
		{"/none", "en", "", `<html lang>`},
		{"/none", "en", "theme=light", `<html class="light" lang>`},
	} {
		w := call("GET", c.path, "Accept-Language", c.language, "Cookie", c.cookie)
		if !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s in %q with %q: %.80s, want %s", c.path, c.language, c.cookie, w.Body, c.want)
		}
	}
}

func TestPrerenderedPagesDependOnConfiguration(t *testing.T) {
	config := webui.PageConfig{Sandbox: true, Social: "https://social.example/?a&b", Rules: houserules.Default()}
	strict, err := houserules.BuiltIn("uk-strict")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config webui.PageConfig
		want   string
	}{
		{config, "<!--sandbox-->sandbox<!--/sandbox--> <!--social-->at https://social.example/?a&amp;b<!--/social-->  &lt;/script&gt; https://kaibao.example <!--market-->market<!--/market--> <!--rules-->rules<!--/rules--> "},
		{webui.PageConfig{Chat: "https://chat.example"}, "  <!--chat-->at https://chat.example<!--/chat--> &lt;/script&gt; https://kaibao.example   "},
		{webui.PageConfig{Rules: strict}, "   &lt;/script&gt; https://kaibao.example <!--market-->market<!--/market-->  "},
	} {
		body := serve(t, first(), c.config)("GET", "/pack/2%22%3E&'+%20", "Accept-Language", "en").Body.String()
		if !strings.Contains(body, "asks=/api/packs/2%22%3E%26%27%2B%20 "+c.want) {
			t.Errorf("%s, want %s", body, c.want)
		}
	}
}

func TestPrerenderedPagesHaveCovers(t *testing.T) {
	call := serve(t, first(), webui.PageConfig{})
	const store = "<!--cover-0-->/one.svg /one.webp 1w<!--/cover-0--> <!--cover-1-->/two.svg?a&amp;b<!--/cover-1-->  named "
	for pack, named := range map[string]string{
		"2":    "<!--cover-named-->/two.svg?a&amp;b<!--/cover-named--> (/two.svg?a&amp;b)",
		"none": " ()",
	} {
		body := call("GET", "/pack/"+pack, "Accept-Language", "en").Body.String()
		if !strings.HasSuffix(body, store+named) {
			t.Errorf("/pack/%s: %s, want %s", pack, body, store+named)
		}
	}
}

func TestPageIsSentWithoutCoversAfterTimeout(t *testing.T) {
	call := served(t, webui.Pages{Dist: first(), Rates: func(context.Context) fees.CurrentRates { return fees.First() }, LastFeedEvent: func() string { return "" }, Covers: func(ctx context.Context) ([]packs.Cover, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	body := call("GET", "/pack/2", "Accept-Language", "en").Body.String()
	if !strings.Contains(body, `"covers":[]`) || !strings.HasSuffix(body, "   named  ()") {
		t.Error(body)
	}
}

// The app hydrates only pages that it would render in the same way.
func TestPagesThatDifferAreNotHydrated(t *testing.T) {
	const page = `<html><div id="root" data-prerendered="same">`
	strict, err := houserules.BuiltIn("uk-strict")
	if err != nil {
		t.Fatal(err)
	}
	open := webui.PageConfig{Rules: houserules.Default(), Sandbox: true, Social: "https://social.example"}
	without := func(change func(*webui.PageConfig)) webui.PageConfig {
		config := open
		change(&config)
		return config
	}
	for _, c := range []struct {
		path   string
		config webui.PageConfig
		want   string
	}{
		{"/roadmap", open, "same"},
		{"/roadmap", without(func(c *webui.PageConfig) { c.Rules = strict }), "differs"},
		{"/roadmap", without(func(c *webui.PageConfig) { c.Social = "" }), "differs"},
		{"/roadmap", without(func(c *webui.PageConfig) { c.Sandbox = false }), "same"},
		{"/topup", open, "same"},
		{"/topup", without(func(c *webui.PageConfig) { c.Sandbox = false }), "differs"},
		{"/pack/2", open, "same"},
		{"/pack/none", open, "differs"},
	} {
		dist := fstest.MapFS{
			"dist/first/en/visitor/roadmap.html.gz": gzippedFile(page + `<!--sandbox-->test mode<!--/sandbox--><!--social-->link<!--/social-->`),
			"dist/first/en/visitor/topup.html.gz":   gzippedFile(page + `<!--test-points-->button<!--/test-points-->`),
			"dist/first/en/visitor/pack/_.html.gz":  gzippedFile(page + `<!--cover-named--><img src="first-cover-named"><!--/cover-named-->`),
		}
		body := serve(t, dist, c.config)("GET", c.path, "Accept-Language", "en").Body.String()
		if !strings.Contains(body, `data-prerendered="`+c.want+`"`) {
			t.Errorf("%s with %+v: %s, want %s", c.path, c.config, body, c.want)
		}
	}
}
