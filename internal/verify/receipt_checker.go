package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
)

// ReceiptChecker checks the signatures and draws of many receipts without reading the log. It is
// not safe for concurrent use.
type ReceiptChecker struct {
	keys      note.Verifiers
	published *published
	limited   map[string][]protocol.OpenLeaf // draws from limited packs, by pack
}

// NewReceiptChecker returns a checker that uses the server's key and those of the logs that ended before.
func NewReceiptChecker(ctx context.Context, location string) (*ReceiptChecker, error) {
	from, err := newSource(location)
	if err != nil {
		return nil, err
	}
	keys, err := readKeys(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	return &ReceiptChecker{keys, newPublished(ctx, from), map[string][]protocol.OpenLeaf{}}, nil
}

// readKeys returns the keys of the current log and of those that it continues.
func readKeys(ctx context.Context, from source) (note.Verifiers, error) {
	served, err := from.read(ctx, keyName, maxNote)
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(string(served))
	current, err := note.NewVerifier(key)
	if err != nil {
		return nil, err
	}
	signed, err := from.read(ctx, checkpointName, maxNote)
	if errors.Is(err, fs.ErrNotExist) { // nothing is signed yet
		return note.VerifierList(current), nil
	}
	if err != nil {
		return nil, err
	}
	checkpoint, err := openCheckpoint(signed, key)
	if err != nil {
		return nil, err
	}
	epochs, err := findEpochs(ctx, from, checkpoint, key)
	if err != nil {
		return nil, err
	}
	verifiers := make([]note.Verifier, len(epochs))
	for i, epoch := range epochs {
		verifiers[i], err = note.NewVerifier(epoch.key)
		if err != nil {
			return nil, err
		}
	}
	return note.VerifierList(verifiers...), checkKeys(epochs, "")
}

// Check verifies a receipt and returns its open. It repeats the draw unless the pack has limited
// cards; CheckLimited checks those.
func (r *ReceiptChecker) Check(receipt string) (protocol.OpenLeaf, error) {
	signed, err := note.Open([]byte(receipt), r.keys)
	if err != nil {
		return protocol.OpenLeaf{}, fmt.Errorf("the receipt is not signed by a key of the log: %w", err)
	}
	leaf, err := parseOpenLeaf(signed.Text)
	if err != nil {
		return leaf, err
	}
	limited, err := r.published.repeatDraw(leaf)
	if limited {
		r.limited[leaf.Pack] = append(r.limited[leaf.Pack], leaf)
	}
	return leaf, err
}

// parseOpenLeaf parses the leaf in a receipt.
func parseOpenLeaf(text string) (protocol.OpenLeaf, error) {
	parsed, err := protocol.ParseLeaf([]byte(text))
	if err != nil {
		return protocol.OpenLeaf{}, err
	}
	leaf, ok := parsed.(protocol.OpenLeaf)
	if !ok {
		return leaf, errors.New("not the receipt of an open")
	}
	return leaf, nil
}

// CheckLimited repeats the draws of packs with limited cards, in order. The receipts must cover
// every draw since the pack's first manifest.
func (r *ReceiptChecker) CheckLimited() error {
	for _, id := range slices.Sorted(maps.Keys(r.limited)) {
		leaves := r.limited[id]
		slices.SortFunc(leaves, func(a, b protocol.OpenLeaf) int { return cmp.Compare(a.Draw, b.Draw) })
		m, err := r.published.manifest(leaves[0].Manifest)
		if err != nil {
			return err
		}
		p := &packState{stock: protocol.Stock{}}
		if err := p.applyManifest(protocol.ManifestLeaf{Pack: id, Draw: 1}, m); err != nil {
			return err
		}
		for _, leaf := range leaves {
			if err := p.repeatDraw(leaf, m); err != nil {
				return fmt.Errorf("open %s: %w (use a fresh server: no one else may draw from the pack)", leaf.ID, err)
			}
		}
	}
	return nil
}
