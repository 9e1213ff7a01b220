package db

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/apperr"
)

// CallTime is how long a transaction or a look may take, and a call with all of its
// own: longer than anybody should wait, shorter than a proxy in front gives up.
const CallTime = 5 * time.Second

// searchTime is how long a search may take, waiting for its connection included.
const searchTime = 3 * time.Second

// bounded ends ctx after a while, unless its maker has given it an end already:
// work that nobody waits for says itself how long it may take.
func bounded(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}

// errBusy asks the caller to come back: nothing was done.
var errBusy = apperr.New(apperr.Unavailable, "The server is busy. Please try again.").After(time.Second)

// unavailable turns a failure to reach the database, or to finish in time, into
// apperr.Unavailable. Other errors stay as they are.
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
