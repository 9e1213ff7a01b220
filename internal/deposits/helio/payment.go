package helio

import (
	"time"

	"kaibao/internal/money"
)

// Status is what the provider says of a payment.
type Status string

// The statuses that are documented. Others are kept as they come.
const (
	Initiated Status = "INITIATED"
	Pending   Status = "PENDING"
	Success   Status = "SUCCESS"
	Failed    Status = "FAILED"
	Canceled  Status = "CANCELED"
	Settled   Status = "SETTLED"
	Refunded  Status = "REFUNDED"
)

// Paid tells whether the provider counts the payment as made.
func (s Status) Paid() bool { return s == Success || s == Settled }

// NoWholeCents is the price in USD of a payment that is for no charge of ours: ours are
// in whole cents.
const NoWholeCents money.Cents = -1

// Payment is what the provider says was paid. Base units are lamports of SOL and
// millionths of USDC; in any other currency Owed and Net are 0. A paid one in SOL or
// USDC has 0 < Net ≤ Owed.
//
// Deposit is what the page sent along on which was paid. Whoever pays the paylink
// without a charge of ours may write there what they like: it finds a deposit, and the
// charge's own token proves it.
type Payment struct {
	ID        string // the provider's transaction id
	Paylink   string
	Deposit   string // from customerDetails.additionalJSON; "" = none
	Signature string // of the chain's transaction; "" = none yet
	Status    Status
	Currency  string      // "SOL" or "USDC", on Solana; others are another thing
	Sender    string      // base58
	Recipient string      // base58
	Owed      int64       // base units asked of the payer in all (tokenQuote.toAmountMinimal, or totalAmount)
	Net       int64       // base units of it that are for us, after the provider's fee (amount)
	USD       money.Cents // what it was priced at (tokenQuote.fromAmountDecimal); 0 = not told, NoWholeCents
	At        time.Time
}
