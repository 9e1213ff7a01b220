package art

import (
	"hash/fnv"
	"math/rand/v2"
)

// dice is a random source seeded by a text, so that a drawing's choices are reproducible.
type dice struct{ r *rand.Rand }

func diceOf(text string) dice {
	h := fnv.New64a()
	h.Write([]byte(text))
	seed := h.Sum64()
	return dice{rand.New(rand.NewPCG(seed, seed>>7|1))}
}

// between returns a number in [low, high).
func (d dice) between(low, high float64) float64 { return low + (high-low)*d.r.Float64() }

// below returns an integer in [0, n).
func (d dice) below(n int) int { return d.r.IntN(n) }

// one returns a random one of the given values.
func one[T any](d dice, of []T) T { return of[d.below(len(of))] }
