package opening

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/rounds"
)

// PendingOrders are the pending orders of a pack.
type PendingOrders struct {
	PackID, PackName, PackNameZH string
	Orders                       int64
	Oldest                       time.Time // when the first of them was placed
	Round                        uint64    // the first that draws some of them
	RoundAt                      time.Time
}

// LateRound is a round whose orders should have been settled by now.
type LateRound struct {
	Beacon    string // name of the chain
	Round     uint64
	At        time.Time
	Orders    int64
	Published bool // it is in the log, so its orders are drawn and never refunded
}

const (
	// lateAfter is how long after its time a round with pending orders is late. Relays have it within a
	// second, and draws take another.
	lateAfter = 10 * time.Second
	// maxLateRounds bounds the list of late rounds: an outage may have tens of thousands.
	maxLateRounds = 50
)

// PendingByPack returns the pending orders by pack, the longest waiting first.
func (s *Service) PendingByPack(tx *db.Tx) ([]PendingOrders, error) {
	found, err := pendingByPack(tx)
	if err != nil {
		return nil, err
	}
	packs := make([]PendingOrders, len(found))
	for n, w := range found {
		chain, err := s.beacon(w.due.beacon)
		if err != nil {
			return nil, err
		}
		packs[n] = w.PendingOrders
		packs[n].Round, packs[n].RoundAt = w.due.round, chain.Time(w.due.round)
	}
	return packs, nil
}

// LateRounds returns the first rounds that are late, at most maxLateRounds of each beacon.
func (s *Service) LateRounds(tx *db.Tx) (late []LateRound, err error) {
	due, err := firstPendingRounds(tx)
	if err != nil {
		return nil, err
	}
	for _, d := range due {
		chain, err := s.beacon(d.beacon)
		if err != nil {
			return nil, err
		}
		published, err := rounds.Last(tx, d.beacon) // rounds with pending orders are published in ascending order
		if err != nil {
			return nil, err
		}
		pending, err := pendingRounds(tx, d.beacon, maxLateRounds)
		if err != nil {
			return nil, err
		}
		for _, p := range pending {
			if at := chain.Time(p.round); tx.Now.After(at.Add(lateAfter)) {
				late = append(late, LateRound{Beacon: chain.ID, Round: p.round, At: at, Orders: p.orders, Published: p.round <= published})
			}
		}
	}
	return late, nil
}
