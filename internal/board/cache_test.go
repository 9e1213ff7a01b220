package board

import (
	"context"
	"errors"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Who asks while an answer is read may leave, and gets none that was read before a
// change that they know of.
func TestNobodyIsHeldByAnothersReading(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		begun, release := make(chan struct{}), make(chan struct{})
		readings := 0
		m := newCache(d, func(*db.Tx, struct{}) (int, error) {
			readings++
			mine := readings
			if mine == 1 {
				close(begun)
				<-release
			}
			return mine, nil
		})
		first := make(chan int)
		go func() {
			value, _ := m.get(t.Context(), struct{}{})
			first <- value
		}()
		<-begun
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := m.get(gone, struct{}{}); !errors.Is(err, context.Canceled) {
			t.Errorf("who left was answered %v", err)
		}
		m.forget()
		if value, err := m.get(t.Context(), struct{}{}); value != 2 || err != nil {
			t.Errorf("after a change: reading %d, %v", value, err)
		}
		close(release)
		if value := <-first; value != 1 {
			t.Errorf("who waited got reading %d", value)
		}
		if value, err := m.get(t.Context(), struct{}{}); value != 2 || err != nil {
			t.Errorf("then: reading %d, %v", value, err)
		}
	})
}
