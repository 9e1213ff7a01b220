package batch

import (
	"context"

	"kaibao/internal/db/engine"
)

// Batch runs commands as one batch; all callers share a context.
func (c *Combiner[C, R]) Batch(ctx context.Context, commands ...C) []Outcome[R] {
	batch := make([]*request[C, R], len(commands))
	for i, command := range commands {
		batch[i] = &request[C, R]{ctx: ctx, command: command, Ticket: engine.NewTicket()}
	}
	c.commit(batch)
	outcomes := make([]Outcome[R], len(batch))
	for i, r := range batch {
		outcomes[i] = r.Outcome
	}
	return outcomes
}

// Waiting returns how many lookups wait for the next query.
func (g *Gatherer[K, V]) Waiting() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.waiting)
}
