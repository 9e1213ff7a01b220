package redemptions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// Audit checks that every claim equals its replayed events, was signed by its owner as stored, and
// appears in the events of its entries and in the admin log; that only its shipping and refunds
// were paid; that addresses are kept exactly as long as required; and that no lost item was drawn
// again.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, livesOff, unsigned, untold, unacted, unapproved, unpaid, misvalued, misplaced, restocked)
}

// lived is a claim with one of its events; an event numbered 0 means that it has none.
type lived struct {
	Claim
	event Event
}

// livesOff replays every claim's events and compares the result with its row.
func livesOff(tx *db.Tx) (found []audit.Breach, err error) {
	var is, as Claim
	off := func(detail string) {
		found = append(found, audit.Breach{Rule: "a claim is what its life made of it", Row: "claim " + is.ID, Detail: detail})
	}
	compare := func() {
		if is != as {
			off(fmt.Sprintf("is %s, version %d by %s %q of %s, its events make it %s, version %d by %s %q of %s",
				is.State, is.Version, is.Carrier, is.Tracking, is.CreatedAt, as.State, as.Version, as.Carrier, as.Tracking, as.CreatedAt))
		}
	}
	err = eachLife(tx, func(l lived) error {
		if l.ID != is.ID {
			compare()
			is, as = l.Claim, newborn(l)
		}
		next, err := as.follow(l.event)
		if err != nil || l.event.Number != next.Version {
			off(fmt.Sprintf("event %d after %d: %v", l.event.Number, as.Version, err))
		}
		as = next
		return nil
	})
	compare()
	return found, err
}

// newborn returns the claim before its first event.
func newborn(l lived) Claim {
	c := l.Claim
	c.State, c.Carrier, c.Tracking, c.Version, c.CreatedAt = "", "", "", 0, time.Time{}
	return c
}

// follow returns the claim after an event.
func (c Claim) follow(e Event) (Claim, error) {
	c.Version++
	if c.State == "" {
		if e.Act != Request || e.By != c.User {
			return c, fmt.Errorf("its life begins with %s by %s", e.Act, e.By)
		}
		c.State, c.CreatedAt = Requested, e.At
		return c, nil
	}
	to, err := c.next(e.Act, doer{e.By, true})
	c.State = to
	if e.Act == Ship {
		c.Carrier, c.Tracking, _ = strings.Cut(e.Note, " ")
	}
	return c, err
}

// pledge is a claim's signed message and the values that it must contain.
type pledge struct {
	id, message, signature, wallet string
	shipping                       money.Cents
	entries                        string // ids joined by spaces, in order
}

// unsigned finds claims whose owner did not sign for these items at this price.
func unsigned(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachPledge(tx, func(p pledge) error {
		if fault := p.check(); fault != "" {
			found = append(found, audit.Breach{Rule: "a claim is signed by its owner", Row: "claim " + p.id, Detail: fault})
		}
		return nil
	})
	return found, err
}

func (p pledge) check() string {
	domain, _, _ := strings.Cut(p.message, " asks you to confirm a claim")
	if err := identity.VerifyText(domain, p.message, p.wallet, p.signature, nil); err != nil {
		return err.Error()
	}
	var named []string
	for line := range strings.Lines(p.message) {
		if _, after, is := strings.Cut(strings.TrimSuffix(line, "]\n"), " ["); is && strings.HasSuffix(line, "]\n") {
			named = append(named, after[strings.LastIndex(after, "[")+1:])
		}
	}
	switch {
	case strings.Join(named, " ") != p.entries:
		return fmt.Sprintf("%v was signed for, it is of %s", named, p.entries)
	case !strings.Contains(p.message, fmt.Sprintf("\nShipping: %s points\n", p.shipping)):
		return fmt.Sprintf("its shipping of %s is not what was signed", p.shipping)
	}
	return ""
}

// onEntries returns an SQL expression that maps acts on claims to acts on entries, and a list of
// the latter.
func onEntries() (entryAct, all string) {
	var acts []string
	name := func(act Act, entry inventory.Act) {
		entryAct += fmt.Sprintf(" WHEN '%s' THEN '%s'", act, entry)
		acts = append(acts, "'"+string(entry)+"'")
	}
	name(Request, inventory.Claiming)
	for _, act := range slices.Sorted(maps.Keys(life)) {
		name(act, life[act].entry)
	}
	return "CASE e.act" + entryAct + " ELSE e.act END", strings.Join(acts, ", ")
}
