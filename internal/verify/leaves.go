package verify

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"kaibao/internal/protocol"
)

// Leaves checks leaves that come from elsewhere than a server or a mirror, such as a database
// that is audited. Tree and signatures are for the caller. It is for one goroutine.
type Leaves struct {
	library *library
	replay  *replay
}

// NewLeaves begins before the first leaf; manifest reads the text of a manifest by its hash.
func NewLeaves(ctx context.Context, manifest func(hash [32]byte) ([]byte, error)) *Leaves {
	l := newLibrary(ctx, stored(manifest))
	return &Leaves{l, newReplay(l)}
}

// Examine checks everything about a leaf that needs no other leaf, but for the rates in force
// at a trade, which are given in the order of their announcement. The draws of packs whose
// cards can't run out are repeated.
func (l *Leaves) Examine(text []byte, announced []protocol.RatesLeaf) error {
	e := l.library.examine(text)
	if trade, ok := e.leaf.(protocol.TradeLeaf); ok && e.err == nil {
		return trade.Verify(protocol.RatesAt(announced, trade.Time))
	}
	return e.err
}

// Replay checks a leaf by itself and against all before it. index is its place in its epoch.
func (l *Leaves) Replay(index int64, text []byte) error {
	e := l.library.examine(text)
	if e.err != nil {
		return e.err
	}
	return l.replay.apply(index, e.leaf)
}

// stored reads manifests by their hashes, and nothing else.
type stored func(hash [32]byte) ([]byte, error)

func (s stored) read(_ context.Context, name string, _ int64) ([]byte, error) {
	hash, err := hex.DecodeString(strings.TrimPrefix(name, manifests))
	if err != nil || len(hash) != 32 {
		return nil, fmt.Errorf("%s is not the name of a manifest", name)
	}
	return s([32]byte(hash))
}
