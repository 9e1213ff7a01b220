package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is a target on this machine.
type Folder string

// IsLocal implements Target.
func (Folder) IsLocal() bool { return true }

// String implements Target.
func (f Folder) String() string { return string(f) }

// partSuffix marks a file that isn't complete.
const partSuffix = ".part"

// Put implements Target. Another name is used until the file is complete and on disk.
func (f Folder) Put(_ context.Context, name string, content io.Reader, _ int64) (err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(string(f), name+".*"+partSuffix) // others may be storing the same name
	if err != nil {
		return err
	}
	_, err = io.Copy(out, content)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Link(out.Name(), filepath.Join(string(f), name)) // fails if the name exists
	}
	return errors.Join(err, os.Remove(out.Name()), f.sync())
}

// Replace implements Target.
func (f Folder) Replace(_ context.Context, name, text string) (err error) {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(string(f), name+".*"+partSuffix)
	if err != nil {
		return err
	}
	_, err = part.WriteString(text)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), filepath.Join(string(f), name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return f.sync()
}

// sync makes the folder's changes durable.
func (f Folder) sync() error {
	dir, err := os.Open(string(f))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Get implements Target.
func (f Folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(f), filepath.Base(name)))
}

// List implements Target.
func (f Folder) List(context.Context) (files []File, err error) {
	entries, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // Put creates it
	}
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, File{entry.Name(), info.Size()})
	}
	return files, nil
}

// Check implements Target. The folder need not exist yet.
func (f Folder) Check(context.Context) error {
	dir := string(f)
	info, err := os.Stat(dir)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
	}
	const readWriteSearch = 7
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case syscall.Access(dir, readWriteSearch) != nil:
		return fmt.Errorf("this user may not write to %s", dir)
	}
	return nil
}

// Expire implements Target.
func (f Folder) Expire(_ context.Context, names []string) error {
	var errs []error
	for _, name := range names {
		if err := os.Remove(filepath.Join(string(f), filepath.Base(name))); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
