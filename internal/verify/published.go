package verify

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// published fetches what the server publishes under its hash, and caches it parsed: manifests and
// beacons. Each is checked against its hash once.
type published struct {
	ctx       context.Context
	source    source
	manifests onceCache[*protocol.Manifest]
	beacons   onceCache[*beacon.Beacon]
	bytes     atomic.Int64 // of manifests
}

// maxManifests is the maximum total size of manifests, in bytes.
const maxManifests = 256 << 20

func newPublished(ctx context.Context, from source) *published {
	return &published{ctx: ctx, source: from}
}

// manifest returns a manifest by its hash.
func (p *published) manifest(hash [32]byte) (*protocol.Manifest, error) {
	return p.manifests.get(hash, func() (*protocol.Manifest, error) {
		text, err := p.source.read(p.ctx, manifestPrefix+hex.EncodeToString(hash[:]), maxManifest)
		if err != nil {
			return nil, err
		}
		if p.bytes.Add(int64(len(text))) > maxManifests {
			return nil, errors.New("too many manifests for this program")
		}
		if protocol.Hash(text) != hash {
			return nil, errors.New("the served text doesn't match the hash")
		}
		return protocol.ParseManifest(text)
	})
}

// beacon returns a beacon by its chain hash: a known one, or the one that the server describes.
func (p *published) beacon(hash [32]byte) (*beacon.Beacon, error) {
	return p.beacons.get(hash, func() (*beacon.Beacon, error) {
		if known := beacon.Known(hash); known != nil {
			return known, nil
		}
		var chain beacon.Chain
		text, err := p.source.read(p.ctx, beaconPrefix+hex.EncodeToString(hash[:]), maxNote)
		if err == nil {
			err = json.Unmarshal(text, &chain)
		}
		if err == nil && chain.Hash() != hash {
			err = errors.New("the served description doesn't match the hash")
		}
		if err != nil {
			return nil, fmt.Errorf("beacon %x: %w", hash, err)
		}
		return beacon.New(chain)
	})
}

// repeatDraw repeats an instant draw with the manifest that the open names. It skips packs with
// limited cards, whose draws depend on the draws before.
func (p *published) repeatDraw(open protocol.OpenLeaf) (limited bool, err error) {
	m, err := p.manifest(open.Manifest)
	if err != nil {
		return false, fmt.Errorf("manifest %x: %w", open.Manifest, err)
	}
	if m.Finite() {
		return true, nil
	}
	return false, open.Verify(m, nil)
}

// checkRound checks the beacon's signature of a round.
func (p *published) checkRound(round protocol.RoundLeaf) error {
	b, err := p.beacon(round.Beacon)
	if err != nil {
		return err
	}
	return b.Verify(round.Round, round.Signature)
}

// onceCache computes the value of each hash once, even if several goroutines ask for it. The zero
// value is ready for use.
type onceCache[T any] struct {
	mutex   sync.Mutex
	entries map[[32]byte]func() (T, error)
}

func (c *onceCache[T]) get(hash [32]byte, compute func() (T, error)) (T, error) {
	c.mutex.Lock()
	if c.entries == nil {
		c.entries = map[[32]byte]func() (T, error){}
	}
	entry, ok := c.entries[hash]
	if !ok {
		entry = sync.OnceValues(compute)
		c.entries[hash] = entry
	}
	c.mutex.Unlock()
	return entry()
}
