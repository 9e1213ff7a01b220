package apptest

import (
	"sync"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// kind tells what first starts leave apart: what a clock moved by hand began at is in
// their rows.
type kind struct {
	engine string
	byHand bool
}

var (
	seedlings = map[kind]dbtest.Kept{}
	growing   sync.Mutex
)

// planted is where a first start has left the demo data, all of it in the signed log: it
// takes long to make, and no time to copy.
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
			if err := s.DB.Close(); err != nil { // nobody may be in a database that is copied
				t.Fatalf("close the database: %v", err)
			}
		})
	}
	return storageOf(seedlings[k].Copy(t))
}

func storageOf(o db.Options) app.Storage { return app.Storage{Data: o.Dir, DatabaseURL: o.URL} }
