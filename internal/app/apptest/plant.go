package apptest

import (
	"sync"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// kind identifies a prepared database. Its rows contain times, so those of a test clock are kept
// separately.
type kind struct {
	engine string
	byHand bool
}

var (
	seedlings = map[kind]dbtest.Kept{}
	growing   sync.Mutex
)

// planted returns a copy of a database with the demo data, all of it in the signed log. It is made
// once, because that is slow and copying is fast.
func planted(t testing.TB, k kind) app.Storage {
	t.Helper()
	growing.Lock()
	defer growing.Unlock()
	if _, ok := seedlings[k]; !ok {
		seedlings[k] = dbtest.Keep(t, k.engine, func(o db.Options) {
			config := usual()
			config.Storage = storageOf(o)
			if k.byHand {
				config.Now = dbtest.NewClock().Now
			}
			s := Start(t, config)
			s.Settle(t)
			s.Stop()
			if err := s.DB.Close(); err != nil { // a database in use can't be copied
				t.Fatalf("close the database: %v", err)
			}
		})
	}
	return storageOf(seedlings[k].Copy(t))
}

func storageOf(o db.Options) app.Storage { return app.Storage{Data: o.Dir, DatabaseURL: o.URL} }
