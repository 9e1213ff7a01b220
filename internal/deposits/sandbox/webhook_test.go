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

type webhookPayload struct {
	Event, ChargeToken, Transaction string
	TransactionObject               payment
}

// read verifies the webhook's signature and returns its content.
func (n notice) read(t *testing.T) (payload webhookPayload) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(sandbox.Token))
	mac.Write(n.body)
	if n.header.Get("X-Signature") != hex.EncodeToString(mac.Sum(nil)) || n.header.Get("Authorization") != "Bearer "+sandbox.Token || n.header.Get("Content-Type") != "application/json" {
		t.Errorf("the headers %v are not valid for the body %s", n.header, n.body)
	}
	if err := json.Unmarshal(n.body, &payload); err != nil {
		t.Fatal(err)
	}
	return payload
}

func TestWebhookIsSentOnceAndSigned(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		token := w.charge("deposit-1", "25")
		w.performAction(w.charge("deposit-2", "5"), "fail")
		w.performAction(w.charge("deposit-3", "5"), "pend")
		created := w.pay(token)
		for range 3 {
			if err := w.sendWebhooks(); err != nil {
				t.Fatal(err)
			}
		}
		if len(w.received) != 1 {
			t.Fatalf("%d webhooks", len(w.received))
		}
		got := w.received[0].read(t)
		var again payment
		if err := json.Unmarshal([]byte(got.Transaction), &again); err != nil || again != created {
			t.Errorf("the transaction as text is %s", got.Transaction)
		}
		if got.Event != "CREATED" || got.ChargeToken != token || got.TransactionObject != created {
			t.Errorf("webhook is %+v, want event CREATED for charge %s with transaction %+v", got, token, created)
		}
	})
}

// A failed webhook is retried with increasing delays, twelve times in all.
func TestWebhookIsTriedTwelveTimes(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		w.status.Store(http.StatusInternalServerError)
		w.pay(w.charge("deposit-1", "25"))
		seconds := []int64{0, 5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600}
		for i, pause := range seconds {
			if pause > 0 {
				w.clock.Advance(time.Duration(pause)*time.Second - time.Microsecond)
				if err := w.sendWebhooks(); err != nil || len(w.received) != i {
					t.Fatalf("tried %d times, %v, want %d", len(w.received), err, i)
				}
				w.clock.Advance(time.Microsecond)
			}
			if err := w.sendWebhooks(); err == nil || len(w.received) != i+1 {
				t.Fatalf("tried %d times, %v, want %d and the response status", len(w.received), err, i+1)
			}
		}
		w.clock.Advance(24 * time.Hour)
		w.status.Store(http.StatusOK)
		if err := w.sendWebhooks(); err != nil || len(w.received) != len(seconds) {
			t.Errorf("tried %d times, %v", len(w.received), err)
		}
	})
}

func TestLateAcceptedWebhookIsNotResent(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		w.status.Store(http.StatusBadGateway)
		w.pay(w.charge("deposit-1", "25"))
		_ = w.sendWebhooks()
		w.status.Store(http.StatusNoContent)
		for range 3 {
			w.clock.Advance(time.Hour)
			if err := w.sendWebhooks(); err != nil || len(w.received) != 2 {
				t.Fatalf("tried %d times, %v", len(w.received), err)
			}
		}
	})
}

// Another process or node sends the webhooks that this one didn't.
func TestChargesAndWebhooksSurviveRestart(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		token := w.charge("deposit-1", "25")
		token2, _ := token, w.pay(token)
		w.start()
		if p := w.loadPayment(token2); p == nil || w.transaction(p.Meta.TransactionSignature, "confirmed") == nil {
			t.Errorf("after a restart: %+v", p)
		}
		if err := w.sendWebhooks(); err != nil || len(w.received) != 1 {
			t.Errorf("%d webhooks, %v", len(w.received), err)
		}
	})
}

func TestTwoNodesSendEachWebhookOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		for range 10 {
			w.pay(w.charge("deposit", "5"))
		}
		var mutex sync.Mutex
		seen := map[string]int{}
		w.merchant.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mutex.Lock()
			defer mutex.Unlock()
			seen[r.Header.Get("X-Signature")]++
		})
		first := w.Provider
		w.start()
		var wg sync.WaitGroup
		for _, node := range []*sandbox.Provider{first, w.Provider} {
			wg.Go(func() {
				if _, err := node.Jobs()[0].Do(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
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

func TestWebhookBehavior(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		sent := func(change func(*sandbox.Behavior)) (deposits string) {
			behavior := sandbox.DefaultBehavior()
			change(&behavior)
			w.setBehavior(behavior)
			w.received = nil
			for _, dollars := range []string{"1", "2"} {
				w.pay(w.charge("deposit", dollars))
				w.clock.Advance(time.Second)
			}
			if err := w.sendWebhooks(); err != nil {
				t.Fatal(err)
			}
			for _, n := range w.received {
				deposits += n.read(t).TransactionObject.Meta.TokenQuote.FromAmountDecimal[:1]
			}
			return deposits
		}
		for want, change := range map[string]func(*sandbox.Behavior){
			"12":   func(*sandbox.Behavior) {},
			"1122": func(behavior *sandbox.Behavior) { behavior.WebhookCopies = 2 },
			"":     func(behavior *sandbox.Behavior) { behavior.WebhookCopies = 0 },
			"21":   func(behavior *sandbox.Behavior) { behavior.NewestWebhookFirst = true },
		} {
			if got := sent(change); got != want {
				t.Errorf("webhooks were sent for the deposits %q, want %q", got, want)
			}
		}
		if got := sent(func(behavior *sandbox.Behavior) { behavior.WebhookDelay = time.Minute }); got != "" {
			t.Errorf("sent before their time: %q", got)
		}
		w.clock.Advance(time.Minute)
		if err := w.sendWebhooks(); err != nil || len(w.received) != 2 {
			t.Errorf("%d webhooks, %v", len(w.received), err)
		}
		if left := readDB(w, func(tx *db.Tx) (int64, error) {
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
		appColors := tokens(css, theme.app, "\n}")
		widgetColors := tokens("embed.js", theme.widget, "\n  }")
		if len(widgetColors) != 14 {
			t.Errorf("%s has %d colors", theme.widget, len(widgetColors))
		}
		for name, color := range widgetColors {
			if appColors[name] != color {
				t.Errorf("%s %s is %s, the web app's %q", theme.widget, name, color, appColors[name])
			}
		}
	}
}
