package protocol

import (
	"encoding/binary"
	"math"

	"kaibao/internal/apperr"
)

// ErrSoldOut means that a pack has too few cards left for a full open.
var ErrSoldOut = apperr.New(apperr.SoldOut, "This pack is sold out.")

// Stock maps the ids of finite cards to their remaining count. Cards it doesn't contain have the
// manifest's stock, so nil means a newly published manifest. Counts for unlimited cards are
// ignored.
type Stock map[string]int64

// Pull is one drawn card with the rolls that led to it.
type Pull struct {
	TierRoll    uint64 // from 0 to the sum of the weights − 1
	TierCounter uint32 // blocks rejected before TierRoll
	Tier        int    // index of the rolled tier; a fallback draws from another
	CardRoll    uint64 // from 0 to the number of candidates − 1
	CardCounter uint32 // blocks rejected before CardRoll
	Card        Card
}

// Draw draws all cards of one instant open. hash is the hash of the manifest's published bytes. Draw
// doesn't modify stock: the caller decrements it for every finite card drawn. It returns ErrSoldOut
// if the stock can't cover the full open, and an error for a client seed that CheckClientSeed
// rejects.
func Draw(m *Manifest, hash, seed [32]byte, clientSeed string, nonce uint64, stock Stock) ([]Pull, error) {
	if err := CheckClientSeed(clientSeed); err != nil {
		return nil, err
	}
	return m.draw(Key(hash, seed, clientSeed, nonce), stock)
}

// draw draws all cards of the open with this key.
func (m *Manifest) draw(key [32]byte, stock Stock) ([]Pull, error) {
	dice := dice{newMAC(key)}
	deck := newDeck(m, stock)
	pulls := make([]Pull, m.Items)
	for i := range pulls {
		p := &pulls[i]
		p.TierRoll, p.TierCounter = dice.uniform(uint32(i), rollTier, m.total)
		p.Tier = m.tierOf(p.TierRoll)
		candidates := deck.candidates(p.Tier)
		if candidates.count == 0 {
			return nil, ErrSoldOut
		}
		p.CardRoll, p.CardCounter = dice.uniform(uint32(i), rollCard, uint64(candidates.count))
		p.Card = deck.take(candidates, int(p.CardRoll))
	}
	return pulls, nil
}

// tierOf maps a roll to a tier by cumulative weight, starting from the lowest tier.
func (m *Manifest) tierOf(roll uint64) int {
	tier := 0
	for roll >= m.Tiers[tier].Weight {
		roll -= m.Tiers[tier].Weight
		tier++
	}
	return tier
}

// The purpose byte of an item's two rolls.
const (
	rollTier = 0
	rollCard = 1
)

// dice derives the rolls of one open.
type dice struct{ mac mac }

// uniform returns a uniformly distributed number below n. It rejects blocks in the incomplete last
// multiple of n; counter is the number of rejected blocks.
func (d *dice) uniform(item uint32, purpose uint8, n uint64) (roll uint64, counter uint32) {
	// 2^64 mod n computed in 64 bits: −n is 2^64 − n, which has the same remainder.
	last := math.MaxUint64 - -n%n
	for {
		if x := d.block(item, purpose, counter); x <= last {
			return x % n, counter
		}
		counter++
	}
}

func (d *dice) block(item uint32, purpose uint8, counter uint32) uint64 {
	var message [9]byte
	binary.BigEndian.PutUint32(message[0:], item)
	message[4] = purpose
	binary.BigEndian.PutUint32(message[5:], counter)
	sum := d.mac.sum(message[:])
	return binary.BigEndian.Uint64(sum[:])
}
