package keys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Create writes a key file, which only its owner may read, unless there is one.
func Create(path, key string) error {
	return writeTemp(path, []string{key}, func(temp string) error {
		if err := os.Link(temp, path); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	})
}

// Edit replaces a source's file by one with the keys that edit returns. The setting can't be edited.
func (s Source) Edit(edit func(all []string) []string) error {
	if s.Setting != "" {
		return fmt.Errorf("the %s keys come from the setting %s: change it there", s.Kind, s.Variable())
	}
	all, err := s.Read()
	if err != nil {
		return err
	}
	path, err := filepath.EvalSymlinks(s.Path)
	if err != nil {
		return err
	}
	edited := edit(slices.Clone(all))
	if slices.Equal(all, edited) {
		return nil
	}
	return writeTemp(path, edited, func(temp string) error {
		return errors.Join(keepOwner(path, temp), os.Rename(temp, path), syncFolder(filepath.Dir(path)))
	})
}

// writeTemp writes the keys to a temporary file beside path, and calls place to move it there.
func writeTemp(path string, all []string, place func(temp string) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(strings.Join(all, "\n") + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return place(temp.Name())
}

// keepOwner gives a file the owner of another one, so that a server of another user than the
// operator's can still read it.
func keepOwner(like, path string) error {
	info, err := os.Stat(like)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
