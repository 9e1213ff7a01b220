package httpcache

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	// patience is how long callers of a slow cache wait for a computation. If the last one took
	// longer, the expired value is served while the next is computed.
	patience = time.Second
	// minLifeFactor is the minimum life of a slow cache's value, as a multiple of its computation
	// time. Computing thus takes at most a twentieth of the time.
	minLifeFactor = 20
	// maxLife caps that life, in case the clock was changed during the computation.
	maxLife = time.Hour
)

// Cache holds responses that are the same for everybody, encoded, for a limited time. Concurrent
// requests for one key share one computation. Errors are not cached.
type Cache[K comparable, V any] struct {
	now  func() time.Time
	life time.Duration
	slow bool
	read func(context.Context, K) (V, error)

	mutex   sync.Mutex
	values  map[K]*entry[V]
	pending map[K]*entry[V] // being computed
}

// entry is a computed response, or one being computed.
type entry[V any] struct {
	value V
	sent  *response
	err   error
	took  time.Duration
	until time.Time
	done  chan struct{} // closed when the other fields are set
}

// New returns a cache that keeps values for life, by the clock now.
func New[K comparable, V any](now func() time.Time, life time.Duration, read func(context.Context, K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{now: now, life: life, read: read, values: map[K]*entry[V]{}, pending: map[K]*entry[V]{}}
}

// NewSlow is New for slow computations. An expired value is served during the next
// computation if it took more than a second. Values that took longer to compute are kept longer.
func NewSlow[K comparable, V any](now func() time.Time, life time.Duration, read func(context.Context, K) (V, error)) *Cache[K, V] {
	kept := New(now, life, read)
	kept.slow = true
	return kept
}

// Get returns the value of a key, computing it if necessary. Canceling ctx ends the wait but not
// the computation, which later callers share.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (value V, err error) {
	m, err := c.get(ctx, key)
	if err != nil {
		return value, err
	}
	return m.value, nil
}

// Invalidate drops all cached values. The next Get of a key computes it.
func (c *Cache[K, V]) Invalidate() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	clear(c.values)
	clear(c.pending)
}

func (c *Cache[K, V]) get(ctx context.Context, key K) (*entry[V], error) {
	cached, pending := c.lookup(ctx, key)
	if cached != nil && (pending == nil || c.slow && cached.took > patience) {
		return cached, nil
	}
	select {
	case <-pending.done:
		return pending, pending.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lookup returns the cached entry and the one being computed; either may be nil. It starts a
// computation if the cached one is missing or has expired.
func (c *Cache[K, V]) lookup(ctx context.Context, key K) (cached, pending *entry[V]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	cached, pending = c.values[key], c.pending[key]
	if pending == nil && (cached == nil || !c.now().Before(cached.until)) {
		pending = &entry[V]{done: make(chan struct{})}
		c.pending[key] = pending
		go c.renew(context.WithoutCancel(ctx), key, pending)
	}
	return cached, pending
}

// renew computes a value. If the cache was invalidated meanwhile, only the callers already waiting
// get it.
func (c *Cache[K, V]) renew(ctx context.Context, key K, m *entry[V]) {
	defer close(m.done)
	began := c.now()
	m.value, m.err = c.read(ctx, key)
	if m.err == nil {
		m.sent, m.err = encode(m.value)
		m.sent.cacheGzip()
	}
	m.took = c.now().Sub(began)
	m.until = began.Add(c.lifeOf(m.took))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pending[key] != m {
		return
	}
	delete(c.pending, key)
	if m.err != nil {
		return
	}
	// Drop expired values here, so that the cache holds only keys in use.
	maps.DeleteFunc(c.values, func(_ K, m *entry[V]) bool { return !began.Before(m.until) })
	c.values[key] = m
}

func (c *Cache[K, V]) lifeOf(took time.Duration) time.Duration {
	if !c.slow {
		return c.life
	}
	return min(max(c.life, minLifeFactor*took), maxLife)
}
