package svg

import (
	"hash/fnv"
	"math/rand/v2"
)

// Random is a random source seeded by a text, so that a drawing's choices are reproducible.
type Random struct{ r *rand.Rand }

// NewRandom returns a source whose values depend only on the seed.
func NewRandom(seed string) Random {
	h := fnv.New64a()
	h.Write([]byte(seed))
	n := h.Sum64()
	return Random{rand.New(rand.NewPCG(n, n>>7|1))}
}

// Between returns a number in [low, high).
func (rnd Random) Between(low, high float64) float64 { return low + (high-low)*rnd.r.Float64() }

// IntN returns an integer in [0, n).
func (rnd Random) IntN(n int) int { return rnd.r.IntN(n) }

// Choose returns a random one of the given values.
func Choose[T any](rnd Random, values []T) T { return values[rnd.IntN(len(values))] }
