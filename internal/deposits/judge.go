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

// sight is what the provider and the chain report about a deposit's payment.
type sight struct {
	payment   *helio.Payment      // nil = none
	final     *solana.Transaction // nil = not final
	confirmed bool                // it is on the chain
}

// verdict is the decision about a deposit that follows from a sight.
type verdict struct {
	state      State // the current state = keep waiting
	exception  Exception
	why        Reason
	confirming bool
}

// Merchant is the recipient of payments: the treasury, which holds SOL and owns the token accounts,
// and the mint of the accepted coin. Both are base58.
type Merchant struct{ Treasury, USDC string }

// settledStatuses mean that the provider considers the payment made, refusedStatuses that it
// doesn't.
var (
	settledStatuses = []helio.Status{helio.Success, helio.Settled}
	refusedStatuses = []helio.Status{helio.Failed, helio.Canceled, helio.Refunded}
)

// mostFee limits the provider's fee to 1/mostFee of a payment. About 1 % is agreed, so a payment
// with a larger fee isn't trusted.
const mostFee = 10

// graceForFinality is how long after its expiry a deposit stays open, since a last-moment payment
// takes that long to become visible.
const graceForFinality = 2 * time.Minute

// judge decides about an awaited deposit. The chain says what arrived and when; the provider says
// that it was for this deposit and how much was owed.
func (m Merchant) judge(d Deposit, s sight, now time.Time) verdict {
	if s.payment == nil || s.payment.Signature == "" {
		return d.unseen(s.payment != nil && !slices.Contains(refusedStatuses, s.payment.Status), now)
	}
	if s.final == nil {
		return d.waiting(s.confirmed, now)
	}
	return m.paidAs(d, *s.payment, s.final, now)
}

// unseen decides about a deposit without a transaction on the chain.
func (d Deposit) unseen(begun bool, now time.Time) verdict {
	switch {
	case begun || d.State == Pending:
		return d.waiting(false, now)
	case d.State == Quoted && !now.Before(d.ExpiresAt.Add(graceForFinality)):
		return verdict{state: Expired, why: unpaid}
	}
	return verdict{state: d.State}
}

// waiting decides about a deposit whose payment is under way, for up to policy.PaymentAwaited.
func (d Deposit) waiting(confirmed bool, now time.Time) verdict {
	switch {
	case !now.Before(d.lookUntil()):
		return verdict{state: Review, why: neverFinal}
	case d.State == Quoted:
		return verdict{state: Pending, why: seen, confirming: confirmed}
	}
	return verdict{state: d.State, confirming: confirmed}
}

// paidAs decides about a deposit whose transaction is final.
func (m Merchant) paidAs(d Deposit, p helio.Payment, t *solana.Transaction, now time.Time) verdict {
	settled, received := slices.Contains(settledStatuses, p.Status), m.received(p, t)
	review := func(x Exception, why Reason) verdict { return verdict{state: Review, exception: x, why: why} }
	switch {
	case t.Failed && settled:
		return review(AsAsked, disagreement)
	case t.Failed:
		return verdict{state: Rejected, why: failed}
	case received <= 0:
		return verdict{state: Rejected, why: elsewhere}
	case slices.Contains(refusedStatuses, p.Status) || p.Recipient != m.Treasury || !t.Signed(p.Sender) ||
		!t.At.IsZero() && t.At.Before(d.CreatedAt.Truncate(time.Second)) || p.Deposit != "" && p.Deposit != d.ID:
		return review(AsAsked, disagreement)
	case !settled || t.At.IsZero():
		return d.waiting(true, now)
	case p.Net < p.Owed-p.Owed/mostFee:
		return review(AsAsked, disagreement)
	case received < p.Net || m.dollars(p) < d.Amount:
		return review(Under, underpaid)
	case !t.At.Before(d.ExpiresAt) || d.State == Expired:
		return review(Late, late)
	case received > p.Net || m.dollars(p) > d.Amount:
		return verdict{state: Verified, exception: Over, why: paid}
	}
	return verdict{state: Verified, why: paid}
}

// received returns what the treasury received in a transaction, in base units of the payment's
// currency.
func (m Merchant) received(p helio.Payment, t *solana.Transaction) int64 {
	switch p.Currency {
	case "SOL":
		return t.Lamports(m.Treasury)
	case "USDC":
		return t.Tokens(m.Treasury, m.USDC)
	}
	return 0
}

// centOfUSDC is one cent in base units of USDC, which has 10⁶ per dollar.
const centOfUSDC = 10_000

// dollars returns the charge's price. If it is missing, a USDC payment's owed amount is used.
func (m Merchant) dollars(p helio.Payment) money.Cents {
	if p.USD == 0 && p.Currency == "USDC" {
		return money.Cents(p.Owed / centOfUSDC)
	}
	return p.USD
}

// arrived returns the received amount in cents at the charge's price, rounded down.
func (m Merchant) arrived(p helio.Payment, t *solana.Transaction) money.Cents {
	received := m.received(p, t)
	if received <= 0 || p.Net <= 0 || m.dollars(p) <= 0 {
		return 0
	}
	exact := new(big.Int).Mul(big.NewInt(int64(m.dollars(p))), big.NewInt(received))
	exact.Quo(exact, big.NewInt(p.Net))
	if !exact.IsInt64() {
		return math.MaxInt64
	}
	return money.Cents(exact.Int64())
}

// over returns how much more was received than owed, in base units.
func (m Merchant) over(p helio.Payment, t *solana.Transaction) int64 {
	return max(0, m.received(p, t)-p.Net)
}
