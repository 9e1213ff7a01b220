package preview

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache stores files in a folder, up to a total size: the least recently used ones are deleted
// first. The folder may be deleted or damaged at any time: what can't be read is a miss. Several
// nodes may share it.
type cache struct {
	dir string
	max int64 // total size in bytes
	log *slog.Logger
	now func() time.Time

	mutex  sync.Mutex
	files  *simplelru.LRU[string, cachedFile] // by name; nil until the folder has been read
	total  int64                              // size of all files in bytes
	failed bool                               // the last write failed
}

type cachedFile struct {
	size int64
	used time.Time // modification time of the file, from which its last use is known after a restart
}

const (
	// useRecorded is how exactly the last use of a file is recorded.
	useRecorded = time.Hour
	// temporary is the prefix of files that are being written. Crashes leave some.
	temporary = ".new-"
)

func newCache(dir string, size int64, log *slog.Logger, now func() time.Time) *cache {
	return &cache{dir: dir, max: size, log: log, now: now}
}

// get returns a stored file.
func (c *cache) get(name string) ([]byte, bool) {
	c.mutex.Lock()
	c.open()
	file, ok := c.files.Get(name)
	touch := ok && c.now().Sub(file.used) >= useRecorded
	if touch {
		file.used = c.now()
		c.files.Add(name, file)
	}
	c.mutex.Unlock()
	if !ok {
		return nil, false
	}
	path := filepath.Join(c.dir, name)
	stored, err := os.ReadFile(path)
	if err == nil && len(stored) >= sha256.Size {
		body := stored[sha256.Size:]
		if sum := sha256.Sum256(body); bytes.Equal(sum[:], stored[:sha256.Size]) {
			if touch {
				_ = os.Chtimes(path, file.used, file.used) // a read-only folder keeps the older time
			}
			return body, true
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.remove(name)
	return nil, false
}

// put stores a file and reports whether it is stored. Of repeated failures, it logs the first.
func (c *cache) put(name string, body []byte) bool {
	err := c.write(name, body)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil && !c.failed {
		c.log.Warn("preview pictures can't be stored", "folder", c.dir, "error", err)
	}
	c.failed = err != nil
	if err != nil {
		return false
	}
	c.open()
	c.add(name, cachedFile{int64(sha256.Size + len(body)), c.now()})
	return true
}

// write writes a file completely or not at all. Its checksum shows what a crash has lost.
func (c *cache) write(name string, body []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, temporary)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	_, err = f.Write(slices.Concat(sum[:], body))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// open reads the names and sizes of the stored files, unless that is done. The caller holds the
// mutex.
func (c *cache) open() {
	if c.files != nil {
		return
	}
	const maxFiles = 1 << 20 // the size is the limit that counts
	files, err := simplelru.NewLRU[string, cachedFile](maxFiles, nil)
	if err != nil {
		panic(err) // only for a maximum of 0
	}
	c.files = files
	entries, _ := os.ReadDir(c.dir) // a folder that can't be read is empty
	type found struct {
		name string
		file cachedFile
	}
	var all []found
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(entry.Name(), temporary) {
			if c.now().Sub(info.ModTime()) >= useRecorded {
				_ = os.Remove(filepath.Join(c.dir, entry.Name()))
			}
			continue
		}
		all = append(all, found{entry.Name(), cachedFile{info.Size(), info.ModTime()}})
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(a.file.used.Compare(b.file.used), cmp.Compare(a.name, b.name))
	})
	for _, f := range all {
		c.add(f.name, f.file)
	}
}

// add adds a stored file, and deletes the least recently used ones while there are too many. The
// caller holds the mutex.
func (c *cache) add(name string, file cachedFile) {
	if before, ok := c.files.Peek(name); ok {
		c.total -= before.size
	}
	c.files.Add(name, file)
	c.total += file.size
	for c.total > c.max && c.files.Len() > 1 {
		oldest, _, _ := c.files.GetOldest()
		c.remove(oldest)
	}
}

// remove deletes a file. The caller holds the mutex.
func (c *cache) remove(name string) {
	if file, ok := c.files.Peek(name); ok {
		c.total -= file.size
		c.files.Remove(name)
	}
	_ = os.Remove(filepath.Join(c.dir, name)) // if it can't be deleted, it can't be replaced either
}
