package db

import (
	"context"
	"errors"
	"sync/atomic"
)

// ticket is somebody's place in a queue. Until their turn comes they may leave;
// then they wait for what becomes of it, as it may be kept.
type ticket struct {
	taken atomic.Bool
	done  chan struct{}
}

func newTicket() ticket { return ticket{done: make(chan struct{})} }

// take is true for the first to ask: the worker, or the one who leaves.
func (t *ticket) take() bool { return t.taken.CompareAndSwap(false, true) }

// wait returns nil once it is done. Otherwise nothing was: the caller left first,
// or idle tells that nobody works any more.
func (t *ticket) wait(ctx context.Context, idle <-chan struct{}) error {
	leave := ctx.Done()
	for {
		select {
		case <-t.done:
			return nil
		case <-idle:
			select {
			case <-t.done: // it was the last
				return nil
			default:
				return errBusy.Because(errors.New("the queue is closed"))
			}
		case <-leave:
			if t.take() {
				return ctx.Err()
			}
			leave = nil
		}
	}
}
