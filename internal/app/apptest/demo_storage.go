package apptest

import (
	"sync"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// demoVariant identifies a prepared database. Its rows contain times, so nodes with a test clock
// have their own.
type demoVariant struct {
	engine    string
	testClock bool
}

var (
	demoSnapshots  = map[demoVariant]dbtest.Snapshot{}
	snapshotsMutex sync.Mutex
)

// demoStorage returns a copy of a database with the demo data, all of it in the signed log. It is
// made once, because that is slow and copying is fast.
func demoStorage(t testing.TB, v demoVariant) app.Storage {
	t.Helper()
	snapshotsMutex.Lock()
	defer snapshotsMutex.Unlock()
	if _, ok := demoSnapshots[v]; !ok {
		demoSnapshots[v] = dbtest.TakeSnapshot(t, v.engine, func(o db.Options) {
			config := baseConfig()
			config.Storage = storageOf(o)
			if v.testClock {
				config.Now = dbtest.NewClock().Now
			}
			s := Start(t, config)
			s.WaitForLog(t)
			s.Stop()
			if err := s.DB.Close(); err != nil { // a database in use can't be copied
				t.Fatalf("close the database: %v", err)
			}
		})
	}
	return storageOf(demoSnapshots[v].Copy(t))
}

func storageOf(o db.Options) app.Storage { return app.Storage{Data: o.Dir, DatabaseURL: o.URL} }
