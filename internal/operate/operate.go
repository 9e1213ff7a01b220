// Package operate is what those who run the house see of it: whether a node works,
// and what admins did.
package operate

import (
	"kaibao/internal/board"
	"kaibao/internal/books"
	"kaibao/internal/httpkit"
	"kaibao/internal/jobs"
)

// Node is what is asked about a node's health, and what it has to tell of the house.
type Node struct {
	Ready func() error        // what else than the database keeps it from working
	Jobs  func() []jobs.State // how its background work is doing
	Books *books.Service
	Board *board.Service
}

// Routes registers health, the audit trail and the users.
func (n Node) Routes(k *httpkit.Kit) {
	n.healthRoutes(k)
	n.metricsRoutes(k)
	trailRoutes(k)
	userRoutes(k)
}
