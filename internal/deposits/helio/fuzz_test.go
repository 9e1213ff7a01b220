package helio

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"kaibao/internal/deposits/jsonclient"
)

// Any response is rejected or yields valid payments.
func FuzzPayments(f *testing.F) {
	for _, file := range []string{"transactions.json", "transaction.json", "charge-paid.json", "webhook.json"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"id":"1","createdAt":"2026-11-22T10:13:00Z","fee":"9223372036854775807","meta":{"amount":1,"transactionStatus":"SUCCESS","currency":{"symbol":"SOL"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var list paymentJSONs
		if json.Unmarshal(text, &list) != nil {
			return
		}
		payments, err := list.payments(jsonclient.Call{})
		if err != nil && payments != nil {
			t.Errorf("%d payments beside %v", len(payments), err)
		}
		for _, p := range payments {
			known := p.Currency == "SOL" || p.Currency == "USDC"
			if known && p.Status.Paid() && (p.Net <= 0 || p.Owed < p.Net) || !known && (p.Owed != 0 || p.Net != 0) || p.USD < NoWholeCents {
				t.Errorf("amounts of %+v: want 0 < net ≤ owed if paid in a known currency, 0 in others, and USD ≥ NoWholeCents", p)
			}
			if all := p.ID + p.Paylink + p.Deposit + p.Signature + string(p.Status) + p.Sender + p.Recipient; p.ID == "" || strings.ContainsAny(all, "\x00 '\"<>/") {
				t.Errorf("payment is %+v, want an id, and no NUL, space, quote, <, > or / in any field", p)
			}
		}
	})
}
