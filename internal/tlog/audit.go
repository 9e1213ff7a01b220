package tlog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
)

// Audit builds the tree again from all leaves and says in what the stored one
// differs: leaves without gaps, root, signed root, every tile.
func Audit(tx *db.Tx) (faults []string, err error) {
	h, err := readHead(tx)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil // no server has opened the database yet
	}
	if err != nil {
		return nil, err
	}
	e := &edge{tiles: tiles{}, changed: map[tileID]bool{}}
	for e.size < h.size {
		next := min(e.size+4096, h.size)
		if e.size < h.signed {
			next = min(next, h.signed)
		}
		leaves, err := bodies(tx, e.size, next)
		if err != nil {
			return nil, err
		}
		if missing := next - e.size - int64(len(leaves)); missing > 0 {
			return append(faults, fmt.Sprintf("%d leaves are missing between %d and %d", missing, e.size, next)), nil
		}
		for _, leaf := range leaves {
			e.add([]byte(leaf))
		}
		if e.size == h.signed && !strings.Contains(h.checkpoint, "\n"+e.root().String()+"\n") {
			faults = append(faults, fmt.Sprintf("the checkpoint of %d leaves has another root than they give", h.signed))
		}
		wrong, err := e.compare(tx)
		if err != nil {
			return nil, err
		}
		faults = append(faults, wrong...)
	}
	if e.root() != h.root {
		faults = append(faults, fmt.Sprintf("the root of %d leaves is not the one stored", h.size))
	}
	beyond, err := leavesBeyond(tx, h.size)
	if beyond > 0 {
		faults = append(faults, fmt.Sprintf("%d leaves have a place beyond the tree of %d", beyond, h.size))
	}
	return faults, err
}

// compare looks at the tiles that are full now, and forgets them.
func (e *edge) compare(tx *db.Tx) (faults []string, err error) {
	for id := range e.changed {
		built := e.tiles[id]
		if len(built) < tileWidth*tlog.HashSize {
			continue
		}
		stored, err := readTile(tx, id)
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			return nil, err
		}
		if !bytes.Equal(stored, built) {
			faults = append(faults, fmt.Sprintf("tile %d/%d is not what its leaves give", id.level, id.number))
		}
		delete(e.changed, id)
		delete(e.tiles, id)
	}
	return faults, nil
}
