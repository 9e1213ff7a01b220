package sellback

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Audit checks that every sell-back paid its quote and matches its entry's events, that returns to
// a stock match their leaves, and that the losses of packs add up.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findUnquotedSellBacks, findWrongQuotes, findReturnLeafMismatches, findWrongBeyondQuotes)
}

// findReturnLeafMismatches compares each return with its leaf.
func findReturnLeafMismatches(tx *db.Tx) (breaches []audit.Breach, err error) {
	manifests := &packs.Service{}
	returns, err := allReturns(tx)
	if err != nil {
		return nil, err
	}
	leaves, err := publiclog.AllLeaves[protocol.StockLeaf](tx)
	if err != nil {
		return nil, err
	}
	logged := map[string]bool{}
	for _, leaf := range leaves {
		logged[string(leaf.Format())] = true
	}
	report := func(row, detail string) {
		breaches = append(breaches, audit.Breach{Rule: "each return to a stock must match its leaf in the log", Row: row, Detail: detail})
	}
	for _, r := range returns {
		m, err := manifests.Manifest(tx, r.manifest)
		if err != nil {
			return nil, err
		}
		if !m.ContainsFinite(r.card) {
			report("sell-back "+r.entry, "the card was unlimited when drawn, so it can't return to a stock")
		}
		if leaf := r.leaf(); !logged[leaf] {
			report("sell-back "+r.entry, fmt.Sprintf("has no leaf %q in the log", leaf))
		} else {
			delete(logged, leaf)
		}
	}
	for leaf := range logged {
		report("the log", fmt.Sprintf("has a leaf without a sell-back: %q", leaf))
	}
	return breaches, nil
}
