package helio_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/jsonclient/jsonclienttest"
	"kaibao/internal/money"
)

func TestPaymentFields(t *testing.T) {
	type fields = map[string]any
	quote := func(to, units any) fields {
		return fields{"from": "USD", "fromAmountDecimal": "5", "to": to, "toAmountMinimal": units}
	}
	for name, c := range map[string]struct {
		top, meta fields
		want      func(*helio.Payment)
	}{
		"numbers":                       {top: fields{"fee": 250_000}, meta: fields{"amount": 24_750_000, "totalAmount": 25_000_000, "tokenQuote": nil}, want: func(p *helio.Payment) { p.USD = 0 }},
		"no quote, no total":            {meta: fields{"totalAmount": nil, "tokenQuote": nil}, want: func(p *helio.Payment) { p.USD = 0 }},
		"a quote in a swapped currency": {meta: fields{"tokenQuote": quote("BONK", "99")}, want: func(p *helio.Payment) { p.USD = 5_00 }},
		"a quote without units":         {meta: fields{"tokenQuote": quote("USDC", nil)}, want: func(p *helio.Payment) { p.USD = 5_00 }},
		"another price":                 {meta: fields{"tokenQuote": fields{"from": "EUR", "fromAmountDecimal": "5"}}, want: func(p *helio.Payment) { p.USD = 0 }},
		"an unknown status":             {meta: fields{"transactionStatus": "DISPUTED"}, want: func(p *helio.Payment) { p.Status = "DISPUTED" }},
		"refunded":                      {meta: fields{"transactionStatus": "REFUNDED"}, want: func(p *helio.Payment) { p.Status = helio.Refunded }},
		"a NUL in a text":               {meta: fields{"transactionSignature": "a\x00b"}, want: func(p *helio.Payment) { p.Signature = "" }},
		"a long text":                   {meta: fields{"senderPK": strings.Repeat("a", 129)}, want: func(p *helio.Payment) { p.Sender = "" }},
		"a note that is no JSON":        {meta: fields{"customerDetails": fields{"additionalJSON": "dep-2"}}, want: func(p *helio.Payment) { p.Deposit = "" }},
		"a note that is a list":         {meta: fields{"customerDetails": fields{"additionalJSON": "[]"}}, want: func(p *helio.Payment) { p.Deposit = "" }},
		"a note that is an object":      {meta: fields{"customerDetails": fields{"additionalJSON": fields{"depositId": "dep-2"}}}, want: func(*helio.Payment) {}},
		"a note nested too deeply":      {meta: fields{"customerDetails": fields{"additionalJSON": nestedQuotes(6, `{"depositId":"dep-2"}`)}}, want: func(p *helio.Payment) { p.Deposit = "" }},
		"a hostile id":                  {meta: fields{"customerDetails": fields{"additionalJSON": `{"depositId":"a' OR 1"}`}}, want: func(p *helio.Payment) { p.Deposit = "" }},
		"USDC elsewhere": {meta: fields{"amount": strings.Repeat("9", 40), "currency": fields{"symbol": "USDC", "blockchain": fields{"symbol": "BASE"}}},
			want: func(p *helio.Payment) { p.Currency, p.Owed, p.Net = "USDC on BASE", 0, 0 }},
		"only the currency's id": {meta: fields{"currency": fields{"id": "6340313846e4f91b8abc519b", "blockchain": nil}}, want: func(*helio.Payment) {}},
	} {
		want := inUSDC
		c.want(&want)
		got, err := client(jsonclienttest.Serve(t, 200, withFields(t, c.top, c.meta))).PaymentsBySignature(t.Context(), "s")
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
}

func TestPrices(t *testing.T) {
	for text, want := range map[string]money.Cents{
		"5": 5_00, "5.0": 5_00, "5.000000": 5_00, "0.01": 1, "10000.10": 10_000_10, "": 0,
		"4.999": helio.NoWholeCents, "5.001": helio.NoWholeCents, "0.001": helio.NoWholeCents, "0": helio.NoWholeCents, "-5": helio.NoWholeCents,
		"5e2": helio.NoWholeCents, "NaN": helio.NoWholeCents, "five": helio.NoWholeCents, "5.0x0": helio.NoWholeCents, "99999999999999999999": helio.NoWholeCents,
	} {
		quote := map[string]any{"from": "USD", "fromAmountDecimal": text, "to": "USDC", "toAmountMinimal": "25000000"}
		got, err := client(jsonclienttest.Serve(t, 200, withFields(t, nil, map[string]any{"tokenQuote": quote}))).PaymentsBySignature(t.Context(), "s")
		if err != nil || len(got) != 1 || got[0].USD != want {
			t.Errorf("price %q: %+v, %v; want %d", text, got, err, want)
		}
	}
}

func TestInvalidPaymentIsOutage(t *testing.T) {
	type fields = map[string]any
	for name, c := range map[string]struct{ top, meta fields }{
		"no id":                   {top: fields{"id": ""}},
		"no time":                 {top: fields{"createdAt": "yesterday"}},
		"no meta":                 {top: fields{"meta": nil}},
		"a fee that is no number": {top: fields{"fee": "much"}},
		"a float":                 {meta: fields{"amount": 2.5}},
		"an exponent":             {meta: fields{"amount": json.RawMessage("1e9")}},
		"below zero":              {meta: fields{"amount": "-1"}},
		"beyond 64 bits":          {meta: fields{"totalAmount": "9223372036854775808", "tokenQuote": nil}},
		"no net amount":           {meta: fields{"amount": "0"}},
		"more net than owed":      {meta: fields{"amount": "25000001"}},
		"a sum that overflows":    {top: fields{"fee": "9223372036854775807"}, meta: fields{"totalAmount": "", "tokenQuote": nil}},
	} {
		got, err := client(jsonclienttest.Serve(t, 200, withFields(t, c.top, c.meta))).PaymentsBySignature(t.Context(), "s")
		if !apperr.IsCode(err, apperr.Unavailable) || got != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// withFields returns transaction.json with other fields.
func withFields(t *testing.T, top, meta map[string]any) string {
	t.Helper()
	var whole map[string]any
	decoder := json.NewDecoder(strings.NewReader(readTestdata(t, "transaction.json")))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	maps.Copy(whole["meta"].(map[string]any), meta)
	maps.Copy(whole, top)
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func nestedQuotes(times int, text string) string {
	for range times {
		quoted, _ := json.Marshal(text)
		text = string(quoted)
	}
	return text
}
