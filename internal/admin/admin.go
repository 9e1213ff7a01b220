// Package admin serves the operators' pages: node health, what sealed packs wait for, users with their
// roles and notes, the search, key figures, and the admin log.
package admin

import (
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/leaderboard"
	"kaibao/internal/opening"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
	"kaibao/internal/rounds"
)

// Node provides what the admin pages show about the node and its figures.
type Node struct {
	Ready func() error        // why the node is not ready, apart from the database; nil = ready
	Jobs  func() []jobs.State // states of the background jobs
	Books *publicbooks.Service
	Board *leaderboard.Service

	// For what sealed packs depend on.
	Opening *opening.Service
	Rounds  *rounds.Service
	Log     *publiclog.Log
}

// Routes registers health, key figures, backups, sealed packs, the admin log and users.
func (n Node) Routes(api *httpapi.API) {
	n.healthRoutes(api)
	n.keyFigureRoutes(api)
	backupRoutes(api)
	n.sealedRoutes(api)
	logRoutes(api)
	userRoutes(api)
	userPageRoutes(api)
	noteRoutes(api)
	searchRoutes(api)
}
