package personaldata

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/identity"
)

// A database that was restored from a backup has the users again who were deleted since. So every
// node keeps a list of deleted users in a file of its own, which backups don't replace.

// readDeletedList returns the ids in the list. A missing file is an empty list.
func readDeletedList(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list of deleted users: %w", err)
	}
	var ids []string
	for line := range strings.Lines(string(text)) {
		id := strings.TrimSpace(line)
		if _, ok := db.ParseID(id); ok {
			ids = append(ids, id)
		} else if id != "" {
			return nil, fmt.Errorf("list of deleted users: %s has a line that is no user id: %.40q", path, id)
		}
	}
	return ids, nil
}

// writeDeletedList adds the deleted users that the list lacks. It replaces the file as a whole, so that
// a crash leaves no half line.
func (s *Service) writeDeletedList(ctx context.Context) error {
	if s.DeletedList == "" {
		return nil
	}
	var deleted []string
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		deleted, err = identity.Deleted(tx)
		return err
	})
	if err != nil {
		return err
	}
	listed, err := readDeletedList(s.DeletedList)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(listed))
	for _, id := range listed {
		known[id] = true
	}
	missing := slices.DeleteFunc(deleted, func(id string) bool { return known[id] })
	if len(missing) == 0 {
		return nil
	}
	if err := replaceFile(s.DeletedList, strings.Join(append(listed, missing...), "\n")+"\n"); err != nil {
		return fmt.Errorf("list of deleted users: %w", err)
	}
	return nil
}

// replaceFile writes a file that only its owner can read, completely or not at all.
func replaceFile(path, text string) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Reapplied counts the users of a list that a restored database had again.
type Reapplied struct {
	Deleted int // again
	Waiting int // for a shipment or top-up that the backup shows as unfinished; the server deletes them after it
}

// DeleteAgain deletes the users in the list who are in the database, which was restored from a
// backup.
func (s *Service) DeleteAgain(ctx context.Context) (r Reapplied, err error) {
	ids, err := readDeletedList(s.DeletedList)
	if err != nil {
		return r, err
	}
	for _, id := range ids {
		var due bool
		err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
			due, err = identity.MakeDeletionDue(tx, id)
			return err
		})
		if err != nil {
			return r, err
		}
		if !due {
			continue // not in the backup, or deleted in it too
		}
		deleted, err := s.Delete(ctx, id)
		if err != nil {
			return r, err
		}
		if deleted {
			r.Deleted++
		} else {
			r.Waiting++
		}
	}
	return r, nil
}
