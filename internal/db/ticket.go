package db

import (
	"context"
	"errors"
	"sync/atomic"
)

// ticket is a place in a queue. Callers may leave until the worker takes their ticket; after that
// they wait for the outcome, because the work may commit.
type ticket struct {
	taken atomic.Bool
	done  chan struct{}
}

func newTicket() ticket { return ticket{done: make(chan struct{})} }

// take reports whether the ticket was still free: true for the first caller only, be it the worker
// or the waiter who leaves.
func (t *ticket) take() bool { return t.taken.CompareAndSwap(false, true) }

// wait returns nil once the work is done. After an error nothing was done: ctx ended first, or idle
// says that the worker has stopped.
func (t *ticket) wait(ctx context.Context, idle <-chan struct{}) error {
	leave := ctx.Done()
	for {
		select {
		case <-t.done:
			return nil
		case <-idle:
			select {
			case <-t.done: // it was done last
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
