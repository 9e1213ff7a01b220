package publiclog

import (
	"crypto/sha256"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// tileHeight is the number of levels that a tile covers (C2SP tlog-tiles): only every eighth level
// of the tree is stored, tileWidth neighboring hashes per tile. The levels between are computed
// from them.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

type tileID struct{ level, number int64 }

// tiles maps the position of a tile to its hashes. Partial tiles are shorter.
type tiles map[tileID][]byte

// hash returns a hash of the tree, computed from its tile.
func (t tiles) hash(index int64) (tlog.Hash, error) {
	tile := tlog.TileForIndex(tileHeight, index)
	data := t[tileID{int64(tile.L), tile.N}]
	tile.W = len(data) / tlog.HashSize
	return tlog.HashFromTile(tile, data, index)
}

// frontier is the right edge of the tree, where it grows.
type frontier struct {
	size    int64
	peaks   [64]tlog.Hash // roots of the perfect subtrees by level, set where size has a 1 bit
	tiles   tiles
	changed map[tileID]bool
}

// frontierTiles returns the partial tiles of a tree of the given size.
func frontierTiles(size int64) (ids []tileID) {
	for level := int64(0); size>>(level*tileHeight) > 0; level++ {
		if n := size >> (level * tileHeight); n%tileWidth != 0 {
			ids = append(ids, tileID{level, n / tileWidth})
		}
	}
	return ids
}

// newFrontier builds a frontier from the tiles that frontierTiles returns.
func newFrontier(size int64, t tiles) (*frontier, error) {
	e := &frontier{size: size, tiles: t, changed: map[tileID]bool{}}
	for level := range bits.Len64(uint64(size)) {
		if size>>level&1 == 0 {
			continue
		}
		var err error
		e.peaks[level], err = t.hash(tlog.StoredHashIndex(level, size>>level-1))
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// add appends a leaf (RFC 6962, 2.1).
func (e *frontier) add(leaf []byte) {
	h := tlog.RecordHash(leaf)
	for level := 0; ; level++ {
		if level%tileHeight == 0 {
			id := tileID{int64(level / tileHeight), e.size >> level / tileWidth}
			e.tiles[id] = append(e.tiles[id], h[:]...)
			e.changed[id] = true
		}
		if e.size>>level&1 == 0 {
			e.peaks[level] = h
			break
		}
		h = tlog.NodeHash(e.peaks[level], h)
	}
	e.size++
}

// root returns the root hash of the tree.
func (e *frontier) root() tlog.Hash {
	if e.size == 0 {
		return sha256.Sum256(nil)
	}
	lowest := bits.TrailingZeros64(uint64(e.size))
	h := e.peaks[lowest]
	for level := lowest + 1; level < bits.Len64(uint64(e.size)); level++ {
		if e.size>>level&1 == 1 {
			h = tlog.NodeHash(e.peaks[level], h)
		}
	}
	return h
}
