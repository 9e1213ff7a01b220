package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"kaibao/internal/db/engine"
)

// writeLock is a fair lock for writing to a data directory, shared by all processes that have it
// open. SQLite's own lock is unfair: a process that polls for it may starve next to a busy writer.
// Here a process first locks the file next, then the file held, and then unlocks next. So a process
// that has just written must wait for next, which the waiting process has locked. The system
// releases the locks of a process that dies.
type writeLock struct{ next, held *os.File }

func openWriteLock(database string) (*writeLock, error) {
	l := &writeLock{}
	for name, file := range map[string]**os.File{".next": &l.next, ".lock": &l.held} {
		opened, err := os.OpenFile(database+name, os.O_CREATE|os.O_RDWR, ownerOnly)
		if err != nil {
			l.close()
			return nil, fmt.Errorf("lock the data directory: %w", err)
		}
		*file = opened
	}
	return l, nil
}

// lock acquires the lock, and gives up when ctx ends.
func (l *writeLock) lock(ctx context.Context) error {
	if err := lockFile(ctx, l.next); err != nil {
		return err
	}
	return errors.Join(lockFile(ctx, l.held), unlockFile(l.next))
}

// unlock releases the lock.
func (l *writeLock) unlock() { _ = unlockFile(l.held) }

func (l *writeLock) close() {
	_ = l.next.Close() // may be nil or closed; nothing was written
	_ = l.held.Close()
}

// withWriteLock runs fn while holding the database's write lock.
func withWriteLock(ctx context.Context, database string, fn func() error) error {
	l, err := openWriteLock(database)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.lock(ctx); err != nil {
		return err
	}
	defer l.unlock()
	return fn()
}

// pollInterval is how often to try a lock that another process holds. A blocking call could not be
// canceled.
const pollInterval = time.Millisecond

func lockFile(ctx context.Context, file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("lock the data directory: %w", err)
		}
		if err := engine.Sleep(ctx, pollInterval); err != nil {
			return err
		}
	}
}

func unlockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
