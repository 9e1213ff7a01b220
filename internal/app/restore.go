package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/marketevents"
	"kaibao/internal/publiclog"
)

// memory is the file in which a node remembers what was signed last.
func (s Storage) memory() string { return filepath.Join(s.Data, "log.checkpoint") }

// renewTime is how long all seeds may take to be replaced, which is one transaction:
// nobody is served meanwhile.
const renewTime = time.Hour

// Renew makes a database that was restored from a back-up fit to be served: its log
// goes on under a new origin, and every unused seed is replaced. No node may serve
// the database meanwhile; one that does stops every act.
func Renew(ctx context.Context, s Storage, k Keys) (r publiclog.Renewal, err error) {
	if err := k.Present(s.Data); err != nil {
		return r, err
	}
	ctx, end := context.WithTimeout(ctx, renewTime)
	defer end()
	keys, err := k.load(s.Data)
	if err != nil {
		return r, err
	}
	use := db.SchemaExact
	if s.DatabaseURL == "" {
		if err := db.NotInUse(ctx, s.Data); err != nil {
			return r, err
		}
		use = db.SchemaMigrate
	}
	d, err := db.Open(ctx, db.Options{Dir: s.Data, URL: s.DatabaseURL, Schema: use})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := errors.Join(keys.seeds.Pin(ctx, d), keys.addresses.Check(ctx, d)); err != nil {
		return r, err
	}
	tree, r, err := publiclog.Renew(ctx, publiclog.Options{DB: d, Key: keys.log, Memory: s.memory()}, func(tx *db.Tx, origin string) error {
		if err := marketevents.Renumber(tx); err != nil {
			return err
		}
		return keys.seeds.Reseed(tx, origin)
	})
	if err != nil {
		return r, err
	}
	return r, tree.Sequence(ctx)
}

// Present refuses to go on without keys, where none may be made.
func (k Keys) Present(dir string) error {
	for _, key := range []struct{ setting, file string }{{k.LogKey, "log.key"}, {k.SeedKey, "seed.key"}, {k.AddressKeys, addressFile}} {
		if _, err := os.Stat(filepath.Join(dir, key.file)); key.setting == "" && err != nil {
			return fmt.Errorf("put the %s that the database was made with into %s first: %w", key.file, dir, err)
		}
	}
	return nil
}
