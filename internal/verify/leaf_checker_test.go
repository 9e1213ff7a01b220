package verify_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// replay checks the leaves of the log's current epoch as an audit does, and those of an ended one before.
func (log *sealedLog) replay(ended []string, describe func(hash [32]byte) ([]byte, error)) error {
	leaves := verify.NewLeafChecker(log.t.Context(), func(hash [32]byte) ([]byte, error) {
		text, ok := log.manifests[hash]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}, describe)
	for _, epoch := range [][]string{ended, log.leaves} {
		for n, leaf := range epoch {
			if err := leaves.Replay(int64(n), []byte(leaf)); err != nil {
				return fmt.Errorf("leaf %d: %w", n, err)
			}
		}
	}
	return nil
}

// described returns the published description of a beacon.
func (log *sealedLog) described(hash [32]byte) ([]byte, error) {
	text, ok := log.notes[fmt.Sprintf("beacons/%x", hash)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

// A checker of leaves reads the beacons that it doesn't know. A description counts only if it has the
// chain's hash.
func TestLeafCheckerReadsBeacons(t *testing.T) {
	log := newSealedLog(t)
	log.sell(log.users[0], "open")
	log.sell(log.users[1], "few")
	if err := log.replay(nil, log.described); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		describe func(hash [32]byte) ([]byte, error)
		reason   string
	}{
		"not described": {func([32]byte) ([]byte, error) { return nil, fs.ErrNotExist }, "not exist"},
		"another period": {func(hash [32]byte) ([]byte, error) {
			text, err := log.described(hash)
			return []byte(strings.Replace(string(text), `"period":3`, `"period":30`, 1)), err
		}, "doesn't match the hash"},
	} {
		if err := log.replay(nil, c.describe); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", name, err, c.reason)
		}
	}
}

// A checker of leaves doesn't know the logs' names and keys. It accepts the round of an order that was
// copied from an ended log, with that log's checkpoint.
func TestLeafCheckerAcceptsCopiedOrders(t *testing.T) {
	log := newSealedLog(t)
	o := log.order(log.users[0], "open", nil)
	log.fix()
	ended, checkpoint := slices.Clone(log.leaves), log.cosigned
	log.restore(t, "kaibao.log/test/one", 0)
	log.leaves = slices.Insert(log.leaves, 1, string(o.Format()))
	log.cosigned = ""
	log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.EndedCheckpoint = checkpoint })
	log.draw(o, nil)
	if err := log.replay(ended, log.described); err != nil {
		t.Error(err)
	}
}
