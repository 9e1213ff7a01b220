package protocol

import (
	"errors"
	"fmt"
	"time"
)

// CheckLeaf checks everything about a leaf that needs no other leaf. The server checks every
// leaf with it before the commit, the audit every new leaf, and the verifier all of them. A
// trade also needs the rates in force: see TradeLeaf.Verify.
func CheckLeaf(leaf Leaf) error {
	switch l := leaf.(type) {
	case OpenLeaf:
		return l.checkSeed()
	case RatesLeaf:
		return l.Verify()
	case BooksLeaf:
		return l.check()
	}
	return nil
}

// checkSeed compares the revealed seed with the commitment.
func (l OpenLeaf) checkSeed() error {
	if Commitment(l.ServerSeed) != l.Commitment {
		return errors.New("the server seed is not the one committed to")
	}
	return nil
}

// check proves that the day was over and that its lines balance.
func (l BooksLeaf) check() error {
	switch {
	case l.Time.Before(l.End()):
		return fmt.Errorf("the books of %s were closed before it was over", l.Name())
	case l.Balances != l.Held():
		return fmt.Errorf("by the books of %s users hold %s, their other lines leave %s", l.Name(), l.Balances, l.Held())
	}
	return nil
}

// Announces checks that the leaf publishes this manifest.
func (l ManifestLeaf) Announces(m *Manifest) error {
	if m.Pack != l.Pack {
		return fmt.Errorf("the manifest is of pack %s, the leaf of pack %s", m.Pack, l.Pack)
	}
	return nil
}

// Follows checks the notice of a manifest that replaces one which took, or takes, effect at
// some time.
func (l ManifestLeaf) Follows(last time.Time) error {
	if notice := l.Effective.Sub(l.Time); l.Effective.Before(last) || notice < LeastNotice {
		return fmt.Errorf("the manifest takes effect %s after its announcement and at %s, the one before at %s: at least %s is promised",
			notice, l.Effective.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339), LeastNotice)
	}
	return nil
}
