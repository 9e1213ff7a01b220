package deposits

import (
	"math"
	"math/big"
	"slices"
	"time"

	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/money"
)

// observation has the reports of the provider and the chain about a deposit's payment.
type observation struct {
	payment   *helio.Payment      // nil = none
	final     *solana.Transaction // nil = not final
	confirmed bool                // it is on the chain
}

// verdict is the decision about a deposit that follows from an observation.
type verdict struct {
	state      State // the current state = keep waiting
	exception  Exception
	reason     Reason
	confirming bool
}

// Merchant is the recipient of payments: the treasury, which holds SOL and owns the token accounts,
// and the mint of the accepted coin. Both are base58.
type Merchant struct{ Treasury, USDC string }

// paidStatuses mean that the provider considers the payment made, unpaidStatuses that it
// doesn't.
var (
	paidStatuses   = []helio.Status{helio.Success, helio.Settled}
	unpaidStatuses = []helio.Status{helio.Failed, helio.Canceled, helio.Refunded}
)

// maxFeeDivisor limits the provider's fee to 1/maxFeeDivisor of a payment. About 1 % is agreed, so a payment
// with a larger fee isn't trusted.
const maxFeeDivisor = 10

// expiryGrace is how long after its expiry a deposit stays open, since a last-moment payment
// takes that long to become visible.
const expiryGrace = 2 * time.Minute

// decide returns the verdict about a deposit that awaits its payment. The chain is the source for the
// amount received and the time, the provider for the deposit it belongs to and the amount owed.
func (m Merchant) decide(d Deposit, observed observation, now time.Time) verdict {
	if observed.payment == nil || observed.payment.Signature == "" {
		return d.decideWithoutTransaction(observed.payment != nil && !slices.Contains(unpaidStatuses, observed.payment.Status), now)
	}
	if observed.final == nil {
		return d.decideUnfinalized(observed.confirmed, now)
	}
	return m.decideFinal(d, *observed.payment, observed.final, now)
}

// decideWithoutTransaction decides about a deposit without a transaction on the chain.
func (d Deposit) decideWithoutTransaction(started bool, now time.Time) verdict {
	switch {
	case started || d.State == Pending:
		return d.decideUnfinalized(false, now)
	case d.State == Quoted && !now.Before(d.ExpiresAt.Add(expiryGrace)):
		return verdict{state: Expired, reason: reasonUnpaid}
	}
	return verdict{state: d.State}
}

// decideUnfinalized decides about a deposit whose payment is under way, for up to policy.PaymentAwaited.
func (d Deposit) decideUnfinalized(confirmed bool, now time.Time) verdict {
	switch {
	case !now.Before(d.pollDeadline()):
		return verdict{state: Review, reason: reasonNeverFinal}
	case d.State == Quoted:
		return verdict{state: Pending, reason: reasonSeen, confirming: confirmed}
	}
	return verdict{state: d.State, confirming: confirmed}
}

// decideFinal decides about a deposit whose transaction is final.
func (m Merchant) decideFinal(d Deposit, p helio.Payment, t *solana.Transaction, now time.Time) verdict {
	settled, received := slices.Contains(paidStatuses, p.Status), m.receivedUnits(p, t)
	review := func(x Exception, reason Reason) verdict { return verdict{state: Review, exception: x, reason: reason} }
	switch {
	case t.Failed && settled:
		return review(AsRequested, reasonMismatch)
	case t.Failed:
		return verdict{state: Rejected, reason: reasonFailed}
	case received <= 0:
		return verdict{state: Rejected, reason: reasonWrongRecipient}
	case slices.Contains(unpaidStatuses, p.Status) || p.Recipient != m.Treasury || !t.SignedBy(p.Sender) ||
		!t.At.IsZero() && t.At.Before(d.CreatedAt.Truncate(time.Second)) || p.Deposit != "" && p.Deposit != d.ID:
		return review(AsRequested, reasonMismatch)
	case !settled || t.At.IsZero():
		return d.decideUnfinalized(true, now)
	case p.Net < p.Owed-p.Owed/maxFeeDivisor:
		return review(AsRequested, reasonMismatch)
	case received < p.Net || m.chargePrice(p) < d.Amount:
		return review(Under, reasonUnderpaid)
	case !t.At.Before(d.ExpiresAt) || d.State == Expired:
		return review(Late, reasonLate)
	case received > p.Net || m.chargePrice(p) > d.Amount:
		return verdict{state: Verified, exception: Over, reason: reasonPaid}
	}
	return verdict{state: Verified, reason: reasonPaid}
}

// receivedUnits returns the amount that the treasury received in a transaction, in base units of the
// payment's currency.
func (m Merchant) receivedUnits(p helio.Payment, t *solana.Transaction) int64 {
	switch p.Currency {
	case "SOL":
		return t.Lamports(m.Treasury)
	case "USDC":
		return t.Tokens(m.Treasury, m.USDC)
	}
	return 0
}

// usdcUnitsPerCent is one cent in base units of USDC, which has 10⁶ per dollar.
const usdcUnitsPerCent = 10_000

// chargePrice returns the charge's price. If it is missing, a USDC payment's owed amount is used.
func (m Merchant) chargePrice(p helio.Payment) money.Cents {
	if p.USD == 0 && p.Currency == "USDC" {
		return money.Cents(p.Owed / usdcUnitsPerCent)
	}
	return p.USD
}

// receivedValue returns the received amount in cents at the charge's price, rounded down.
func (m Merchant) receivedValue(p helio.Payment, t *solana.Transaction) money.Cents {
	received := m.receivedUnits(p, t)
	if received <= 0 || p.Net <= 0 || m.chargePrice(p) <= 0 {
		return 0
	}
	exact := new(big.Int).Mul(big.NewInt(int64(m.chargePrice(p))), big.NewInt(received))
	exact.Quo(exact, big.NewInt(p.Net))
	if !exact.IsInt64() {
		return math.MaxInt64
	}
	return money.Cents(exact.Int64())
}

// excessUnits returns how much more was received than owed, in base units.
func (m Merchant) excessUnits(p helio.Payment, t *solana.Transaction) int64 {
	return max(0, m.receivedUnits(p, t)-p.Net)
}
