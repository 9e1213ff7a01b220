package personaldata

import (
	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// Jobs returns the background jobs.
func (s *Service) Jobs() []jobs.Job {
	var d *db.DB
	if s != nil {
		d = s.DB
	}
	return []jobs.Job{
		jobs.Pruning(d, "old exports", deleteOldPermissions),
		jobs.Pruning(d, "old requests to sign", deleteOldChallenges),
	}
}
