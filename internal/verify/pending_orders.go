package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// PendingOrders returns the orders that a mirror of a log has after a tree of that log, and that the mirror
// neither draws nor voids, in log order. It also returns the size of the mirrored log. It fails unless
// the mirror is signed by the key, complete, and continues the tree.
func PendingOrders(ctx context.Context, mirror, key string, after Checkpoint) (orders []protocol.OrderLeaf, size int64, err error) {
	folder := mirrorDir(mirror)
	signed, err := folder.read(ctx, checkpointName, maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s is no mirror of a log: it has no checkpoint", mirror)
	}
	if err != nil {
		return nil, 0, err
	}
	if origin := originOf(signed); origin != after.Origin {
		return nil, 0, fmt.Errorf("%s is a mirror of the log %s, but the restored database has the log %s", mirror, origin, after.Origin)
	}
	c, err := openCheckpoint(signed, key)
	if err != nil {
		return nil, 0, err
	}
	if c.Size < after.Size {
		return nil, 0, fmt.Errorf("%s has only %d leaves, fewer than the restored database (%d): it is older than the backup", mirror, c.Size, after.Size)
	}
	var tree frontier
	for first := int64(0); first < c.Size; first += tileWidth {
		width := int(min(tileWidth, c.Size-first))
		data, err := folder.read(ctx, tilePath("entries", first/tileWidth, width), maxBundle)
		if err != nil {
			return nil, 0, err
		}
		leaves, err := splitBundle(data, width)
		if err != nil {
			return nil, 0, fmt.Errorf("bundle %d of %s: %w", first/tileWidth, mirror, err)
		}
		for _, text := range leaves {
			if tree.size >= after.Size {
				orders = collectPending(orders, text)
			}
			tree.add(tlog.RecordHash(text))
			if tree.size == after.Size && tree.root() != after.Root {
				return nil, 0, fmt.Errorf("the first %d leaves of %s differ from those of the restored database", after.Size, mirror)
			}
		}
	}
	if tree.root() != c.Root {
		return nil, 0, fmt.Errorf("the leaves in %s don't match its checkpoint", mirror)
	}
	return orders, c.Size, nil
}

// collectPending adds the order in a leaf to the pending ones, or removes the one that the leaf settles.
func collectPending(orders []protocol.OrderLeaf, text []byte) []protocol.OrderLeaf {
	settled := func(id string) []protocol.OrderLeaf {
		return slices.DeleteFunc(orders, func(o protocol.OrderLeaf) bool { return o.ID == id })
	}
	leaf, err := protocol.ParseLeaf(text)
	if err != nil {
		return orders
	}
	switch l := leaf.(type) {
	case protocol.OrderLeaf:
		return append(orders, l)
	case protocol.SealedOpenLeaf:
		return settled(l.ID)
	case protocol.VoidLeaf:
		return settled(l.ID)
	}
	return orders
}
