// Package admin serves the operators' pages: node health, users and roles, key figures, and the
// admin log.
package admin

import (
	"kaibao/internal/httpkit"
	"kaibao/internal/jobs"
	"kaibao/internal/leaderboard"
	"kaibao/internal/publicbooks"
)

// Node is what is asked about a node's health, and what it has to tell of the house.
type Node struct {
	Ready func() error        // what else than the database keeps it from working
	Jobs  func() []jobs.State // how its background work is doing
	Books *publicbooks.Service
	Board *leaderboard.Service
}

// Routes registers health, the audit trail and the users.
func (n Node) Routes(k *httpkit.Kit) {
	n.healthRoutes(k)
	n.metricsRoutes(k)
	trailRoutes(k)
	userRoutes(k)
}
