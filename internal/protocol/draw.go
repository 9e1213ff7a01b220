package protocol

import (
	"encoding/binary"
	"math"

	"kaibao/internal/apperr"
)

// ErrSoldOut says that a pack has too few cards left for a whole open.
var ErrSoldOut = apperr.New(apperr.SoldOut, "This pack is sold out.")

// Stock is what is left of the finite cards, by id. A card that it does not name
// has the stock of the manifest, so nil stands for a manifest just published. Its
// numbers for unlimited cards mean nothing.
type Stock map[string]int64

// Pull is one drawn card with everything that led to it.
type Pull struct {
	TierRoll    uint64 // from 0 to the sum of the weights − 1
	TierCounter uint32 // blocks rejected before TierRoll
	Tier        int    // index of the tier rolled; a fallback may draw the card from another
	CardRoll    uint64 // from 0 to the number of candidates − 1
	CardCounter uint32 // blocks rejected before CardRoll
	Card        Card
}

// Draw draws all cards of one open from a parsed manifest, whose published bytes
// have this hash, on the given stock, which it leaves as it is: the caller takes
// one off for every finite card drawn. It fails with ErrSoldOut when the stock does
// not suffice for the whole open, and refuses what CheckClientSeed refuses.
func Draw(m *Manifest, hash, seed [32]byte, clientSeed string, nonce uint64, stock Stock) ([]Pull, error) {
	if err := CheckClientSeed(clientSeed); err != nil {
		return nil, err
	}
	dice := dice{newMAC(Key(hash, seed, clientSeed, nonce))}
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

// tierOf walks the cumulative weights from the lowest tier.
func (m *Manifest) tierOf(roll uint64) int {
	tier := 0
	for roll >= m.Tiers[tier].Weight {
		roll -= m.Tiers[tier].Weight
		tier++
	}
	return tier
}

// The purposes of the two rolls of an item.
const (
	rollTier = 0
	rollCard = 1
)

// dice gives the rolls of one open.
type dice struct{ mac mac }

// uniform gives a number below n, each equally likely: a block that falls into the
// incomplete last multiple of n is rejected. The second result is how many were.
func (d *dice) uniform(item uint32, purpose uint8, n uint64) (roll uint64, counter uint32) {
	// 2^64 mod n, in 64 bits: −n is 2^64 − n, which has the same rest.
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
