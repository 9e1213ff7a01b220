// Package topup brings Play Points in.
package topup

import (
	"errors"
	"strconv"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// operation names the call in the contract and in the audit trail.
const operation = "deposit-manual"

// Manual credits points without a payment.
type Manual struct {
	Sandbox bool // play money for everybody; otherwise only an admin, for a named wallet
	// Record keeps what an admin did, in its transaction, and names the act.
	Record func(tx *db.Tx, admin, act, path string, request []byte) (id string, err error)
}

type manualInput struct {
	httpkit.Idempotent
	Body manualInputBody
}

type manualInputBody struct {
	Amount        money.Dollars `json:"amount" doc:"1 to 10000, at most 2 decimals."`
	WalletAddress string        `json:"walletAddress,omitempty" doc:"For an admin: whose account is credited."`
	Reason        string        `json:"reason,omitempty" maxLength:"500" doc:"For an admin: why."`
}

// Answer is the answer to a deposit.
type Answer struct {
	Success     bool          `json:"success"`
	Message     string        `json:"message"`
	Wallet      ledger.Wallet `json:"wallet"`
	Transaction ledger.Entry  `json:"transaction"`
}

// Routes registers the manual deposit, and paying by card, which is switched off.
func (m Manual) Routes(k *httpkit.Kit) {
	httpkit.JSON(k, httpkit.Post(httpkit.Session, "/api/packs/{id}/checkout", "check-out-pack", "Pay for a pack by card (switched off)",
		fault.CheckoutDisabled), checkout)
	httpkit.Act(k, httpkit.Post(httpkit.Session, "/api/wallet/deposit/manual", operation, "Credit sandbox points, or points an admin gives", fault.NotFound), m.deposit)
}

func (m Manual) deposit(tx *db.Tx, caller httpkit.Principal, in *manualInput) (Answer, error) {
	amount := in.Body.Amount.Cents()
	if amount < terms.LeastDeposit || amount > terms.MostDeposit {
		return Answer{}, fault.InvalidField("amount", "must be from "+terms.LeastDeposit.String()+" to "+terms.MostDeposit.String())
	}
	t := ledger.Transfer{
		Debit: ledger.Sandbox, Credit: ledger.Account(caller.UserID), Amount: amount,
		Kind: ledger.KindSandboxDeposit, Ref: tx.NewID(),
	}
	switch {
	case in.Body.WalletAddress != "":
		var err error
		t, err = m.credited(tx, caller, in)
		if err != nil {
			return Answer{}, err
		}
	case !m.Sandbox:
		return Answer{}, errNotAllowed
	}
	lines, err := ledger.Move(tx, t)
	if err != nil {
		return Answer{}, err
	}
	return Answer{
		Success: true, Message: "Added " + amount.String() + " Play Points.",
		Wallet: ledger.NewWallet(lines[0].Balance), Transaction: ledger.NewEntry(lines[0]),
	}, nil
}

var errNotAllowed = fault.New(fault.Forbidden, "Points are only given in sandbox mode, or by an admin.")

var errGivenEnough = fault.New(fault.Forbidden, "An admin gives at most "+terms.MostCredits.String()+
	" Play Points within "+strconv.Itoa(int(terms.CreditsWithin.Hours()))+" hours. Nothing was credited; try again later, or ask another admin.")

// credited is the transfer of what an admin gives. It is named after the act in the
// audit trail, which is written here.
func (m Manual) credited(tx *db.Tx, admin httpkit.Principal, in *manualInput) (ledger.Transfer, error) {
	user, err := beneficiary(tx, admin, in.Body.WalletAddress, in.Body.Reason)
	if err != nil {
		return ledger.Transfer{}, err
	}
	// Both at once, in one order; the admin's own keeps two credits from passing the ceiling together.
	if _, err := ledger.LockAll(tx, []string{admin.UserID, user.ID}); err != nil {
		return ledger.Transfer{}, err
	}
	amount := in.Body.Amount.Cents()
	sum, err := given(tx, admin.UserID, tx.Now.Add(-terms.CreditsWithin))
	if err != nil {
		return ledger.Transfer{}, err
	}
	if sum+amount > terms.MostCredits {
		return ledger.Transfer{}, errGivenEnough
	}
	act, err := m.Record(tx, admin.UserID, operation, in.Path(), in.Sent())
	return ledger.Transfer{
		Debit: ledger.Credits, Credit: ledger.Account(user.ID), Amount: amount,
		Kind: ledger.KindAdminCredit, Ref: act, Note: note(in.Body.Reason, admin.UserID),
	}, err
}

// note says in the ledger why an admin gave, and who it was.
func note(reason, admin string) string { return reason + " (by " + admin + ")" }

// beneficiary is the user an admin credits; the reason is for the books.
func beneficiary(tx *db.Tx, caller httpkit.Principal, address, reason string) (identity.User, error) {
	if caller.Role != "admin" {
		return identity.User{}, errNotAllowed
	}
	if strings.TrimSpace(reason) == "" {
		return identity.User{}, fault.InvalidField("reason", "must say why the points are given")
	}
	if err := fault.Short("reason", reason, terms.LongestReason); err != nil {
		return identity.User{}, err
	}
	user, err := identity.ByAddress(tx, address)
	if errors.Is(err, db.ErrNoRow) {
		return identity.User{}, fault.Missing("A user with this wallet")
	}
	return user, err
}
