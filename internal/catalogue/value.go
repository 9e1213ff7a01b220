package catalogue

import (
	"time"

	"kaibao/internal/money"
)

// Valuation is an entry in an item's value history. Sales on our own market create none.
type Valuation struct {
	Value  money.Cents
	Source string // origin of the value, such as an auction
	Reason string
	By     string // an admin's user id; empty for built-in data
	At     time.Time
	// CarriedAt is the time from which no draw can use a manifest with an older value. A raised
	// value counts for quotes from then on.
	CarriedAt time.Time
}

// NotAnnounced is the CarriedAt of a value that a pack's waiting publication will announce.
var NotAnnounced = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// ImportSource is the source of values imported from a file.
const ImportSource = "import"

// FirstValuation returns the first valuation of an item that was not imported, without the value.
// by is the admin, or empty for built-in data.
func FirstValuation(by string) Valuation {
	return Valuation{Source: "catalogue", Reason: "added to the catalogue", By: by}
}

// EditOperation is the name of the call that edits an item and sets its value, in the API and the
// admin log.
const EditOperation = "edit-item"

// Subject returns an item's subject in the admin log.
func Subject(item string) string { return "item " + item }

// ImportSubject is the subject of imports in the admin log.
const ImportSubject = "catalogue"

// ImportOperation is the name of the import call, in the API and the admin log.
const ImportOperation = "import-catalogue"
