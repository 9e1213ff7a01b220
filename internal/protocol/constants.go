package protocol

import (
	"time"

	"kaibao/internal/money"
)

// These constants are part of the protocol: verifiers check every log against them, so they can't be
// configurable. A change needs a new protocol version.
const (
	MinNotice   = time.Minute      // minimum time from announcing a changed manifest to its effect
	MaxGrace    = 10 * time.Minute // opens may use a replaced manifest this long
	MaxLogDelay = time.Minute      // an open missing from the log after this time is a breach
)

// The constants of sealed packs (docs/fairness.md, "Sealed packs").
const (
	VoidAfter     = 24 * time.Hour // minimum time from a missing round to the void of its orders
	WitnessNotice = 24 * time.Hour // from naming other witnesses to their effect
	MaxDrawDelay  = time.Minute    // an order without open or void this long after its round is withheld
	MaxClockError = time.Minute    // maximum difference between the times of a leaf and its witnesses
)

// A manifest's lead, in seconds.
const (
	MinLead = 2
	MaxLead = 30
)

// A pegged bid pays between MinPeg and MaxPeg of an item's value.
const (
	MinPeg money.Percent = 50
	MaxPeg money.Percent = 120
)
