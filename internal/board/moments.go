package board

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"kaibao/internal/db"
)

// momentLife bounds how often all visitors together ask the database for what is
// the same for all of them.
const momentLife = time.Second

// moments keeps answers that are the same for all, each at most a second. Who asks
// while one is read shares it, and nobody waits for a second reading: so a database
// that is away holds each of them up for one deadline, however many they are.
type moments[K comparable, V any] struct {
	db      *db.DB
	read    func(*db.Tx, K) (V, error)
	flights singleflight.Group

	mutex     sync.Mutex
	found     map[K]moment[V]
	forgotten int // how often; what was read before is not kept
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
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.found)
	m.forgotten++
}

func (m *moments[K, V]) get(ctx context.Context, key K) (value V, err error) {
	m.mutex.Lock()
	known, ok := m.found[key]
	forgotten := m.forgotten
	m.mutex.Unlock()
	if ok && m.db.Now().Before(known.until) {
		return known.value, nil
	}
	reading := m.flights.DoChan(fmt.Sprint(forgotten, key), func() (any, error) {
		return m.fresh(context.WithoutCancel(ctx), key, forgotten)
	})
	select {
	case answer := <-reading:
		return answer.Val.(V), answer.Err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

func (m *moments[K, V]) fresh(ctx context.Context, key K, forgotten int) (value V, err error) {
	until := m.db.Now().Add(momentLife)
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		value, err = m.read(tx, key)
		return err
	})
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err == nil && m.forgotten == forgotten {
		m.found[key] = moment[V]{value, until}
	}
	return value, err
}
