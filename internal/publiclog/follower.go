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

// followPause is how often a follower looks for leaves that got their places. The
// sequencer's rounds are nearly as far apart while opens keep it busy: what one of them
// placed is counted together, and what is written once for it is written seldom.
const followPause = 500 * time.Millisecond

const (
	// counted is how many leaves a follower counts together. Where the sequencer is never
	// idle it places some thousand between two of its rounds: what is written once for a
	// batch, such as the lists of leaders, is then written once for all of these.
	counted = 2048
	// batches is how many a follower reads before it says how far it is.
	batches = 16
	// mostKept is how many readings wait for the followers that come later.
	mostKept = 8
)

// Followers are a node's readers of the log. They all go the same way, each at its own
// pace: what the first of them has read, the others are given.
type Followers struct {
	log    *Log
	number int

	mutex sync.Mutex
	kept  []*reading // what not all have taken, the last one taken last
}

// reading is the opens of a stretch, as they are read behind a place.
type reading struct {
	stretch
	behind place
	opens  []protocol.OpenLeaf
	taken  int // by so many
}

// Followers begins without any.
func (l *Log) Followers() *Followers { return &Followers{log: l} }

// Add gives the job of one more reader of the log, before any has begun: count is given
// every open of the tree once, in its order, in a transaction together with the reader's
// position, which stands in log_followers under name. The opens are others' too, and must
// stay as they are. A reader that fails stays where it is and goes on from there.
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

// catchUp reads on, until nothing is left that another node is not reading already.
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

// advance counts a batch of leaves, if there is one and no other node is at it. They are
// read before the transaction that counts them, where nobody waits for it: what has its
// place in the log stays as it is, unless the database is replaced by a copy of before.
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

// read gives what comes next behind a follower's position, no stretch if it has read all.
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

// keep notes that one more follower has what was read, and keeps it for the others.
func (all *Followers) keep(r *reading) {
	all.kept = slices.DeleteFunc(all.kept, func(k *reading) bool { return k == r })
	r.taken++
	if r.taken < all.number && len(r.opens) > 0 {
		all.kept = append(all.kept, r)
	}
	all.kept = slices.Delete(all.kept, 0, max(0, len(all.kept)-mostKept))
}

// readBehind reads the opens among the leaves behind a place, the next ones.
func readBehind(tx *db.Tx, at place) (*reading, error) {
	s, err := nextStretch(tx, at, counted)
	r := &reading{stretch: s, behind: at}
	if err != nil || s == (stretch{}) {
		return r, err
	}
	r.opens, err = opensOf(tx, s)
	return r, s.uncounted(err)
}

// opensOf reads the opens among some leaves.
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
	return apperr.New(apperr.Internal, "Leaves "+s.String()+" could not be counted.").Because(err)
}
