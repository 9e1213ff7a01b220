package ledger

import "kaibao/internal/db"

// Breach is a row that breaks a rule of the books.
type Breach struct {
	Rule   string `json:"rule"`   // what must hold
	Row    string `json:"row"`    // where it does not
	Detail string `json:"detail"` // what is there instead
}

// Audit proves the ledger on one snapshot: all accounts sum to zero, every
// balance equals its transfers, every line follows from the one before.
func Audit(tx *db.Tx) ([]Breach, error) {
	return Collect(tx, sumOff, balancesOff, linesOff, strangers)
}

// Collect runs checks one after the other and gathers what they find.
func Collect(tx *db.Tx, checks ...func(*db.Tx) ([]Breach, error)) ([]Breach, error) {
	var found []Breach
	for _, check := range checks {
		breaches, err := check(tx)
		if err != nil {
			return nil, err
		}
		found = append(found, breaches...)
	}
	return found, nil
}
