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
	return audit.Collect(tx, auditPayments, auditOrphanPayments, auditItemPositions, auditNonces, auditCommitments, auditLeaves)
}

// storedOpen is an open as stored in its rows.
type storedOpen struct {
	Open
	items []protocol.LeafItem
}

// auditBatch is how many opens are processed together.
const auditBatch = 2048

// auditLeaves walks through all opens and the log in parallel. Each open must match its leaf, and
// the sums of the leaves must match the stored counters. Opens sorted by id are almost in log
// order, so few wait in memory for their counterpart.
func auditLeaves(tx *db.Tx) (found []audit.Breach, err error) {
	sums, err := publishedStock(tx)
	if err != nil {
		return nil, err
	}
	p := leafMatcher{rows: map[string]storedOpen{}, leaves: map[string]protocol.OpenLeaf{}, sums: sums}
	walk, last := publiclog.NewIterator(tx), ""
	for more := true; more; {
		rows, err := storedOpensAfter(tx, last, auditBatch)
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
		p.report("opening "+id, "has no leaf in the log")
	}
	for id := range p.leaves {
		p.report("leaf "+id, "has no row in openings")
	}
	breaches, err := audit.Collect(tx, sums.auditPacks, sums.auditStock)
	return append(p.found, breaches...), err
}

// nextOpens reads the log until it has found auditBatch open leaves.
func nextOpens(walk *publiclog.Iterator) (opens []protocol.OpenLeaf, err error) {
	for len(opens) < auditBatch {
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

// leafMatcher holds opens and leaves still waiting for their counterpart, by the open's id.
type leafMatcher struct {
	rows   map[string]storedOpen
	leaves map[string]protocol.OpenLeaf
	sums   leafSums
	found  []audit.Breach
}

func (p *leafMatcher) report(row, detail string) {
	p.found = append(p.found, audit.Breach{Rule: "each open must match its leaf in the log", Row: row, Detail: detail})
}

func (p *leafMatcher) addRow(w storedOpen) {
	leaf, ok := p.leaves[w.ID]
	if !ok {
		p.rows[w.ID] = w
		return
	}
	delete(p.leaves, w.ID)
	p.compare(w, leaf)
}

func (p *leafMatcher) addLeaf(leaf protocol.OpenLeaf) {
	p.sums.addOpen(leaf)
	w, ok := p.rows[leaf.ID]
	if ok {
		delete(p.rows, leaf.ID)
		p.compare(w, leaf)
		return
	}
	if _, twice := p.leaves[leaf.ID]; twice {
		p.report("leaf "+leaf.ID, "is in the log twice")
	}
	p.leaves[leaf.ID] = leaf
}

func (p *leafMatcher) compare(w storedOpen, leaf protocol.OpenLeaf) {
	var total money.Cents
	for _, item := range w.items {
		total += item.Value
	}
	fromRows, fromLeaf := formatLeaf(w.Open, w.items), string(leaf.Format())
	switch {
	case fromRows != fromLeaf:
		p.report("opening "+w.ID, firstDifference(fromLeaf, fromRows))
	case total != w.TotalValue:
		p.report("opening "+w.ID, fmt.Sprintf("total value is %d, but its items add up to %d", w.TotalValue, total))
	}
	if price, known := p.sums.prices[leaf.Manifest]; known && leaf.Price != price {
		p.report("opening "+w.ID, fmt.Sprintf("price is %d, but its manifest has %d", leaf.Price, price))
	}
}

// firstDifference describes the first line in which two leaves differ.
func firstDifference(leaf, rows string) string {
	fromRows := strings.Split(rows, "\n")
	for n, line := range strings.Split(leaf, "\n") {
		if n >= len(fromRows) || line != fromRows[n] {
			return fmt.Sprintf("the leaf has %q, but the rows give %q", line, strings.Join(fromRows[min(n, len(fromRows)):min(n+1, len(fromRows))], ""))
		}
	}
	return "the rows have more than the leaf"
}

// leafSums adds up the leaves of each pack.
type leafSums struct {
	packs  map[string]*packSum
	prices map[packs.Hash]money.Cents // by manifest; the packs audit reports unreadable ones
}

type packSum struct {
	sold        int64
	loss        money.Cents // sell-back value of the drawn items, less the prices paid
	drawSeqs    int64       // number of drawSeqs used
	lastDrawSeq int64       // the highest drawSeq used
	stock       map[string]*cardStock
}

// cardStock is a card's remaining stock: the count in the last manifest that lists it (published at
// drawSeq since), less later draws, plus later returns.
type cardStock struct{ count, sinceDrawSeq int64 }

func (s leafSums) pack(id string) *packSum {
	if s.packs[id] == nil {
		s.packs[id] = &packSum{stock: map[string]*cardStock{}}
	}
	return s.packs[id]
}

func (p *packSum) countDrawSeq(seq uint64) {
	if seq > 0 {
		p.drawSeqs++
		p.lastDrawSeq = max(p.lastDrawSeq, int64(seq))
	}
}

// publishedStock starts the sums from manifest and stock leaves.
func publishedStock(tx *db.Tx) (leafSums, error) {
	s := leafSums{packs: map[string]*packSum{}, prices: map[packs.Hash]money.Cents{}}
	published, err := publiclog.AllLeaves[protocol.ManifestLeaf](tx)
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
			s.addManifest(leaf, m)
		}
	}
	err = publiclog.EachLeaf(tx, func(leaf protocol.StockLeaf) error {
		p := s.pack(leaf.Pack)
		p.countDrawSeq(leaf.Draw)
		if card := p.stock[leaf.Card]; card != nil && int64(leaf.Draw) > card.sinceDrawSeq {
			card.count += leaf.Count
		}
		return nil
	})
	return s, err
}

func (s leafSums) addManifest(leaf protocol.ManifestLeaf, m *protocol.Manifest) {
	p := s.pack(leaf.Pack)
	p.countDrawSeq(leaf.Draw)
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			delete(p.stock, card.ID)
			if card.Finite() {
				p.stock[card.ID] = &cardStock{card.Stock, int64(leaf.Draw)}
			}
		}
	}
}

func (s leafSums) addOpen(leaf protocol.OpenLeaf) {
	p := s.pack(leaf.Pack)
	p.sold++
	p.countDrawSeq(leaf.Draw)
	p.loss -= leaf.Price
	for _, item := range leaf.Items {
		p.loss += policy.SellBack(item.Value)
		if card := p.stock[item.Card]; card != nil && int64(leaf.Draw) > card.sinceDrawSeq {
			card.count--
		}
	}
}

// auditPacks compares the packs' counters. Sold is counted only for packs with limited supply, loss
// only for shared packs.
func (s leafSums) auditPacks(tx *db.Tx) (found []audit.Breach, err error) {
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
		if p.Sold != sold || p.DrawSeq != sum.drawSeqs || p.DrawSeq != sum.lastDrawSeq || p.RealizedLoss != loss {
			found = append(found, audit.Breach{Rule: "a pack's counters must match the log's leaves", Row: "pack " + p.ID,
				Detail: fmt.Sprintf("sold is %d, the leaves give %d; drawSeq is %d, the leaves have %d up to number %d; loss is %d, the leaves give %d",
					p.Sold, sold, p.DrawSeq, sum.drawSeqs, sum.lastDrawSeq, p.RealizedLoss, loss)})
		}
	}
	return found, err
}

func (s leafSums) auditStock(tx *db.Tx) (found []audit.Breach, err error) {
	for id, p := range s.packs {
		stock, err := packs.Stock(tx, id)
		if err != nil {
			return nil, err
		}
		expected := map[string]int64{}
		for card, left := range p.stock {
			expected[card] = left.count
		}
		found = append(found, audit.Compare("stock must equal the published stock minus draws plus returns", "stock of "+id+" ", stock, expected)...)
	}
	return found, nil
}

// currentCommitment is a user's current commitment as the leaf that would promise it, with a zero
// time.
type currentCommitment struct {
	user string
	leaf protocol.CommitLeaf
}

// commitmentBatch is how many promises are checked per pass over the log.
const commitmentBatch = 50_000

// auditCommitments checks that the log promised each user's current commitment: with their last
// open, at their first sign-in, or when an epoch began.
func auditCommitments(tx *db.Tx) (found []audit.Breach, err error) {
	for last := ""; ; {
		page, err := currentCommitments(tx, last, commitmentBatch)
		if err != nil || len(page) == 0 {
			return found, err
		}
		missing := make(map[protocol.CommitLeaf]string, len(page))
		for _, p := range page {
			missing[p.leaf] = p.user
			last = p.user
		}
		err = publiclog.EachLeaf(tx, func(leaf protocol.CommitLeaf) error {
			leaf.Time = time.Time{}
			delete(missing, leaf)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for leaf, user := range missing {
			found = append(found, audit.Breach{Rule: "each user's next commitment must be in the log", Row: "account " + user,
				Detail: fmt.Sprintf("the commitment for nonce %d is %x, which is not in the log", leaf.Nonce, leaf.Commitment)})
		}
	}
}
