package catalogue

import (
	"time"

	"kaibao/internal/money"
)

// Valuation is an entry in an item's value history. Sales on our own market create none.
type Valuation struct {
	Value  money.Cents
	Source string // where the figure comes from
	Reason string
	By     string // an admin's user id; empty for built-in data
	At     time.Time
	// CarriedAt is the time from which nobody can draw by a manifest with an older value. A raised
	// value counts for quotes from then on.
	CarriedAt time.Time
}

// Imported is the source of values imported from a file.
const Imported = "import"

// First returns the first valuation of an item that was not imported, without the value. by is the
// admin, or empty for built-in data.
func First(by string) Valuation {
	return Valuation{Source: "catalogue", Reason: "added to the catalogue", By: by}
}

// Edit is the name of the call that edits an item and sets its value, in the API and the
// admin log.
const Edit = "edit-item"

// Subject returns an item's subject in the admin log.
func Subject(item string) string { return "item " + item }

// Whole is the subject of imports in the admin log.
const Whole = "catalogue"

// Import is the name of the import call.
const Import = "import-catalogue"
