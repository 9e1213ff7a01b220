package publiclog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// tree is a tree of the log by its size and root. The largest tree that this node knows to be
// signed is stored in a file next to the key, outside the database, so that restoring an old copy
// of the database can't roll back the log.
type tree struct {
	epoch int64
	size  int64
	root  tlog.Hash
}

// readCheckpointFile reads the file. It returns "" before the node's first start.
func (l *Log) readCheckpointFile() (signed string, err error) {
	text, err := os.ReadFile(l.checkpointFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the last checkpoint: %w", err)
	}
	return string(text), nil
}

// RememberedLeaves returns the size of the tree in a node's checkpoint file, or 0 if there is no file.
func RememberedLeaves(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("the last checkpoint: %w", err)
	}
	lines := strings.SplitN(string(text), "\n", 3) // origin, size and the rest
	if len(lines) == 3 {
		leaves, err := strconv.ParseInt(lines[1], 10, 64)
		if err == nil {
			return leaves, nil
		}
	}
	return 0, fmt.Errorf("%s is not a checkpoint", file)
}

// keepReplaced keeps a copy of the file before a new log replaces it, because it is evidence of what
// the node signed. It keeps none of an empty log.
func (l *Log) keepReplaced(now time.Time) error {
	leaves, err := RememberedLeaves(l.checkpointFile)
	if err != nil || leaves == 0 {
		return err
	}
	signed, err := l.readCheckpointFile()
	if err != nil {
		return err
	}
	return os.WriteFile(l.checkpointFile+".replaced-"+now.Format("20060102T150405Z"), []byte(signed), 0o600)
}

// saveCheckpoint remembers a signed tree, unless the node already knows a log that continues this
// one.
func (l *Log) saveCheckpoint(checkpoint string, last tree) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	known := l.known.Load()
	if known.tree.epoch > last.epoch {
		return nil
	}
	return l.remember(checkpoint, &knownLog{known.epochs, last})
}

// remember writes the file, syncs it to disk and stores what is known. The caller holds the mutex.
func (l *Log) remember(checkpoint string, known *knownLog) error {
	if l.readOnly {
		l.known.Store(known)
		return nil
	}
	dir := filepath.Dir(l.checkpointFile)
	temp, err := os.CreateTemp(dir, ".checkpoint-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(checkpoint)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), l.checkpointFile); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	l.known.Store(known)
	return errors.Join(folder.Sync(), folder.Close())
}
