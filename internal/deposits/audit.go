package deposits

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/deposits/sandbox"
)

// Audit checks that admin credits and the admin log match exactly, that every deposit's state
// follows from its events, and that the ledger's credits and refunds match the deposits and have
// payments.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, credits, livesOff, uncredited, unrefunded, unpaidFor, pretended)
}

// pretended compares payments in the sandbox with those that the fake provider reports.
func pretended(tx *db.Tx) (found []audit.Breach, err error) {
	said, err := sandbox.Paid(tx)
	if err != nil {
		return nil, err
	}
	paid := make(map[string]sandbox.Payment, len(said))
	for _, p := range said {
		paid[p.Signature] = p
	}
	err = eachPayment(tx, "sandbox", func(d Deposit, came payment) error {
		p := paid[came.Signature]
		if p.Deposit != d.ID || p.ID != came.ID || p.Amount != d.Amount || came.Currency != "SOL" || came.network != "sandbox" ||
			came.units != p.Received || came.over != max(0, p.Received-p.Owed) || came.at.Unix() != p.At.Unix() {
			found = append(found, audit.Breach{
				Rule: "what came in is what the stand-in says was paid", Row: "deposit " + d.ID,
				Detail: fmt.Sprintf("%s and %d of %s at %s; paid was %s and %d for deposit %q at %s",
					d.Amount, came.units, came.Currency, came.at, p.Amount, p.Received, p.Deposit, p.At),
			})
		}
		return nil
	})
	return found, err
}

func credits(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachCredit(tx, func(c seenCredit) error {
		if fault := c.check(); fault != "" {
			found = append(found, audit.Breach{Rule: "every credit has its act", Row: "credit " + c.id, Detail: fault})
		}
		return nil
	})
	return found, err
}

func (c seenCredit) check() string {
	asked := c.request
	switch {
	case !c.moved:
		return "nothing was moved for it"
	case !c.acted:
		return fmt.Sprintf("%s to %s, and no act in the admin log", c.amount, c.wallet)
	case c.amount != asked.Amount.Cents() || c.wallet != asked.WalletAddress || c.note != note(asked.Reason, c.admin) || c.at != c.asked:
		return fmt.Sprintf("%s to %s at %d, %q; asked for were %s to %s at %d, %q by %s",
			c.amount, c.wallet, c.at, c.note, asked.Amount.Cents(), asked.WalletAddress, c.asked, asked.Reason, c.admin)
	case !c.approved:
		return fmt.Sprintf("%s to %s is neither given by one admin alone nor approved by a second one", c.amount, c.wallet)
	case c.change != change(c.wallet, c.balance-c.amount, c.amount, asked.Reason):
		return fmt.Sprintf("the admin log says %v, the ledger has %s to %s, which leaves %s", c.change, c.amount, c.wallet, c.balance)
	}
	return ""
}

// livesOff replays the events of every deposit.
func livesOff(tx *db.Tx) (found []audit.Breach, err error) {
	before := lived{}
	err = eachLife(tx, func(l lived) error {
		if fault := l.follows(before); fault != "" {
			found = append(found, audit.Breach{Rule: "a deposit is what its life made of it", Row: "deposit " + l.ID, Detail: fault})
		}
		before = l
		return nil
	})
	return found, err
}

// follows returns what is wrong with an event after the previous one, or "".
func (l lived) follows(before lived) string {
	first := before.ID != l.ID
	switch {
	case first && (l.Number != 1 || l.event.State != Quoted || !l.At.Equal(l.CreatedAt)):
		return fmt.Sprintf("its life begins with event %d, %s at %s", l.Number, l.event.State, l.At)
	case !first && l.Number != before.Number+1:
		return fmt.Sprintf("event %d follows %d", l.Number, before.Number)
	case !first && !allowed(l.ways(), before.event.State, l.event.State):
		return fmt.Sprintf("%s made it %s, which was %s", l.By, l.event.State, before.event.State)
	case !first && l.At.Before(before.At):
		return fmt.Sprintf("event %d is before the one before", l.Number)
	case l.Number == l.Version && (l.event.State != l.Deposit.State || l.event.Exception != l.Deposit.Exception):
		return fmt.Sprintf("it is %s %s, its last event says %s %s", l.Deposit.State, l.Deposit.Exception, l.event.State, l.event.Exception)
	case first && l.events != l.Version:
		return fmt.Sprintf("it has %d of %d events", l.events, l.Version)
	}
	return ""
}

// ways returns the transitions that the author of an event may make.
func (l lived) ways() map[State][]State {
	if l.By == house {
		return life
	}
	return decisions
}
