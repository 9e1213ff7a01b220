package fees

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Audit checks that the stored changes are exactly those announced in the log.
func Audit(tx *db.Tx) (found []audit.Breach, err error) {
	changes, err := allChanges(tx)
	if err != nil {
		return nil, err
	}
	announced, err := publiclog.AllLeaves[protocol.RatesLeaf](tx)
	for i := range max(len(changes), len(announced)) {
		row, leaf := "none", "none"
		if i < len(changes) {
			row = changes[i].leaf()
			if changes[i].Number != int64(i)+1 {
				row = "out of order"
			}
		}
		if i < len(announced) {
			leaf = string(announced[i].Format())
		}
		if row != leaf {
			found = append(found, audit.Breach{Rule: "the rates must match those announced in the log", Row: "rates", Detail: "stored: " + row + "; in the log: " + leaf})
		}
	}
	return found, err
}
