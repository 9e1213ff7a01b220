package deposits

import (
	"encoding/json"
	"strconv"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// adminCredit is a grant of points by an admin.
type adminCredit struct {
	admin     string // user id of the granting admin
	recipient identity.User
	balance   money.Cents // of the recipient
	request   creditRequest
	path      string // of the request that grants it: the admin's own or the approval
}

// creditRequest is a request to grant points, as the admin log and approvals store it: with the
// recipient's id. Older ones have the wallet address instead.
type creditRequest struct {
	Amount        money.Dollars `json:"amount"`
	UserID        string        `json:"userId,omitempty"`
	WalletAddress string        `json:"walletAddress,omitempty"`
	Reason        string        `json:"reason"`
}

func (r creditRequest) recipient(tx *db.Tx) (identity.User, error) {
	if r.UserID == "" {
		return identity.ByAddress(tx, r.WalletAddress)
	}
	return identity.ByID(tx, r.UserID)
}

// names reports whether the request names a user, by id or address.
func (r creditRequest) names(id, address string) bool {
	return r.UserID == id && r.WalletAddress == "" || r.UserID == "" && (r.WalletAddress == address || r.WalletAddress == id)
}

var errCreditCeiling = apperr.New(apperr.Forbidden, "An admin can credit at most "+policy.MaxCredits.String()+
	" Play Points within "+strconv.Itoa(int(policy.CreditsWithin.Hours()))+" hours. Nothing was credited. Try again later, or ask another admin.")

var errOwnWallet = apperr.New(apperr.OwnInterest, "You can't credit your own wallet, or approve a credit for it. Ask another admin.")

// creditOrRequestApproval credits points. Amounts above the admin's limit wait for approval by a second admin.
func creditOrRequestApproval(tx *db.Tx, admin httpapi.Principal, in *manualInput) (Answer, error) {
	user, err := findRecipient(tx, admin, in.Body.WalletAddress, in.Body.Reason)
	if err != nil {
		return Answer{}, err
	}
	if user.ID == admin.UserID {
		return Answer{}, errOwnWallet
	}
	request := creditRequest{Amount: in.Body.Amount, UserID: user.ID, Reason: in.Body.Reason}
	c := adminCredit{admin: admin.UserID, recipient: user, request: request, path: in.Path()}
	if err := c.lockAccounts(tx); err != nil {
		return Answer{}, err
	}
	withinTotal, err := approval.SpendDailyTotal(tx, c.admin, approval.ByCredit, identity.LogSubject(user.ID), c.request.Amount.Cents())
	if err != nil {
		return Answer{}, err
	}
	if withinTotal {
		return c.transfer(tx)
	}
	payload, err := json.Marshal(request)
	if err != nil {
		return Answer{}, err
	}
	waiting, err := approval.Ask(tx, approval.Request{
		Kind: approval.Credit, Subject: identity.LogSubject(user.ID), Payload: payload, Reason: in.Body.Reason, AskedBy: admin.UserID,
	})
	return Answer{Message: "Waiting for a second admin.", Wallet: ledger.NewWallet(c.balance), Approval: &waiting}, err
}

// ApplyApprovedCredit credits points after a second admin's approval.
func (m Manual) ApplyApprovedCredit(tx *db.Tx, r approval.Request) error {
	c := adminCredit{admin: r.AskedBy, path: r.Path()}
	err := json.Unmarshal(r.Payload, &c.request)
	if err == nil {
		c.recipient, err = c.request.recipient(tx)
	}
	if err == nil && (c.recipient.ID == r.AskedBy || c.recipient.ID == r.DecidedBy) {
		err = errOwnWallet
	}
	if err == nil {
		err = c.lockAccounts(tx)
	}
	if err == nil {
		_, err = c.transfer(tx)
	}
	return err
}

// lockAccounts serializes an admin's credits. It rejects credits to deleted users, and amounts that
// exceed the ceiling for one admin, approved or not.
func (c *adminCredit) lockAccounts(tx *db.Tx) error {
	// Lock both accounts in one order. The admin's account is the lock for the ceilings.
	accounts, err := ledger.LockAll(tx, []string{c.admin, c.recipient.ID})
	if err == nil {
		err = identity.CheckNotDeleted(tx, c.recipient.ID)
	}
	if err != nil {
		return err
	}
	c.balance = accounts[c.recipient.ID].Balance
	credited, err := creditedSince(tx, c.admin, tx.Now.Add(-policy.CreditsWithin))
	if err == nil && credited+c.request.Amount.Cents() > policy.MaxCredits {
		err = errCreditCeiling
	}
	return err
}

// transfer moves the points. The transfer's ref is the id of the act in the admin log.
func (c *adminCredit) transfer(tx *db.Tx) (Answer, error) {
	amount := c.request.Amount.Cents()
	request, err := json.Marshal(c.request)
	if err != nil {
		return Answer{}, err
	}
	actID, err := adminlog.Record(tx, adminlog.Act{
		Admin: c.admin, Name: manualOperation, Path: c.path, Request: request, Change: creditChange(identity.LogSubject(c.recipient.ID), c.balance, amount, c.request.Reason),
	})
	if err != nil {
		return Answer{}, err
	}
	lines, err := ledger.Move(tx, ledger.Transfer{
		Debit: ledger.Credits, Credit: ledger.Account(c.recipient.ID), Amount: amount,
		Kind: ledger.KindAdminCredit, Ref: actID, Note: creditNote(c.request.Reason, c.admin),
	})
	return successAnswer(amount, lines), err
}

// auditedBalance is a user's balance in the admin log.
type auditedBalance struct {
	BalanceCents money.Cents `json:"balanceCents"`
}

// creditChange describes a credit in the admin log.
func creditChange(subject string, balance, amount money.Cents, reason string) adminlog.Change {
	return adminlog.Change{Subject: subject, Before: auditedBalance{balance}, After: auditedBalance{balance + amount}, Reason: reason}
}

// creditNote returns the ledger's note for a credit: the reason and the admin.
func creditNote(reason, admin string) string { return reason + " (by " + admin + ")" }
