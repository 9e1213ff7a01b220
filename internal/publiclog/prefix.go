package publiclog

import (
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
)

// EpochTree is the tree of an epoch, as a database has it.
type EpochTree struct {
	Origin   string
	Size     int64
	Root     tlog.Hash
	SignedAt time.Time // of the last checkpoint; zero = none
}

// Trees returns the trees of all epochs, oldest first.
func Trees(tx *db.Tx) ([]EpochTree, error) {
	heads, err := readHeads(tx)
	trees := make([]EpochTree, len(heads))
	for n, h := range heads {
		trees[n] = EpochTree{Origin: h.origin, Size: h.size, Root: h.root}
		if h.signedSize > 0 {
			trees[n].SignedAt = h.signedAt
		}
	}
	return trees, err
}

// FirstLeaf returns the hash of the first leaf of the database's first log. It identifies the shop: no
// restore and no new key changes it. It returns false if that log is empty.
func FirstLeaf(tx *db.Tx) (hash tlog.Hash, found bool, err error) {
	heads, err := readHeads(tx)
	if err != nil || len(heads) == 0 || heads[0].size == 0 {
		return hash, false, err
	}
	hash, err = tlog.TreeHash(1, storedHashes{tx, heads[0].epoch, tiles{}})
	return hash, true, err
}

// CheckPrefix returns an error unless the trees of another database are prefixes of this one's: the
// same epochs, and in each the same leaves as far as they go.
func CheckPrefix(tx *db.Tx, others []EpochTree) error {
	heads, err := readHeads(tx)
	if err != nil {
		return err
	}
	if len(others) == 0 || len(others) > len(heads) {
		return fmt.Errorf("it has %d epochs of the log, the server has %d: it is from another shop, or the server's database was restored", len(others), len(heads))
	}
	for n, other := range others {
		if err := heads[n].checkPrefix(tx, other, n == len(others)-1); err != nil {
			return err
		}
	}
	return nil
}

// checkPrefix checks the tree of the same epoch. Only the last one may be shorter than this one.
func (h treeHead) checkPrefix(tx *db.Tx, other EpochTree, last bool) error {
	switch {
	case other.Origin != h.origin:
		return fmt.Errorf("its log is %s, the server's is %s: it is from another shop", other.Origin, h.origin)
	case other.Size > h.size:
		return fmt.Errorf("it has %d leaves of the log %s, the server has %d: the server's database was restored from an older backup", other.Size, h.origin, h.size)
	case other.Size < h.size && !last:
		return fmt.Errorf("it has %d leaves of the ended log %s, the server has %d", other.Size, h.origin, h.size)
	case other.Size == 0:
		return nil
	}
	root, err := tlog.TreeHash(other.Size, storedHashes{tx, h.epoch, tiles{}})
	if err == nil && root != other.Root {
		err = fmt.Errorf("its first %d leaves of the log %s differ from the server's", other.Size, h.origin)
	}
	return err
}
