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

// sight is what provider and chain tell of a deposit's payment.
type sight struct {
	payment   *helio.Payment      // nil = none was made
	final     *solana.Transaction // nil = the chain does not have it for good
	confirmed bool                // the chain has it
}

// verdict is what a sight makes of a deposit.
type verdict struct {
	state      State // the deposit's own = it waits on
	exception  Exception
	why        Reason
	confirming bool
}

// Merchant is where payments go to: our account of SOL and owner of tokens, and the mint
// of the coin that is taken beside SOL. Both are base58.
type Merchant struct{ Treasury, USDC string }

// settledStatuses are those by which the provider says that it was paid, refusedStatuses
// those by which it says that it was not.
var (
	settledStatuses = []helio.Status{helio.Success, helio.Settled}
	refusedStatuses = []helio.Status{helio.Failed, helio.Canceled, helio.Refunded}
)

// mostFee bounds what the provider keeps of a payment, one in so many: about one in a
// hundred is agreed, so that one which says that it keeps more is not believed.
const mostFee = 10

// graceForFinality is how long after its end a deposit is not yet given up: what was paid
// in its last moment takes so long to be known.
const graceForFinality = 2 * time.Minute

// judge says what becomes of an awaited deposit. The chain says what came to us, and
// when; the provider says that it was for this deposit, and what was owed.
func (m Merchant) judge(d Deposit, s sight, now time.Time) verdict {
	if s.payment == nil || s.payment.Signature == "" {
		return d.unseen(s.payment != nil && !slices.Contains(refusedStatuses, s.payment.Status), now)
	}
	if s.final == nil {
		return d.waiting(s.confirmed, now)
	}
	return m.paidAs(d, *s.payment, s.final, now)
}

// unseen is the verdict where the chain has nothing of a payment.
func (d Deposit) unseen(begun bool, now time.Time) verdict {
	switch {
	case begun || d.State == Pending:
		return d.waiting(false, now)
	case d.State == Quoted && !now.Before(d.ExpiresAt.Add(graceForFinality)):
		return verdict{state: Expired, why: unpaid}
	}
	return verdict{state: d.State}
}

// waiting is the verdict where a payment is on its way: a day long.
func (d Deposit) waiting(confirmed bool, now time.Time) verdict {
	switch {
	case !now.Before(d.lookUntil()):
		return verdict{state: Review, why: neverFinal}
	case d.State == Quoted:
		return verdict{state: Pending, why: seen, confirming: confirmed}
	}
	return verdict{state: d.State, confirming: confirmed}
}

// paidAs is the verdict where the chain has the transaction for good.
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

// received is what came to us by a transaction, in the currency that the provider names.
func (m Merchant) received(p helio.Payment, t *solana.Transaction) int64 {
	switch p.Currency {
	case "SOL":
		return t.Lamports(m.Treasury)
	case "USDC":
		return t.Tokens(m.Treasury, m.USDC)
	}
	return 0
}

// centOfUSDC is a cent in the coin's smallest units, of which a dollar has 10⁶.
const centOfUSDC = 10_000

// dollars is what the charge was priced at. In USDC what is owed says so.
func (m Merchant) dollars(p helio.Payment) money.Cents {
	if p.USD == 0 && p.Currency == "USDC" {
		return money.Cents(p.Owed / centOfUSDC)
	}
	return p.USD
}

// arrived is what came to us in cents, at the price of the charge, rounded down.
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

// over is how much more came to us than was owed.
func (m Merchant) over(p helio.Payment, t *solana.Transaction) int64 {
	return max(0, m.received(p, t)-p.Net)
}
