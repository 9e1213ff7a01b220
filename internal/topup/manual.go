// Package topup brings Play Points in.
package topup

import (
	"errors"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// Limits of one deposit (specification, section 9): $1 to $10,000.
const (
	minDeposit money.Cents = 1_00
	maxDeposit money.Cents = 10_000_00
)

// Manual credits points without a payment.
type Manual struct {
	Sandbox bool // play money for everybody; otherwise only an admin, for a named wallet
}

type manualInput struct {
	httpkit.Idempotent
	Body struct {
		Amount        money.Dollars `json:"amount" doc:"1 to 10000, at most 2 decimals."`
		WalletAddress string        `json:"walletAddress,omitempty" doc:"For an admin: whose account is credited."`
		Reason        string        `json:"reason,omitempty" maxLength:"500" doc:"For an admin: why."`
	}
}

// Answer is the answer to a deposit.
type Answer struct {
	Success     bool          `json:"success"`
	Message     string        `json:"message"`
	Wallet      ledger.Wallet `json:"wallet"`
	Transaction ledger.Entry  `json:"transaction"`
}

// Routes registers the manual deposit.
func (m Manual) Routes(k *httpkit.Kit) {
	httpkit.Act(k, httpkit.Post("/api/wallet/deposit/manual", "deposit-manual", "Credit sandbox points, or points an admin gives"), m.deposit)
}

func (m Manual) deposit(tx *db.Tx, caller httpkit.Principal, in *manualInput) (Answer, error) {
	amount := in.Body.Amount.Cents()
	if amount < minDeposit || amount > maxDeposit {
		return Answer{}, fault.InvalidField("amount", "must be from 1 to 10000")
	}
	t := ledger.Transfer{
		Debit: ledger.Sandbox, Credit: ledger.Account(caller.UserID), Amount: amount,
		Kind: "sandbox-deposit", Ref: tx.NewID(),
	}
	switch {
	case in.Body.WalletAddress != "":
		user, err := beneficiary(tx, caller, in.Body.WalletAddress, in.Body.Reason)
		if err != nil {
			return Answer{}, err
		}
		t.Debit, t.Credit, t.Kind = ledger.Credits, ledger.Account(user.ID), "admin-credit"
		t.Note = in.Body.Reason + " (by " + caller.UserID + ")"
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

var errNotAllowed = fault.New(fault.Forbidden, "forbidden", "Points are only given in sandbox mode, or by an admin.")

// beneficiary is the user an admin credits; the reason is for the books.
func beneficiary(tx *db.Tx, caller httpkit.Principal, address, reason string) (identity.User, error) {
	if caller.Role != "admin" {
		return identity.User{}, errNotAllowed
	}
	if strings.TrimSpace(reason) == "" {
		return identity.User{}, fault.InvalidField("reason", "must say why the points are given")
	}
	if err := fault.Short("reason", reason, 500); err != nil {
		return identity.User{}, err
	}
	user, err := identity.ByAddress(tx, address)
	if errors.Is(err, db.ErrNoRow) {
		return identity.User{}, fault.Missing("A user with this wallet")
	}
	return user, err
}
