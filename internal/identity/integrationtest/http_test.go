package integrationtest_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// each runs test on every engine with an empty node and a clock that the test moves.
func each(t *testing.T, test func(t *testing.T, s *apptest.Server, clock *dbtest.Clock)) {
	t.Helper()
	apptest.EachWithClock(t, test, apptest.Empty)
}

// count returns the number of rows for a FROM clause.
func count(t testing.TB, s *apptest.Server, from string, args ...any) (n int) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int], "SELECT COUNT(*) FROM "+from, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// requestChallenge returns a message to sign.
func requestChallenge(t testing.TB, c *apptest.Client) string {
	t.Helper()
	var challenge struct{ Message string }
	c.Post(t, "/api/auth/challenge", map[string]any{"address": c.Address}).Want(t, http.StatusOK, &challenge)
	return challenge.Message
}

func sign(key ed25519.PrivateKey, message string) string {
	return base58.Encode(ed25519.Sign(key, []byte(message)))
}

// signInBody returns the body of a sign-in; signed may be nil.
func signInBody(address, signature string, signed []byte) map[string]any {
	p := map[string]any{"address": address, "signature": signature}
	if signed != nil {
		p["signedMessage"] = signed
	}
	return p
}

func verify(t testing.TB, c *apptest.Client, body map[string]any) apptest.Answer {
	t.Helper()
	return c.Post(t, "/api/auth/verify", body)
}

// newBrowser returns another browser with the same wallet.
func newBrowser(t testing.TB, c *apptest.Client) *apptest.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	other := *c
	other.HTTP = &http.Client{Jar: jar, Transport: c.HTTP.Transport}
	return &other
}

// A signature by another wallet, of another message or after expiry is refused and consumes the
// challenge. The right signature is then too late.
func TestSignInRefuses(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		attacker := s.NewClient(t)
		altered := func(old, replacement string) func(*apptest.Client, string) map[string]any {
			return func(c *apptest.Client, message string) map[string]any {
				other := strings.Replace(message, old, replacement, 1)
				if other == message {
					t.Fatalf("%q is not in the message", old)
				}
				return signInBody(c.Address, sign(c.Key, other), []byte(other))
			}
		}
		host := strings.TrimPrefix(s.URL, "http://")
		cases := map[string]func(c *apptest.Client, message string) map[string]any{
			"another key over a message naming the victim": func(c *apptest.Client, message string) map[string]any {
				return signInBody(c.Address, sign(attacker.Key, message), []byte(message))
			},
			"another key claiming its own address": func(_ *apptest.Client, message string) map[string]any {
				return signInBody(attacker.Address, sign(attacker.Key, message), []byte(message))
			},
			"another key over a message naming itself": func(c *apptest.Client, message string) map[string]any {
				own := strings.Replace(message, c.Address, attacker.Address, 1)
				return signInBody(c.Address, sign(attacker.Key, own), []byte(own))
			},
			"another domain":   altered(host+" wants", "evil.example wants"),
			"another port":     altered(host+" wants", strings.Split(host, ":")[0]+":1 wants"),
			"another URI":      altered("URI: http://", "URI: https://"),
			"another nonce":    altered("Nonce: ", "Nonce: 0"),
			"a longer life":    altered("Expiration Time: 2026", "Expiration Time: 2027"),
			"one byte altered": altered("costs nothing", "costs Nothing"),
			"one byte more":    altered("000Z", "000Z "),
			"signature altered": func(c *apptest.Client, m string) map[string]any {
				return signInBody(c.Address, flip(sign(c.Key, m)), nil)
			},
			"an empty signature": func(c *apptest.Client, _ string) map[string]any { return signInBody(c.Address, "", nil) },
			"another message said to be signed": func(c *apptest.Client, m string) map[string]any {
				return signInBody(c.Address, sign(c.Key, m), []byte(m+"x"))
			},
			"another address": func(c *apptest.Client, m string) map[string]any { return altered(c.Address, attacker.Address)(c, m) },
			"expired": func(c *apptest.Client, m string) map[string]any {
				clock.Advance(5 * time.Minute)
				return signInBody(c.Address, sign(c.Key, m), nil)
			},
		}
		for name, body := range cases {
			t.Run(name, func(t *testing.T) {
				c := s.NewClient(t)
				message := requestChallenge(t, c)
				verify(t, c, body(c, message)).Refused(t, http.StatusUnauthorized, "bad_signature")
				verify(t, c, signInBody(c.Address, sign(c.Key, message), nil)).Refused(t, http.StatusUnauthorized, "bad_signature")
				c.Get(t, "/api/auth/user").Refused(t, http.StatusUnauthorized, "unauthenticated")
			})
		}
		if n := count(t, s, "users") + count(t, s, "sessions") + count(t, s, "challenges"); n != 0 {
			t.Errorf("%d rows are left after the refusals, want 0", n)
		}
	})
}

// flip changes one byte of a signature.
func flip(signature string) string {
	raw, _ := base58.Decode(signature)
	raw[40] ^= 1
	return base58.Encode(raw)
}

func TestChallengeIsBoundToOneBrowserAndUsedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.NewClient(t)
		message := requestChallenge(t, c)
		body := signInBody(c.Address, sign(c.Key, message), nil)

		verify(t, s.NewClient(t), body).Refused(t, http.StatusUnauthorized, "no_cookie") // without a challenge
		other := newBrowser(t, c)
		requestChallenge(t, other)
		verify(t, other, body).Refused(t, http.StatusUnauthorized, "bad_signature") // with another challenge
		clock.Advance(5*time.Minute - time.Microsecond)
		verify(t, c, body).Want(t, http.StatusOK, nil) // at the last instant
		verify(t, c, body).Refused(t, http.StatusUnauthorized, "no_cookie")

		// Of two concurrent responses, one is accepted.
		message = requestChallenge(t, c)
		var statuses [8]int
		var wg sync.WaitGroup
		for i := range statuses {
			wg.Go(func() {
				a, _ := c.Try(t.Context(), "POST", "/api/auth/verify", signInBody(c.Address, sign(c.Key, message), nil))
				statuses[i] = a.Status
			})
		}
		wg.Wait()
		if got := fmt.Sprint(statuses); strings.Count(got, "200") != 1 || strings.Count(got, "401") != 7 {
			t.Errorf("responded %v, want one 200 and seven 401", statuses)
		}
	})
}

func TestMalformedAddressesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c := s.NewClient(t)
		for name, address := range map[string]string{
			"empty": "", "leading space": " " + c.Address, "trailing space": c.Address + " ", "line feed": c.Address + "\n",
			"31 bytes": base58.Encode(make([]byte, 31)), "33 bytes": base58.Encode(c.Key[:33]),
			"not base58": "0" + c.Address[1:], "a NUL": c.Address + "\x00", "long": strings.Repeat("1", 10_000),
		} {
			a := c.Post(t, "/api/auth/challenge", map[string]any{"address": address})
			a.Refused(t, http.StatusUnprocessableEntity, "invalid")
			if !strings.Contains(string(a.Body), `"fields":{"address":`) || len(a.Header["Set-Cookie"]) != 0 {
				t.Errorf("%s: %s, cookies %v", name, a.Body, a.Header["Set-Cookie"])
			}
		}
	})
}

// The message has the public URL's host, regardless of the request's headers.
func TestChallengeUsesThePublicURL(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		host := strings.TrimPrefix(s.URL, "http://")
		c := s.NewClient(t)
		c.Base = strings.Replace(s.URL, "localhost", "127.0.0.1", 1)
		var challenge struct {
			Message string
			Input   struct{ Domain, URI string }
		}
		c.Post(t, "/api/auth/challenge", map[string]any{"address": c.Address}, "X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example").
			Want(t, http.StatusOK, &challenge)
		if !strings.HasPrefix(challenge.Message, host+" wants you to sign in") || !strings.Contains(challenge.Message, "\nURI: "+s.URL+"\n") ||
			challenge.Input.Domain != host || challenge.Input.URI != s.URL {
			t.Errorf("the challenge requested at %s is %+v, want one for %s", c.Base, challenge, s.URL)
		}
	})
}

// A Ledger hardware wallet signs the text inside the off-chain message envelope, version 0.
func TestLedgerEnvelopeSignsIn(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		for _, sendsEnvelope := range []bool{false, true} {
			c := s.NewClient(t)
			message := requestChallenge(t, c)
			envelope := "\xffsolana offchain\x00\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(message)))) + message
			var signed []byte
			if sendsEnvelope {
				signed = []byte(envelope)
			}
			var answer struct {
				User struct{ WalletAddress, Role, UserTag string }
			}
			verify(t, c, signInBody(c.Address, sign(c.Key, envelope), signed)).Want(t, http.StatusOK, &answer)
			if answer.User.WalletAddress != c.Address || answer.User.Role != "user" || len(answer.User.UserTag) != 32 {
				t.Errorf("signed in as %+v, want the user %s with a tag of 32 digits", answer.User, c.Address)
			}
		}
	})
}

func TestWalletHeaderIsNeverTrusted(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c, other := s.SignIn(t), s.SignIn(t)
		get := func(c *apptest.Client, address string) apptest.Answer {
			return c.Get(t, "/api/wallet", "Authorization", "Wallet "+address)
		}
		get(c, c.Address).Want(t, http.StatusOK, nil)
		get(c, other.Address).Refused(t, http.StatusUnauthorized, "wallet_mismatch")
		get(s.NewClient(t), c.Address).Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}

// Two browsers sign in concurrently with the same new wallet.
func TestConcurrentFirstSignInsCreateOneUser(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		first := s.NewClient(t)
		var wg sync.WaitGroup
		for range 8 {
			c := newBrowser(t, first)
			body := signInBody(c.Address, sign(c.Key, requestChallenge(t, c)), nil)
			wg.Go(func() {
				if a, err := c.Try(t.Context(), "POST", "/api/auth/verify", body); err != nil || a.Status != http.StatusOK {
					t.Errorf("responded %d %s (%v)", a.Status, a.Body, err)
				}
			})
		}
		wg.Wait()
		for from, want := range map[string]int{"users": 1, "accounts": 1, "sessions": 8} {
			if n := count(t, s, from); n != want {
				t.Errorf("%d %s, want %d", n, from, want)
			}
		}
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			if commits, err := publiclog.AllLeaves[protocol.CommitLeaf](tx); err != nil || len(commits) != 1 {
				t.Errorf("%d commitments are in the log (%v), want 1", len(commits), err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		s.Audit(t)
	})
}

func TestProfileUpdates(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c := s.SignIn(t)
		patch := func(body any) apptest.Answer { return c.Call(t, http.MethodPatch, "/api/auth/user", body) }
		type names struct{ FirstName, ProfileImageURL string }
		for _, name := range []string{"a", "Ana María", "卡包玩家", strings.Repeat("é", 24), "🐼", "a b", "Username", "Anonymous Panda", `<b>"&'`} {
			var changed, read names
			patch(map[string]any{"firstName": name}).Want(t, http.StatusOK, &changed)
			c.Get(t, "/api/auth/user").Want(t, http.StatusOK, &read)
			if changed.FirstName != name || read.FirstName != name {
				t.Errorf("%q became %q, read back as %q", name, changed.FirstName, read.FirstName)
			}
		}
		for name, body := range map[string]string{
			"empty": `{"firstName":""}`, "25 characters": `{"firstName":"` + strings.Repeat("é", 25) + `"}`,
			"Hangul filler": `{"firstName":"\u3164"}`, "empty Braille": `{"firstName":"\u2800 \u2800"}`, "only a mark": `{"firstName":"\u0301"}`,
			"anonymous": `{"firstName":"anonymous"}`, "numbered user": `{"firstName":"User12"}`, "user with spaces": `{"firstName":" USER "}`,
			"blank": `{"firstName":"   "}`, "ideographic blank": `{"firstName":"\u3000"}`,
			"NUL": `{"firstName":"a\u0000"}`, "line feed": `{"firstName":"a\nb"}`, "line separator": `{"firstName":"a\u2028b"}`,
			"right to left": `{"firstName":"a\u202eb"}`, "zero width": `{"firstName":"a\u200bb"}`, "half a character": `{"firstName":"a\ud800"}`,
			"not text": `{"firstName":1}`, "plain http": `{"profileImageUrl":"http://a.example/b.png"}`,
			"script": `{"profileImageUrl":"javascript:alert(1)"}`, "a password": `{"profileImageUrl":"https://me:secret@a.example/b.png"}`, "long address": `{"profileImageUrl":"https://a.example/` + strings.Repeat("b", 500) + `"}`,
		} {
			t.Run(name, func(t *testing.T) { patch(body).Refused(t, http.StatusUnprocessableEntity, "invalid") })
		}
		patch("{\"firstName\":\"a\xff\"}").Refused(t, http.StatusBadRequest, "malformed") // invalid UTF-8
		// Null removes the name; absent fields are kept.
		var after names
		patch(map[string]any{"profileImageUrl": "https://a.example/b.png", "role": "admin"}).Want(t, http.StatusOK, &after)
		if after.FirstName != `<b>"&'` || after.ProfileImageURL != "https://a.example/b.png" || count(t, s, "users WHERE role = 'admin'") != 0 {
			t.Errorf("after the refused names and a new picture: %+v", after)
		}
		after = names{}
		patch(`{"firstName":null}`).Want(t, http.StatusOK, &after)
		if after.FirstName != "" || after.ProfileImageURL != "https://a.example/b.png" {
			t.Errorf("after removing the name: %+v", after)
		}
		patch(map[string]any{"firstName": "Ａｎｎ "}).Want(t, http.StatusOK, &after)
		if after.FirstName != "Ann" {
			t.Errorf("the name was not normalized: %+v", after)
		}
	})
}
