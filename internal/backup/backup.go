// Package backup writes verified, compressed and encrypted backups of a SQLite database into a folder
// or an S3 bucket, and reads them again.
//
// A backup is a tar archive of backup.json (Contents) and kaibao.db, compressed with zstd, and
// encrypted with age if there are recipients. It can be opened without this program:
//
//	age -d -i identity.txt FILE | zstd -d | tar x
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"

	"kaibao/internal/db/sqlite"
)

// Target is where backups are stored. Names have no slashes.
type Target interface {
	// Put stores a file of the given size under a new name. If it fails, the name doesn't exist.
	Put(ctx context.Context, name string, content io.Reader, size int64) error
	// Replace stores a small text under a name that may exist.
	Replace(ctx context.Context, name, text string) error
	// Get opens a stored file. It returns fs.ErrNotExist if there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// List returns all stored files, in any order.
	List(ctx context.Context) ([]File, error)
	// Expire deletes stored files, if they still exist. A target that leaves that to others does nothing.
	Expire(ctx context.Context, names []string) error
	// Check returns why backups can't be stored, as far as that is known without storing one.
	Check(ctx context.Context) error
	// IsLocal reports whether the files stay on this machine.
	IsLocal() bool
	String() string
}

// File is a stored file.
type File struct {
	Name string
	Size int64 // in bytes
}

// Source is the database to back up.
type Source struct {
	Shop    string // id of the shop; restores and new keys don't change it
	Dir     string // its data directory
	Version string // of the running program
	Keys    []Key  // that a restore needs
	Now     func() time.Time
	// Verify checks the copy of the database in a directory: its rows and its log.
	Verify func(ctx context.Context, dir string) error
}

// Key names a key without revealing it.
type Key struct {
	File        string `json:"file"`
	Fingerprint string `json:"fingerprint"`
}

// Contents describe a backup, in its first file.
type Contents struct {
	Format  string    `json:"format"` // format
	MadeAt  time.Time `json:"madeAt"`
	Version string    `json:"version"` // of the program that made it
	Size    int64     `json:"size"`    // of the database file, in bytes
	SHA256  string    `json:"sha256"`  // of the database file, in hex
	Keys    []Key     `json:"keys"`    // that a restore needs; the backup contains none
}

const format = "kaibao-backup/v1"

// DeletedUsers is the name of the list of deleted users, which is stored beside the backups. A restore
// deletes them again.
const DeletedUsers = "deleted-users"

// Result is a stored backup.
type Result struct {
	Name   string
	Size   int64 // of the stored file, in bytes
	SHA256 string
	Took   time.Duration

	Warning string // about other backups in the target, "" = none
}

// errUnencrypted refuses to send personal data to another machine in the clear.
var errUnencrypted = errors.New("a backup outside this machine needs --backup-recipient (an age public key), or an explicit --unencrypted")

// CheckEncryption returns an error if backups would leave this machine unencrypted without anyone
// having asked for it.
func CheckEncryption(t Target, recipients []age.Recipient, unencrypted bool) error {
	if len(recipients) == 0 && !t.IsLocal() && !unencrypted {
		return errUnencrypted
	}
	return nil
}

// Make copies the database while others write to it, verifies the copy, stores it, and compares what
// was stored with what was sent. A failed backup leaves nothing in the target, except in a bucket, which
// may keep a backup with wrong content.
func Make(ctx context.Context, s Source, t Target, recipients []age.Recipient) (r Result, err error) {
	began := s.Now()
	if err := Claim(ctx, t, s.Shop); err != nil {
		return r, err
	}
	work, err := NewWorkDir(s.Dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	copied := filepath.Join(work, sqlite.File)
	if err := sqlite.Backup(ctx, s.Dir, copied); err != nil {
		return r, err
	}
	contents, err := describe(copied)
	if err != nil {
		return r, err
	}
	contents.MadeAt, contents.Version, contents.Keys = began.UTC(), s.Version, s.Keys
	packed := filepath.Join(work, "packed")
	if err := pack(packed, copied, contents, recipients); err != nil {
		return r, fmt.Errorf("pack the backup: %w", err)
	}
	if err := s.Verify(ctx, work); err != nil { // last, because it opens the copy for writing
		return r, fmt.Errorf("the copy of the database is wrong, and was not stored: %w", err)
	}
	r, err = storeAt(ctx, t, packed, began, len(recipients) > 0)
	r.Took = s.Now().Sub(began)
	return r, err
}

// workPrefix begins the names of folders for unencrypted copies of the database.
const workPrefix = ".backup-"

// NewWorkDir makes a folder in a data directory that only its owner can read, for copies of the
// database.
func NewWorkDir(dir string) (string, error) { return os.MkdirTemp(dir, workPrefix) }

// RemoveWorkDirs removes what backups and restores left in a data directory when they were killed.
func RemoveWorkDirs(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, workPrefix+"*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

// name returns the name of a backup. Names sort by time.
func name(at time.Time, encrypted bool) string {
	name := "kaibao-" + at.UTC().Format(nameTime) + suffix
	if encrypted {
		name += encryptedSuffix
	}
	return name
}

const (
	nameTime        = "20060102T150405Z"
	suffix          = ".tar.zst"
	encryptedSuffix = ".age"
)

// maxSameTime is how many backups may begin in the same second.
const maxSameTime = 10

// storeAt stores a backup under the name of its time. If another process has just stored one under
// that name, it takes the next second.
func storeAt(ctx context.Context, t Target, file string, at time.Time, encrypted bool) (r Result, err error) {
	for n := range maxSameTime {
		r, err = store(ctx, t, file, name(at.Add(time.Duration(n)*time.Second), encrypted))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return r, err
}

// store puts a file into the target, reads it back and compares both.
func store(ctx context.Context, t Target, file, name string) (r Result, err error) {
	in, err := os.Open(file)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return r, err
	}
	sent := sha256.New()
	if err := t.Put(ctx, name, io.TeeReader(in, sent), info.Size()); err != nil {
		return r, fmt.Errorf("store %s in %s: %w", name, t, err)
	}
	stored, size, err := sumOf(ctx, t, name)
	if err != nil {
		return r, fmt.Errorf("read %s back from %s: %w", name, t, err)
	}
	if want := sent.Sum(nil); size != info.Size() || string(stored.Sum(nil)) != string(want) {
		err := fmt.Errorf("%s has other content in %s than was sent: %d bytes, want %d", name, t, size, info.Size())
		return r, errors.Join(err, t.Expire(ctx, []string{name}))
	}
	return Result{Name: name, Size: size, SHA256: hex.EncodeToString(stored.Sum(nil))}, nil
}

func sumOf(ctx context.Context, t Target, name string) (sum hash.Hash, size int64, err error) {
	in, err := t.Get(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	sum = sha256.New()
	size, err = io.Copy(sum, in)
	return sum, size, errors.Join(err, in.Close())
}

// describe returns the size and hash of a database file.
func describe(file string) (c Contents, err error) {
	in, err := os.Open(file)
	if err != nil {
		return c, err
	}
	sum := sha256.New()
	size, err := io.Copy(sum, in)
	return Contents{Format: format, Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, errors.Join(err, in.Close())
}
