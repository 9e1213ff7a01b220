package helio

import (
	"time"

	"kaibao/internal/money"
)

// Status is the provider's status of a payment.
type Status string

// The documented statuses. Unknown ones are kept as they are.
const (
	Initiated Status = "INITIATED"
	Pending   Status = "PENDING"
	Success   Status = "SUCCESS"
	Failed    Status = "FAILED"
	Canceled  Status = "CANCELED"
	Settled   Status = "SETTLED"
	Refunded  Status = "REFUNDED"
)

// Paid reports whether the provider counts the payment as made.
func (s Status) Paid() bool { return s == Success || s == Settled }

// NoWholeCents is the price of a payment whose USD amount isn't in whole cents, so it isn't for one
// of our charges.
const NoWholeCents money.Cents = -1

// Payment is a payment as reported by the provider. Amounts are in base units: lamports of SOL or
// millionths of USDC. In other currencies, Owed and Net are 0. A paid payment in SOL or USDC has 0
// < Net ≤ Owed.
//
// Deposit comes from the payment page and is not trustworthy: someone who pays the paylink without
// a charge can write anything into it. Use it only to find a deposit; the charge's token is the
// proof.
type Payment struct {
	ID        string // the provider's transaction id
	Paylink   string
	Deposit   string // from customerDetails.additionalJSON; may be ""
	Signature string // of the transaction on the chain; "" = none yet
	Status    Status
	Currency  string      // "SOL" or "USDC" on Solana, or something else
	Sender    string      // base58
	Recipient string      // base58
	Owed      int64       // total asked of the payer (tokenQuote.toAmountMinimal or totalAmount)
	Net       int64       // the merchant's part, after the provider's fee (amount)
	USD       money.Cents // price (tokenQuote.fromAmountDecimal); 0 = unknown; or NoWholeCents
	At        time.Time
}
