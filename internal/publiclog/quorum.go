package publiclog

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

const (
	// cosignedFor is how long cosigned checkpoints are kept at least. Orders are drawn or voided within
	// little more than 24 hours, unless no node ran or none reached a relay.
	cosignedFor = 25 * time.Hour
	// freshQuorum is how old the last quorum may be for new sealed orders.
	freshQuorum = 2 * time.Second
	// maxUnplaced is how long a leaf may wait for its place in the tree before sealed orders are refused.
	maxUnplaced = time.Second
	// quorumPatience is how long an order waits for a new quorum, and quorumPoll how often it looks.
	quorumPatience = 1500 * time.Millisecond
	quorumPoll     = 40 * time.Millisecond
	// hurryInterval is the pause between two rounds of the sequencer while orders wait. Together with
	// a round it is below 300 ms.
	hurryInterval = 200 * time.Millisecond
)

// CheckpointBefore returns the earliest cosigned checkpoint of the current log that has at least size
// leaves and a quorum before a time, in whole seconds. If there is none, or size is 0, it returns the
// latest one with a quorum before that time, or "".
func CheckpointBefore(tx *db.Tx, before time.Time, size int64) (string, error) {
	h, err := readHead(tx)
	if err != nil {
		return "", err
	}
	return checkpointBefore(tx, h.epoch, before, size)
}

// EndedCheckpointBefore is CheckpointBefore for the log that the current one continues. It returns "" if
// that log has none of the orders with these ids, so that the current one has no copies of them.
func EndedCheckpointBefore(tx *db.Tx, before time.Time, orders []string) (string, error) {
	h, err := readHead(tx)
	if err != nil || h.epoch == 1 || len(orders) == 0 {
		return "", err
	}
	size, _, err := sizeWith(tx, h.epoch-1, orders)
	if err != nil || size == 0 {
		return "", err
	}
	return checkpointBefore(tx, h.epoch-1, before, size)
}

func checkpointBefore(tx *db.Tx, epoch int64, before time.Time, size int64) (string, error) {
	c, err := cosignedTree{}, db.ErrNoRow
	if size > 0 {
		c, err = firstCosigned(tx, epoch, before.Unix(), size)
	}
	if errors.Is(err, db.ErrNoRow) {
		c, err = lastCosigned(tx, epoch, before.Unix())
	}
	if errors.Is(err, db.ErrNoRow) {
		return "", nil
	}
	return c.checkpoint, err
}

// Hurry makes this node sign the log at once, and then at least every 300 ms until a time. Call it
// when an order has been committed, with the time of its round.
func (l *Log) Hurry(until time.Time) {
	for {
		last := l.hurryUntil.Load()
		if until.UnixMicro() <= last || l.hurryUntil.CompareAndSwap(last, until.UnixMicro()) {
			break
		}
	}
	wakeUp(l.wake)
}

// keepHurrying schedules the sequencer's next round if orders wait.
func (l *Log) keepHurrying() {
	if l.db.Now().UnixMicro() < l.hurryUntil.Load() {
		time.AfterFunc(hurryInterval, func() { wakeUp(l.wake) })
	}
}

// quorumState says whether sealed orders can be fixed in time.
type quorumState struct {
	hasWitnesses bool
	arrivedAt    time.Time // of the last quorum; zero = none
	wantedAt     time.Time
	waitingSince time.Time // time of the first leaf without a place; zero = none
}

func (l *Log) readQuorum(ctx context.Context) (s quorumState, err error) {
	err = l.db.Peek(ctx, func(tx *db.Tx) error {
		policies, state := queuePolicyRows(tx), queueQuorum(tx) // one round trip
		rows, err := policies()
		if err != nil {
			return err
		}
		s, err = state()
		s.hasWitnesses = len(inForce(rows, tx.Now, tx.Now)) > 0
		return err
	})
	return s, err
}

// errPaused refuses sealed orders that a quorum of witnesses might not see in time.
var errPaused = apperr.New(apperr.SealedPaused, "The witnesses of the public log don't answer in time, so sealed packs are paused. You were not charged. Please try again.").After(time.Second)

// errBacklog refuses sealed orders that might not get their place in the log in time.
var errBacklog = apperr.New(apperr.SealedPaused, "Sealed packs are paused for a moment. You were not charged. Please try again.").After(time.Second).
	Because(errors.New("a leaf has waited for its place in the log for more than " + maxUnplaced.String()))

// QuorumReady returns nil if sealed orders can be fixed in time, or if the log has no witnesses.
// Otherwise it returns apperr.SealedPaused. If the last quorum is too old, it first asks for a new one
// and waits for it.
func (l *Log) QuorumReady(ctx context.Context) error {
	s, err := l.readQuorum(ctx)
	switch {
	case err != nil || !s.hasWitnesses:
		return err
	case l.isBehind(s):
		return errBacklog
	case l.isFresh(s):
		return nil
	}
	if !s.wantedAt.After(s.arrivedAt) {
		if err := l.db.InTx(ctx, wantQuorum); err != nil {
			return err
		}
	}
	wakeUp(l.cosigning.wake)
	return l.awaitQuorum(ctx)
}

// awaitQuorum waits for a new quorum.
func (l *Log) awaitQuorum(ctx context.Context) error {
	patience, end := context.WithTimeout(ctx, l.cosigning.patience)
	defer end()
	look := time.NewTicker(quorumPoll)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-patience.Done():
			return errPaused.Because(errors.New("no quorum of witnesses answered within " + l.cosigning.patience.String()))
		}
		s, err := l.readQuorum(patience)
		switch {
		case err != nil && patience.Err() != nil:
			continue
		case err != nil:
			return err
		case l.isBehind(s):
			return errBacklog
		case !s.hasWitnesses, l.isFresh(s):
			return nil
		}
	}
}

func (l *Log) isFresh(s quorumState) bool { return l.db.Now().Sub(s.arrivedAt) < freshQuorum }

func (l *Log) isBehind(s quorumState) bool {
	return !s.waitingSince.IsZero() && l.db.Now().Sub(s.waitingSince) > maxUnplaced
}

// CosigningStatus says how far the log is cosigned.
type CosigningStatus struct {
	LastQuorum time.Time // when the last one arrived; zero = none
	Uncosigned int64     // signed leaves of the current log that no quorum has seen
	// WantedSince is when a sealed order first asked for a quorum that hasn't answered; zero = none waits.
	// Until one does, these orders are refused.
	WantedSince time.Time
}

// ReadCosigning returns nil if the log has no witnesses.
func ReadCosigning(tx *db.Tx) (*CosigningStatus, error) {
	has, err := WitnessesInForce(tx)
	if err != nil || !has {
		return nil, err
	}
	h, err := readHead(tx)
	if err != nil {
		return nil, err
	}
	last, err := lastCosigned(tx, h.epoch, endOfTime)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return nil, err
	}
	submitter, err := readSubmitter(tx)
	if err != nil {
		return nil, err
	}
	status := &CosigningStatus{LastQuorum: last.arrivedAt, Uncosigned: h.signedSize - last.size}
	if submitter.wantedAt.After(last.arrivedAt) {
		status.WantedSince = submitter.wantedAt
	}
	return status, nil
}
