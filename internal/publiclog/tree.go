package publiclog

import (
	"crypto/sha256"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// Tiles are eight levels high (C2SP tlog-tiles): of every eighth level of the
// tree, 256 neighbouring hashes stand in a tile. The hashes between follow from
// them.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

type tileID struct{ level, number int64 }

// tiles are tiles by their place, as bytes of so many hashes as the tree has yet.
type tiles map[tileID][]byte

// hash gives one of the tree's hashes from the tile that it stands in or follows from.
func (t tiles) hash(index int64) (tlog.Hash, error) {
	tile := tlog.TileForIndex(tileHeight, index)
	data := t[tileID{int64(tile.L), tile.N}]
	tile.W = len(data) / tlog.HashSize
	return tlog.HashFromTile(tile, data, index)
}

// edge is the right edge of the tree, where it grows.
type edge struct {
	size    int64
	peaks   [64]tlog.Hash // roots of the perfect subtrees, by level, where size has a 1
	tiles   tiles
	changed map[tileID]bool
}

// edgeTiles names the tiles that are not full in a tree of some size.
func edgeTiles(size int64) (ids []tileID) {
	for level := int64(0); size>>(level*tileHeight) > 0; level++ {
		if n := size >> (level * tileHeight); n%tileWidth != 0 {
			ids = append(ids, tileID{level, n / tileWidth})
		}
	}
	return ids
}

// newEdge takes the tiles that edgeTiles names.
func newEdge(size int64, t tiles) (*edge, error) {
	e := &edge{size: size, tiles: t, changed: map[tileID]bool{}}
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
func (e *edge) add(leaf []byte) {
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

// root is the hash of the whole tree.
func (e *edge) root() tlog.Hash {
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
