package verify

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"kaibao/internal/protocol"
)

// Leaves checks leaves from a source other than a server or a mirror, such as a database under
// audit. It doesn't check the tree or signatures. It is not safe for concurrent use.
type Leaves struct {
	library *library
	replay  *replay
}

// NewLeaves starts before the first leaf. manifest returns the text of a manifest by its hash.
func NewLeaves(ctx context.Context, manifest func(hash [32]byte) ([]byte, error)) *Leaves {
	l := newLibrary(ctx, stored(manifest))
	return &Leaves{l, newReplay(l)}
}

// Examine checks everything about a leaf that doesn't depend on other leaves, and a trade against
// the announced rates, which are in log order. It repeats the draws of packs whose cards can't run
// out.
func (l *Leaves) Examine(text []byte, announced []protocol.RatesLeaf) error {
	e := l.library.examine(text)
	if trade, ok := e.leaf.(protocol.TradeLeaf); ok && e.err == nil {
		return trade.Verify(protocol.RatesAt(announced, trade.Time))
	}
	return e.err
}

// Replay checks a leaf by itself and against all previous leaves. index is its index in its epoch.
func (l *Leaves) Replay(index int64, text []byte) error {
	e := l.library.examine(text)
	if e.err != nil {
		return e.err
	}
	return l.replay.apply(index, e.leaf)
}

// stored is a source that contains only manifests, by hash.
type stored func(hash [32]byte) ([]byte, error)

func (s stored) read(_ context.Context, name string, _ int64) ([]byte, error) {
	hash, err := hex.DecodeString(strings.TrimPrefix(name, manifests))
	if err != nil || len(hash) != 32 {
		return nil, fmt.Errorf("%s is not the name of a manifest", name)
	}
	return s([32]byte(hash))
}
