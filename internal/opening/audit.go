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

// Audit checks that every open has a payment, items and log leaves that agree with its rows; that
// voided orders are refunded; that users' nonces have no gaps; that every current commitment was
// promised in the log; and that stock and pack counters equal the sums of the leaves.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, auditPayments, auditOrphanPayments, auditRefunds, auditDrawnOrders, auditItemPositions, auditNonces, auditCommitments, auditLeaves)
}

// storedOpen is an open as stored in its rows.
type storedOpen struct {
	Open
	items []protocol.LeafItem
}

// auditBatch is how many opens are processed together.
const auditBatch = 2048

// auditLeaves walks through all opens and the log in parallel. Each open must match its leaves, and
// the sums of the leaves must match the stored counters. Opens sorted by id are almost in log
// order, so few wait in memory for their counterpart.
func auditLeaves(tx *db.Tx) (found []audit.Breach, err error) {
	sums, err := publishedStock(tx)
	if err != nil {
		return nil, err
	}
	m := leafMatcher{rows: map[leafKey]expectedLeaf{}, leaves: map[leafKey]string{}, sums: sums}
	walk, last := drawIterator{log: publiclog.NewIterator(tx), pending: map[string]bool{}}, ""
	for more := true; more; {
		rows, err := storedOpensAfter(tx, last, auditBatch)
		if err != nil {
			return nil, err
		}
		leaves, err := walk.next()
		if err != nil {
			return nil, err
		}
		for _, w := range rows {
			last = w.ID
			for _, expected := range w.leaves() {
				m.addRow(expected)
			}
			m.checkTotals(w)
			m.checkBeacon(w)
		}
		for _, leaf := range leaves {
			m.addLeaf(leaf)
		}
		more = len(rows)+len(leaves) > 0
	}
	for key := range m.rows {
		m.report("opening "+key.id, "has no leaf in the log")
	}
	for key := range m.leaves {
		m.report("leaf "+key.id, "has no row in openings")
	}
	breaches, err := audit.Collect(tx, sums.auditPacks, sums.auditStock)
	return append(m.found, breaches...), err
}

// drawIterator iterates over the leaves of opens, orders and voids.
type drawIterator struct {
	log        *publiclog.Iterator
	pending    map[string]bool     // orders that have no open or void yet
	afterEpoch bool                // only the epoch leaf and copies of orders came before
	held       *protocol.OrderLeaf // the last leaf, if it may be the copy of an order that a restore lost
}

// next returns the next leaves, at least auditBatch unless the log ends.
func (d *drawIterator) next() (found []protocol.Leaf, err error) {
	for len(found) < auditBatch {
		leaves, err := d.log.Next()
		if err != nil {
			return found, err
		}
		if len(leaves) == 0 {
			return append(found, d.release()...), nil
		}
		for _, body := range leaves {
			if leaf, err := protocol.ParseLeaf([]byte(body)); err == nil {
				found = append(found, d.see(leaf)...)
			}
		}
	}
	return found, nil
}

// see returns the leaves of opens, orders and voids up to this leaf, other than the copies of orders at the
// beginning of an epoch: of pending ones, and of those that a restore lost, whose voids follow them.
func (d *drawIterator) see(leaf protocol.Leaf) []protocol.Leaf {
	if l, ok := leaf.(protocol.VoidLeaf); ok && d.held != nil && d.held.ID == l.ID && l.Reason == protocol.VoidLost {
		d.held = nil
		return nil
	}
	found := d.release()
	afterEpoch := d.afterEpoch && len(found) == 0
	d.afterEpoch = false
	switch l := leaf.(type) {
	case protocol.EpochLeaf:
		d.afterEpoch = true
	case protocol.OpenLeaf:
		return append(found, l)
	case protocol.OrderLeaf:
		d.afterEpoch = afterEpoch
		switch {
		case !afterEpoch:
			d.pending[l.ID] = true
			return append(found, l)
		case !d.pending[l.ID]:
			d.held = &l
		}
	case protocol.SealedOpenLeaf:
		delete(d.pending, l.ID)
		return append(found, l)
	case protocol.VoidLeaf:
		delete(d.pending, l.ID)
		return append(found, l)
	}
	return found
}

// release returns the held order, because it is no copy.
func (d *drawIterator) release() []protocol.Leaf {
	if d.held == nil {
		return nil
	}
	held := *d.held
	d.held, d.pending[held.ID] = nil, true
	return []protocol.Leaf{held}
}

// leafKey identifies a leaf of an open: an order and its open have the same id.
type leafKey struct {
	id    string
	order bool
}

// expectedLeaf is a leaf as the rows of its open give it.
type expectedLeaf struct {
	leafKey
	text string
}

// leaves returns the leaves that the log must have for an open.
func (w storedOpen) leaves() []expectedLeaf {
	if w.Order == nil {
		return []expectedLeaf{{leafKey{w.ID, false}, string(w.leaf(w.items).Format())}}
	}
	leaves := []expectedLeaf{{leafKey{w.ID, true}, string(w.orderLeaf().Format())}}
	if w.State != Sealed {
		leaves = append(leaves, expectedLeaf{leafKey{w.ID, false}, string(w.leaf(w.items).Format())})
	}
	return leaves
}

// leafMatcher holds rows and leaves still waiting for their counterpart.
type leafMatcher struct {
	rows   map[leafKey]expectedLeaf
	leaves map[leafKey]string
	sums   leafSums
	found  []audit.Breach
}

func (m *leafMatcher) report(row, detail string) {
	m.found = append(m.found, audit.Breach{Rule: "each open must match its leaf in the log", Row: row, Detail: detail})
}

func (m *leafMatcher) addRow(expected expectedLeaf) {
	text, ok := m.leaves[expected.leafKey]
	if !ok {
		m.rows[expected.leafKey] = expected
		return
	}
	delete(m.leaves, expected.leafKey)
	m.compare(expected, text)
}

func (m *leafMatcher) addLeaf(leaf protocol.Leaf) {
	var key leafKey
	switch l := leaf.(type) {
	case protocol.OpenLeaf:
		key.id = l.ID
		m.sums.addSale(l.DrawHead)
		m.sums.addDraw(l.DrawHead, l.Price, l.Items)
		m.checkPrice(l.DrawHead, l.Price)
	case protocol.OrderLeaf:
		key = leafKey{l.ID, true}
		m.sums.addSale(l.DrawHead)
		m.checkPrice(l.DrawHead, l.Price)
	case protocol.SealedOpenLeaf:
		key.id = l.ID
		m.sums.addDraw(l.DrawHead, m.sums.prices[l.Manifest], l.Items)
	case protocol.VoidLeaf:
		key.id = l.ID
	}
	text := string(leaf.Format())
	if expected, ok := m.rows[key]; ok {
		delete(m.rows, key)
		m.compare(expected, text)
		return
	}
	if _, twice := m.leaves[key]; twice {
		m.report("leaf "+key.id, "is in the log twice")
	}
	m.leaves[key] = text
}

func (m *leafMatcher) compare(expected expectedLeaf, leaf string) {
	if expected.text != leaf {
		m.report("opening "+expected.id, firstDifference(leaf, expected.text))
	}
}

// checkTotals checks that an open's total value is that of its items.
func (m *leafMatcher) checkTotals(w storedOpen) {
	var total money.Cents
	for _, item := range w.items {
		total += item.Value
	}
	if total != w.TotalValue {
		m.report("opening "+w.ID, fmt.Sprintf("total value is %d, but its items add up to %d", w.TotalValue, total))
	}
}

// checkBeacon checks that an order has the beacon of its manifest.
func (m *leafMatcher) checkBeacon(w storedOpen) {
	if beacon, known := m.sums.beacons[w.ManifestHash]; known && w.Order != nil && w.Order.Beacon != beacon {
		m.report("order "+w.ID, fmt.Sprintf("the beacon is %x, but its manifest has %x", w.Order.Beacon, beacon))
	}
}

// checkPrice checks that an open or order has the price of its manifest.
func (m *leafMatcher) checkPrice(l protocol.DrawHead, paid money.Cents) {
	if price, known := m.sums.prices[l.Manifest]; known && paid != price {
		m.report("opening "+l.ID, fmt.Sprintf("price is %d, but its manifest has %d", paid, price))
	}
}

// firstDifference describes the first line in which two leaves differ.
func firstDifference(leaf, rows string) string {
	fromRows := strings.Split(rows, "\n")
	for n, line := range strings.Split(leaf, "\n") {
		fromRow := ""
		if n < len(fromRows) {
			fromRow = fromRows[n]
		}
		if n >= len(fromRows) || line != fromRow {
			return fmt.Sprintf("the leaf has %q, but the rows give %q", line, fromRow)
		}
	}
	return "the rows have more than the leaf"
}

// leafSums adds up the leaves of each pack.
type leafSums struct {
	packs   map[string]*packSum
	prices  map[packs.Hash]money.Cents // by manifest; the packs audit reports unreadable ones
	beacons map[packs.Hash][32]byte    // of sealed manifests
}

type packSum struct {
	sold        int64
	loss        money.Cents // sell-back value of the drawn items, less the prices paid
	drawSeqs    int64       // number of drawSeqs used
	lastDrawSeq int64       // the highest drawSeq used
	stock       map[string]*cardStock
	returns     map[int64]string // cards that returned to the stock, by drawSeq
}

// cardStock is a card's remaining stock: the count in the last manifest that lists it (published at
// drawSeq since), less later draws, plus later returns.
type cardStock struct{ count, sinceDrawSeq int64 }

func (s leafSums) pack(id string) *packSum {
	if s.packs[id] == nil {
		s.packs[id] = &packSum{stock: map[string]*cardStock{}, returns: map[int64]string{}}
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
	s := leafSums{packs: map[string]*packSum{}, prices: map[packs.Hash]money.Cents{}, beacons: map[packs.Hash][32]byte{}}
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
		if m.Sealing != nil {
			s.beacons[leaf.Manifest] = m.Sealing.Beacon
		}
		if m.Finite() {
			s.addManifest(leaf, m)
		}
	}
	err = publiclog.EachLeaf(tx, func(leaf protocol.StockLeaf) error {
		p := s.pack(leaf.Pack)
		p.countDrawSeq(leaf.Draw)
		p.returns[int64(leaf.Draw)] = leaf.Card
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

// addSale counts an instant open or an order.
func (s leafSums) addSale(l protocol.DrawHead) {
	p := s.pack(l.Pack)
	p.sold++
	p.countDrawSeq(l.Draw)
}

// addDraw counts a draw.
func (s leafSums) addDraw(l protocol.DrawHead, price money.Cents, items []protocol.LeafItem) {
	p := s.pack(l.Pack)
	p.loss -= price
	for _, item := range items {
		p.loss += policy.SellBack(item.Value)
		if card := p.stock[item.Card]; card != nil && int64(l.Draw) > card.sinceDrawSeq {
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
		waiting, err := packs.WaitingReturns(tx, id)
		if err != nil {
			return nil, err
		}
		for _, r := range waiting {
			expected[r.Card]--
			if p.returns[r.DrawSeq] != r.Card {
				found = append(found, audit.Breach{Rule: "a waiting return must be in the log", Row: fmt.Sprintf("pack %s, drawSeq %d", id, r.DrawSeq),
					Detail: fmt.Sprintf("card %s waits for its return, but the log returned %q", r.Card, p.returns[r.DrawSeq])})
			}
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
