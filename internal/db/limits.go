package db

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/apperr"
)

// CallTime is the default time limit of a transaction, a read, or an API call as a whole. It is as
// long as people should ever wait, and shorter than the timeout of a reverse proxy.
const CallTime = 5 * time.Second

// searchTime is the time limit of a search, including the wait for a connection.
const searchTime = 3 * time.Second

// bounded gives ctx a time limit unless it already has a deadline: background work sets its own.
func bounded(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}

// errBusy asks the caller to retry: nothing was done.
var errBusy = apperr.New(apperr.Unavailable, "The server is busy. Please try again.").After(time.Second)

// unavailable turns failures to reach the database or to finish in time into apperr.Unavailable. It
// returns other errors unchanged.
func unavailable(err error) error {
	if err == nil || errors.Is(err, ErrUnknownCommit) {
		return err
	}
	if _, known := errors.AsType[*apperr.Error](err); known {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) || kindOf(err) == passing {
		return errBusy.Because(err)
	}
	return err
}
