package opening

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/rounds"
)

const (
	// settleInterval is the pause between two searches for orders whose round is due.
	settleInterval = 200 * time.Millisecond
	// settleTimeout is longer than a search for a round and the draws of its orders take.
	settleTimeout = 5 * time.Minute
	// settleBatch is how many orders a transaction settles.
	settleBatch = 512
)

// roundsLock serializes the publication of a round with orders: an order whose transaction is still
// running is either of a later round, or committed before its round is published.
const roundsLock = "rounds"

// Jobs returns the job that settles orders: it draws them once their round is published, or refunds
// them if the beacon publishes nothing for a day. Every node runs it.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "settlement", Every: settleInterval, Limit: settleTimeout, Do: func(ctx context.Context) (int64, error) {
		return 0, s.Settle(ctx)
	}}}
}

// dueRound is the first round of a beacon that has pending orders.
type dueRound struct {
	beacon [32]byte
	round  uint64
}

// Settle draws the orders of each beacon's first round with pending orders, once it is published. Later
// rounds wait for the next call.
func (s *Service) Settle(ctx context.Context) error {
	var due []dueRound
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) { due, err = firstPendingRounds(tx); return err })
	for _, d := range due {
		err = errors.Join(err, s.settleRound(ctx, d))
	}
	if err == nil && len(due) == 0 {
		err = s.publishHourly(ctx)
	}
	return err
}

// roundEvery is how often a log with witnesses gets a round, also without orders: the witnesses' times in
// it show that no leaf is dated back.
const roundEvery = time.Hour

// publishHourly publishes the latest round if the log has witnesses and the last round in it is old.
func (s *Service) publishHourly(ctx context.Context) error {
	chain := s.Rounds.Beacon()
	d := dueRound{beacon: chain.Hash()}
	isDue := false
	err := s.DB.Peek(ctx, func(tx *db.Tx) error {
		last, err := rounds.Last(tx, d.beacon)
		if err != nil || last > 0 && tx.Now.Before(chain.Time(last).Add(roundEvery)) {
			return err
		}
		isDue, err = publiclog.WitnessesInForce(tx)
		return err
	})
	if err != nil || !isDue {
		return err
	}
	d.round = chain.RoundOf(s.DB.Now(), 0) - 1
	if d.round == 0 {
		return nil // the beacon begins now
	}
	signature, err := s.fetchRound(ctx, d)
	if err == nil {
		_, err = s.publishRound(ctx, d, signature)
	}
	return err
}

// settleRound publishes a round and draws its orders. It does nothing while the round lies in the
// future or the log doesn't include all of its orders.
func (s *Service) settleRound(ctx context.Context, d dueRound) error {
	chain, err := s.beacon(d.beacon)
	if err != nil {
		return err
	}
	at := chain.Time(d.round)
	if s.DB.Now().Before(at) {
		return nil
	}
	signature, published, err := s.publishedRound(ctx, d)
	if err != nil {
		return err
	}
	if !published {
		signature, err = s.fetchRound(ctx, d)
		if err != nil {
			return s.voidAfterOutage(ctx, d, at, err)
		}
		published, err = s.publishRound(ctx, d, signature)
		if err != nil || !published {
			return err
		}
	}
	for {
		settled, err := s.drawSome(ctx, d, signature)
		if err != nil || settled == 0 {
			return err
		}
	}
}

// publishedRound returns the signature of a round that the log contains.
func (s *Service) publishedRound(ctx context.Context, d dueRound) (signature protocol.Signature, published bool, err error) {
	err = s.DB.Peek(ctx, func(tx *db.Tx) error {
		signature, published, err = rounds.Stored(tx, d.beacon, d.round)
		return err
	})
	return signature, published, err
}

// fetchTimeout is how long one search for a round takes at most.
const fetchTimeout = 20 * time.Second

// fetchRound returns the signature of a round, verified.
func (s *Service) fetchRound(ctx context.Context, d dueRound) (protocol.Signature, error) {
	ctx, end := context.WithTimeout(ctx, fetchTimeout)
	defer end()
	return s.Rounds.Fetch(ctx, d.beacon, d.round)
}

// publishRound stores a round and adds its leaf to the log, unless another node was faster. It
// returns false while a signed tree doesn't include all orders of the round, or orders of an earlier one
// are pending.
func (s *Service) publishRound(ctx context.Context, d dueRound, signature protocol.Signature) (published bool, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.AdvisoryLock(roundsLock); err != nil {
			return err
		}
		if err := s.Log.CheckConsistency(tx)(); err != nil {
			return err
		}
		_, published, err = rounds.Stored(tx, d.beacon, d.round)
		if published || err != nil {
			return err
		}
		earlier, err := hasEarlierOrders(tx, d)
		if err != nil || earlier {
			return err
		}
		orders, err := orderIDs(tx, d)
		if err != nil {
			return err
		}
		size, included, err := s.Log.SizeWith(tx, orders)
		if err != nil || !included {
			return err
		}
		published = true
		return s.appendRound(tx, d, signature, size, orders)
	})
	return published, err
}

// appendRound stores a round and adds its leaf to the log, with the checkpoints that prove that its orders
// were in the log before. size is that of the smallest tree that has all of them.
func (s *Service) appendRound(tx *db.Tx, d dueRound, signature protocol.Signature, size int64, orders []string) error {
	chain, err := s.beacon(d.beacon)
	if err != nil {
		return err
	}
	at := chain.Time(d.round)
	leaf := protocol.RoundLeaf{Beacon: d.beacon, Round: d.round, Signature: signature, Time: later(tx.Now, at)}
	leaf.Checkpoint, err = publiclog.CheckpointBefore(tx, at, size)
	if err != nil {
		return err
	}
	leaf.EndedCheckpoint, err = publiclog.EndedCheckpointBefore(tx, at, orders)
	if err != nil {
		return err
	}
	if err := rounds.Store(tx, d.beacon, d.round, signature); err != nil {
		return err
	}
	matches := func(_ int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.RoundLeaf)
		if !ok || l.Beacon != d.beacon || l.Round != d.round {
			return fmt.Errorf("is not round %d", d.round)
		}
		return chain.Verify(l.Round, l.Signature)
	}
	return publiclog.AppendIf(tx, matches, string(leaf.Format()))
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// drawSome draws some orders of a published round and returns their number. Orders of packs whose
// cards can run out are drawn pack by pack, in the order of their drawSeq.
func (s *Service) drawSome(ctx context.Context, d dueRound, signature protocol.Signature) (drawn int, err error) {
	var pending []Open
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		pending, err = pendingOrders(tx, d, settleBatch)
		return err
	})
	if err != nil || len(pending) == 0 {
		return 0, err
	}
	if pending[0].DrawSeq > 0 { // those without come first
		first := pending[0].PackID
		pending = slices.DeleteFunc(pending, func(o Open) bool { return o.PackID != first })
	} else {
		pending = slices.DeleteFunc(pending, func(o Open) bool { return o.DrawSeq > 0 })
	}
	seeds, err := s.unsealOrders(ctx, pending)
	if err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		b, err := s.lockSettlement(tx, d, signature, pending, seeds)
		if err != nil {
			return err
		}
		drawn = len(b.orders)
		for n := range b.orders {
			if err := b.draw(n); err != nil {
				return fmt.Errorf("order %s: %w", b.orders[n].ID, err)
			}
		}
		return b.write()
	})
	return drawn, err
}

// unsealOrders decrypts the seeds of orders, by their ids.
func (s *Service) unsealOrders(ctx context.Context, orders []Open) (map[string][32]byte, error) {
	var origins []string
	if err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) { origins, err = logOrigins(tx); return err }); err != nil {
		return nil, err
	}
	seeds := make(map[string][32]byte, len(orders))
	for _, o := range orders {
		sealed := sealedSeed{o.UserID, o.Order.seed}
		plain, _, _, err := sealed.open(s.Sealer.ring, origins)
		if err != nil {
			return nil, err
		}
		seeds[o.ID] = [32]byte(plain)
	}
	return seeds, nil
}

// settlement holds the draws of one transaction.
type settlement struct {
	*Service
	tx        *db.Tx
	chain     *beacon.Beacon
	roundAt   time.Time
	signature protocol.Signature
	packs     map[string]*packs.LivePack
	orders    []Open // locked
	seeds     map[string][32]byte
	pulls     [][]protocol.Pull
	leaves    []protocol.OrderLeaf
}

// lockSettlement locks the packs of orders, and the orders that are still pending (see lockOrders). A
// pack whose cards can run out has one writer at a time.
func (s *Service) lockSettlement(tx *db.Tx, d dueRound, signature protocol.Signature, pending []Open, seeds map[string][32]byte) (*settlement, error) {
	chain, err := s.beacon(d.beacon)
	if err != nil {
		return nil, err
	}
	b := &settlement{Service: s, tx: tx, chain: chain, roundAt: chain.Time(d.round), signature: signature, seeds: seeds, packs: map[string]*packs.LivePack{}}
	var ids, packIDs []string
	for _, o := range pending {
		ids, packIDs = append(ids, o.ID), append(packIDs, o.PackID)
	}
	slices.Sort(packIDs)
	consistent := s.Log.CheckConsistency(tx)
	for _, id := range slices.Compact(packIDs) {
		pack, err := s.Packs.LockForSettling(tx, id)
		if err != nil {
			return nil, err
		}
		b.packs[id] = pack
	}
	if err := consistent(); err != nil {
		return nil, err
	}
	b.orders, err = lockOrders(tx, ids)
	return b, err
}

// draw draws the nth order.
func (b *settlement) draw(n int) error {
	o := &b.orders[n]
	pack := b.packs[o.PackID]
	m, err := b.Packs.Manifest(b.tx, o.ManifestHash)
	if err != nil {
		return err
	}
	var stock protocol.Stock
	if o.DrawSeq > 0 {
		pack.ApplyReturnsBefore(o.DrawSeq)
		stock = pack.Stock
	}
	leaf, seed := o.orderLeaf(), b.seeds[o.ID]
	pulls, err := protocol.DrawSealed(m, leaf, seed, b.signature, stock)
	if err != nil {
		return err
	}
	pack.CountDraw(m, pulls)
	pack.CountSettled(o.DrawSeq, m)
	o.State, o.ServerSeed, o.At = Opened, seed, later(b.tx.Now, b.roundAt)
	o.Order.Signature = b.signature
	b.pulls, b.leaves = append(b.pulls, pulls), append(b.leaves, leaf)
	return nil
}

// write writes everything that was drawn.
func (b *settlement) write() error {
	if len(b.orders) == 0 {
		return nil
	}
	opens := make([]*Open, len(b.orders))
	for n := range b.orders {
		opens[n] = &b.orders[n]
	}
	if err := addItems(b.tx, opens, b.pulls); err != nil {
		return err
	}
	leaves := make([]string, len(b.orders))
	var entries []inventory.Entry
	for n, o := range b.orders {
		leaves[n] = o.leafText()
		entries = append(entries, o.Items...)
	}
	if err := errors.Join(insertOpens(b.tx, b.orders), markDrawn(b.tx, b.orders)); err != nil {
		return err
	}
	if err := inventory.Add(b.tx, entries); err != nil {
		return fmt.Errorf("add the items to the inventory: %w", err)
	}
	if err := b.savePacks(); err != nil {
		return err
	}
	b.tx.Publish(PacksOpened{len(b.orders)})
	return publiclog.AppendIf(b.tx, b.checkLeaf, leaves...)
}

// savePacks saves stock and realized losses.
func (b *settlement) savePacks() error {
	for id, pack := range b.packs {
		if err := b.Packs.SaveSettled(b.tx, pack); err != nil {
			return fmt.Errorf("save the stock of pack %s: %w", id, err)
		}
	}
	return nil
}

// checkLeaf checks the leaf of the nth draw against its order, the drawn items and the beacon.
func (b *settlement) checkLeaf(n int, leaf protocol.Leaf) error {
	l, ok := leaf.(protocol.SealedOpenLeaf)
	if !ok || l.ID != b.orders[n].ID || l.Signature != b.signature {
		return fmt.Errorf("is not the open of order %s", b.orders[n].ID)
	}
	return l.VerifyDrawn(b.leaves[n], b.chain.Schedule, b.pulls[n])
}
