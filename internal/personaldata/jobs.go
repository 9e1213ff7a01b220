package personaldata

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/jobs"
)

// Jobs returns the background jobs.
func (s *Service) Jobs() []jobs.Job {
	var d *db.DB
	if s != nil {
		d = s.DB
	}
	return []jobs.Job{
		{Name: "account deletions", Every: time.Minute, Limit: time.Minute, Do: s.deleteDue},
		jobs.Pruning(d, "old exports", deleteOldPermissions),
		jobs.Pruning(d, "old requests to sign", deleteOldChallenges),
	}
}

// deleteDue deletes the users whose deletion is due, and writes the list of deleted users. One that
// fails doesn't hold up the others.
func (s *Service) deleteDue(ctx context.Context) (int64, error) {
	var due []string
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		due, err = identity.DueDeletions(tx)
		return err
	})
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, user := range due {
		if _, err := s.Delete(ctx, user); err != nil {
			failed = append(failed, err)
		}
	}
	_, err = s.UpdateDeletedList(ctx)
	return 0, errors.Join(errors.Join(failed...), err)
}
