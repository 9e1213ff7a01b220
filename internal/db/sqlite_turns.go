package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// turns is a fair lock for writing to a data directory, shared by all processes that have it open.
// SQLite's own lock is unfair: a process that polls for it may starve next to a busy writer. Here a
// waiting process holds the lock for the next turn, so a writer that wants to write again queues
// after it. The system releases the locks of a process that dies.
type turns struct{ next, turn *os.File }

func openTurns(database string) (*turns, error) {
	t := &turns{}
	for name, file := range map[string]**os.File{".next": &t.next, ".lock": &t.turn} {
		opened, err := os.OpenFile(database+name, os.O_CREATE|os.O_RDWR, private)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("lock the data directory: %w", err)
		}
		*file = opened
	}
	return t, nil
}

// take acquires the lock, and gives up when ctx ends.
func (t *turns) take(ctx context.Context) error {
	if err := lock(ctx, t.next); err != nil {
		return err
	}
	return errors.Join(lock(ctx, t.turn), unlock(t.next))
}

// pass releases the lock.
func (t *turns) pass() { _ = unlock(t.turn) }

func (t *turns) close() {
	_ = t.next.Close() // may be nil or closed; nothing was written
	_ = t.turn.Close()
}

// lookAgain is the polling interval for a lock that another process holds. A blocking call could
// not be canceled.
const lookAgain = time.Millisecond

func lock(ctx context.Context, file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("lock the data directory: %w", err)
		}
		if err := sleep(ctx, lookAgain); err != nil {
			return err
		}
	}
}

func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
