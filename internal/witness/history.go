package witness

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// history is what a witness has seen of a log.
type history struct {
	sync.Mutex
	path string
	last Seen
	seen *os.File // every cosigned checkpoint, one line of JSON each
}

// Seen is a cosigned checkpoint, and when the witness saw it.
type Seen struct {
	Origin     string    `json:"origin"`
	Size       int64     `json:"size"`
	Root       tlog.Hash `json:"root"`
	Time       time.Time `json:"time"` // in whole seconds, as in the cosignature
	Checkpoint string    `json:"checkpoint"`
}

// openHistory opens the files of a log: ORIGIN.last with the last cosigned checkpoint, and
// ORIGIN.seen with all of them. The origin is escaped.
func openHistory(dir, origin string) (*history, error) {
	name := filepath.Join(dir, url.PathEscape(origin))
	h := &history{path: name + ".last", last: Seen{Origin: origin, Root: sha256.Sum256(nil)}}
	text, err := os.ReadFile(h.path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // never cosigned
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(text, &h.last); err != nil || h.last.Origin != origin {
			return nil, fmt.Errorf("%s is damaged, so nothing is cosigned: begin with an empty directory and a new key, because with an old copy the log could show this witness another tree (%w)", h.path, err)
		}
	}
	h.seen, err = openLines(name + ".seen")
	return h, err
}

// openLines opens a file to append lines. It removes an incomplete last line, which a crash left.
func openLines(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	end := make([]byte, min(info.Size(), 2*maxRequest)) // a line is shorter
	if _, err := file.ReadAt(end, info.Size()-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, file.Close())
	}
	incomplete := len(end) - 1 - bytes.LastIndexByte(end, '\n')
	if err := file.Truncate(info.Size() - int64(incomplete)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// save stores a checkpoint durably, before its cosignature is shown to anyone.
func (h *history) save(s Seen) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	before, err := h.seen.Stat()
	if err != nil {
		return err
	}
	_, err = h.seen.Write(line)
	if err := errors.Join(err, h.seen.Sync()); err != nil {
		return errors.Join(err, h.seen.Truncate(before.Size()))
	}
	if err := writeFile(h.path, string(line)); err != nil {
		return err
	}
	h.last = s
	return nil
}

// writeFile replaces a file durably.
func writeFile(path, text string) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(text)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
