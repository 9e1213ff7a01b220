package batch

import (
	"context"
	"sync"

	"kaibao/internal/db"
	"kaibao/internal/db/engine"
)

// Gatherer batches lookups: those that wait at the same time share one query. There is no timer: a
// query takes the lookups that queued up while the one before ran, so a single lookup never waits
// for others.
type Gatherer[K comparable, V any] struct {
	db   *db.DB
	find func(tx *db.Tx, keys []K) (map[K]V, error)

	mutex   sync.Mutex
	waiting []*lookup[K, V]
	busy    bool
}

type lookup[K comparable, V any] struct {
	key   K
	value V
	err   error
	done  chan struct{}
}

// NewGatherer returns a Gatherer that passes each batch of keys to find. find makes a single query
// and returns the values it found.
func NewGatherer[K comparable, V any](d *db.DB, find func(tx *db.Tx, keys []K) (map[K]V, error)) *Gatherer[K, V] {
	return &Gatherer[K, V]{db: d, find: find}
}

// Find returns the value of a key, or db.ErrNoRow.
func (g *Gatherer[K, V]) Find(ctx context.Context, key K) (V, error) {
	ctx, end := g.db.WithTimeLimit(ctx)
	defer end()
	l := &lookup[K, V]{key: key, done: make(chan struct{})}
	g.mutex.Lock()
	g.waiting = append(g.waiting, l)
	start := !g.busy
	g.busy = true
	g.mutex.Unlock()
	if start {
		go g.work()
	}
	select {
	case <-l.done:
		return l.value, l.err
	case <-ctx.Done():
		var none V
		return none, db.Unavailable(ctx.Err())
	}
}

func (g *Gatherer[K, V]) work() {
	for {
		g.mutex.Lock()
		batch := g.waiting[:min(len(g.waiting), engine.MaxBatch)]
		g.waiting = g.waiting[len(batch):]
		g.busy = len(batch) > 0
		g.mutex.Unlock()
		if len(batch) == 0 {
			return
		}
		g.findAll(batch)
	}
}

func (g *Gatherer[K, V]) findAll(batch []*lookup[K, V]) {
	keys := make([]K, len(batch))
	for i, l := range batch {
		keys[i] = l.key
	}
	var found map[K]V
	err := g.db.Peek(context.Background(), func(tx *db.Tx) (err error) {
		found, err = g.find(tx, keys)
		return err
	})
	for _, l := range batch {
		value, ok := found[l.key]
		switch {
		case err != nil:
			l.err = err
		case !ok:
			l.err = db.ErrNoRow
		default:
			l.value = value
		}
		close(l.done)
	}
}
