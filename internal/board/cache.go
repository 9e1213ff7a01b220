package board

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"kaibao/internal/db"
)

// cacheLife bounds how often all visitors together ask the database for what is
// the same for all of them.
const cacheLife = time.Second

// cache keeps answers that are the same for all, each at most a second. Who asks
// while one is read shares it, and nobody waits for a second reading: so a database
// that is away holds each of them up for one deadline, however many they are.
type cache[K comparable, V any] struct {
	db      *db.DB
	read    func(*db.Tx, K) (V, error)
	flights singleflight.Group

	mutex     sync.Mutex
	found     map[K]cached[V]
	forgotten int // how often; what was read before is not kept
}

type cached[V any] struct {
	value V
	until time.Time
}

func newCache[K comparable, V any](d *db.DB, read func(*db.Tx, K) (V, error)) *cache[K, V] {
	return &cache[K, V]{db: d, read: read, found: map[K]cached[V]{}}
}

// forget makes the next visitor's answer a fresh one.
func (c *cache[K, V]) forget() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	clear(c.found)
	c.forgotten++
}

func (c *cache[K, V]) get(ctx context.Context, key K) (value V, err error) {
	c.mutex.Lock()
	known, ok := c.found[key]
	forgotten := c.forgotten
	c.mutex.Unlock()
	if ok && c.db.Now().Before(known.until) {
		return known.value, nil
	}
	reading := c.flights.DoChan(fmt.Sprint(forgotten, key), func() (any, error) {
		return c.fresh(context.WithoutCancel(ctx), key, forgotten)
	})
	select {
	case answer := <-reading:
		return answer.Val.(V), answer.Err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

func (c *cache[K, V]) fresh(ctx context.Context, key K, forgotten int) (value V, err error) {
	until := c.db.Now().Add(cacheLife)
	err = c.db.Read(ctx, func(tx *db.Tx) error {
		value, err = c.read(tx, key)
		return err
	})
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err == nil && c.forgotten == forgotten {
		c.found[key] = cached[V]{value, until}
	}
	return value, err
}
