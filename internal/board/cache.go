package board

import (
	"context"
	"sync"
	"time"

	"kaibao/internal/db"
)

// cacheLife bounds how often all visitors together ask the database for what is
// the same for all of them.
const cacheLife = time.Second

// cache keeps answers that are the same for all, each at most a second.
type cache[K comparable, V any] struct {
	db   *db.DB
	read func(*db.Tx, K) (V, error)
	sync.Mutex
	found map[K]cached[V]
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
	c.Lock()
	defer c.Unlock()
	clear(c.found)
}

func (c *cache[K, V]) get(ctx context.Context, key K) (value V, err error) {
	c.Lock()
	defer c.Unlock()
	now := c.db.Now()
	if known, ok := c.found[key]; ok && now.Before(known.until) {
		return known.value, nil
	}
	err = c.db.Read(ctx, func(tx *db.Tx) error {
		value, err = c.read(tx, key)
		return err
	})
	if err == nil {
		c.found[key] = cached[V]{value, now.Add(cacheLife)}
	}
	return value, err
}
