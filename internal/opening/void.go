package opening

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/rounds"
)

// voidAfterOutage refunds all orders of a round that no relay has had for protocol.VoidAfter. Until then,
// and while no relay can be asked, the orders wait. fetchErr says why the round could not be fetched.
func (s *Service) voidAfterOutage(ctx context.Context, d dueRound, roundAt time.Time, fetchErr error) error {
	if s.DB.Now().Before(roundAt.Add(protocol.VoidAfter)) {
		return nil // package rounds logs why the round is late
	}
	if !errors.Is(fetchErr, rounds.ErrNotPublished) {
		return fetchErr
	}
	if err := s.voidRound(ctx, d); err != nil {
		return fmt.Errorf("refund the orders of round %d, which could not be fetched (%w): %w", d.round, fetchErr, err)
	}
	return nil
}

// voidRound refunds all orders of a round in one transaction: nobody can then draw some of them.
func (s *Service) voidRound(ctx context.Context, d dueRound) error {
	var orders []Open
	if err := s.DB.Read(ctx, func(tx *db.Tx) (err error) { orders, err = pendingOrders(tx, d, math.MaxInt32); return err }); err != nil {
		return err
	}
	seeds, err := s.unsealOrders(ctx, orders)
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		var users, ids []string
		for _, o := range orders {
			users, ids = append(users, o.UserID), append(ids, o.ID)
		}
		accounts, err := ledger.LockBatch(tx, users)
		if err != nil {
			return err
		}
		limited, err := s.lockLimitedPacks(tx, orders)
		if err != nil {
			return err
		}
		consistent := s.Log.CheckConsistency(tx)
		locked, err := lockVoided(tx, d, ids)
		if err != nil || len(locked) == 0 {
			return err
		}
		if err := consistent(); err != nil {
			return err
		}
		if len(locked) < len(orders) {
			return errors.New("some of the orders are locked; only a whole round may be refunded")
		}
		if err := refund(tx, accounts, locked, seeds); err != nil {
			return err
		}
		if err := s.settleInPacks(tx, limited, locked); err != nil {
			return err
		}
		return s.writeVoids(tx, d, locked)
	})
}

// refund credits the prices of orders to their users' locked accounts, and takes the orders out of the
// periods of their limits.
func refund(tx *db.Tx, accounts *ledger.Batch, orders []Open, seeds map[string][32]byte) error {
	for n := range orders {
		o := &orders[n]
		o.State, o.At, o.ServerSeed = Void, tx.Now, seeds[o.ID]
		o.Order.Reason = protocol.VoidNoBeacon
		if _, err := accounts.Move(ledger.Transfer{Debit: ledger.Packs, Credit: ledger.Account(o.UserID), Amount: o.Price, Kind: ledger.KindOrderRefund, Ref: o.ID}); err != nil {
			return err
		}
		accounts.SetPlay(o.UserID, limits.UncountOpen(accounts.Play(o.UserID), o.Order.At, o.Price))
	}
	return accounts.Save()
}

// lockVoided locks the pending orders of a round. It returns none if another node published the round, or
// voided it. The lock roundsLock keeps others from publishing it.
func lockVoided(tx *db.Tx, d dueRound, ids []string) ([]Open, error) {
	if err := tx.AdvisoryLock(roundsLock); err != nil {
		return nil, err
	}
	_, published, err := rounds.Stored(tx, d.beacon, d.round)
	if published || err != nil {
		return nil, err
	}
	return lockOrders(tx, ids)
}

// writeVoids marks orders as voided and adds their leaves to the log.
func (s *Service) writeVoids(tx *db.Tx, d dueRound, orders []Open) error {
	chain, err := s.beacon(d.beacon)
	if err != nil {
		return err
	}
	if err := markVoided(tx, orders); err != nil {
		return err
	}
	leaves := make([]string, len(orders))
	for n, o := range orders {
		leaves[n] = o.leafText()
	}
	return publiclog.AppendIf(tx, func(n int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.VoidLeaf)
		if !ok || l.ID != orders[n].ID {
			return fmt.Errorf("is not the void of order %s", orders[n].ID)
		}
		return l.Verify(orders[n].orderLeaf(), chain.Schedule)
	}, leaves...)
}

// lockLimitedPacks locks the packs of orders whose cards can run out, by id.
func (s *Service) lockLimitedPacks(tx *db.Tx, orders []Open) (map[string]*packs.LivePack, error) {
	var ids []string
	for _, o := range orders {
		if o.DrawSeq > 0 {
			ids = append(ids, o.PackID)
		}
	}
	slices.Sort(ids)
	locked := map[string]*packs.LivePack{}
	for _, id := range slices.Compact(ids) {
		pack, err := s.Packs.LockForSettling(tx, id)
		if err != nil {
			return nil, err
		}
		locked[id] = pack
	}
	return locked, nil
}

// settleInPacks counts voided orders as settled: cards sold back meanwhile return to the stock.
func (s *Service) settleInPacks(tx *db.Tx, limited map[string]*packs.LivePack, orders []Open) error {
	for _, o := range orders {
		pack := limited[o.PackID]
		if pack == nil {
			continue
		}
		m, err := s.Packs.Manifest(tx, o.ManifestHash)
		if err != nil {
			return err
		}
		pack.CountSettled(o.DrawSeq, m)
	}
	for _, pack := range limited {
		if err := s.Packs.SaveSettled(tx, pack); err != nil {
			return err
		}
	}
	return nil
}
