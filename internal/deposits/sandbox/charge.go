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

// lamportsPerSOL is the number of base units in one SOL.
const lamportsPerSOL = 1_000_000_000

// feeDivisor is the divisor of the provider's fee: it keeps 1/feeDivisor of the total.
const feeDivisor = 100

// state is the state of a charge.
type state string

// A pending charge has a transaction that isn't on the chain yet.
const (
	open    state = "open"
	pending state = "pending"
	paid    state = "paid"
	failed  state = "failed"
)

// charge is a charge and its transaction, if any.
type charge struct {
	token, id, depositID string
	amount               money.Cents
	lamports             int64 // total asked of the payer
	createdAt, expiresAt time.Time
	state

	transaction, signature, payer string // the provider's id; base58; base58
	receivedLamports              int64  // lamports that reached merchant and provider; 0 if failed
	actedAt                       time.Time
}

// lamportsFor converts an amount to lamports, rounded up so that it is never too little.
func lamportsFor(amount money.Cents) int64 {
	return (int64(amount)*lamportsPerSOL + int64(Price) - 1) / int64(Price)
}

// fee is the provider's part of the total, net the merchant's.
func (c charge) fee() int64 { return c.lamports / feeDivisor }
func (c charge) net() int64 { return c.lamports - c.fee() }

// payerAction is a payer's action on a charge, as named in the path.
type payerAction string

const (
	actionPay  payerAction = "pay"
	actionFail payerAction = "fail"
	actionPend payerAction = "pend"
)

var (
	errNoCharge      = apperr.Missing("Charge")
	errUnknownAction = apperr.Missing("Act")
	errExpired       = apperr.New(apperr.Conflict, "This charge has expired. You were not charged.")
	errChargeEnded   = apperr.New(apperr.Conflict, "This charge is already paid or failed.")
)

// transitions maps each action to its effect on each state. Other combinations are refused;
// repeating an action changes nothing.
var transitions = map[payerAction]map[state]state{
	actionPay:  {open: paid, pending: paid, paid: paid},
	actionFail: {open: failed, pending: failed, failed: failed},
	actionPend: {open: pending, pending: pending},
}

// applyAction returns the charge after an action. A transaction sent in time may reach the chain
// later.
func (c charge) applyAction(tx *db.Tx, a payerAction, behavior Behavior) (charge, error) {
	next, ok := transitions[a][c.state]
	switch {
	case transitions[a] == nil:
		return c, errUnknownAction
	case !ok:
		return c, errChargeEnded
	case next == c.state:
		return c, nil
	case c.state == open && !tx.Now.Before(c.expiresAt) && !behavior.AcceptLate:
		return c, errExpired
	}
	if c.state == open {
		c.transaction = objectID(tx)
		c.signature, c.payer = base58.Encode(tx.Random(64)), base58.Encode(tx.Random(32))
	}
	c.state, c.actedAt = next, tx.Now
	if next == paid {
		c.receivedLamports = c.lamports + behavior.ExtraLamports
	}
	return c, nil
}

// objectID returns an id in the provider's format.
func objectID(tx *db.Tx) string { return hex.EncodeToString(tx.Random(12)) }

// statuses are the provider's names for the states of a transaction.
var statuses = map[state]string{pending: "PENDING", paid: "SUCCESS", failed: "FAILED"}

// payment returns the charge's transaction in the provider's format, or nil if there is none. Like
// the provider's, it contains the agreed amounts, not those moved on the chain.
func (c charge) payment() map[string]any {
	if c.state == open {
		return nil
	}
	return map[string]any{
		"id": c.transaction, "paylinkId": Paylink, "fee": formatInt(c.fee()), "quantity": 1, "createdAt": timestamp(c.actedAt), "paymentType": "PAYLINK",
		"meta": map[string]any{
			"id": c.id, "amount": formatInt(c.net()), "totalAmount": formatInt(c.lamports), "affiliateAmount": "0",
			"senderPK": c.payer, "recipientPK": Treasury, "transactionSignature": c.signature,
			"transactionStatus": statuses[c.state], "transactionType": "PAYLINK",
			"customerDetails": map[string]any{"additionalJSON": c.additionalJSON()}, "productDetails": nil,
			"splitRevenue": false, "remainingAccounts": []any{},
			"currency": map[string]any{"id": "solana", "symbol": "SOL", "decimals": 9, "blockchain": map[string]any{"symbol": "SOL", "engine": map[string]any{"type": "SOL"}}},
			"tokenQuote": map[string]any{
				"from": "USD", "fromAmountDecimal": c.amount.String(), "to": "SOL", "toAmountMinimal": formatInt(c.lamports),
			},
		},
	}
}

// additionalJSON returns the JSON that the merchant passed with the charge. The provider encodes
// that text as JSON again.
func (c charge) additionalJSON() string {
	text, _ := json.Marshal(map[string]string{"depositId": c.depositID}) // strings can't fail
	quoted, _ := json.Marshal(string(text))
	return string(quoted)
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// timestamp formats a time like the provider.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Payment is a payment as reported by the fake provider.
type Payment struct {
	ID, Deposit, Charge, Signature string
	Amount                         money.Cents // the charge's price
	Owed, Received                 int64       // lamports owed to and received by the merchant
	At                             time.Time
}
