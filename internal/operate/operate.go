// Package operate is what those who run the house see of it: whether a node works,
// and what admins did.
package operate

import (
	"kaibao/internal/httpkit"
	"kaibao/internal/jobs"
)

// Node is what is asked about a node's health.
type Node struct {
	Ready func() error        // what else than the database keeps it from working
	Jobs  func() []jobs.State // how its background work is doing
}

// Routes registers health and the audit trail.
func (n Node) Routes(k *httpkit.Kit) {
	n.healthRoutes(k)
	trailRoutes(k)
}
