package opening

import (
	"fmt"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Audit checks that every open has a payment, items and a log leaf that agree with its rows; that
// users' nonces have no gaps; that every current commitment was promised in the log; and that stock
// and pack counters equal the sums of the leaves.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, unpaid, paidForNothing, itemsOff, gaps, promisesOff, addUp)
}

// written is an opening as stored in its rows.
type written struct {
	Opening
	items []protocol.LeafItem
}

// portion is how many opens are processed together.
const portion = 2048

// addUp walks through all opens and the log in parallel. Each open must match its leaf, and the
// sums of the leaves must match the stored counters. Opens sorted by id are almost in log order, so
// few wait in memory for their counterpart.
func addUp(tx *db.Tx) (found []audit.Breach, err error) {
	sums, err := publishedStock(tx)
	if err != nil {
		return nil, err
	}
	p := pairs{rows: map[string]written{}, leaves: map[string]protocol.OpenLeaf{}, sums: sums}
	walk, last := publiclog.NewWalk(tx), ""
	for more := true; more; {
		rows, err := writtenAfter(tx, last, portion)
		if err != nil {
			return nil, err
		}
		leaves, err := nextOpens(walk)
		if err != nil {
			return nil, err
		}
		for _, w := range rows {
			last = w.ID
			p.addRow(w)
		}
		for _, leaf := range leaves {
			p.addLeaf(leaf)
		}
		more = len(rows)+len(leaves) > 0
	}
	for id := range p.rows {
		p.off("opening "+id, "no leaf")
	}
	for id := range p.leaves {
		p.off("leaf "+id, "there is no such opening")
	}
	off, err := audit.Collect(tx, sums.packsOff, sums.stockOff)
	return append(p.found, off...), err
}

// nextOpens reads the log until it has found portion open leaves.
func nextOpens(walk *publiclog.Walk) (opens []protocol.OpenLeaf, err error) {
	for len(opens) < portion {
		leaves, err := walk.Next()
		if err != nil || len(leaves) == 0 {
			return opens, err
		}
		for _, body := range leaves {
			parsed, err := protocol.ParseLeaf([]byte(body))
			if leaf, ok := parsed.(protocol.OpenLeaf); ok && err == nil {
				opens = append(opens, leaf)
			}
		}
	}
	return opens, nil
}

// pairs holds opens and leaves still waiting for their counterpart, by the open's id.
type pairs struct {
	rows   map[string]written
	leaves map[string]protocol.OpenLeaf
	sums   sums
	found  []audit.Breach
}

func (p *pairs) off(row, detail string) {
	p.found = append(p.found, audit.Breach{Rule: "every open is what its leaf says", Row: row, Detail: detail})
}

func (p *pairs) addRow(w written) {
	leaf, ok := p.leaves[w.ID]
	if !ok {
		p.rows[w.ID] = w
		return
	}
	delete(p.leaves, w.ID)
	p.check(w, leaf)
}

func (p *pairs) addLeaf(leaf protocol.OpenLeaf) {
	p.sums.add(leaf)
	w, ok := p.rows[leaf.ID]
	if ok {
		delete(p.rows, leaf.ID)
		p.check(w, leaf)
		return
	}
	if _, twice := p.leaves[leaf.ID]; twice {
		p.off("leaf "+leaf.ID, "is in the log twice")
	}
	p.leaves[leaf.ID] = leaf
}

func (p *pairs) check(w written, leaf protocol.OpenLeaf) {
	var total money.Cents
	for _, item := range w.items {
		total += item.Value
	}
	told, says := leafOf(w.Opening, w.items), string(leaf.Format())
	switch {
	case told != says:
		p.off("opening "+w.ID, difference(says, told))
	case total != w.TotalValue:
		p.off("opening "+w.ID, fmt.Sprintf("worth %d in all, its items are worth %d", w.TotalValue, total))
	}
	if price, known := p.sums.prices[leaf.Manifest]; known && leaf.Price != price {
		p.off("opening "+w.ID, fmt.Sprintf("paid %d, its manifest says %d", leaf.Price, price))
	}
}

// difference describes the first line in which two leaves differ.
func difference(leaf, rows string) string {
	told := strings.Split(rows, "\n")
	for n, line := range strings.Split(leaf, "\n") {
		if n >= len(told) || line != told[n] {
			return fmt.Sprintf("the leaf says %q, the rows %q", line, strings.Join(told[min(n, len(told)):min(n+1, len(told))], ""))
		}
	}
	return "the rows say more than the leaf"
}

// sums adds up the leaves of each pack.
type sums struct {
	packs  map[string]*packSum
	prices map[packs.Hash]money.Cents // by manifest; the packs audit reports unreadable ones
}

type packSum struct {
	sold int64
	loss money.Cents // sell-back value of the drawn items, less the prices paid
	seqs int64       // number of drawSeqs used
	last int64       // the highest drawSeq used
	left map[string]*left
}

// left is a card's remaining stock: the count in the last manifest that lists it (published at
// drawSeq since), less later draws, plus later returns.
type left struct{ count, since int64 }

func (s sums) pack(id string) *packSum {
	if s.packs[id] == nil {
		s.packs[id] = &packSum{left: map[string]*left{}}
	}
	return s.packs[id]
}

func (p *packSum) take(seq uint64) {
	if seq > 0 {
		p.seqs++
		p.last = max(p.last, int64(seq))
	}
}

// publishedStock starts the sums from manifest and stock leaves.
func publishedStock(tx *db.Tx) (sums, error) {
	s := sums{packs: map[string]*packSum{}, prices: map[packs.Hash]money.Cents{}}
	published, err := publiclog.AllOf[protocol.ManifestLeaf](tx)
	if err != nil {
		return s, err
	}
	manifests := &packs.Service{}
	for _, leaf := range published {
		m, err := manifests.Manifest(tx, leaf.Manifest)
		if err != nil {
			continue
		}
		s.prices[leaf.Manifest] = m.Price
		if m.Finite() {
			s.publish(leaf, m)
		}
	}
	err = publiclog.EachOf(tx, func(leaf protocol.StockLeaf) error {
		p := s.pack(leaf.Pack)
		p.take(leaf.Draw)
		if card := p.left[leaf.Card]; card != nil && int64(leaf.Draw) > card.since {
			card.count += leaf.Count
		}
		return nil
	})
	return s, err
}

func (s sums) publish(leaf protocol.ManifestLeaf, m *protocol.Manifest) {
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

func (s sums) add(leaf protocol.OpenLeaf) {
	p := s.pack(leaf.Pack)
	p.sold++
	p.take(leaf.Draw)
	p.loss -= leaf.Price
	for _, item := range leaf.Items {
		p.loss += policy.SellBack(item.Value)
		if card := p.left[item.Card]; card != nil && int64(leaf.Draw) > card.since {
			card.count--
		}
	}
}

// packsOff compares the packs' counters. Sold is counted only for packs with limited supply, loss
// only for shared packs.
func (s sums) packsOff(tx *db.Tx) (found []audit.Breach, err error) {
	all, err := packs.All(tx)
	for _, p := range all {
		sum := s.pack(p.ID)
		var sold int64
		var loss money.Cents
		if p.Supply != packs.Unlimited {
			sold = sum.sold
		}
		if p.HasCounters() {
			loss = sum.loss
		}
		if p.Sold != sold || p.DrawSeq != sum.seqs || p.DrawSeq != sum.last || p.RealizedLoss != loss {
			found = append(found, audit.Breach{Rule: "a pack's counters are what the leaves add up to", Row: "pack " + p.ID,
				Detail: fmt.Sprintf("sold %d, the leaves say %d; drawSeq %d, the leaves take %d up to %d; loss %d, the leaves say %d",
					p.Sold, sold, p.DrawSeq, sum.seqs, sum.last, p.RealizedLoss, loss)})
		}
	}
	return found, err
}

func (s sums) stockOff(tx *db.Tx) (found []audit.Breach, err error) {
	for id, p := range s.packs {
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

// promise is a user's current commitment as the leaf that would promise it, with a zero time.
type promise struct {
	user string
	leaf protocol.CommitLeaf
}

// promised is how many promises are checked per pass over the log.
const promised = 50_000

// promisesOff checks that the log promised each user's current commitment: with their last open, at
// their first sign-in, or when an epoch began.
func promisesOff(tx *db.Tx) (found []audit.Breach, err error) {
	for last := ""; ; {
		some, err := promises(tx, last, promised)
		if err != nil || len(some) == 0 {
			return found, err
		}
		missing := make(map[protocol.CommitLeaf]string, len(some))
		for _, p := range some {
			missing[p.leaf] = p.user
			last = p.user
		}
		err = publiclog.EachOf(tx, func(leaf protocol.CommitLeaf) error {
			leaf.Time = time.Time{}
			delete(missing, leaf)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for leaf, user := range missing {
			found = append(found, audit.Breach{Rule: "the next commitment is the one promised", Row: "account " + user,
				Detail: fmt.Sprintf("nonce %d is committed to as %x, which the log does not promise", leaf.Nonce, leaf.Commitment)})
		}
	}
}
