package app

import "kaibao/internal/audit"

// Proofs are the parts of Audit, one for each feature that has any.
func Proofs() (parts []audit.Check) {
	for _, f := range (services{}).features() {
		if f.audit != nil {
			parts = append(parts, f.audit)
		}
	}
	return parts
}
