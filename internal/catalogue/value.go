package catalogue

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Valuation is a line of an item's value history: what it was worth from a time on,
// and says who. Sales of our own market make none.
type Valuation struct {
	Value  money.Cents
	Source string // where the figure is from
	Reason string
	By     string // an admin's user id; empty for the catalogue's own data
	At     time.Time
	// CarriedAt is from when on nobody draws by a manifest with an older value: a rise
	// counts for quotes from then on.
	CarriedAt time.Time
}

// Imported is the source of a value that came with a file.
const Imported = "import"

// First is how an item that no file brought gets its first value: from an admin, or from
// nobody where by is empty, as it is the catalogue's own.
func First(by string) Valuation {
	return Valuation{Source: "catalogue", Reason: "added to the catalogue", By: by}
}

// Edit names the call that changes an item, and sets its value, in the contract and in the
// audit trail.
const Edit = "edit-item"

// Subject names an item in the audit trail.
func Subject(item string) string { return "item " + item }

// Whole names the catalogue in the audit trail, where an import changes it.
const Whole = "catalogue"

// Import names the call that takes items in.
const Import = "import-catalogue"

// Audit proves that every item is worth what its history says last, and that what
// admins set stands in the audit trail.
func Audit(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, valuesOff, unasked) }
