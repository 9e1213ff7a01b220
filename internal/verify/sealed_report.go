package verify

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// Sealed are the results for sealed packs.
type Sealed struct {
	Fixed    int64           `json:"fixed"`    // drawn orders that a quorum of witnesses saw before their round
	Unproven []UnprovenOrder `json:"unproven"` // drawn orders that no quorum saw before their round
	// WithoutWitnesses counts the drawn orders from times without witnesses. They are unproven, too.
	WithoutWitnesses int64  `json:"withoutWitnesses"`
	NewUnproven      int64  `json:"newUnproven"` // unproven orders that were drawn since the last run
	UnprovenOdds     []Odds `json:"unprovenOdds"`

	Pending int64         `json:"pending"` // orders without an open or void
	Overdue int64         `json:"overdue"` // of those, the ones whose round is at least 60 s old
	Voided  []VoidedRound `json:"voided"`
	Beacons []Beacon      `json:"beacons"`
	// LostOrders are faults of the operator, who may have wanted to avoid their draws. The rest of the log
	// is checked all the same.
	LostOrders []LostOrder `json:"lostOrders"`

	Witnesses []string `json:"witnesses"` // verifier keys of the witnesses that were counted last
	Quorum    int      `json:"quorum"`
	Trusted   bool     `json:"trusted"` // the verifier named the witnesses; otherwise the operator chose them
}

// UnprovenOrder is a drawn order that may have been placed when its round was known.
type UnprovenOrder struct {
	Log   string      `json:"log"`
	Leaf  int64       `json:"leaf"` // of the order
	ID    string      `json:"id"`
	User  string      `json:"user"`       // UserTag
	Value money.Cents `json:"valueCents"` // of the drawn cards
	Time  time.Time   `json:"time"`
}

// LostOrder is an order that was voided because the operator lost its server seed.
type LostOrder struct {
	Log   string      `json:"log"`
	Leaf  int64       `json:"leaf"` // of its void
	ID    string      `json:"id"`
	User  string      `json:"user"` // UserTag
	Price money.Cents `json:"priceCents"`
	Time  time.Time   `json:"time"` // of its void
}

// VoidedRound is a round whose orders were refunded because nobody could fetch it.
type VoidedRound struct {
	Beacon string    `json:"beacon"` // chain hash
	Round  uint64    `json:"round"`
	Time   time.Time `json:"time"` // when it should have been published
	// Confirmed says that the verifier's user confirmed the outage. Otherwise the round could not be
	// fetched now, either, or no relays were given.
	Confirmed bool `json:"confirmed"`
}

// Beacon is a beacon that orders were drawn with.
type Beacon struct {
	Hash   string `json:"hash"` // chain hash
	ID     string `json:"id"`
	Orders int64  `json:"orders"`
	// Independent says that the verifier knows the beacon. Another one proves nothing about
	// insiders, because the operator may have its key.
	Independent bool `json:"independent"`
}

// Outage is a time in which a beacon published no rounds.
type Outage struct{ From, To time.Time } // both inclusive

// FetchRound fetches the signature of a beacon's round from its relays, and verifies it.
type FetchRound func(ctx context.Context, b *beacon.Beacon, round uint64) (protocol.Signature, error)

// addUnproven records that an order was drawn without proof that it was placed before its round.
func (r *replay) addUnproven(o *pendingOrder, items []protocol.LeafItem) {
	if r.isNew {
		r.sealed.NewUnproven++
	}
	if o.policy == nil {
		r.sealed.WithoutWitnesses++
		return
	}
	unproven := UnprovenOrder{Log: o.log.origin, Leaf: o.index, ID: o.ID, User: o.User, Time: o.Time}
	for _, item := range items {
		unproven.Value += item.Value
	}
	r.sealed.Unproven = append(r.sealed.Unproven, unproven)
}

// sealedReport returns the results for sealed packs so far.
func (r *replay) sealedReport() Sealed {
	s := r.sealed
	s.UnprovenOdds, s.Pending = realizedOdds(r.unprovenDraws), int64(len(r.orders))
	for _, hash := range r.beaconHashes() {
		b := r.beacons[hash]
		s.Beacons = append(s.Beacons, Beacon{hex.EncodeToString(hash[:]), b.ID, b.orders, beacon.Known(hash) != nil})
	}
	if p := r.policyAt(r.newest); p != nil {
		s.Quorum, s.Trusted = p.quorum, len(r.trusted.witnesses) > 0
		for _, w := range p.witnesses {
			s.Witnesses = append(s.Witnesses, w.String())
		}
	}
	return s
}

// beaconHashes returns the chain hashes of all beacons that the log uses, sorted.
func (r *replay) beaconHashes() [][32]byte {
	return slices.SortedFunc(maps.Keys(r.beacons), func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
}

// finish makes the checks that need the whole log: orders that are still pending, and rounds that
// were voided. signed is the served checkpoint.
func (r *replay) finish(ctx context.Context, o Options, signed []byte) error {
	fetched := map[beaconRound]error{}
	isFetched := func(b *beaconState, round uint64) bool {
		if o.FetchRound == nil {
			return false
		}
		key := beaconRound{b, round}
		err, ok := fetched[key]
		if !ok {
			_, err = o.FetchRound(ctx, b.Beacon, round)
			fetched[key] = err
		}
		return err == nil
	}
	now := o.Now
	if cosigned := r.newestQuorum(signed); cosigned > 0 {
		now = time.Unix(cosigned, 0)
	}
	overdue := func(order *pendingOrder) bool { return now.Sub(order.roundAt) >= protocol.MaxDrawDelay }
	if late := r.firstPending(func(order *pendingOrder) bool { return overdue(order) && isFetched(order.beacon, order.Round) }); late != nil {
		return late.log.fault(r.log, late.index, fmt.Sprintf("its draw is withheld: its round %d is from %s, but the log has no open or void", late.Round, formatTime(late.roundAt)))
	}
	for _, order := range r.orders {
		if overdue(order) {
			r.sealed.Overdue++
		}
	}
	return r.checkVoided(o.Outages, isFetched)
}

// newestQuorum returns the newest quorum time of the served checkpoint and of all in the log, in Unix
// seconds, or 0.
func (r *replay) newestQuorum(signed []byte) (newest int64) {
	for _, l := range r.logs {
		newest = max(newest, l.cosigned)
	}
	if p := r.policyAt(r.newest); p != nil {
		if _, times, err := r.openCosigned(string(signed), r.log.key); err == nil {
			newest = max(newest, p.quorumTime(times))
		}
	}
	return newest
}

// beaconRound identifies a round of a beacon.
type beaconRound struct {
	beacon *beaconState
	round  uint64
}

// checkVoided checks that rounds were voided only because nobody could fetch them.
func (r *replay) checkVoided(outages []Outage, isFetched func(*beaconState, uint64) bool) error {
	for _, hash := range r.beaconHashes() {
		b := r.beacons[hash]
		for _, round := range slices.Sorted(maps.Keys(b.voided)) {
			v := VoidedRound{Beacon: hex.EncodeToString(hash[:]), Round: round, Time: b.Time(round)}
			v.Confirmed = slices.ContainsFunc(outages, func(o Outage) bool { return !v.Time.Before(o.From) && !v.Time.After(o.To) })
			if void := b.voided[round]; !v.Confirmed && isFetched(b, round) {
				return void.log.fault(r.log, void.index, fmt.Sprintf("the order was voided as if round %d of %s could not be fetched, but it can", round, formatTime(v.Time)))
			}
			r.sealed.Voided = append(r.sealed.Voided, v)
		}
	}
	return nil
}
