package publiclog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/protocol"
)

// followPause is how often a follower polls for newly placed leaves. It is close to the length of a
// sequencer round under load, so that leaves placed in one round are counted in one batch and
// per-batch writes stay rare.
const followPause = 500 * time.Millisecond

const (
	// counted is the number of leaves a follower processes per transaction. A busy sequencer places
	// about a thousand leaves per round, so per-batch writes, such as the leaderboards, happen once
	// for all of them.
	counted = 2048
	// batches is the number of batches that a follower processes before it reports its lag.
	batches = 16
	// mostKept is the maximum number of cached readings.
	mostKept = 8
)

// Followers are a node's readers of the log. All of them read the whole log, each at its own pace.
// A batch read by one follower is cached for the others.
type Followers struct {
	log    *Log
	number int

	mutex sync.Mutex
	kept  []*reading // readings that some followers still need, the most recently used last
}

// reading is a batch of opens that follows a place in the log.
type reading struct {
	stretch
	behind place
	opens  []protocol.OpenLeaf
	taken  int // number of followers that have used it
}

// Followers returns an empty set of followers.
func (l *Log) Followers() *Followers { return &Followers{log: l} }

// Add registers a reader of the log and returns its job. Call it before any job runs. count gets
// every open of the tree exactly once, in log order, in the transaction that also advances the
// reader's position, the row name in log_followers. Followers share the slice of opens, so count
// must not modify it. After an error the reader keeps its position and retries.
func (all *Followers) Add(name string, count func(*db.Tx, []protocol.OpenLeaf) error) jobs.Job {
	all.number++
	f := follower{all, name, count}
	return jobs.Job{Name: name, Every: followPause, Limit: sequenceTime, Do: f.catchUp}
}

type follower struct {
	*Followers
	name  string
	count func(*db.Tx, []protocol.OpenLeaf) error
}

// catchUp processes batches until none is left or another node is processing them.
func (f follower) catchUp(ctx context.Context) (behind int64, err error) {
	look := func(tx *db.Tx) (err error) { behind, err = behindOf(tx, f.name); return err }
	for range batches {
		if err := f.log.db.Peek(ctx, look); err != nil || behind == 0 {
			return behind, err
		}
		if some, err := f.advance(ctx); err != nil || !some {
			return behind, err
		}
	}
	err = f.log.db.Peek(ctx, look)
	return behind, err
}

// advance processes one batch, unless there is none or another node is processing it. It reads the
// leaves before the transaction, so that it holds no lock meanwhile. This is safe because placed
// leaves never change, unless the database is replaced by an older copy.
func (f follower) advance(ctx context.Context) (some bool, err error) {
	ctx, end := context.WithTimeout(ctx, batchTime)
	defer end()
	r, err := f.read(ctx, f.name)
	if err != nil || r.stretch == (stretch{}) {
		return false, err
	}
	err = f.log.db.InTx(ctx, func(tx *db.Tx) error {
		sound := f.log.Sound(tx)
		held, err := holds(tx, f.name, r.behind)
		some = held
		if err == nil && held {
			err = sound()
		}
		if err == nil && held && len(r.opens) > 0 {
			err = r.uncounted(f.count(tx, r.opens))
		}
		if err != nil || !held {
			return err
		}
		return setPosition(tx, f.name, r.stretch)
	})
	return some, err
}

// read returns the batch after a follower's position, with an empty stretch at the end of the log.
func (all *Followers) read(ctx context.Context, name string) (r *reading, err error) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	err = all.log.db.Read(ctx, func(tx *db.Tx) error {
		at, err := positionOf(tx, name)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(all.kept, func(k *reading) bool { return k.behind == at })
		if n >= 0 {
			r = all.kept[n]
			return nil
		}
		r, err = readBehind(tx, at)
		return err
	})
	if err == nil {
		all.keep(r)
	}
	return r, err
}

// keep records that one more follower has used a reading and caches it while others need it.
func (all *Followers) keep(r *reading) {
	all.kept = slices.DeleteFunc(all.kept, func(k *reading) bool { return k == r })
	r.taken++
	if r.taken < all.number && len(r.opens) > 0 {
		all.kept = append(all.kept, r)
	}
	all.kept = slices.Delete(all.kept, 0, max(0, len(all.kept)-mostKept))
}

// readBehind reads the opens in the next batch of leaves after a place.
func readBehind(tx *db.Tx, at place) (*reading, error) {
	s, err := nextStretch(tx, at, counted)
	r := &reading{stretch: s, behind: at}
	if err != nil || s == (stretch{}) {
		return r, err
	}
	r.opens, err = opensOf(tx, s)
	return r, s.uncounted(err)
}

// opensOf reads the opens in a stretch.
func opensOf(tx *db.Tx, s stretch) ([]protocol.OpenLeaf, error) {
	leaves, err := bodies(tx, s.epoch, s.from, s.to)
	if err == nil && int64(len(leaves)) != s.to-s.from {
		err = errors.New("some are missing")
	}
	if err != nil {
		return nil, err
	}
	opens := make([]protocol.OpenLeaf, 0, len(leaves))
	for _, body := range leaves {
		if openID(body) == "" {
			continue
		}
		leaf, err := protocol.ParseLeaf([]byte(body))
		if err != nil {
			return nil, err
		}
		opens = append(opens, leaf.(protocol.OpenLeaf))
	}
	return opens, nil
}

// stretch is a range of leaves in an epoch: from inclusive, to exclusive.
type stretch struct{ epoch, from, to int64 }

// String implements fmt.Stringer.
func (s stretch) String() string {
	return fmt.Sprintf("%d to %d of epoch %d", s.from, s.to-1, s.epoch)
}

// uncounted wraps an error with the leaves that could not be counted.
func (s stretch) uncounted(err error) error {
	if err == nil {
		return nil
	}
	return apperr.New(apperr.Internal, "Leaves "+s.String()+" could not be counted.").Because(err)
}
