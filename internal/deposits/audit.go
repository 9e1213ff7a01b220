package deposits

import (
	"fmt"

	"kaibao/internal/adminlog"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/identity"
)

// Audit checks that admin credits and the admin log match exactly, that every deposit's state
// follows from its events, and that the ledger's credits and refunds match the deposits and have
// payments.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findCreditMismatches, findReplayMismatches, findCreditTransferMismatches, findRefundTransferMismatches, findPaymentMismatches, findSandboxMismatches)
}

// findSandboxMismatches compares payments in the sandbox with those that the fake provider reports.
func findSandboxMismatches(tx *db.Tx) (found []audit.Breach, err error) {
	reported, err := sandbox.ListPayments(tx)
	if err != nil {
		return nil, err
	}
	bySignature := make(map[string]sandbox.Payment, len(reported))
	for _, p := range reported {
		bySignature[p.Signature] = p
	}
	err = eachPayment(tx, "sandbox", func(d Deposit, received recordedPayment) error {
		p := bySignature[received.Signature]
		if p.Deposit != d.ID || p.ID != received.ID || p.Amount != d.Amount || received.Currency != "SOL" || received.network != "sandbox" ||
			received.receivedUnits != p.Received || received.excessUnits != max(0, p.Received-p.Owed) || received.paidAt.Unix() != p.At.Unix() {
			found = append(found, audit.Breach{
				Rule: "each sandbox payment must match what the sandbox provider reports", Row: "deposit " + d.ID,
				Detail: fmt.Sprintf("stored: %s, %d units of %s at %s; reported: %s, %d units for deposit %q at %s",
					d.Amount, received.receivedUnits, received.Currency, received.paidAt, p.Amount, p.Received, p.Deposit, p.At),
			})
		}
		return nil
	})
	return found, err
}

func findCreditMismatches(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachAdminCredit(tx, func(c auditedCredit) error {
		if mismatch := c.mismatch(); mismatch != "" {
			found = append(found, audit.Breach{Rule: "each admin credit must match its entry in the admin log", Row: "credit " + c.id, Detail: mismatch})
		}
		return nil
	})
	return found, err
}

func (c auditedCredit) mismatch() string {
	request := c.request
	switch {
	case !c.inLedger:
		return "is in the admin log, but has no transfer"
	case !c.inAdminLog:
		return fmt.Sprintf("transferred %s to %s, but has no entry in the admin log", c.amount, c.wallet)
	case c.amount != request.Amount.Cents() || !request.names(c.recipient, c.wallet) || !adminlog.Matches(creditNote(request.Reason, c.admin), c.note, c.recipient) || c.at != c.requestedAt:
		return fmt.Sprintf("transferred %s to %s at %d, note %q; the admin log has %s to %s at %d, %q by %s",
			c.amount, c.wallet, c.at, c.note, request.Amount.Cents(), request.UserID+request.WalletAddress, c.requestedAt, request.Reason, c.admin)
	case !c.approved:
		return fmt.Sprintf("%s to %s is neither within an admin's daily total nor approved by a second admin", c.amount, c.wallet)
	case c.change != creditChange(c.subject(), c.balance-c.amount, c.amount, request.Reason):
		return fmt.Sprintf("the admin log has %v; the ledger has %s to %s with balance %s", c.change, c.amount, c.wallet, c.balance)
	}
	return ""
}

// subject returns the subject that the admin log must have: the recipient's id or, in older rows, the
// address.
func (c auditedCredit) subject() string {
	if c.change.Subject == identity.LogSubject(c.wallet) {
		return c.change.Subject
	}
	return identity.LogSubject(c.recipient)
}

// findReplayMismatches replays the events of every deposit.
func findReplayMismatches(tx *db.Tx) (found []audit.Breach, err error) {
	previous := depositWithEvent{}
	err = eachDepositEvent(tx, func(l depositWithEvent) error {
		if mismatch := l.mismatchAfter(previous); mismatch != "" {
			found = append(found, audit.Breach{Rule: "each deposit's state must follow from its events", Row: "deposit " + l.ID, Detail: mismatch})
		}
		previous = l
		return nil
	})
	return found, err
}

// mismatchAfter returns what is wrong with an event after the previous one, or "".
func (l depositWithEvent) mismatchAfter(previous depositWithEvent) string {
	first := previous.ID != l.ID
	switch {
	case first && (l.Number != 1 || l.event.State != Quoted || !l.At.Equal(l.CreatedAt)):
		return fmt.Sprintf("its first event is number %d, %s at %s, but must be number 1, quoted, at its creation", l.Number, l.event.State, l.At)
	case !first && l.Number != previous.Number+1:
		return fmt.Sprintf("event %d follows event %d", l.Number, previous.Number)
	case !first && !transitionAllowed(l.transitions(), previous.event.State, l.event.State):
		return fmt.Sprintf("%s changed it to %s from %s, which is not allowed", l.By, l.event.State, previous.event.State)
	case !first && l.At.Before(previous.At):
		return fmt.Sprintf("event %d is earlier than the previous one", l.Number)
	case l.Number == l.Version && (l.event.State != l.Deposit.State || l.event.Exception != l.Deposit.Exception):
		return fmt.Sprintf("is %s %s, but its last event is %s %s", l.Deposit.State, l.Deposit.Exception, l.event.State, l.event.Exception)
	case first && l.eventCount != l.Version:
		return fmt.Sprintf("has %d of %d events", l.eventCount, l.Version)
	}
	return ""
}

// transitions returns the transitions that the author of an event may make.
func (l depositWithEvent) transitions() map[State][]State {
	if l.By == systemAuthor {
		return checkTransitions
	}
	return adminTransitions
}
