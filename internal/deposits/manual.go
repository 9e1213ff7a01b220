package deposits

import (
	"errors"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// The operation's name in the API and the admin log, and its path.
const (
	manualOperation = "deposit-manual"
	manualPath      = "/api/wallet/deposit/manual"
)

// Manual credits points without a payment.
type Manual struct {
	Sandbox bool // free points for everyone; otherwise only admins, for a named wallet
}

type manualInput struct {
	action.Idempotent
	Body manualInputBody
}

type manualInputBody struct {
	Amount        money.Dollars `json:"amount" doc:"Play Points, from 1 to 10000, with at most 2 decimals."`
	WalletAddress string        `json:"walletAddress,omitempty" doc:"For admins: the wallet to credit."`
	Reason        string        `json:"reason,omitempty" maxLength:"500" doc:"For admins: the reason."`
}

// Answer is the response to a manual deposit.
type Answer struct {
	Success     bool              `json:"success" doc:"The points were added."`
	Message     string            `json:"message"`
	Wallet      ledger.Wallet     `json:"wallet"`
	Transaction *ledger.Entry     `json:"transaction,omitempty" doc:"Absent while the request waits for a second admin."`
	Approval    *approval.Waiting `json:"approval,omitempty" doc:"The request waiting for a second admin."`
}

// registerRoutes registers the manual deposit.
func (m Manual) registerRoutes(api *httpapi.API) {
	action.Handle(api, httpapi.Post(httpapi.Session, manualPath, manualOperation, "Add free points in sandbox mode, or credit points as an admin", apperr.NotFound, apperr.Conflict, apperr.RequestWaiting, apperr.OwnInterest,
		apperr.DepositLimit, apperr.TimedOut, apperr.Excluded), m.postDeposit)
}

func (m Manual) postDeposit(tx *db.Tx, caller httpapi.Principal, in *manualInput) (Answer, error) {
	amount := in.Body.Amount.Cents()
	if amount < policy.MinDeposit || amount > policy.MaxDeposit {
		return Answer{}, apperr.InvalidField("amount", "must be from "+policy.MinDeposit.String()+" to "+policy.MaxDeposit.String())
	}
	switch {
	case in.Body.WalletAddress != "":
		return creditOrRequestApproval(tx, caller, in)
	case !m.Sandbox:
		return Answer{}, errNotAllowed
	}
	return creditGrant(tx, caller.UserID, amount)
}

// creditGrant adds sandbox points, which count as a deposit.
func creditGrant(tx *db.Tx, user string, amount money.Cents) (Answer, error) {
	batch, err := ledger.LockBatch(tx, []string{user})
	if err != nil {
		return Answer{}, err
	}
	_, waiting, err := countOpen(tx, user, tx.Now)
	if err != nil {
		return Answer{}, err
	}
	if err := limits.CheckDeposit(batch.Play(user), tx.Now, amount, waiting); err != nil {
		return Answer{}, err
	}
	lines, err := moveDeposit(tx, batch, user, ledger.Transfer{
		Debit: ledger.Sandbox, Credit: ledger.Account(user), Amount: amount, Kind: ledger.KindGrant, Ref: tx.NewID(),
	})
	return successAnswer(amount, lines), err
}

func successAnswer(amount money.Cents, lines []ledger.Line) Answer {
	if len(lines) == 0 {
		return Answer{}
	}
	return Answer{
		Success: true, Message: "Added " + amount.String() + " Play Points.",
		Wallet: ledger.NewWallet(lines[0].Balance), Transaction: new(ledger.NewEntry(lines[0])),
	}
}

var errNotAllowed = apperr.New(apperr.Forbidden, "Free points are only available in sandbox mode. Top up instead.")

// findRecipient returns the user that an admin credits. Credits require a reason.
func findRecipient(tx *db.Tx, caller httpapi.Principal, address, reason string) (identity.User, error) {
	if caller.Role != "admin" {
		return identity.User{}, errNotAllowed
	}
	if err := adminlog.CheckReason(reason); err != nil {
		return identity.User{}, err
	}
	user, err := identity.ByAddress(tx, address)
	if errors.Is(err, db.ErrNoRow) {
		return identity.User{}, apperr.Missing("A user with this address")
	}
	return user, err
}
