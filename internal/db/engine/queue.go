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

// Ticket is a caller's place in a queue. A caller can leave until the worker claims the ticket. After
// that it waits for the outcome, because the work may commit.
type Ticket struct {
	claimed atomic.Bool
	done    chan struct{}
}

// NewTicket returns a ticket that nobody has claimed.
func NewTicket() Ticket { return Ticket{done: make(chan struct{})} }

// Claim claims the ticket, for the worker to run its work or for the caller to leave. It returns true
// only the first time.
func (t *Ticket) Claim() bool { return t.claimed.CompareAndSwap(false, true) }

// Done ends the wait of the caller. The worker calls it once.
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
			case <-t.done: // the work was done just before the worker stopped
				return nil
			default:
				return ErrBusy.Because(errors.New("the queue is closed"))
			}
		case <-leave:
			if t.Claim() {
				return ctx.Err()
			}
			leave = nil
		}
	}
}
