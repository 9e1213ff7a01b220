package packs

import (
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// HasCounters reports whether opens of the pack must run one after another because they update its
// counters.
func (p Pack) HasCounters() bool {
	return p.DrawSeq > 0 || p.Supply != Unlimited || (p.AcceptedLoss != nil && *p.AcceptedLoss != Unlimited)
}

// countedLoss is the loss that counts against AcceptedLoss.
func (p Pack) countedLoss() money.Cents { return p.RealizedLoss + p.PaidBeyondQuotes }

// supplyUsedUp reports whether the whole supply has been sold.
func (p Pack) supplyUsedUp() bool { return p.Supply != Unlimited && p.Sold >= p.Supply }

// recount updates a pack's counters after an edit: it computes counters that are newly needed from
// all past opens and resets those no longer needed.
func recount(tx *db.Tx, before Pack, after *Pack) error {
	if !after.HasCounters() {
		after.Sold, after.RealizedLoss = 0, 0
		return nil
	}
	if after.ID == "" {
		return nil // a new pack has no opens
	}
	begins := after.Supply != Unlimited && before.Supply == Unlimited
	if begins || !before.HasCounters() {
		var err error
		after.Sold, after.RealizedLoss, err = pastOpens(tx, after.ID)
		if err != nil {
			return err
		}
	}
	if after.Supply == Unlimited {
		after.Sold = 0
	}
	return nil
}

// advanceDrawSeq increments the pack's drawSeq. From the first increment on the pack has counters.
func advanceDrawSeq(tx *db.Tx, p Pack) (after Pack, err error) {
	after = p
	after.DrawSeq, err = incrementDrawSeq(tx, p.ID)
	if err != nil || p.HasCounters() {
		return after, err
	}
	if err := recount(tx, p, &after); err != nil {
		return after, err
	}
	return after, saveCounters(tx, after)
}
