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

// paymentJSON is a payment in the provider's JSON: paylinkTx of a charge, an element of a list, or
// transactionObject of a webhook.
type paymentJSON struct {
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
		return 0, errors.New("amount is not a number")
	}
	amount, err := strconv.ParseInt(string(u), 10, 64)
	if err != nil {
		return 0, errors.New("amount out of range")
	}
	return amount, nil
}

func (e *paymentJSON) payment() (Payment, error) {
	if sanitizeID(e.ID) == "" || e.Meta == nil {
		return Payment{}, errors.New("payment without id or meta")
	}
	at, err := time.Parse(time.RFC3339, e.CreatedAt)
	if err != nil {
		return Payment{}, errors.New("payment without time")
	}
	m := e.Meta
	p := Payment{
		ID: e.ID, Paylink: sanitizeID(e.Paylink), Deposit: depositID(m.Customer.AdditionalJSON), Signature: sanitizeID(m.Signature),
		Status: Status(sanitizeID(m.Status)), Currency: e.currency(), Sender: sanitizeID(m.Sender), Recipient: sanitizeID(m.Recipient),
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
		return Payment{}, errors.New("payment amounts contradict each other")
	}
	return p, nil
}

// currency returns the payment's currency, followed by the chain if that isn't Solana. If meta has
// no symbol, it uses the quote's.
func (e *paymentJSON) currency() string {
	c := e.Meta.Currency
	symbol := sanitizeID(c.Symbol)
	if symbol == "" && e.Meta.Quote != nil {
		symbol = sanitizeID(e.Meta.Quote.To)
	}
	if c.Blockchain != nil && c.Blockchain.Symbol != "" && c.Blockchain.Symbol != "SOL" {
		return symbol + " on " + sanitizeID(c.Blockchain.Symbol)
	}
	return symbol
}

// amounts returns the total that the payer owed and the merchant's part of it. The total comes from
// the quote, unless the quote is in a swap's source currency, or else from totalAmount, or else
// from amount plus fee.
func (e *paymentJSON) amounts(currency string) (owed, net int64, err error) {
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
func (e *paymentJSON) price() money.Cents {
	q := e.Meta.Quote
	if q == nil || q.From != "USD" || q.Amount == "" {
		return 0
	}
	text := q.Amount
	if whole, fraction, hasPoint := strings.Cut(text, "."); hasPoint && len(fraction) > 2 {
		text = whole + "." + fraction[:2] + strings.TrimRight(fraction[2:], "0")
	}
	cents, err := money.Parse(text)
	if err != nil || cents <= 0 {
		return NoWholeCents
	}
	return cents
}

// depositID extracts the deposit's id from additionalJSON. The provider re-encodes the JSON text it
// gets as a JSON string, so it may be nested several times.
func depositID(text json.RawMessage) string {
	for range 3 {
		var inner string
		if json.Unmarshal(text, &inner) != nil {
			break
		}
		text = json.RawMessage(inner)
	}
	var note chargeDetails
	if json.Unmarshal(text, &note) != nil {
		return ""
	}
	return sanitizeID(note.DepositID)
}

// sanitizeID returns text if it looks like an id, an address or a signature, otherwise "". External text
// ends up in queries and on pages.
func sanitizeID(text string) string {
	invalid := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	if len(text) > 128 || strings.IndexFunc(text, invalid) >= 0 {
		return ""
	}
	return text
}

// paymentJSONs is a list of payments, in JSON an array or a single object.
type paymentJSONs []paymentJSON

// UnmarshalJSON accepts an array or a single object.
func (list *paymentJSONs) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return json.Unmarshal(text, (*[]paymentJSON)(list))
}

func (list paymentJSONs) payments(call jsonclient.Call) ([]Payment, error) {
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

func paymentsWithin(payments []Payment, from, to time.Time) []Payment {
	return slices.DeleteFunc(payments, func(p Payment) bool { return p.At.Before(from) || !p.At.Before(to) })
}
