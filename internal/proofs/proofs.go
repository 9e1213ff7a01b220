// Package proofs serves the evidence that draws are fair: realized odds (the counts of opens and of
// drawn cards) next to the published ones, commitments made before an open, proofs after it, and
// manifests.
package proofs

import (
	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
)

// Service serves evidence from the log, the packs and the accounts.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
	Log   *publiclog.Log
}

// follower is the name of the follower whose position the counts refer to.
const follower = "draws"

// Jobs returns the job that counts the draws in the log.
func Jobs(log *publiclog.Followers) []jobs.Job { return []jobs.Job{log.Add(follower, countDraws)} }

// countDraws adds opens to the counts per manifest. It follows the log, so that opens don't contend
// for the rows of the counts.
func countDraws(tx *db.Tx, opens []publiclog.Draw) error {
	d := newDrawCounts()
	for _, open := range opens {
		d.add(open)
	}
	return addDrawCounts(tx, d)
}

// drawCounts counts opens and drawn cards.
type drawCounts struct {
	opens map[packs.Hash]int64 // per manifest
	cards map[drawnCard]int64
}

type drawnCard struct {
	manifest packs.Hash
	item     string
}

// String implements fmt.Stringer.
func (c drawnCard) String() string { return c.manifest.String() + " " + c.item }

func newDrawCounts() drawCounts { return drawCounts{map[packs.Hash]int64{}, map[drawnCard]int64{}} }

func (d drawCounts) add(open publiclog.Draw) {
	d.opens[open.Manifest]++
	for _, item := range open.Items {
		d.cards[drawnCard{open.Manifest, item.Card}]++
	}
}
