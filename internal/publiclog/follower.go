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

// followInterval is how often a follower polls for newly placed leaves. It is close to the length
// of a sequencer round under load, so that leaves placed in one round are counted in one batch and
// per-batch writes stay rare.
const followInterval = 500 * time.Millisecond

const (
	// followBatch is the number of leaves a follower processes per transaction. A busy sequencer
	// places about a thousand leaves per round, so per-batch writes, such as the leaderboards,
	// happen once for all of them.
	followBatch = 2048
	// batchesPerRound is the number of batches that a follower processes before it reports its lag.
	batchesPerRound = 16
	// maxCachedBatches is the maximum number of cached batches.
	maxCachedBatches = 8
)

// Followers are a node's readers of the log. All of them read the whole log, each at its own pace.
// A batch read by one follower is cached for the others.
type Followers struct {
	log   *Log
	count int

	mutex  sync.Mutex
	cached []*openBatch // batches that some followers still need, the most recently used last
}

// openBatch is a batch of opens that follows a position in the log.
type openBatch struct {
	leafRange
	after   position
	opens   []Draw
	readers int // number of followers that have used it
}

// Followers returns an empty set of followers.
func (l *Log) Followers() *Followers { return &Followers{log: l} }

// Add registers a reader of the log and returns its job. Call it before any job runs. count gets
// every open of the tree exactly once, in log order, in the transaction that also advances the
// reader's position, the row name in log_followers. Followers share the slice of opens, so count
// must not modify it. After an error the reader keeps its position and retries.
func (all *Followers) Add(name string, count func(*db.Tx, []Draw) error) jobs.Job {
	all.count++
	f := follower{all, name, count}
	return jobs.Job{Name: name, Every: followInterval, Limit: sequenceTimeout, Do: f.catchUp}
}

type follower struct {
	*Followers
	name  string
	count func(*db.Tx, []Draw) error
}

// catchUp processes batches until none is left or another node is processing them.
func (f follower) catchUp(ctx context.Context) (lag int64, err error) {
	readLag := func(tx *db.Tx) (err error) { lag, err = followerLag(tx, f.name); return err }
	for range batchesPerRound {
		if err := f.log.db.Peek(ctx, readLag); err != nil || lag == 0 {
			return lag, err
		}
		if processed, err := f.advance(ctx); err != nil || !processed {
			return lag, err
		}
	}
	err = f.log.db.Peek(ctx, readLag)
	return lag, err
}

// advance processes one batch, unless there is none or another node is processing it. It reads the
// leaves before the transaction, so that it holds no lock meanwhile. This is safe because placed
// leaves never change, unless the database is replaced by an older copy.
func (f follower) advance(ctx context.Context) (processed bool, err error) {
	ctx, end := context.WithTimeout(ctx, batchTimeout)
	defer end()
	r, err := f.read(ctx, f.name)
	if err != nil || r.leafRange == (leafRange{}) {
		return false, err
	}
	err = f.log.db.InTx(ctx, func(tx *db.Tx) error {
		consistent := f.log.CheckConsistency(tx)
		held, err := lockPosition(tx, f.name, r.after)
		processed = held
		if err == nil && held {
			err = consistent()
		}
		if err == nil && held && len(r.opens) > 0 {
			err = r.countError(f.count(tx, r.opens))
		}
		if err != nil || !held {
			return err
		}
		return setPosition(tx, f.name, r.leafRange)
	})
	return processed, err
}

// read returns the batch after a follower's position, with an empty range at the end of the log.
func (all *Followers) read(ctx context.Context, name string) (r *openBatch, err error) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	err = all.log.db.Read(ctx, func(tx *db.Tx) error {
		at, err := positionOf(tx, name)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(all.cached, func(k *openBatch) bool { return k.after == at })
		if n >= 0 {
			r = all.cached[n]
			return nil
		}
		r, err = readBatch(tx, at)
		return err
	})
	if err == nil {
		all.cache(r)
	}
	return r, err
}

// cache records that one more follower has used a batch and caches it while others need it.
func (all *Followers) cache(r *openBatch) {
	all.cached = slices.DeleteFunc(all.cached, func(k *openBatch) bool { return k == r })
	r.readers++
	if r.readers < all.count && len(r.opens) > 0 {
		all.cached = append(all.cached, r)
	}
	all.cached = slices.Delete(all.cached, 0, max(0, len(all.cached)-maxCachedBatches))
}

// readBatch reads the opens in the next batch of leaves after a position.
func readBatch(tx *db.Tx, at position) (*openBatch, error) {
	s, err := nextRange(tx, at, followBatch)
	r := &openBatch{leafRange: s, after: at}
	if err != nil || s == (leafRange{}) {
		return r, err
	}
	r.opens, err = opensOf(tx, s)
	return r, s.countError(err)
}

// opensOf reads the opens in a range.
func opensOf(tx *db.Tx, s leafRange) ([]Draw, error) {
	leaves, err := readLeaves(tx, s.epoch, s.from, s.to)
	if err == nil && int64(len(leaves)) != s.to-s.from {
		err = errors.New("leaves are missing")
	}
	if err != nil {
		return nil, err
	}
	parsed := make([]protocol.Leaf, 0, len(leaves))
	for _, body := range leaves {
		if openID(body) == "" {
			continue
		}
		leaf, err := protocol.ParseLeaf([]byte(body))
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, leaf)
	}
	return drawsIn(tx, parsed)
}

// leafRange is a range of leaves in an epoch: from inclusive, to exclusive.
type leafRange struct{ epoch, from, to int64 }

// String implements fmt.Stringer.
func (s leafRange) String() string {
	return fmt.Sprintf("%d to %d of epoch %d", s.from, s.to-1, s.epoch)
}

// countError wraps an error with the leaves that could not be counted.
func (s leafRange) countError(err error) error {
	if err == nil {
		return nil
	}
	return apperr.New(apperr.Internal, "Leaves "+s.String()+" of the public log could not be processed.").Because(err)
}
