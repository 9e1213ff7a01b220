package verify

import (
	"errors"
	"fmt"
	"math"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// pendingOrder is an order without an open or void.
type pendingOrder struct {
	protocol.OrderLeaf
	log      *loggedTree // with the order's leaf
	index    int64       // of the leaf in that log
	pack     *packState
	manifest *protocol.Manifest
	beacon   *beaconState
	roundAt  time.Time
	policy   *policy // in force at the order's time; nil = no witnesses
	copied   bool    // to the log that continues the order's

	signature *protocol.Signature // of its round, once that is in the log
	fixed     bool                // a quorum saw the order before its round
}

// beaconState is what a log says about a beacon.
type beaconState struct {
	*beacon.Beacon
	last   uint64                 // highest round in the log
	voided map[uint64]voidedRound // rounds with no-beacon voids
	orders int64
}

// voidedRound is a round whose orders were voided because nobody could fetch it.
type voidedRound struct {
	log   *loggedTree
	index int64 // of its first void
}

// stockEvent is an order of a finite pack that isn't settled, or a later change of its stock.
type stockEvent struct {
	order *pendingOrder // nil = a change of stock
	card  string
	count int64
}

func (r *replay) beacon(hash [32]byte) (*beaconState, error) {
	if b := r.beacons[hash]; b != nil {
		return b, nil
	}
	found, err := r.published.beacon(hash)
	if err != nil {
		return nil, err
	}
	b := &beaconState{Beacon: found, voided: map[uint64]voidedRound{}}
	r.beacons[hash] = b
	return b, nil
}

func (r *replay) applyOrder(index int64, l protocol.OrderLeaf) error {
	p, m, err := r.accept(l.DrawHead, l.Next, l.Time)
	if err != nil {
		return err
	}
	if m.Sealing == nil {
		return errors.New("the pack isn't sealed, so it can't be ordered")
	}
	b, err := r.beacon(m.Sealing.Beacon)
	if err != nil {
		return err
	}
	if err := l.Verify(m, b.Schedule); err != nil {
		return err
	}
	o := &pendingOrder{
		OrderLeaf: l, log: r.log, index: index, pack: p, manifest: m, beacon: b, roundAt: b.Time(l.Round), policy: r.policyAt(l.Time),
	}
	switch {
	case r.orders[l.ID] != nil:
		return fmt.Errorf("order %s is already in the log", l.ID)
	case b.last >= l.Round:
		return fmt.Errorf("the order was placed after its round: the log has round %d before it", b.last)
	case r.log.cosigned >= o.roundAt.Unix():
		return fmt.Errorf("the order was placed after its round: a quorum of witnesses saw the log without it at %s, but the round is from %s",
			formatUnix(r.log.cosigned), formatTime(o.roundAt))
	}
	if m.Finite() {
		if err := p.queueOrder(o); err != nil {
			return err
		}
	}
	r.log.rounds = r.log.rounds.addSmaller(index, o.roundAt.Unix())
	r.orders[l.ID] = o
	b.orders++
	r.counts.Orders++
	return r.books.addActivity(l.Time, dayActivity{opens: 1, spent: l.Price})
}

// queueOrder takes the next drawSeq of a finite pack. Its stock is settled in this order.
func (p *packState) queueOrder(o *pendingOrder) error {
	if err := p.takeDrawSeq(o.Pack, o.Draw); err != nil {
		return err
	}
	if o.Time.Before(p.ordered) || o.roundAt.Before(p.orderedRoundAt) {
		return fmt.Errorf("the order is older than the pack's previous one, which is from %s with a round at %s", formatTime(p.ordered), formatTime(p.orderedRoundAt))
	}
	p.ordered, p.orderedRoundAt = o.Time, o.roundAt
	p.queue = append(p.queue, stockEvent{order: o})
	return nil
}

// pending returns the order that a leaf settles.
func (r *replay) pending(l protocol.Settlement) (*pendingOrder, error) {
	o := r.orders[l.ID]
	if o == nil {
		return nil, fmt.Errorf("there is no pending order %s: it was never placed, or it was drawn or voided before", l.ID)
	}
	if o.Draw > 0 && o.pack.queue[0].order != o {
		return nil, fmt.Errorf("the order with drawSeq %d is settled before the one with drawSeq %d", o.Draw, o.pack.queue[0].order.Draw)
	}
	return o, nil
}

// settle removes an order and applies the changes of stock that follow it.
func (r *replay) settle(o *pendingOrder) error {
	delete(r.orders, o.ID)
	if o.Draw == 0 {
		return nil
	}
	p := o.pack
	p.queue = p.queue[1:]
	for len(p.queue) > 0 && p.queue[0].order == nil {
		if err := p.addStock(p.queue[0].card, p.queue[0].count); err != nil {
			return err
		}
		p.queue = p.queue[1:]
	}
	return nil
}

func (r *replay) applySealedOpen(l protocol.SealedOpenLeaf) error {
	o, err := r.pending(l.Settlement)
	if err != nil {
		return err
	}
	switch _, voided := o.beacon.voided[l.Round]; {
	case voided:
		return fmt.Errorf("an order of round %d is drawn, but others were voided because the round could not be fetched", l.Round)
	case o.signature == nil:
		return fmt.Errorf("the order is drawn before round %d is in the log", o.Round)
	case *o.signature != l.Signature:
		return fmt.Errorf("the signature differs from that of round %d in the log", o.Round)
	}
	var stock protocol.Stock
	if o.manifest.Finite() {
		stock = o.pack.stock
	}
	if err := l.Verify(o.OrderLeaf, o.manifest, o.beacon.Schedule, stock); err != nil {
		return err
	}
	if o.manifest.Finite() {
		if err := o.pack.takeItems(l.Items); err != nil {
			return err
		}
	}
	r.counts.Opens++
	if o.fixed {
		r.sealed.Fixed++
	} else {
		r.addUnproven(o, l.Items)
	}
	r.countDraw(o.DrawHead, o.ClientSeed, l.Items, o.manifest, !o.fixed)
	if err := r.books.addActivity(l.Time, dayActivity{drawn: int64(len(l.Items))}); err != nil {
		return err
	}
	return r.settle(o)
}

func (r *replay) applyVoid(index int64, l protocol.VoidLeaf) error {
	o, err := r.pending(l.Settlement)
	if err != nil {
		return err
	}
	if err := l.Verify(o.OrderLeaf, o.beacon.Schedule); err != nil {
		return err
	}
	if l.Reason == protocol.VoidLost {
		r.recordLost(index, l, o.OrderLeaf)
	} else {
		if o.beacon.last >= l.Round {
			return fmt.Errorf("the order was voided as if round %d could not be fetched, but the log has round %d", l.Round, o.beacon.last)
		}
		if _, ok := o.beacon.voided[l.Round]; !ok {
			o.beacon.voided[l.Round] = voidedRound{r.log, index}
		}
	}
	r.counts.Voids++
	if err := r.books.addActivity(l.Time, dayActivity{opens: -1, spent: -o.Price}); err != nil {
		return err
	}
	return r.settle(o)
}

// applyRound checks what the log must contain before a round, and which orders its checkpoints fix.
// The beacon's signature has been checked.
func (r *replay) applyRound(index int64, l protocol.RoundLeaf) error {
	b, err := r.beacon(l.Beacon)
	if err != nil {
		return err
	}
	if o := r.firstPending(func(o *pendingOrder) bool { return o.beacon == b && b.withholds(o) }); o != nil {
		return o.log.fault(r.log, o.index, fmt.Sprintf("its draw is withheld: the log has round %d and another one, but no open or void of this order of round %d", b.last, o.Round))
	}
	proofs := map[*loggedTree]checkedCheckpoint{}
	if l.Checkpoint != "" {
		proofs[r.log], err = r.checkCheckpoint(r.log, index, l.Checkpoint, l.Time)
	}
	if l.EndedCheckpoint != "" && err == nil && r.log.key != nil { // a LeafChecker doesn't know the logs
		ended := r.endedLog(originOf([]byte(l.EndedCheckpoint)))
		if ended == nil {
			return errors.New("the second checkpoint doesn't belong to a log that this one continues")
		}
		proofs[ended], err = r.checkCheckpoint(ended, ended.size, l.EndedCheckpoint, l.Time)
	}
	if err != nil {
		return err
	}
	for _, o := range r.orders {
		if o.beacon != b || o.Round != l.Round {
			continue
		}
		o.signature = &l.Signature
		if c, ok := proofs[o.log]; ok && o.policy != nil {
			o.fixed = o.fixed || o.index < c.Size && o.policy.before(c.times, o.roundAt)
		}
	}
	b.last = max(b.last, l.Round)
	r.counts.Rounds++
	return nil
}

// withholds reports whether an order should have been settled before the next round in the log.
func (b *beaconState) withholds(o *pendingOrder) bool {
	return b.last > 0 && !b.Time(b.last).Before(o.roundAt.Add(protocol.MaxDrawDelay))
}

// endedLog returns a log that the current one continues, or nil.
func (r *replay) endedLog(origin string) *loggedTree {
	for _, l := range r.logs[:len(r.logs)-1] {
		if l.origin == origin {
			return l
		}
	}
	return nil
}

// firstPending returns the first pending order in the log that matches, or nil.
func (r *replay) firstPending(matches func(*pendingOrder) bool) (first *pendingOrder) {
	for _, o := range r.orders {
		if matches(o) && (first == nil || o.before(first)) {
			first = o
		}
	}
	return first
}

func (o *pendingOrder) before(other *pendingOrder) bool {
	return o.log.number < other.log.number || o.log == other.log && o.index < other.index
}

// checkedCheckpoint is a checkpoint in the log with the times of its cosignatures.
type checkedCheckpoint struct {
	Checkpoint
	times cosignatures
}

// checkCheckpoint checks that a checkpoint of a log is signed and a prefix of that log, and what its
// quorum proves about the times of that log's leaves. at is the time of the leaf with the
// checkpoint, size that of the log before it.
func (r *replay) checkCheckpoint(log *loggedTree, size int64, signed string, at time.Time) (c checkedCheckpoint, err error) {
	if log.key == nil {
		return c, nil
	}
	c.Checkpoint, c.times, err = r.openCosigned(signed, log.key)
	if err != nil {
		return c, err
	}
	if c.Size > size {
		return c, fmt.Errorf("the checkpoint has %d leaves, but the log has only %d before it", c.Size, size)
	}
	root, err := log.rootAt(c.Size)
	if err != nil {
		return c, err
	}
	if root != c.Root {
		return c, fmt.Errorf("the checkpoint of %d leaves has another root than the log: there are two logs", c.Size)
	}
	p := r.policyAt(at)
	if p == nil {
		return c, nil
	}
	quorum := p.quorumTime(c.times)
	if quorum == 0 {
		return c, nil
	}
	log.cosigned = max(log.cosigned, quorum)
	return c, r.checkTimes(log, c.Size, quorum)
}

// tolerance is how much the time of a leaf may differ from the time of a quorum, in seconds.
const tolerance = int64(protocol.MaxClockError / time.Second)

// checkTimes checks the times of a log's leaves against a quorum that saw the first size leaves.
func (r *replay) checkTimes(log *loggedTree, size, quorum int64) error {
	if s, ok := log.latest.before(size); ok && s.second > quorum+tolerance {
		return log.fault(r.log, s.index, fmt.Sprintf("its time is after %s, when a quorum of witnesses had seen it", formatUnix(quorum)))
	}
	if s, ok := log.earliest.from(size); ok && s.second < quorum-tolerance {
		return log.fault(r.log, s.index, fmt.Sprintf("it is back-dated: a quorum of witnesses saw the log without it at %s", formatUnix(quorum)))
	}
	if s, ok := log.rounds.from(size); ok && s.second <= quorum {
		return log.fault(r.log, s.index, fmt.Sprintf("the order was placed after its round: a quorum of witnesses saw the log without it at %s, but the round is from %s",
			formatUnix(quorum), formatUnix(s.second)))
	}
	return nil
}

// checkTime checks and records the time of the next leaf.
func (r *replay) checkTime(index int64, at time.Time) error {
	if r.log.cosigned > 0 && at.Unix() < r.log.cosigned-tolerance {
		return fmt.Errorf("it is back-dated to %s: a quorum of witnesses saw the log without it at %s", formatTime(at), formatUnix(r.log.cosigned))
	}
	r.log.addTime(index, at)
	if at.After(r.newest) {
		r.newest = at
	}
	return nil
}

// fault returns a fault in a leaf of the log. current is the log that is being checked.
func (l *loggedTree) fault(current *loggedTree, index int64, reason string) *FaultError {
	if l != current {
		return logFault("leaf %d of the ended log %s: %s", index, l.origin, reason)
	}
	return leafFault(index, errors.New(reason))
}

// heldOrder is an order directly after the copies of pending orders. Its void follows if it was in leaves
// that a restore lost. Otherwise, it waited in the ended log for its place. The next leaf decides: until
// then it is not applied.
type heldOrder struct {
	protocol.OrderLeaf
	index int64
}

// copyOrder reports whether a leaf is one of the copies of pending orders, which follow directly after the
// epoch leaf of a log that continues another one. All pending orders must be copied. After a restore,
// orders that only the lost leaves had may follow, each with its void.
func (r *replay) copyOrder(index int64, leaf protocol.Leaf) (copied bool, err error) {
	if !r.copying {
		return false, nil
	}
	held := r.held
	r.held = nil
	switch l := leaf.(type) {
	case protocol.OrderLeaf:
		if held != nil {
			break
		}
		if o := r.orders[l.ID]; o != nil && !o.copied && o.Hash() == l.Hash() {
			o.copied = true
			return true, nil
		}
		if r.carriedOver {
			r.held = &heldOrder{l, index}
			return true, nil
		}
	case protocol.VoidLeaf:
		if held != nil && l.ID == held.ID && l.Reason == protocol.VoidLost {
			r.recordLost(index, l, held.OrderLeaf)
			return true, errors.Join(l.Verify(held.OrderLeaf, protocol.Schedule{}), r.checkTime(index, l.Time))
		}
	}
	r.copying = false
	if o := r.firstPending(func(o *pendingOrder) bool { return !o.copied }); o != nil {
		return false, fmt.Errorf("order %s of the ended log is pending, but isn't copied to the log that continues it", o.ID)
	}
	if held == nil {
		return false, nil
	}
	err = r.checkTime(held.index, held.Time)
	if err == nil {
		err = r.applyOrder(held.index, held.OrderLeaf)
	}
	if err != nil {
		err = r.log.fault(r.log, held.index, err.Error())
	}
	return false, err
}

// startCopies expects copies of all pending orders.
func (r *replay) startCopies() {
	r.copying = true
	for _, o := range r.orders {
		o.copied = false
	}
}

// recordLost records an order that was voided because its seed was lost.
func (r *replay) recordLost(index int64, l protocol.VoidLeaf, o protocol.OrderLeaf) {
	r.sealed.LostOrders = append(r.sealed.LostOrders, LostOrder{Log: r.log.origin, Leaf: index, ID: l.ID, User: l.User, Price: o.Price, Time: l.Time})
}

// takeDrawSeq takes a finite pack's next drawSeq.
func (p *packState) takeDrawSeq(pack string, draw uint64) error {
	if draw != p.drawSeq+1 {
		return fmt.Errorf("drawSeq of pack %s is %d instead of %d", pack, draw, p.drawSeq+1)
	}
	p.drawSeq++
	return nil
}

// takeItems takes drawn cards out of the stock.
func (p *packState) takeItems(items []protocol.LeafItem) error {
	for _, item := range items {
		if left, finite := p.stock[item.Card]; finite {
			if left == 0 {
				return fmt.Errorf("card %s is drawn although none is left", item.Card)
			}
			p.stock[item.Card] = left - 1
		}
	}
	return nil
}

// addStock returns cards to the stock.
func (p *packState) addStock(card string, count int64) error {
	left := p.stock[card]
	if left > math.MaxInt64-count {
		return fmt.Errorf("card %s would have a stock above %d", card, int64(math.MaxInt64))
	}
	p.stock[card] = left + count
	return nil
}

func formatUnix(second int64) string { return formatTime(time.Unix(second, 0)) }
