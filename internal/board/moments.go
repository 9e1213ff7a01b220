package board

import (
	"context"
	"sync"
	"time"

	"kaibao/internal/db"
)

// momentLife bounds how often all visitors together ask the database for what is
// the same for all of them.
const momentLife = time.Second

// moments keeps answers that are the same for all, each at most a second.
type moments[K comparable, V any] struct {
	db   *db.DB
	read func(*db.Tx, K) (V, error)
	sync.Mutex
	found map[K]moment[V]
}

type moment[V any] struct {
	value V
	until time.Time
}

func newMoments[K comparable, V any](d *db.DB, read func(*db.Tx, K) (V, error)) *moments[K, V] {
	return &moments[K, V]{db: d, read: read, found: map[K]moment[V]{}}
}

// forget makes the next visitor's answer a fresh one.
func (m *moments[K, V]) forget() {
	m.Lock()
	defer m.Unlock()
	clear(m.found)
}

func (m *moments[K, V]) get(ctx context.Context, key K) (value V, err error) {
	m.Lock()
	defer m.Unlock()
	now := m.db.Now()
	if known, ok := m.found[key]; ok && now.Before(known.until) {
		return known.value, nil
	}
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		value, err = m.read(tx, key)
		return err
	})
	if err == nil {
		m.found[key] = moment[V]{value, now.Add(momentLife)}
	}
	return value, err
}
