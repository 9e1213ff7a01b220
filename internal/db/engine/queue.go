package engine

import (
	"context"
	"errors"
	"sync/atomic"
)

const (
	// MaxBatch is the maximum number of calls that share a transaction or a query.
	MaxBatch = 256
	// MaxQueue is the maximum number of calls that wait for a transaction.
	MaxQueue = 4096
)

// Ticket is a caller's place in a queue. Callers may leave until the worker takes their ticket;
// after that they wait for the outcome, because the work may commit.
type Ticket struct {
	taken atomic.Bool
	done  chan struct{}
}

// NewTicket returns a ticket that is not taken.
func NewTicket() Ticket { return Ticket{done: make(chan struct{})} }

// Take reports whether the ticket was still free: true for the first caller only, which is the
// worker or the waiter who leaves.
func (t *Ticket) Take() bool { return t.taken.CompareAndSwap(false, true) }

// Done says that the work is done. The worker calls it once.
func (t *Ticket) Done() { close(t.done) }

// Wait returns nil once the work is done. After an error nothing was done: ctx ended first, or
// stopped says that the worker has stopped.
func (t *Ticket) Wait(ctx context.Context, stopped <-chan struct{}) error {
	leave := ctx.Done()
	for {
		select {
		case <-t.done:
			return nil
		case <-stopped:
			select {
			case <-t.done: // it was done last
				return nil
			default:
				return ErrBusy.Because(errors.New("the queue is closed"))
			}
		case <-leave:
			if t.Take() {
				return ctx.Err()
			}
			leave = nil
		}
	}
}
