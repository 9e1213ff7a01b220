package httpkit

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	// patience is how long an answer may take to make that somebody waits for, where it may
	// take long; a slower one is made anew behind the answers.
	patience = time.Second
	// share is how many times as long as they took such answers are kept, so that they cost
	// at most a twentieth of one reader's time.
	share = 20
	// longestLife bounds that, though a clock was set meanwhile.
	longestLife = time.Hour
)

// Cache holds responses that are the same for everybody, encoded, for a limited time. Concurrent
// requests for one key share one computation. Errors are not cached.
type Cache[K comparable, V any] struct {
	now  func() time.Time
	life time.Duration
	slow bool
	read func(context.Context, K) (V, error)

	mutex   sync.Mutex
	values  map[K]*made[V]
	pending map[K]*made[V] // being made
}

// made is an answer of one moment.
type made[V any] struct {
	value V
	sent  *encoded
	err   error
	took  time.Duration
	until time.Time
	done  chan struct{} // closed when the rest is there
}

// NewCache keeps answers for so long by a clock.
func NewCache[K comparable, V any](now func() time.Time, life time.Duration, read func(context.Context, K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{now: now, life: life, read: read, values: map[K]*made[V]{}, pending: map[K]*made[V]{}}
}

// NewSlowCache is Keep for answers that may take long to make. Whoever asks is given one that
// is over, where that took more than a second, and each is kept longer the longer it took.
func NewSlowCache[K comparable, V any](now func() time.Time, life time.Duration, read func(context.Context, K) (V, error)) *Cache[K, V] {
	kept := NewCache(now, life, read)
	kept.slow = true
	return kept
}

// Get is the answer to a key, made if there is none. It ends with ctx; what was begun is
// made nevertheless, for whoever comes next.
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

func (c *Cache[K, V]) get(ctx context.Context, key K) (*made[V], error) {
	found, under := c.take(ctx, key)
	if found != nil && (under == nil || c.slow && found.took > patience) {
		return found, nil
	}
	select {
	case <-under.done:
		return under, under.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// take gives the answer that there is, and the one that is being made.
func (c *Cache[K, V]) take(ctx context.Context, key K) (found, under *made[V]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	found, under = c.values[key], c.pending[key]
	if under == nil && (found == nil || !c.now().Before(found.until)) {
		under = &made[V]{done: make(chan struct{})}
		c.pending[key] = under
		go c.renew(context.WithoutCancel(ctx), key, under)
	}
	return found, under
}

// renew makes an answer. What was forgotten meanwhile is for those alone who wait for it.
func (c *Cache[K, V]) renew(ctx context.Context, key K, m *made[V]) {
	defer close(m.done)
	began := c.now()
	m.value, m.err = c.read(ctx, key)
	if m.err == nil {
		m.sent, m.err = encode(m.value)
		m.sent.keep()
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
	// No more is kept than is asked for.
	maps.DeleteFunc(c.values, func(_ K, m *made[V]) bool { return !began.Before(m.until) })
	c.values[key] = m
}

func (c *Cache[K, V]) lifeOf(took time.Duration) time.Duration {
	if !c.slow {
		return c.life
	}
	return min(max(c.life, share*took), longestLife)
}
