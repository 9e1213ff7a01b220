package personaldata

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	return parseDeletedList(path, string(text))
}

// parseDeletedList returns the ids in the text of a list.
func parseDeletedList(path, text string) (ids []string, err error) {
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if _, ok := db.ParseID(id); ok {
			ids = append(ids, id)
		} else if id != "" {
			return nil, fmt.Errorf("list of deleted users: %s has a line that is no user id: %.40q", path, id)
		}
	}
	return ids, nil
}

// UpdateDeletedList adds the deleted users that the list lacks, and returns its text.
func (s *Service) UpdateDeletedList(ctx context.Context) (text string, err error) {
	if s.DeletedList == "" {
		return "", nil
	}
	var deleted []string
	err = s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		deleted, err = identity.Deleted(tx)
		return err
	})
	if err != nil {
		return "", err
	}
	return addToDeletedList(s.DeletedList, deleted)
}

// MergeDeletedLists returns a list with the ids of a stored list and of another one. It returns an error
// if the stored one is damaged.
func MergeDeletedLists(path, stored, other string) (string, error) {
	ids, err := parseDeletedList(path, stored)
	if err != nil {
		return "", err
	}
	more, err := parseDeletedList("deleted-users", other)
	if err != nil {
		return "", err
	}
	all, _ := mergeIDs(ids, more)
	return formatDeletedList(all), nil
}

// mergeIDs adds the ids that a list lacks. It returns the longer list, and how many it added.
func mergeIDs(listed, ids []string) (all []string, added int) {
	known := make(map[string]bool, len(listed))
	for _, id := range listed {
		known[id] = true
	}
	all = listed
	for _, id := range ids {
		if !known[id] {
			known[id] = true
			all = append(all, id)
		}
	}
	return all, len(all) - len(listed)
}

// formatDeletedList returns the text of a list, one id per line.
func formatDeletedList(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return strings.Join(ids, "\n") + "\n"
}

// AddToDeletedList adds the ids in a text, such as another copy of the list, to the list in a file.
func AddToDeletedList(path, text string) error {
	ids, err := parseDeletedList(path, text)
	if err == nil {
		_, err = addToDeletedList(path, ids)
	}
	return err
}

// addToDeletedList adds the ids that the list lacks, and returns its text. It replaces the file as a
// whole, so that a crash leaves no half line.
func addToDeletedList(path string, ids []string) (text string, err error) {
	listed, err := readDeletedList(path)
	if err != nil {
		return "", err
	}
	all, added := mergeIDs(listed, ids)
	text = formatDeletedList(all)
	if added == 0 {
		return text, nil
	}
	if err := replaceFile(path, text); err != nil {
		return "", fmt.Errorf("list of deleted users: %w", err)
	}
	return text, nil
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

// CheckDeletedList returns an error if a list has a line that is no user id.
func CheckDeletedList(path string) error {
	_, err := readDeletedList(path)
	return err
}

// Reapplied counts the users of a list that a restored database had again.
type Reapplied struct {
	Listed  int // in the list
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
	r.Listed = len(ids)
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
