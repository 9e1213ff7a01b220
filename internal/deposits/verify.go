package deposits

import (
	"context"
	"errors"
	"net/http"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// providerTimeout is the deadline of requests that query the provider and the chain.
const providerTimeout = 15 * time.Second

type paymentInput struct {
	Body struct {
		Amount        money.Dollars `json:"amount" doc:"The requested amount in dollars."`
		PaymentID     httpapi.ID    `json:"paymentId" doc:"The deposit's id."`
		TransactionID string        `json:"transactionId" doc:"The transaction's signature from the checkout. It is compared with the provider's answer and never trusted on its own."`
	}
}

// Settled is the result of a payment.
type Settled struct {
	Success         bool           `json:"success" doc:"The points were added."`
	Message         string         `json:"message"`
	State           State          `json:"state" enum:"quoted,pending,verified,credited,expired,review,rejected,refunded"`
	Wallet          *ledger.Wallet `json:"wallet,omitempty" doc:"The balance when the points were added."`
	Transaction     *ledger.Entry  `json:"transaction,omitempty"`
	PlayPointsAdded *money.Dollars `json:"playPointsAdded,omitempty"`
}

type verifyOutput struct {
	Status int
	Body   Settled
}

var (
	errSignatureUsed    = apperr.New(apperr.SignatureUsed, "This transaction already paid for another deposit. No points were added.")
	errWrongTransaction = apperr.InvalidField("transactionId", "is not the payment of this deposit")
)

// postVerify settles a deposit on its user's request.
func (s *Service) postVerify(ctx context.Context, in *paymentInput) (*verifyOutput, error) {
	body, id, user := in.Body, string(in.Body.PaymentID), httpapi.Caller(ctx).UserID
	if err := solana.ParseSignature(body.TransactionID); err != nil {
		return nil, apperr.InvalidField("transactionId", "must be a transaction signature (64 bytes in base58)")
	}
	if err := s.DB.Read(ctx, func(tx *db.Tx) error {
		return s.checkMatchesRequest(tx, user, id, body.Amount.Cents(), body.TransactionID)
	}); err != nil {
		return nil, err
	}
	if _, err := s.Settle(ctx, id); err != nil && !apperr.IsCode(err, apperr.Unavailable) {
		return nil, err // the poller will retry
	}
	answer := &verifyOutput{Status: http.StatusOK}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		if err := s.checkMatchesRequest(tx, user, id, body.Amount.Cents(), body.TransactionID); err != nil {
			return err
		}
		d, err := findDeposit(tx, id)
		if err == nil {
			answer.Body, err = settlementResult(tx, d)
		}
		return err
	})
	if !answer.Body.Success {
		answer.Status = http.StatusAccepted
	}
	return answer, err
}

// checkMatchesRequest returns an error if a request names another amount than the deposit's, or a
// transaction that paid for another deposit.
func (s *Service) checkMatchesRequest(tx *db.Tx, user, id string, amount money.Cents, signature string) error {
	d, err := findOwnDeposit(tx, user, id)
	if err != nil {
		return err
	}
	if amount != d.Amount {
		return apperr.InvalidField("amount", "must be the amount of the deposit, "+d.Amount.String())
	}
	paidDeposit, err := depositBySignature(tx, s.Network, signature)
	if err != nil {
		return err
	}
	payment, err := loadPayment(tx, id)
	switch {
	case err != nil:
		return err
	case paidDeposit != "" && paidDeposit != id:
		return errSignatureUsed
	case payment.Signature != "" && payment.Signature != signature:
		return errWrongTransaction
	}
	return nil
}

// failedResults maps final states without points to their errors.
var failedResults = map[State]*apperr.Error{
	Rejected: apperr.New(apperr.Conflict, "The payment failed, so no points were added. Please start a new one."),
	Refunded: apperr.New(apperr.Conflict, "This payment was refunded."),
}

// waitingMessages maps the states of deposits that aren't credited yet to messages.
var waitingMessages = map[State]string{
	Quoted:   "No payment received yet.",
	Pending:  "Your payment is on its way. Points are added once it is final.",
	Verified: "Your payment is final. Points are added in a moment.",
	Expired:  "No payment arrived in time. If you paid anyway, an admin will review it.",
	Review:   "An admin is reviewing this payment.",
}

// settlementResult returns the result of a deposit, or an error if it will never be credited.
func settlementResult(tx *db.Tx, d Deposit) (Settled, error) {
	if refusal := failedResults[d.State]; refusal != nil {
		return Settled{}, refusal
	}
	if d.State != Credited {
		return Settled{Message: waitingMessages[d.State], State: d.State}, nil
	}
	line, err := ledger.FindLine(tx, d.User, ledger.KindDeposit, d.ID)
	if err != nil {
		return Settled{}, errors.Join(errors.New("transfer of a credited deposit"), err)
	}
	wallet, entry, points := ledger.NewWallet(line.Balance), ledger.NewEntry(line), money.Dollars(d.Amount)
	return Settled{
		Success: true, Message: "Added " + d.Amount.String() + " Play Points.", State: Credited,
		Wallet: &wallet, Transaction: &entry, PlayPointsAdded: &points,
	}, nil
}
