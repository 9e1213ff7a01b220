package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"kaibao/internal/protocol"
)

// manifestCache fetches manifests and caches them parsed. Each is checked against its hash once.
type manifestCache struct {
	ctx     context.Context
	source  source
	mutex   sync.Mutex
	entries map[[32]byte]*cachedManifest
	bytes   int
}

type cachedManifest struct {
	once     sync.Once
	manifest *protocol.Manifest
	err      error
}

// maxManifestCache is the maximum total size of manifests, in bytes.
const maxManifestCache = 256 << 20

func newManifestCache(ctx context.Context, from source) *manifestCache {
	return &manifestCache{ctx: ctx, source: from, entries: map[[32]byte]*cachedManifest{}}
}

// manifest returns a manifest by its hash.
func (l *manifestCache) manifest(hash [32]byte) (*protocol.Manifest, error) {
	l.mutex.Lock()
	s := l.entries[hash]
	if s == nil {
		s = &cachedManifest{}
		l.entries[hash] = s
	}
	l.mutex.Unlock()
	s.once.Do(func() { s.manifest, s.err = l.fetch(hash) })
	return s.manifest, s.err
}

func (l *manifestCache) fetch(hash [32]byte) (*protocol.Manifest, error) {
	text, err := l.source.read(l.ctx, manifestPrefix+hex.EncodeToString(hash[:]), maxManifest)
	if err != nil {
		return nil, err
	}
	l.mutex.Lock()
	l.bytes += len(text)
	full := l.bytes > maxManifestCache
	l.mutex.Unlock()
	if full {
		return nil, errors.New("too many manifests for this program")
	}
	if protocol.Hash(text) != hash {
		return nil, errors.New("the served text doesn't match the hash")
	}
	return protocol.ParseManifest(text)
}

// repeatDraw repeats a draw with the manifest that the open names. It skips packs with limited
// cards, whose draws depend on the draws before.
func (l *manifestCache) repeatDraw(open protocol.OpenLeaf) (limited bool, err error) {
	m, err := l.manifest(open.Manifest)
	if err != nil {
		return false, fmt.Errorf("manifest %x: %w", open.Manifest, err)
	}
	if m.Finite() {
		return true, nil
	}
	return false, open.Verify(m, nil)
}
