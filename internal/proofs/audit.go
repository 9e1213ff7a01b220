package proofs

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/publiclog"
)

// Audit checks that the counts match the opens in the log up to the follower's position.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	expected := newDrawCounts()
	err := publiclog.EachReadOpen(tx, follower, func(open publiclog.Draw) error {
		expected.add(open)
		return nil
	})
	if err != nil {
		return nil, err
	}
	stored, err := allDrawCounts(tx)
	const rule = "draw counts must match the log's leaves"
	found := audit.Compare(rule, "drawn_manifests ", stored.opens, expected.opens)
	return append(found, audit.Compare(rule, "drawn_cards ", stored.cards, expected.cards)...), err
}
