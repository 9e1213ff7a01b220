package beacon

import (
	"encoding/hex"
	"sync"

	"kaibao/internal/protocol"
)

// Quicknet is drand's main beacon: a round every 3 seconds, signed by a threshold of the
// organizations of the League of Entropy.
var Quicknet = sync.OnceValue(func() *Beacon {
	b, err := New(Chain{
		Schedule: protocol.Schedule{Genesis: 1692803367, Period: 3},
		Key: [96]byte(fromHex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2" +
			"2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a")),
		GroupHash: [32]byte(fromHex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")),
		ID:        "quicknet",
	})
	if err != nil {
		panic(err)
	}
	return b
})

// Known returns the independent beacon with a chain hash, or nil. Other chains prove nothing about
// insiders, because the operator may have their keys.
func Known(hash [32]byte) *Beacon {
	if q := Quicknet(); hash == q.Hash() {
		return q
	}
	return nil
}

func fromHex(text string) []byte {
	decoded, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return decoded
}
