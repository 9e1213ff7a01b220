package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// turns hands the right to write to a data directory round among all who have it
// open, in this process or another. SQLite's own lock goes to whoever happens to
// ask while it is free, which beside a busy writer may be never. Here whoever
// waits holds the place of the next, so a writer that has just ended and wants to
// write again stands behind them. What dies gives its locks back.
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

// take waits for the turn until ctx ends.
func (t *turns) take(ctx context.Context) error {
	if err := lock(ctx, t.next); err != nil {
		return err
	}
	return errors.Join(lock(ctx, t.turn), unlock(t.next))
}

// pass gives the turn to the next.
func (t *turns) pass() { _ = unlock(t.turn) }

func (t *turns) close() {
	_ = t.next.Close() // nil or closed before: nothing was written
	_ = t.turn.Close()
}

// lookAgain is how often a lock that another has is tried: waiting for it in the
// system could not be broken off.
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
