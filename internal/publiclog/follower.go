package publiclog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/jobs"
)

// followPause is how often a follower looks for leaves that got their places.
const followPause = 200 * time.Millisecond

const (
	// counted is how many leaves a follower counts together. Where the sequencer is never
	// idle it places some thousand between two of its rounds: what is written once for a
	// batch, such as the lists of leaders, is then written once for all of these.
	counted = 2048
	// batches is how many a follower reads before it says how far it is.
	batches = 16
)

// Follow is the job of a reader of the log: count is given every open of the tree
// once, in its order, in a transaction together with the reader's position, which
// stands in log_followers under name. A reader that fails stays where it is and goes
// on from there.
func Follow(d *db.DB, name string, count func(*db.Tx, []fair.OpenLeaf) error) jobs.Job {
	f := follower{d, name, count}
	return jobs.Job{Name: name, Every: followPause, Limit: sequenceTime, Do: f.catchUp}
}

type follower struct {
	db    *db.DB
	name  string
	count func(*db.Tx, []fair.OpenLeaf) error
}

// catchUp reads on, until nothing is left that another node is not reading already.
func (f follower) catchUp(ctx context.Context) (behind int64, err error) {
	look := func(tx *db.Tx) (err error) { behind, err = behindOf(tx, f.name); return err }
	for range batches {
		if err := f.db.Peek(ctx, look); err != nil || behind == 0 {
			return behind, err
		}
		if some, err := f.advance(ctx); err != nil || !some {
			return behind, err
		}
	}
	err = f.db.Peek(ctx, look)
	return behind, err
}

// advance counts a batch of leaves, if there is one and no other node is at it. They are
// read before the transaction that counts them, where nobody waits for it: what has its
// place in the log stays as it is.
func (f follower) advance(ctx context.Context) (some bool, err error) {
	ctx, end := context.WithTimeout(ctx, batchTime)
	defer end()
	var at place
	var s stretch
	var opens []fair.OpenLeaf
	err = f.db.Read(ctx, func(tx *db.Tx) (err error) {
		at, err = positionOf(tx, f.name)
		if err == nil {
			s, err = nextStretch(tx, at, counted)
		}
		if err == nil && s != (stretch{}) {
			opens, err = opensOf(tx, s)
			err = s.uncounted(err)
		}
		return err
	})
	if err != nil || s == (stretch{}) {
		return false, err
	}
	err = f.db.InTx(ctx, func(tx *db.Tx) error {
		held, err := holds(tx, f.name, at)
		some = held
		if err == nil && held && len(opens) > 0 {
			err = s.uncounted(f.count(tx, opens))
		}
		if err != nil || !held {
			return err
		}
		return setPosition(tx, f.name, s)
	})
	return some, err
}

// opensOf reads the opens among some leaves.
func opensOf(tx *db.Tx, s stretch) ([]fair.OpenLeaf, error) {
	leaves, err := bodies(tx, s.epoch, s.from, s.to)
	if err == nil && int64(len(leaves)) != s.to-s.from {
		err = errors.New("some are missing")
	}
	if err != nil {
		return nil, err
	}
	opens := make([]fair.OpenLeaf, 0, len(leaves))
	for _, body := range leaves {
		if openID(body) == "" {
			continue
		}
		leaf, err := fair.ParseLeaf([]byte(body))
		if err != nil {
			return nil, err
		}
		opens = append(opens, leaf.(fair.OpenLeaf))
	}
	return opens, nil
}

// stretch is some leaves of an epoch, from one index up to before another.
type stretch struct{ epoch, from, to int64 }

// String implements fmt.Stringer.
func (s stretch) String() string {
	return fmt.Sprintf("%d to %d of epoch %d", s.from, s.to-1, s.epoch)
}

// uncounted says which leaves an error, if there is one, keeps from being counted.
func (s stretch) uncounted(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.Internal, "Leaves "+s.String()+" could not be counted.").Because(err)
}
