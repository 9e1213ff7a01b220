package helio_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/deposits/helio"
)

const webhookToken = "shared-token-of-the-webhook"

// signedHeaders returns the headers of a webhook as the provider signs it.
func signedHeaders(body string) http.Header {
	mac := hmac.New(sha256.New, []byte(webhookToken))
	mac.Write([]byte(body))
	return http.Header{"Authorization": {"Bearer " + webhookToken}, "X-Signature": {hex.EncodeToString(mac.Sum(nil))}}
}

func TestVerifyWebhook(t *testing.T) {
	body := readTestdata(t, "webhook.json")
	want := helio.Notice{Event: "CREATED", ID: inSOL.ID, Deposit: "dep-1", Signature: inSOL.Signature}
	upper := signedHeaders(body)
	upper.Set("X-Signature", strings.ToUpper(upper.Get("X-Signature")))
	for name, header := range map[string]http.Header{"unchanged": signedHeaders(body), "hex in capitals": upper} {
		if got, err := helio.VerifyWebhook(webhookToken, header, []byte(body)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestVerifyWebhookRefusesInvalidProofs(t *testing.T) {
	body := readTestdata(t, "webhook.json")
	for name, c := range map[string]struct {
		change func(http.Header)
		body   string
		token  string
	}{
		"no headers":                    {change: func(h http.Header) { clear(h) }},
		"no bearer":                     {change: func(h http.Header) { h.Del("Authorization") }},
		"no signature":                  {change: func(h http.Header) { h.Del("X-Signature") }},
		"empty headers":                 {change: func(h http.Header) { h.Set("Authorization", ""); h.Set("X-Signature", "") }},
		"another bearer":                {change: func(h http.Header) { h.Set("Authorization", "Bearer another") }},
		"only the token":                {change: func(h http.Header) { h.Set("Authorization", webhookToken) }},
		"bearer in capitals":            {change: func(h http.Header) { h.Set("Authorization", "BEARER "+webhookToken) }},
		"bearer and more":               {change: func(h http.Header) { h.Set("Authorization", "Bearer "+webhookToken+" ") }},
		"bearer twice":                  {change: func(h http.Header) { h.Add("Authorization", h.Get("Authorization")) }},
		"signature twice":               {change: func(h http.Header) { h.Add("X-Signature", h.Get("X-Signature")) }},
		"a wrong signature first":       {change: func(h http.Header) { h["X-Signature"] = []string{"00", h.Get("X-Signature")} }},
		"another signature":             {change: func(h http.Header) { h.Set("X-Signature", strings.Repeat("00", 32)) }},
		"half a signature":              {change: func(h http.Header) { h.Set("X-Signature", h.Get("X-Signature")[:32]) }},
		"a signature and more":          {change: func(h http.Header) { h.Set("X-Signature", h.Get("X-Signature")+"00") }},
		"no hex":                        {change: func(h http.Header) { h.Set("X-Signature", strings.Repeat("zz", 32)) }},
		"with the hash's name":          {change: func(h http.Header) { h.Set("X-Signature", "sha256="+h.Get("X-Signature")) }},
		"a changed body":                {body: strings.Replace(body, "20624999", "20624998", 1)},
		"a body with another space":     {body: body + " "},
		"no body":                       {body: " "},
		"a signature of an empty token": {token: "none"},
	} {
		header, sent, token := signedHeaders(body), body, webhookToken
		if c.change != nil {
			c.change(header)
		}
		if c.body != "" {
			sent = c.body
		}
		if c.token != "" {
			token = ""
			mac := hmac.New(sha256.New, nil)
			mac.Write([]byte(sent))
			header = http.Header{"Authorization": {"Bearer "}, "X-Signature": {hex.EncodeToString(mac.Sum(nil))}}
		}
		got, err := helio.VerifyWebhook(token, header, []byte(sent))
		if !errors.Is(err, helio.ErrInvalidProof) || got != (helio.Notice{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if strings.Contains(err.Error(), webhookToken) {
			t.Errorf("%s: the error contains the token: %q", name, err)
		}
	}
}

func TestSignedWebhookNeedsTransaction(t *testing.T) {
	for _, body := range []string{
		"", "null", "{}", "[]", "}{", `{"event":"CREATED","transactionObject":null}`, `{"event":"CREATED","transactionObject":{}}`,
		`{"event":"CREATED","transaction":"{\"id\":\"1\"}"}`, `{"transactionObject":{"id":"a b"}}`,
	} {
		if got, err := helio.VerifyWebhook(webhookToken, signedHeaders(body), []byte(body)); !errors.Is(err, helio.ErrInvalidNotice) || got != (helio.Notice{}) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
	for body, want := range map[string]helio.Notice{
		`{"event":"RENEWED","transactionObject":{"id":"1"}}`:                                       {Event: "RENEWED", ID: "1"},
		`{"event":"x y","transactionObject":{"id":"1","meta":{"transactionSignature":"a\u0000"}}}`: {ID: "1"},
	} {
		if got, err := helio.VerifyWebhook(webhookToken, signedHeaders(body), []byte(body)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}
