package app

import "kaibao/internal/audit"

// Proofs returns the audits of the features.
func Proofs() (parts []audit.Check) {
	for _, f := range withoutState().features() {
		if f.audit != nil {
			parts = append(parts, f.audit)
		}
	}
	return parts
}
