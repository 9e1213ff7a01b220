package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"kaibao/internal/db"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
	"kaibao/internal/publiclog"
)

// Free disk space in bytes: what a node needs for its own files, what SQLite needs in addition for
// its write-ahead log, and what is comfortable.
const (
	minFree      = 16 << 20
	minFreeLog   = 256 << 20
	plentyOfFree = 1 << 30
)

func (d *diagnosis) checkDirectory() {
	existing := d.Data
	info, err := os.Stat(existing)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(existing) != existing {
		existing = filepath.Dir(existing)
		info, err = os.Stat(existing)
	}
	const readWriteSearch = 7
	switch {
	case err != nil:
		d.fail("data directory", "%v", err)
		return
	case !info.IsDir():
		d.fail("data directory", "%s is not a directory: set --data (KAIBAO_DATA)", existing)
		return
	case syscall.Access(existing, readWriteSearch) != nil:
		d.fail("data directory", "this user may not write to %s: change its owner, or run as its owner", existing)
	case existing != d.Data:
		d.ok("data directory", "the server will create %s", d.Data)
	default:
		d.ok("data directory", "%s", d.Data)
	}
	d.checkDisk(existing)
}

func (d *diagnosis) checkDisk(dir string) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		d.warn("disk", "the free space of %s is unknown: %v", dir, err)
		return
	}
	free, least, plenty := int64(disk.Bavail)*disk.Bsize, int64(minFree), int64(minFree)
	if d.DatabaseURL == "" {
		least, plenty = minFreeLog, plentyOfFree
		if info, err := os.Stat(filepath.Join(d.Data, sqlite.File)); err == nil {
			plenty = max(plenty, info.Size())
		}
	}
	switch {
	case free < least:
		d.fail("disk", "only %d MB are free in %s, and the server needs %d MB: make room", free>>20, dir, least>>20)
	case free < plenty:
		d.warn("disk", "only %d MB are free in %s, and a backup or migration can need %d MB: make room", free>>20, dir, plenty>>20)
	default:
		d.ok("disk", "%d MB are free", free>>20)
	}
}

// keyChecks names the checks of keys.
var keyChecks = map[keys.Kind]string{keys.Log: "log key", keys.Seed: "seed key", keys.Address: "address keys"}

// checkKeys checks the keys of each kind, that they belong to the database, and whether there is
// something to do about them.
func (d *diagnosis) checkKeys(ctx context.Context) {
	for _, source := range d.sources(d.Data) {
		if ring := d.checkKeySource(ctx, source); ring != nil && d.isCurrent() && d.used {
			d.checkKeyStates(ctx, ring)
		}
	}
}

// checkKeySource reports keys that are missing, invalid, or readable for others. It returns nil
// unless they can be used.
func (d *diagnosis) checkKeySource(ctx context.Context, source keys.Source) *keyring.Ring {
	name, path := keyChecks[source.Kind], source.Path
	_, err := source.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist) && d.used:
		d.fail(name, "%v", missingFile(source, d.Data))
		return nil
	case errors.Is(err, fs.ErrNotExist) && d.broken:
		d.warn(name, "%s is missing; the server creates it only for an empty database", path)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		d.ok(name, "the server will create %s", path)
		return nil
	case err != nil:
		d.fail(name, "%v", err)
		return nil
	}
	ring, err := keyring.Load(source)
	if err == nil {
		err = d.checkRing(ctx, ring)
	}
	if err != nil {
		d.fail(name, "%v", err)
		return nil
	}
	if info, err := os.Stat(path); source.Setting == "" && err == nil && info.Mode().Perm()&0o077 != 0 {
		d.warn(name, "other users may read %s: run chmod 600 on it", path)
		return ring
	}
	d.ok(name, "%s", map[bool]string{true: "from the settings", false: path}[source.Setting != ""])
	return ring
}

// checkRing checks that a database's keys are there.
func (d *diagnosis) checkRing(ctx context.Context, ring *keyring.Ring) error {
	if ring.Source().Kind == keys.Log {
		return d.checkLog(ctx, ring.Source().Read)
	}
	switch {
	case d.isCurrent():
		return d.db.Read(ctx, ring.Check)
	case d.db != nil && d.schema > 0 && ring.Source().Kind == keys.Seed:
		return d.db.Read(ctx, func(tx *db.Tx) error { return checkEarlierSeedKey(tx, ring) })
	}
	return nil
}

// checkEarlierSeedKey is Ring.Check for the seed key of a database before schema 22.
func checkEarlierSeedKey(tx *db.Tx, ring *keyring.Ring) error {
	pinned, err := db.Setting(tx, "seed_key")
	if err != nil || len(pinned) < keys.FingerprintLength {
		return err
	}
	if _, ok := ring.Find(pinned[:keys.FingerprintLength]); !ok {
		return ring.Missing(pinned[:keys.FingerprintLength])
	}
	return nil
}

// checkKeyStates reports what is to do about keys, such as a rotation that isn't complete.
func (d *diagnosis) checkKeyStates(ctx context.Context, ring *keyring.Ring) {
	var states []KeyState
	err := d.db.Read(ctx, func(tx *db.Tx) error {
		live, err := nodes.Live(tx)
		if err == nil {
			states, err = readKeyStates(tx, ring, live)
		}
		return err
	})
	name := keyChecks[ring.Source().Kind]
	if err != nil {
		d.fail(name, "%v", err)
		return
	}
	for _, s := range states {
		switch next := s.Next(); {
		case next == "":
		case !s.Due(d.db.Now()):
			d.ok(name, "%s (%s): %s", s.Fingerprint, s.Role, next)
		default:
			d.warn(name, "%s (%s): %s", s.Fingerprint, s.Role, next)
		}
	}
}

// checkLog checks the log key and, in a database with this program's schema, the public log.
func (d *diagnosis) checkLog(ctx context.Context, signing publiclog.Keys) error {
	if err := signing.Check(); err != nil || !d.isCurrent() {
		return err
	}
	status, err := publiclog.Inspect(ctx, publiclog.Options{DB: d.db, Keys: signing, CheckpointFile: d.checkpointFile(), NewestCheckpoint: d.newestCheckpoint})
	if err == nil || status.Size > 0 {
		d.log = &status
	}
	if err != nil {
		return fmt.Errorf("the public log: %w", err)
	}
	return nil
}
