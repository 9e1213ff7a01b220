package trades

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// portion is how many trades are looked at together.
const portion = 2048

// leavesOff walks through all trades that were told and the log side by side: each must be
// as its leaf says. Both are nearly in the order of time, so that few wait for each other.
func leavesOff(tx *db.Tx) ([]audit.Breach, error) {
	p := pairs{rows: map[string]string{}, leaves: map[string]string{}}
	walk, last := publiclog.NewWalk(tx), Trade{}
	for more := true; more; {
		rows, err := toldAfter(tx, last, portion)
		if err != nil {
			return nil, err
		}
		leaves, err := nextLeaves(walk)
		if err != nil {
			return nil, err
		}
		for _, t := range rows {
			last = t
			p.meet(t.ID, t.leaf(), p.rows, p.leaves)
		}
		for _, leaf := range leaves {
			p.meet(leaf.ID, string(leaf.Format()), p.leaves, p.rows)
		}
		more = len(rows)+len(leaves) > 0
	}
	for id := range p.rows {
		p.off("trade "+id, "no leaf")
	}
	for id := range p.leaves {
		p.off("leaf "+id, "there is no such trade")
	}
	return p.found, nil
}

// nextLeaves reads on in the log until there is a portion of trades.
func nextLeaves(walk *publiclog.Walk) (trades []protocol.TradeLeaf, err error) {
	for len(trades) < portion {
		leaves, err := walk.Next()
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

// pairs are trades and leaves that have not met yet, by id, as leaves.
type pairs struct {
	rows, leaves map[string]string
	found        []audit.Breach
}

func (p *pairs) off(row, detail string) {
	p.found = append(p.found, audit.Breach{Rule: "every trade is what its leaf says", Row: row, Detail: detail})
}

// meet compares one with its other side, or has it wait.
func (p *pairs) meet(id, text string, own, other map[string]string) {
	says, ok := other[id]
	_, twice := own[id]
	switch {
	case ok && says != text:
		p.off("trade "+id, "its leaf or row says "+text+", the other "+says)
		delete(other, id)
	case ok:
		delete(other, id)
	case twice:
		p.off("leaf "+id, "is in the log twice")
	default:
		own[id] = text
	}
}
