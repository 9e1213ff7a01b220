package protocol

import (
	"time"

	"kaibao/internal/money"
)

// The constants of kaibao/v1. They belong to the protocol: every verifier holds every log to
// them, so no setting and no figure of the house may change them. Others take a new version.
const (
	LeastNotice  = time.Minute      // between the announcement of a changed manifest and its effect
	LongestGrace = 10 * time.Minute // in which the manifest that was replaced may still be named
	LoggedWithin = time.Minute      // of an open: one that is not in the log by then is a breach
)

// A pegged bid pays from LeastPeg to MostPeg of an item's value.
const (
	LeastPeg money.Percent = 50
	MostPeg  money.Percent = 120
)
