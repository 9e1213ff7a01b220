package verify

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"kaibao/internal/protocol"
)

// LeafChecker checks leaves from a source other than a server or a mirror, such as a database under
// audit. It doesn't check the tree or signatures. It is not safe for concurrent use.
type LeafChecker struct {
	published *published
	replay    *replay
}

// NewLeafChecker starts before the first leaf. manifest returns the text of a manifest by its hash, and
// beacon the description of a beacon by its chain hash, as JSON.
func NewLeafChecker(ctx context.Context, manifest, beacon func(hash [32]byte) ([]byte, error)) *LeafChecker {
	p := newPublished(ctx, hashedSource{manifestPrefix: manifest, beaconPrefix: beacon})
	return &LeafChecker{p, newReplay(p)}
}

// CheckWithRates checks everything about a leaf that doesn't depend on other leaves. It also
// checks a trade against the announced rates, which are in log order, and repeats the draws of packs
// whose cards can't run out.
func (l *LeafChecker) CheckWithRates(text []byte, announced []protocol.RatesLeaf) error {
	e := l.published.checkLeaf(text)
	if trade, ok := e.leaf.(protocol.TradeLeaf); ok && e.err == nil {
		return trade.Verify(protocol.RatesAt(announced, trade.Time))
	}
	return e.err
}

// Replay checks a leaf by itself and against all previous leaves. index is its index in its epoch.
func (l *LeafChecker) Replay(index int64, text []byte) error {
	e := l.published.checkLeaf(text)
	if e.err != nil {
		return e.err
	}
	if index == 0 {
		l.replay.startLog(loggedTree{})
	}
	return l.replay.apply(index, e.leaf)
}

// hashedSource is a source that contains only what is named by its hash, by the prefix of the names.
type hashedSource map[string]func(hash [32]byte) ([]byte, error)

func (s hashedSource) read(_ context.Context, name string, _ int64) ([]byte, error) {
	folder, text, _ := strings.Cut(name, "/")
	hash, err := hex.DecodeString(text)
	find := s[folder+"/"]
	if err != nil || len(hash) != 32 || find == nil {
		return nil, fmt.Errorf("%s is not the file name of a manifest or a beacon", name)
	}
	return find([32]byte(hash))
}
