package protocol

import (
	"errors"
	"fmt"
	"time"
)

// CheckLeaf checks everything about a leaf that doesn't depend on other leaves. The server runs it
// on every leaf before the commit, the audit on every new leaf, and the verifier on all leaves. A
// trade also has to match the rates in force: see TradeLeaf.Verify.
func CheckLeaf(leaf Leaf) error {
	switch l := leaf.(type) {
	case OpenLeaf:
		return checkSeed(l.ServerSeed, l.Commitment)
	case SealedOpenLeaf:
		return checkSeed(l.ServerSeed, l.Commitment)
	case VoidLeaf:
		if l.Reason == VoidLost {
			return nil
		}
		return checkSeed(l.ServerSeed, l.Commitment)
	case WitnessesLeaf:
		return l.check()
	case RatesLeaf:
		return l.Verify()
	case BooksLeaf:
		return l.check()
	case EndLeaf:
		return l.check()
	}
	return nil
}

// checkSeed compares a revealed seed with its commitment.
func checkSeed(seed, commitment [32]byte) error {
	if Commitment(seed) != commitment {
		return errors.New("the server seed doesn't match the commitment")
	}
	return nil
}

// check verifies that the books were closed after the day ended and that their lines balance.
func (l BooksLeaf) check() error {
	switch {
	case l.Time.Before(l.End()):
		return fmt.Errorf("the books of %s were closed before the day ended", l.Name())
	case l.Balances != l.ImpliedBalances():
		return fmt.Errorf("the books of %s have balances of %s, but their other lines give %s", l.Name(), l.Balances, l.ImpliedBalances())
	}
	return nil
}

// CheckManifest checks that the manifest belongs to the leaf's pack.
func (l ManifestLeaf) CheckManifest(m *Manifest) error {
	if m.Pack != l.Pack {
		return fmt.Errorf("the manifest belongs to pack %s, but the leaf to pack %s", m.Pack, l.Pack)
	}
	return nil
}

// CheckNotice checks the notice period and order of a manifest. last is when the previous manifest
// takes effect.
func (l ManifestLeaf) CheckNotice(last time.Time) error {
	if notice := l.Effective.Sub(l.Time); l.Effective.Before(last) || notice < MinNotice {
		return fmt.Errorf("the manifest takes effect %s after its announcement, at %s (the previous one at %s), but the notice must be at least %s and the order kept",
			notice, l.Effective.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339), MinNotice)
	}
	return nil
}
