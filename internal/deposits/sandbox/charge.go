package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// lamportsPerSOL are the base units of one SOL.
const lamportsPerSOL = 1_000_000_000

// feePart is the part of what is asked that the provider keeps: one in so many.
const feePart = 100

// state is what has become of a charge.
type state string

// A pending charge has a transaction that the chain does not have yet.
const (
	open    state = "open"
	pending state = "pending"
	paid    state = "paid"
	failed  state = "failed"
)

// charge is one charge with its transaction, if it has one.
type charge struct {
	token, id, deposit string
	amount             money.Cents
	lamports           int64 // asked of the payer in all
	created, expires   time.Time
	state

	transaction, signature, payer string // the provider's id; base58
	moved                         int64  // lamports that reached the merchant and the provider; of a failed one none
	acted                         time.Time
}

// asked is the price of an amount in lamports, rounded up: nobody pays too little.
func asked(amount money.Cents) int64 {
	return (int64(amount)*lamportsPerSOL + int64(Price) - 1) / int64(Price)
}

// fee is what the provider keeps of what is asked; net is the merchant's.
func (c charge) fee() int64 { return c.lamports / feePart }
func (c charge) net() int64 { return c.lamports - c.fee() }

// act is what a payer does with a charge, by its name in the path.
type act string

const (
	pay   act = "pay"
	fails act = "fail"
	leave act = "pend"
)

var (
	errNoCharge = apperr.Missing("Charge")
	errNoAct    = apperr.Missing("Act")
	errExpired  = apperr.New(apperr.Conflict, "This charge has expired. Nothing was paid.")
	errDone     = apperr.New(apperr.Conflict, "This charge was paid or has failed already.")
)

// steps says what each act makes of a charge in each state; what it does not name is
// refused. An act that is repeated changes nothing.
var steps = map[act]map[state]state{
	pay:   {open: paid, pending: paid, paid: paid},
	fails: {open: failed, pending: failed, failed: failed},
	leave: {open: pending, pending: pending},
}

// after is the charge after an act. What was sent in time may reach the chain late.
func (c charge) after(tx *db.Tx, a act, k Knobs) (charge, error) {
	next, ok := steps[a][c.state]
	switch {
	case steps[a] == nil:
		return c, errNoAct
	case !ok:
		return c, errDone
	case next == c.state:
		return c, nil
	case c.state == open && !tx.Now.Before(c.expires) && !k.Late:
		return c, errExpired
	}
	if c.state == open {
		c.transaction = objectID(tx)
		c.signature, c.payer = base58.Encode(tx.Random(64)), base58.Encode(tx.Random(32))
	}
	c.state, c.acted = next, tx.Now
	if next == paid {
		c.moved = c.lamports + k.More
	}
	return c, nil
}

// objectID is an id as the provider's are.
func objectID(tx *db.Tx) string { return hex.EncodeToString(tx.Random(12)) }

// statuses are the provider's words for what became of a transaction.
var statuses = map[state]string{pending: "PENDING", paid: "SUCCESS", failed: "FAILED"}

// payment is the charge's transaction as the provider tells it: what was agreed, not
// what the chain moved. Nil = there is none.
func (c charge) payment() map[string]any {
	if c.state == open {
		return nil
	}
	return map[string]any{
		"id": c.transaction, "paylinkId": Paylink, "fee": digits(c.fee()), "quantity": 1, "createdAt": timestamp(c.acted), "paymentType": "PAYLINK",
		"meta": map[string]any{
			"id": c.id, "amount": digits(c.net()), "totalAmount": digits(c.lamports), "affiliateAmount": "0",
			"senderPK": c.payer, "recipientPK": Treasury, "transactionSignature": c.signature,
			"transactionStatus": statuses[c.state], "transactionType": "PAYLINK",
			"customerDetails": map[string]any{"additionalJSON": c.additional()}, "productDetails": nil,
			"splitRevenue": false, "remainingAccounts": []any{},
			"currency": map[string]any{"id": "solana", "symbol": "SOL", "decimals": 9, "blockchain": map[string]any{"symbol": "SOL", "engine": map[string]any{"type": "SOL"}}},
			"tokenQuote": map[string]any{
				"from": "USD", "fromAmountDecimal": c.amount.String(), "to": "SOL", "toAmountMinimal": digits(c.lamports),
			},
		},
	}
}

// additional is what the merchant gave with the charge. The provider writes that text
// as JSON once more.
func (c charge) additional() string {
	given, _ := json.Marshal(map[string]string{"depositId": c.deposit}) // of texts, which cannot fail
	again, _ := json.Marshal(string(given))
	return string(again)
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }

// timestamp is how the provider writes a time.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Payment is what the pretend provider says was paid.
type Payment struct {
	ID, Deposit, Charge, Signature string
	Amount                         money.Cents // that the charge was priced at
	Owed, Received                 int64       // lamports: of the merchant's, and what the chain moved to them
	At                             time.Time
}
