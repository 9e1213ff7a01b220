package tlog

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"
)

// pinned is the largest tree that this node knows to be signed. It stands in a
// file beside the key, apart from the database: one that is restored from a copy
// cannot make the log go back.
type pinned struct {
	size int64
	root tlog.Hash
}

// recall reads the file, if there is one yet.
func (l *Log) recall() error {
	l.pinned.Store(&pinned{root: sha256.Sum256(nil)})
	signed, err := os.ReadFile(l.memory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the last checkpoint: %w", err)
	}
	size, root, err := l.unsealed(string(signed))
	if err != nil {
		return fmt.Errorf("the last checkpoint, %s: %w", l.memory, err)
	}
	l.pinned.Store(&pinned{size, root})
	return nil
}

// pin writes the file; it is on disk when pin returns.
func (l *Log) pin(checkpoint string, size int64, root tlog.Hash) error {
	dir := filepath.Dir(l.memory)
	temp, err := os.CreateTemp(dir, ".checkpoint-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(checkpoint)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), l.memory); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	l.pinned.Store(&pinned{size, root})
	return errors.Join(folder.Sync(), folder.Close())
}
