package trades

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Audit checks that every trade was paid as stated, fee included, and that nothing was paid without
// a trade. Each trade must match its entry's events, owner and item, a value that the item had, and
// its leaf in the log. A sold listing must be closed.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findPaymentMismatches, findPaymentsWithoutTrade, findEventMismatches, findWrongSellers,
		findItemMismatches, findUnknownValues, findSoldListings, findLeafMismatches)
}

// batchSize is how many trades are compared per batch.
const batchSize = 2048

// findLeafMismatches compares all trades that have a leaf with the log. Both are read in roughly
// the same order, so few rows wait for their counterpart.
func findLeafMismatches(tx *db.Tx) ([]audit.Breach, error) {
	p := pairs{rows: map[string]string{}, leaves: map[string]string{}}
	logLeaves, last := publiclog.NewIterator(tx), Trade{}
	for more := true; more; {
		rows, err := loggedTradesAfter(tx, last, batchSize)
		if err != nil {
			return nil, err
		}
		leaves, err := nextLeaves(logLeaves)
		if err != nil {
			return nil, err
		}
		for _, t := range rows {
			last = t
			p.match(t.ID, t.leaf(), p.rows, p.leaves)
		}
		for _, leaf := range leaves {
			p.match(leaf.ID, string(leaf.Format()), p.leaves, p.rows)
		}
		more = len(rows)+len(leaves) > 0
	}
	for id := range p.rows {
		p.report("trade "+id, "has no leaf in the log")
	}
	for id := range p.leaves {
		p.report("leaf "+id, "has no row in trades")
	}
	return p.found, nil
}

// nextLeaves reads the log until it has at least batchSize trade leaves, or the log ends.
func nextLeaves(logLeaves *publiclog.Iterator) (trades []protocol.TradeLeaf, err error) {
	for len(trades) < batchSize {
		leaves, err := logLeaves.Next()
		if err != nil || len(leaves) == 0 {
			return trades, err
		}
		for _, body := range leaves {
			parsed, err := protocol.ParseLeaf([]byte(body))
			if leaf, ok := parsed.(protocol.TradeLeaf); ok && err == nil {
				trades = append(trades, leaf)
			}
		}
	}
	return trades, nil
}

// pairs holds unmatched trades and leaves as leaf text, by ID.
type pairs struct {
	rows, leaves map[string]string
	found        []audit.Breach
}

func (p *pairs) report(row, detail string) {
	p.found = append(p.found, audit.Breach{Rule: "each trade must match its leaf in the log", Row: row, Detail: detail})
}

// match compares a trade or leaf with its counterpart, or stores it until that is read.
func (p *pairs) match(id, text string, own, other map[string]string) {
	otherText, ok := other[id]
	_, twice := own[id]
	switch {
	case ok && otherText != text:
		p.report("trade "+id, "its row and its leaf differ: "+text+" and "+otherText)
		delete(other, id)
	case ok:
		delete(other, id)
	case twice:
		p.report("leaf "+id, "is in the log twice")
	default:
		own[id] = text
	}
}
