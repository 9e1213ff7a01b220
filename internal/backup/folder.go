package backup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
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
	part := filepath.Join(string(f), name+partSuffix)
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, content)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Link(part, filepath.Join(string(f), name)) // fails if the name exists
	}
	return errors.Join(err, os.Remove(part), f.sync())
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
func (f Folder) List(context.Context) (names []string, err error) {
	files, err := os.ReadDir(string(f))
	for _, file := range files {
		if file.Type().IsRegular() {
			names = append(names, file.Name())
		}
	}
	return names, err
}

// Expire implements Target.
func (f Folder) Expire(_ context.Context, names []string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, os.Remove(filepath.Join(string(f), filepath.Base(name))))
	}
	return errors.Join(errs...)
}
