package sandbox_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/deposits/sandbox"
)

type told struct {
	Event, ChargeToken, Transaction string
	TransactionObject               payment
}

// read verifies the webhook's signature and returns its content.
func (n notice) read(t *testing.T) (told told) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(sandbox.Token))
	mac.Write(n.body)
	if n.header.Get("X-Signature") != hex.EncodeToString(mac.Sum(nil)) || n.header.Get("Authorization") != "Bearer "+sandbox.Token || n.header.Get("Content-Type") != "application/json" {
		t.Errorf("%v does not prove %s", n.header, n.body)
	}
	if err := json.Unmarshal(n.body, &told); err != nil {
		t.Fatal(err)
	}
	return told
}

func TestWebhookIsSentOnceAndSigned(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token := w.charge("deposit-1", "25")
		w.press(w.charge("deposit-2", "5"), "fail")
		w.press(w.charge("deposit-3", "5"), "pend")
		made := w.pay(token)
		for range 3 {
			if err := w.send(); err != nil {
				t.Fatal(err)
			}
		}
		if len(w.taken) != 1 {
			t.Fatalf("%d webhooks", len(w.taken))
		}
		got := w.taken[0].read(t)
		var again payment
		if err := json.Unmarshal([]byte(got.Transaction), &again); err != nil || again != made {
			t.Errorf("as text: %s", got.Transaction)
		}
		if got.Event != "CREATED" || got.ChargeToken != token || got.TransactionObject != made {
			t.Errorf("%+v", got)
		}
	})
}

// A failed webhook is retried with increasing delays, twelve times in all.
func TestWebhookIsTriedTwelveTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.status.Store(http.StatusInternalServerError)
		w.pay(w.charge("deposit-1", "25"))
		seconds := []int64{0, 5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600}
		for n, pause := range seconds {
			if pause > 0 {
				w.clock.Advance(time.Duration(pause)*time.Second - time.Microsecond)
				if err := w.send(); err != nil || len(w.taken) != n {
					t.Fatalf("tried %d times, %v, want %d", len(w.taken), err, n)
				}
				w.clock.Advance(time.Microsecond)
			}
			if err := w.send(); err == nil || len(w.taken) != n+1 {
				t.Fatalf("tried %d times, %v, want %d and the response status", len(w.taken), err, n+1)
			}
		}
		w.clock.Advance(24 * time.Hour)
		w.status.Store(http.StatusOK)
		if err := w.send(); err != nil || len(w.taken) != len(seconds) {
			t.Errorf("tried %d times, %v", len(w.taken), err)
		}
	})
}

func TestLateAcceptedWebhookIsNotResent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.status.Store(http.StatusBadGateway)
		w.pay(w.charge("deposit-1", "25"))
		_ = w.send()
		w.status.Store(http.StatusNoContent)
		for range 3 {
			w.clock.Advance(time.Hour)
			if err := w.send(); err != nil || len(w.taken) != 2 {
				t.Fatalf("tried %d times, %v", len(w.taken), err)
			}
		}
	})
}

// Another process or node sends the webhooks that this one didn't.
func TestChargesAndWebhooksSurviveRestart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token := w.charge("deposit-1", "25")
		left, _ := token, w.pay(token)
		w.start()
		if p := w.read(left); p == nil || w.transaction(p.Meta.TransactionSignature, "confirmed") == nil {
			t.Errorf("after a restart: %+v", p)
		}
		if err := w.send(); err != nil || len(w.taken) != 1 {
			t.Errorf("%d webhooks, %v", len(w.taken), err)
		}
	})
}

func TestTwoNodesSendEachWebhookOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 10 {
			w.pay(w.charge("deposit", "5"))
		}
		var mutex sync.Mutex
		seen := map[string]int{}
		w.shop.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mutex.Lock()
			defer mutex.Unlock()
			seen[r.Header.Get("X-Signature")]++
		})
		first := w.Provider
		w.start()
		var both sync.WaitGroup
		for _, node := range []*sandbox.Provider{first, w.Provider} {
			both.Go(func() {
				if _, err := node.Jobs()[0].Do(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for signature, times := range seen {
			if times != 1 {
				t.Errorf("%s was sent %d times", signature, times)
			}
		}
		if len(seen) != 10 {
			t.Errorf("%d webhooks", len(seen))
		}
	})
}

func TestWebhookKnobs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sent := func(turn func(*sandbox.Knobs)) (deposits string) {
			k := sandbox.Ordinary()
			turn(&k)
			w.turn(k)
			w.taken = nil
			for _, dollars := range []string{"1", "2"} {
				w.pay(w.charge("deposit", dollars))
				w.clock.Advance(time.Second)
			}
			if err := w.send(); err != nil {
				t.Fatal(err)
			}
			for _, n := range w.taken {
				deposits += n.read(t).TransactionObject.Meta.TokenQuote.FromAmountDecimal[:1]
			}
			return deposits
		}
		for want, turn := range map[string]func(*sandbox.Knobs){
			"12":   func(*sandbox.Knobs) {},
			"1122": func(k *sandbox.Knobs) { k.Copies = 2 },
			"":     func(k *sandbox.Knobs) { k.Copies = 0 },
			"21":   func(k *sandbox.Knobs) { k.Newest = true },
		} {
			if got := sent(turn); got != want {
				t.Errorf("sent were %q, want %q", got, want)
			}
		}
		if got := sent(func(k *sandbox.Knobs) { k.Delay = time.Minute }); got != "" {
			t.Errorf("sent before their time: %q", got)
		}
		w.clock.Advance(time.Minute)
		if err := w.send(); err != nil || len(w.taken) != 2 {
			t.Errorf("%d webhooks, %v", len(w.taken), err)
		}
		if left := look(w, func(tx *db.Tx) (int64, error) {
			return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM sandbox_webhooks`)
		}); left != 0 {
			t.Errorf("%d webhooks are left", left)
		}
	})
}

// The widget uses the web app's colors in both themes.
func TestWidgetUsesWebAppColors(t *testing.T) {
	tokens := func(file, begin, end string) map[string]string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, part, _ := strings.Cut(string(text), begin)
		part, _, _ = strings.Cut(part, end)
		found := map[string]string{}
		for _, match := range regexp.MustCompile(`(--[\w-]+): ([^;]+);`).FindAllStringSubmatch(part, -1) {
			found[match[1]] = match[2]
		}
		return found
	}
	const css = "../../../web/src/styles/tokens.css"
	for _, theme := range []struct{ widget, app string }{{".card {", ":root,"}, {".card.light {", ":root.light"}} {
		of := tokens(css, theme.app, "\n}")
		used := tokens("embed.js", theme.widget, "\n  }")
		if len(used) != 14 {
			t.Errorf("%s has %d colors", theme.widget, len(used))
		}
		for name, colour := range used {
			if of[name] != colour {
				t.Errorf("%s %s is %s, the web app's %q", theme.widget, name, colour, of[name])
			}
		}
	}
}
