package inventory

import (
	"fmt"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Audit checks that every entry has an owner with an account and equals the result of replaying its
// pull and its acts: owner, state, custody, listing price and floor.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, auditOwners, auditHistories)
}

// auditHistories replays every entry's events from its pull on and compares the result with its
// row.
func auditHistories(tx *db.Tx) (found []audit.Breach, err error) {
	var stored, replayed Entry
	report := func(detail string) {
		found = append(found, audit.Breach{Rule: "each entry's state must follow from its events", Row: "inventory " + stored.ID, Detail: detail})
	}
	compare := func() {
		if stored != replayed {
			report(fmt.Sprintf("is %s; but its events give %s", stored.describe(), replayed.describe()))
		}
	}
	err = eachReplayRow(tx, func(l replayRow) error {
		if l.current.ID != stored.ID {
			compare()
			stored, replayed = l.current, l.pulledEntry()
		}
		if l.event.Number == 0 {
			return nil
		}
		next, err := replayed.Apply(l.event)
		if err != nil || l.event.Number != next.Version {
			report(fmt.Sprintf("event %d after %d: %v", l.event.Number, replayed.Version, err))
		}
		replayed = next
		return nil
	})
	compare()
	return found, err
}

// replayRow is an entry's current row with its pull and one of its events; an event numbered 0
// means that it has none.
type replayRow struct {
	current     Entry
	puller      string
	pulledAt    time.Time
	pulledValue money.Cents
	event       Event
}

// pulledEntry returns the entry as it was when it was pulled.
func (l replayRow) pulledEntry() Entry {
	return Entry{
		ID: l.current.ID, Owner: l.puller, State: Held, AcquiredFrom: FromPack, AcquiredAt: l.pulledAt,
		SellBackFloor: policy.SellBack(l.pulledValue), SellBackUntil: l.pulledAt.Add(policy.FloorLife),
	}
}

// describe describes the fields that acts can change.
func (e Entry) describe() string {
	return fmt.Sprintf("%s of %s, in the vault %t, from %s at %s, listing %s for %s after %s, floor %s until %s, version %d",
		e.State, e.Owner, e.Vaulted, e.AcquiredFrom, e.AcquiredAt, e.ListingID, e.SalePrice, e.EndedListing, e.SellBackFloor, e.SellBackUntil, e.Version)
}
