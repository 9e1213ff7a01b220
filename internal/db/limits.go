package db

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db/engine"
)

// CallTime is the default time limit of a transaction, a read, or an API call as a whole. It is as
// long as people should ever wait, and shorter than the timeout of a reverse proxy.
const CallTime = 5 * time.Second

// searchTime is the time limit of a search, including the wait for a connection.
const searchTime = 3 * time.Second

// WithTimeLimit gives ctx the time limit of a call (Options.CallTime) unless it already has a
// deadline: background work sets its own.
func (d *DB) WithTimeLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.callTime)
}

// Unavailable turns failures to reach the database or to finish in time into apperr.Unavailable. It
// returns other errors unchanged.
func Unavailable(err error) error {
	if err == nil || errors.Is(err, ErrUnknownCommit) {
		return err
	}
	if _, known := errors.AsType[*apperr.Error](err); known {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) || kindOf(err) == engine.Unavailable {
		return engine.ErrBusy.Because(err)
	}
	return err
}
