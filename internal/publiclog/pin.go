package publiclog

import (
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
	epoch int64
	size  int64
	root  tlog.Hash
}

// recall reads the file; there is none before the node's first start.
func (l *Log) recall() (signed string, err error) {
	text, err := os.ReadFile(l.memory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the last checkpoint: %w", err)
	}
	return string(text), nil
}

// pin writes the file; it is on disk when pin returns.
func (l *Log) pin(checkpoint string, last pinned) error {
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
	l.pinned.Store(&last)
	return errors.Join(folder.Sync(), folder.Close())
}
