package opening

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
	"kaibao/internal/terms"
)

// Audit proves that every open has its price, its items and its leaf and is what
// the leaf says; that every user's nonces have no gap and the commitment shown is
// the one the log promised; and that stock and the packs' counters are what the
// leaves add up to.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, unpaid, paidForNothing, itemsOff, strayLeaves, gaps, promisesOff, addUp)
}

// written is an opening as its rows tell it, with what the log has of it.
type written struct {
	Opening
	items []fair.LeafItem
	tag   string
	leaf  string // empty if there is none
}

// addUp walks through all opens once: each must be as its leaf says, and together
// they must add up to what was counted.
func addUp(tx *db.Tx) (found []audit.Breach, err error) {
	sums, err := publishedStock(tx)
	if err != nil {
		return nil, err
	}
	err = eachWritten(tx, func(w written) error {
		leaf, fault := w.check()
		if fault != "" {
			found = append(found, audit.Breach{Rule: "every open is what its leaf says", Row: "opening " + w.ID, Detail: fault})
		}
		sums.add(leaf)
		return nil
	})
	if err != nil {
		return nil, err
	}
	off, err := audit.Collect(tx, sums.packsOff, sums.stockOff)
	return append(found, off...), err
}

// check compares an opening's rows with its leaf.
func (w written) check() (leaf fair.OpenLeaf, fault string) {
	if w.leaf == "" {
		return leaf, "no leaf"
	}
	parsed, err := fair.ParseLeaf([]byte(w.leaf))
	if err != nil {
		return leaf, err.Error()
	}
	leaf, ok := parsed.(fair.OpenLeaf)
	if !ok {
		return leaf, "the leaf is of another kind"
	}
	var total money.Cents
	for _, item := range w.items {
		total += item.Value
	}
	switch told := w.tell(leaf.Next); {
	case told != w.leaf:
		return leaf, difference(w.leaf, told)
	case total != w.TotalValue:
		return leaf, fmt.Sprintf("worth %d in all, its items are worth %d", w.TotalValue, total)
	case fair.Commitment(leaf.ServerSeed) != leaf.Commitment:
		return leaf, "the server seed is not the one committed to"
	}
	return leaf, ""
}

// tell writes the leaf that the rows give. They do not know the next commitment.
func (w written) tell(next [32]byte) string {
	return string(fair.OpenLeaf{
		ID: w.ID, User: w.tag, Nonce: uint64(w.Nonce), Pack: w.PackID, Manifest: w.ManifestHash, Draw: uint64(w.DrawSeq),
		Commitment: w.Commitment, ServerSeed: w.ServerSeed, ClientSeed: w.ClientSeed,
		Items: w.items, Price: w.Price, Time: w.At, Next: next,
	}.Format())
}

// difference is the first line in which two leaves differ.
func difference(leaf, rows string) string {
	told := strings.Split(rows, "\n")
	for n, line := range strings.Split(leaf, "\n") {
		if n >= len(told) || line != told[n] {
			return fmt.Sprintf("the leaf says %q, the rows %q", line, strings.Join(told[min(n, len(told)):min(n+1, len(told))], ""))
		}
	}
	return "the rows say more than the leaf"
}

// sums is what the leaves of each pack add up to.
type sums map[string]*packSum

type packSum struct {
	sold int64
	loss money.Cents // what was drawn, at the sell-back rate, less what was paid
	seqs int64       // how many drawSeqs were taken
	last int64       // the highest of them
	left map[string]*left
}

// left is the stock of a card: as the last manifest with it has it, less what was
// drawn, and with what came back, since.
type left struct{ count, since int64 }

func (s sums) pack(id string) *packSum {
	if s[id] == nil {
		s[id] = &packSum{left: map[string]*left{}}
	}
	return s[id]
}

func (p *packSum) take(seq uint64) {
	if seq > 0 {
		p.seqs++
		p.last = max(p.last, int64(seq))
	}
}

// publishedStock begins with what manifests and stock leaves say.
func publishedStock(tx *db.Tx) (sums, error) {
	s := sums{}
	published, err := publiclog.AllOf[fair.ManifestLeaf](tx, publiclog.KindManifest)
	if err != nil {
		return nil, err
	}
	manifests := &packs.Service{}
	for _, leaf := range published {
		m, err := manifests.Manifest(tx, leaf.Manifest)
		if err != nil || !m.Finite() {
			continue // one that cannot be read is the packs' breach
		}
		s.publish(leaf, m)
	}
	err = publiclog.EachOf(tx, publiclog.KindStock, func(leaf fair.StockLeaf) error {
		p := s.pack(leaf.Pack)
		p.take(leaf.Draw)
		if card := p.left[leaf.Card]; card != nil && int64(leaf.Draw) > card.since {
			card.count += leaf.Count
		}
		return nil
	})
	return s, err
}

func (s sums) publish(leaf fair.ManifestLeaf, m *fair.Manifest) {
	p := s.pack(leaf.Pack)
	p.take(leaf.Draw)
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			delete(p.left, card.ID)
			if card.Finite() {
				p.left[card.ID] = &left{card.Stock, int64(leaf.Draw)}
			}
		}
	}
}

func (s sums) add(leaf fair.OpenLeaf) {
	p := s.pack(leaf.Pack)
	p.sold++
	p.take(leaf.Draw)
	p.loss -= leaf.Price
	for _, item := range leaf.Items {
		p.loss += terms.SellBack(item.Value)
		if card := p.left[item.Card]; card != nil && int64(leaf.Draw) > card.since {
			card.count--
		}
	}
}

// packsOff compares the packs' counters. What cannot run out is not counted.
func (s sums) packsOff(tx *db.Tx) (found []audit.Breach, err error) {
	all, err := packs.All(tx)
	for _, p := range all {
		sum := s.pack(p.ID)
		var sold int64
		var loss money.Cents
		if p.Supply != packs.Unlimited {
			sold = sum.sold
		}
		if p.Shared() {
			loss = sum.loss
		}
		if p.Sold != sold || p.DrawSeq != sum.seqs || p.DrawSeq != sum.last || p.RealisedLoss != loss {
			found = append(found, audit.Breach{Rule: "a pack's counters are what the leaves add up to", Row: "pack " + p.ID,
				Detail: fmt.Sprintf("sold %d, the leaves say %d; drawSeq %d, the leaves take %d up to %d; loss %d, the leaves say %d",
					p.Sold, sold, p.DrawSeq, sum.seqs, sum.last, p.RealisedLoss, loss)})
		}
	}
	return found, err
}

func (s sums) stockOff(tx *db.Tx) (found []audit.Breach, err error) {
	for id, p := range s {
		stock, err := packs.Stock(tx, id)
		if err != nil {
			return nil, err
		}
		expected := map[string]int64{}
		for card, left := range p.left {
			expected[card] = left.count
		}
		found = append(found, audit.Compare("stock is what was published, less what was drawn, and what came back", "stock of "+id+" ", stock, expected)...)
	}
	return found, nil
}

// promise is what a user is shown, with the leaves that may have promised it.
type promise struct {
	user, tag   string
	nonce       int64
	commitment  [32]byte
	first, last string // the first commitment, and the last open if there is one
}

// promisesOff proves that the commitment a user is shown is one that the log
// promised: with the last open, at first sign-in, or when an epoch began.
func promisesOff(tx *db.Tx) (found []audit.Breach, err error) {
	broken := map[fair.CommitLeaf]audit.Breach{}
	err = eachPromise(tx, func(p promise) error {
		if fault := p.check(); fault != "" {
			broken[p.leaf()] = audit.Breach{Rule: "the next commitment is the one promised", Row: "account " + p.user, Detail: fault}
		}
		return nil
	})
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	err = publiclog.EachOf(tx, publiclog.KindCommit, func(leaf fair.CommitLeaf) error {
		leaf.Time = time.Time{}
		delete(broken, leaf)
		return nil
	})
	return slices.Collect(maps.Values(broken)), err
}

// leaf would promise it; its time does not matter.
func (p promise) leaf() fair.CommitLeaf {
	return fair.CommitLeaf{User: p.tag, Nonce: uint64(p.nonce), Commitment: p.commitment}
}

func (p promise) check() string {
	promised, err := fair.ParseLeaf([]byte(p.first))
	if p.last != "" {
		promised, err = fair.ParseLeaf([]byte(p.last))
	}
	switch leaf := promised.(type) {
	case fair.CommitLeaf:
		if leaf.User == p.tag && leaf.Commitment == p.commitment {
			return ""
		}
	case fair.OpenLeaf:
		if leaf.Next == p.commitment {
			return ""
		}
	default:
		return fmt.Sprintf("the log has no leaf that promises nonce %d: %v", p.nonce, err)
	}
	return fmt.Sprintf("nonce %d is committed to as %x, which the log does not promise", p.nonce, p.commitment)
}
