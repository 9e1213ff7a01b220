package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"kaibao/internal/db/sqlite"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
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

// checkKeys checks each key, and that it belongs to the database.
func (d *diagnosis) checkKeys(ctx context.Context) {
	addresses := redemptions.Keyring{Setting: d.AddressKeys, Path: filepath.Join(d.Data, addressKeyFile)}
	checks := map[string]func(key string) error{
		logKeyFile: func(key string) error { return d.checkLog(ctx, key) },
		seedKeyFile: func(key string) error {
			seeds, err := newSealer(key)
			if err != nil || d.db == nil || d.schema == 0 {
				return err
			}
			return seeds.Check(ctx, d.db)
		},
		addressKeyFile: func(string) error {
			if err := addresses.Validate(); err != nil || !d.isCurrent() {
				return err
			}
			return addresses.Check(ctx, d.db)
		},
	}
	for _, source := range d.list() {
		d.checkKey(source, checks[source.file])
	}
}

// checkKey reports a key that is missing, invalid, or readable for others.
func (d *diagnosis) checkKey(source keySource, check func(key string) error) {
	name, path := map[string]string{logKeyFile: "log key", seedKeyFile: "seed key", addressKeyFile: "address keys"}[source.file], filepath.Join(d.Data, source.file)
	key, err := existingSecret(source.setting, path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && d.used:
		d.fail(name, "first put the %s of this database into %s", source.file, d.Data)
		return
	case errors.Is(err, fs.ErrNotExist) && d.broken:
		d.warn(name, "%s is missing; the server creates it only for an empty database", path)
		return
	case errors.Is(err, fs.ErrNotExist):
		d.ok(name, "the server will create %s", path)
		return
	case err != nil:
		d.fail(name, "%v", err)
		return
	}
	if err := check(key); err != nil {
		d.fail(name, "%v", err)
		return
	}
	if info, err := os.Stat(path); source.setting == "" && err == nil && info.Mode().Perm()&0o077 != 0 {
		d.warn(name, "other users may read %s: run chmod 600 on it", path)
		return
	}
	d.ok(name, "%s", map[bool]string{true: "from the settings", false: path}[source.setting != ""])
}

// checkLog checks the log key and, in a database with this program's schema, the public log.
func (d *diagnosis) checkLog(ctx context.Context, key string) error {
	if err := publiclog.CheckKey(key); err != nil || !d.isCurrent() {
		return err
	}
	status, err := publiclog.Inspect(ctx, publiclog.Options{DB: d.db, Key: key, CheckpointFile: d.checkpointFile(), NewestCheckpoint: d.newestCheckpoint})
	if err == nil || status.Size > 0 {
		d.log = &status
	}
	if err != nil {
		return fmt.Errorf("the public log: %w", err)
	}
	return nil
}
