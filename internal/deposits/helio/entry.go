package helio

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/deposits/jsonclient"
	"kaibao/internal/money"
)

// entry is a payment in the provider's JSON: paylinkTx of a charge, an element of a list, or
// transactionObject of a webhook.
type entry struct {
	ID        string `json:"id"`
	Paylink   string `json:"paylinkId"`
	Fee       units  `json:"fee"`
	CreatedAt string `json:"createdAt"`
	Meta      *struct {
		Amount      units  `json:"amount"`
		TotalAmount units  `json:"totalAmount"`
		Sender      string `json:"senderPK"`
		Recipient   string `json:"recipientPK"`
		Signature   string `json:"transactionSignature"`
		Status      string `json:"transactionStatus"`
		Currency    struct {
			Symbol     string `json:"symbol"` // webhooks have only the id
			Blockchain *struct {
				Symbol string `json:"symbol"`
			} `json:"blockchain"`
		} `json:"currency"`
		Quote *struct {
			From   string `json:"from"`
			Amount string `json:"fromAmountDecimal"`
			To     string `json:"to"`
			Units  units  `json:"toAmountMinimal"`
		} `json:"tokenQuote"`
		Customer struct {
			AdditionalJSON json.RawMessage `json:"additionalJSON"`
		} `json:"customerDetails"`
	} `json:"meta"`
}

// units is an amount in base units, as text. The provider's reference uses strings, but some
// responses have numbers. It is parsed only once the currency is known, since amounts on other
// chains can exceed int64.
type units string

// UnmarshalJSON accepts a number or a string.
func (u *units) UnmarshalJSON(text []byte) error {
	*u = units(bytes.Trim(text, `"`))
	if *u == "null" {
		*u = ""
	}
	return nil
}

// int64 parses the amount. A missing amount is 0.
func (u units) int64() (int64, error) {
	if u == "" {
		return 0, nil
	}
	if strings.Trim(string(u), "0123456789") != "" {
		return 0, errors.New("an amount is not written in digits")
	}
	amount, err := strconv.ParseInt(string(u), 10, 64)
	if err != nil {
		return 0, errors.New("an amount is out of range")
	}
	return amount, nil
}

func (e *entry) payment() (Payment, error) {
	if word(e.ID) == "" || e.Meta == nil {
		return Payment{}, errors.New("a payment has no id or no meta")
	}
	at, err := time.Parse(time.RFC3339, e.CreatedAt)
	if err != nil {
		return Payment{}, errors.New("a payment has no time")
	}
	m := e.Meta
	p := Payment{
		ID: e.ID, Paylink: word(e.Paylink), Deposit: deposit(m.Customer.AdditionalJSON), Signature: word(m.Signature),
		Status: Status(word(m.Status)), Currency: e.currency(), Sender: word(m.Sender), Recipient: word(m.Recipient),
		USD: e.price(), At: at.UTC(),
	}
	if p.Currency != "SOL" && p.Currency != "USDC" {
		return p, nil
	}
	p.Owed, p.Net, err = e.amounts(p.Currency)
	if err != nil {
		return Payment{}, err
	}
	if p.Status.Paid() && (p.Net <= 0 || p.Net > p.Owed) {
		return Payment{}, errors.New("the amounts of a payment do not fit together")
	}
	return p, nil
}

// currency returns the payment's currency, followed by the chain if that isn't Solana. If meta has
// no symbol, it uses the quote's.
func (e *entry) currency() string {
	c := e.Meta.Currency
	symbol := word(c.Symbol)
	if symbol == "" && e.Meta.Quote != nil {
		symbol = word(e.Meta.Quote.To)
	}
	if c.Blockchain != nil && c.Blockchain.Symbol != "" && c.Blockchain.Symbol != "SOL" {
		return symbol + " on " + word(c.Blockchain.Symbol)
	}
	return symbol
}

// amounts returns the total that the payer owed and the merchant's part of it. The total comes from
// the quote, unless the quote is in a swap's source currency, or else from totalAmount, or else
// from amount plus fee.
func (e *entry) amounts(currency string) (owed, net int64, err error) {
	fee, err1 := e.Fee.int64()
	net, err2 := e.Meta.Amount.int64()
	owed, err3 := e.Meta.TotalAmount.int64()
	var err4 error
	if q := e.Meta.Quote; q != nil && q.To == currency && q.Units != "" {
		owed, err4 = q.Units.int64()
	}
	if owed == 0 {
		owed = net + fee
	}
	return owed, net, errors.Join(err1, err2, err3, err4)
}

// price returns the payment's price in USD.
func (e *entry) price() money.Cents {
	q := e.Meta.Quote
	if q == nil || q.From != "USD" || q.Amount == "" {
		return 0
	}
	text := q.Amount
	if whole, fraction, pointed := strings.Cut(text, "."); pointed && len(fraction) > 2 {
		text = whole + "." + fraction[:2] + strings.TrimRight(fraction[2:], "0")
	}
	cents, err := money.Parse(text)
	if err != nil || cents <= 0 {
		return NoWholeCents
	}
	return cents
}

// deposit extracts the deposit's id from additionalJSON. The provider re-encodes the JSON text it
// gets as a JSON string, so it may be nested several times.
func deposit(text json.RawMessage) string {
	for range 3 {
		var held string
		if json.Unmarshal(text, &held) != nil {
			break
		}
		text = json.RawMessage(held)
	}
	var note details
	if json.Unmarshal(text, &note) != nil {
		return ""
	}
	return word(note.DepositID)
}

// word returns text if it looks like an id, an address or a signature, otherwise "". External text
// ends up in queries and on pages.
func word(text string) string {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	if len(text) > 128 || strings.IndexFunc(text, odd) >= 0 {
		return ""
	}
	return text
}

// entries is a list of payments, in JSON an array or a single object.
type entries []entry

// UnmarshalJSON accepts an array or a single object.
func (list *entries) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return json.Unmarshal(text, (*[]entry)(list))
}

func (list entries) payments(call jsonclient.Call) ([]Payment, error) {
	payments := make([]Payment, 0, len(list))
	for i := range list {
		p, err := list[i].payment()
		if err != nil {
			return nil, call.Failed(err)
		}
		payments = append(payments, p)
	}
	return payments, nil
}

func within(payments []Payment, from, to time.Time) []Payment {
	return slices.DeleteFunc(payments, func(p Payment) bool { return p.At.Before(from) || !p.At.Before(to) })
}
