package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
)

// Receipts checks the signatures and draws of many receipts without reading the log. It is not safe
// for concurrent use.
type Receipts struct {
	verifier note.Verifier
	library  *library
	limited  map[string][]protocol.OpenLeaf // draws from limited packs, by pack
}

// NewReceipts returns a checker that uses the server's key.
func NewReceipts(ctx context.Context, where string) (*Receipts, error) {
	from, err := newSource(where)
	if err != nil {
		return nil, err
	}
	key, err := from.read(ctx, keyName, maxNote)
	if err != nil {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(string(key)))
	if err != nil {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	return &Receipts{verifier, newLibrary(ctx, from), map[string][]protocol.OpenLeaf{}}, nil
}

// Check verifies a receipt and returns its open. It repeats the draw unless the pack has limited
// cards; Limited checks those.
func (r *Receipts) Check(receipt string) (protocol.OpenLeaf, error) {
	signed, err := note.Open([]byte(receipt), note.VerifierList(r.verifier))
	if err != nil {
		return protocol.OpenLeaf{}, fmt.Errorf("the receipt is not signed by %s: %w", r.verifier.Name(), err)
	}
	leaf, err := readOpen(signed.Text)
	if err != nil {
		return leaf, err
	}
	limited, err := r.library.drawAgain(leaf)
	if limited {
		r.limited[leaf.Pack] = append(r.limited[leaf.Pack], leaf)
	}
	return leaf, err
}

// readOpen parses the leaf in a receipt.
func readOpen(text string) (protocol.OpenLeaf, error) {
	parsed, err := protocol.ParseLeaf([]byte(text))
	if err != nil {
		return protocol.OpenLeaf{}, err
	}
	leaf, ok := parsed.(protocol.OpenLeaf)
	if !ok {
		return leaf, errors.New("the receipt is not of an open")
	}
	return leaf, nil
}

// Limited repeats the draws of packs with limited cards, in order. The receipts must cover every
// draw since the pack's first manifest.
func (r *Receipts) Limited() error {
	for _, id := range slices.Sorted(maps.Keys(r.limited)) {
		leaves := r.limited[id]
		slices.SortFunc(leaves, func(a, b protocol.OpenLeaf) int { return cmp.Compare(a.Draw, b.Draw) })
		m, err := r.library.manifest(leaves[0].Manifest)
		if err != nil {
			return err
		}
		p := &pack{stock: protocol.Stock{}}
		if err := p.restate(protocol.ManifestLeaf{Pack: id, Draw: 1}, m); err != nil {
			return err
		}
		for _, leaf := range leaves {
			if err := p.drawAgain(leaf, m); err != nil {
				return fmt.Errorf("open %s: %w (nobody else may have drawn from the pack: it takes a fresh server)", leaf.ID, err)
			}
		}
	}
	return nil
}
