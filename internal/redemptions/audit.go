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
// appears in the events of its entries and in the admin log. It checks that the transfers match the
// claims' shipping and refunds, that addresses are deleted in time and not earlier, and that no lost
// item was sold back.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findReplayMismatches, findUnsignedClaims, findEntryEventMismatches, findStepsWithoutAdminAct, findUnapprovedCompensations, findPaymentMismatches, findValueMismatches, findAddressRetentionErrors, findLostItemsSoldBack)
}

// claimWithEvent is a claim with one of its events. Event number 0 means that the claim has no events.
type claimWithEvent struct {
	Claim
	event Event
}

// findReplayMismatches replays every claim's events and compares the result with its row.
func findReplayMismatches(tx *db.Tx) (found []audit.Breach, err error) {
	var stored, replayed Claim
	report := func(detail string) {
		found = append(found, audit.Breach{Rule: "each claim's state must follow from its events", Row: "claim " + stored.ID, Detail: detail})
	}
	compare := func() {
		if stored != replayed {
			report(fmt.Sprintf("is %s, version %d, carrier %s, tracking %q, created %s; but its events give %s, version %d, carrier %s, tracking %q, created %s",
				stored.State, stored.Version, stored.Carrier, stored.Tracking, stored.CreatedAt, replayed.State, replayed.Version, replayed.Carrier, replayed.Tracking, replayed.CreatedAt))
		}
	}
	err = eachClaimEvent(tx, func(c claimWithEvent) error {
		if c.ID != stored.ID {
			compare()
			stored, replayed = c.Claim, claimBeforeEvents(c)
		}
		next, err := replayed.apply(c.event)
		if err != nil || c.event.Number != next.Version {
			report(fmt.Sprintf("event %d after %d: %v", c.event.Number, replayed.Version, err))
		}
		replayed = next
		return nil
	})
	compare()
	return found, err
}

// claimBeforeEvents returns the claim before its first event.
func claimBeforeEvents(l claimWithEvent) Claim {
	c := l.Claim
	c.State, c.Carrier, c.Tracking, c.Version, c.CreatedAt = "", "", "", 0, time.Time{}
	return c
}

// apply returns the claim after an event.
func (c Claim) apply(e Event) (Claim, error) {
	c.Version++
	if c.State == "" {
		if e.Step != Request || e.UserID != c.User {
			return c, fmt.Errorf("its first event is %s by %s, but must be a request by its owner", e.Step, e.UserID)
		}
		c.State, c.CreatedAt = Requested, e.At
		return c, nil
	}
	to, err := c.nextState(e.Step, actor{e.UserID, true})
	c.State = to
	if e.Step == Ship {
		c.Carrier, c.Tracking, _ = strings.Cut(e.Note, " ")
	}
	return c, err
}

// signedClaim is a claim's signed message and the values that it must contain.
type signedClaim struct {
	id, user, message, signature, wallet string
	shipping                             money.Cents
	entryIDs                             string // ids joined by spaces, in order
}

// findUnsignedClaims finds claims whose owner did not sign for these items at this price.
func findUnsignedClaims(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachSignedClaim(tx, func(claim signedClaim) error {
		if mismatch := claim.mismatch(); mismatch != "" {
			found = append(found, audit.Breach{Rule: "each claim must be signed by its owner", Row: "claim " + claim.id, Detail: mismatch})
		}
		return nil
	})
	return found, err
}

// erased reports whether the user was deleted, and the wallet and signature erased with them.
func (p signedClaim) erased() bool {
	return p.wallet == identity.DeletedAddress(p.user) && p.signature == "" && strings.Contains(p.message, "\n"+p.wallet+"\n")
}

// mismatch returns how the claim differs from its signed message, or an empty string.
func (p signedClaim) mismatch() string {
	domain, _, _ := strings.Cut(p.message, " asks you to confirm a claim")
	if err := identity.VerifyText(domain, p.message, p.wallet, p.signature, nil); err != nil && !p.erased() {
		return err.Error()
	}
	var signedIDs []string
	for line := range strings.Lines(p.message) {
		if _, after, ok := strings.Cut(strings.TrimSuffix(line, "]\n"), " ["); ok && strings.HasSuffix(line, "]\n") {
			signedIDs = append(signedIDs, after[strings.LastIndex(after, "[")+1:])
		}
	}
	switch {
	case strings.Join(signedIDs, " ") != p.entryIDs:
		return fmt.Sprintf("was signed for entries %v, but has %s", signedIDs, p.entryIDs)
	case !strings.Contains(p.message, fmt.Sprintf("\nShipping: %s points\n", p.shipping)):
		return fmt.Sprintf("its shipping price of %s is not in the signed message", p.shipping)
	}
	return ""
}

// entryActsSQL returns an SQL expression that maps acts on claims to acts on entries, and a list of
// the latter.
func entryActsSQL() (entryAct, list string) {
	var acts []string
	add := func(step Step, entry inventory.Act) {
		entryAct += fmt.Sprintf(" WHEN '%s' THEN '%s'", step, entry)
		acts = append(acts, "'"+string(entry)+"'")
	}
	add(Request, inventory.Claiming)
	for _, step := range slices.Sorted(maps.Keys(transitions)) {
		add(step, transitions[step].entryAct)
	}
	return "CASE e.act" + entryAct + " ELSE e.act END", strings.Join(acts, ", ")
}
