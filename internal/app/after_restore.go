package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/keys"
	"kaibao/internal/marketevents"
	"kaibao/internal/nodes"
	"kaibao/internal/personaldata"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/verify"
)

// checkpointFile returns the file in which a node remembers the last signed checkpoint.
func (s Storage) checkpointFile() string { return filepath.Join(s.Data, "log.checkpoint") }

// renewTime is the time limit for replacing all seeds, in one transaction while no node serves.
const renewTime = time.Hour

// Restored is a database restored from a backup.
type Restored struct {
	Storage
	Keys
	DeletedUsers
	NewLogKey bool   // continue the log with a new key, because the old one is lost or stolen
	Mirror    string // folder with a copy of the log from after the backup; empty = none
}

// Prepare prepares the database for service. Its log continues under a new origin, and every unused seed
// is replaced. It fails if a node still runs.
//
// Users in the list of deleted users are deleted again. Orders that were pending, but that only the mirror
// has, are voided in the log: nobody can know their seeds, and their users weren't charged.
func (s Restored) Prepare(ctx context.Context) (r publiclog.NewEpoch, again personaldata.Reapplied, err error) {
	if err := s.RequirePresent(s.Data); err != nil {
		return r, again, err
	}
	ctx, end := context.WithTimeout(ctx, renewTime)
	defer end()
	set, err := s.loadKeys(s.Data)
	if err != nil {
		return r, again, err
	}
	use := db.SchemaExact
	if s.DatabaseURL == "" {
		if err := sqlite.NotInUse(ctx, s.Data); err != nil {
			return r, again, err
		}
		use = db.SchemaMigrate
	}
	d, err := db.Open(ctx, db.Options{Dir: s.Data, URL: s.DatabaseURL, Schema: use})
	if err != nil {
		return r, again, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := waitUntilStopped(ctx, d); err != nil {
		return r, again, err
	}
	kept, err := initializeKeys(ctx, d, set)
	if err != nil {
		return r, again, err
	}
	o := publiclog.Options{DB: d, Keys: s.source(s.Data, keys.Log).Read, CheckpointFile: s.checkpointFile()}
	start := publiclog.EpochStart{NewKey: s.NewLogKey, Begin: func(tx *db.Tx, origin string) error {
		if err := marketevents.Renumber(tx); err != nil {
			return err
		}
		if _, err := replaceSeeds(tx, set.Seeds, set.Seeds.First(), origin); err != nil {
			return err
		}
		return errors.Join(set.Seeds.ResetAfterRestore(tx), set.Addresses.ResetAfterRestore(tx), nodes.Forget(tx))
	}}
	if s.Mirror != "" {
		start.FindLost = func(t publiclog.Tree) ([]protocol.OrderLeaf, int64, error) {
			return verify.PendingOrders(ctx, s.Mirror, t.Key, verify.Checkpoint{Origin: t.Origin, Size: t.Size, Root: t.Root})
		}
	}
	tree, r, err := publiclog.StartEpoch(ctx, o, start)
	if err != nil {
		return r, again, err
	}
	if err := tree.Sequence(ctx); err != nil {
		return r, again, err
	}
	data := personaldata.New(personaldata.Service{DB: d, AddressKey: kept, DeletedList: s.DeletedListPath(s.Data)})
	again, err = data.DeleteAgain(ctx)
	return r, again, err
}

// waitUntilStopped waits until no node counts as running, because the database may be from a backup that
// was made seconds ago. It fails if one still does after nodes.LiveFor.
func waitUntilStopped(ctx context.Context, d *db.DB) error {
	deadline, pause := time.NewTimer(nodes.LiveFor+time.Second), time.NewTicker(promoteEvery)
	defer deadline.Stop()
	defer pause.Stop()
	for {
		err := d.Read(ctx, requireStopped)
		if err == nil {
			return nil
		}
		select {
		case <-pause.C:
		case <-deadline.C:
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// RequirePresent fails if a key is neither set nor in a file. Use it where no key may be generated.
func (k Keys) RequirePresent(dir string) error {
	for _, source := range k.sources(dir) {
		if _, err := os.Stat(source.Path); source.Setting == "" && err != nil {
			return fmt.Errorf("%w: %w", missingFile(source, dir), err)
		}
	}
	return nil
}
