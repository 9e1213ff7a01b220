package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"kaibao/internal/protocol"
)

// library fetches manifests and caches them parsed. Each is checked against its hash once.
type library struct {
	ctx   context.Context
	from  source
	mutex sync.Mutex
	known map[[32]byte]*shelf
	bytes int
}

type shelf struct {
	once     sync.Once
	manifest *protocol.Manifest
	err      error
}

// maxLibrary is the maximum total size of manifests, in bytes.
const maxLibrary = 256 << 20

func newLibrary(ctx context.Context, from source) *library {
	return &library{ctx: ctx, from: from, known: map[[32]byte]*shelf{}}
}

// manifest returns a manifest by its hash.
func (l *library) manifest(hash [32]byte) (*protocol.Manifest, error) {
	l.mutex.Lock()
	s := l.known[hash]
	if s == nil {
		s = &shelf{}
		l.known[hash] = s
	}
	l.mutex.Unlock()
	s.once.Do(func() { s.manifest, s.err = l.fetch(hash) })
	return s.manifest, s.err
}

func (l *library) fetch(hash [32]byte) (*protocol.Manifest, error) {
	text, err := l.from.read(l.ctx, manifests+hex.EncodeToString(hash[:]), maxManifest)
	if err != nil {
		return nil, err
	}
	l.mutex.Lock()
	l.bytes += len(text)
	full := l.bytes > maxLibrary
	l.mutex.Unlock()
	if full {
		return nil, errors.New("there are more manifests than this program keeps")
	}
	if protocol.Hash(text) != hash {
		return nil, errors.New("what is served under its hash is another text")
	}
	return protocol.ParseManifest(text)
}

// drawAgain repeats a draw with the manifest that the open names. It skips packs with limited
// cards, whose draws depend on the draws before.
func (l *library) drawAgain(open protocol.OpenLeaf) (limited bool, err error) {
	m, err := l.manifest(open.Manifest)
	if err != nil {
		return false, fmt.Errorf("the manifest %x: %w", open.Manifest, err)
	}
	if m.Finite() {
		return true, nil
	}
	return false, open.Verify(m, nil)
}
