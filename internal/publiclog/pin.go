package publiclog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"
)

// pinned is the largest tree that this node knows to be signed. It is stored in a file next to the
// key, outside the database, so that restoring an old copy of the database can't roll back the log.
type pinned struct {
	epoch int64
	size  int64
	root  tlog.Hash
}

// recall reads the file. It returns "" before the node's first start.
func (l *Log) recall() (signed string, err error) {
	text, err := os.ReadFile(l.memory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the last checkpoint: %w", err)
	}
	return string(text), nil
}

// pin writes the file and syncs it to disk.
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
