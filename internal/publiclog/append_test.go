package publiclog_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

// An invalid leaf, or one that contradicts the rows of its transaction, is not written, and neither
// are the leaves appended with it.
func TestAppendRejectsInvalidLeaves(t *testing.T) {
	day := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	differs := errors.New("the rows say something else")
	agrees := func(int, protocol.Leaf) error { return nil }
	for name, wrong := range map[string]struct {
		text    string
		matches func(int, protocol.Leaf) error
	}{
		"no leaf":                {"anything\n", agrees},
		"a kind to come":         {"kaibao-open/v9\nid 1\n", agrees},
		"a user that is no tag":  {strings.Replace(openLeaf(1), "user 0", "user ?", 1), agrees},
		"another seed":           {strings.Replace(openLeaf(1), "serverSeed 0", "serverSeed 1", 1), agrees},
		"unbalanced books":       {string(protocol.BooksLeaf{Day: day, Balances: 1, Time: day.Add(protocol.Day)}.Format()), agrees},
		"books of a day to come": {string(protocol.BooksLeaf{Day: day, Time: day}.Format()), agrees},
		"rates without notice":   {string(protocol.RatesLeaf{Rates: protocol.FirstRates, Effective: day, Time: day}.Format()), agrees},
		"other rows":             {openLeaf(1), func(int, protocol.Leaf) error { return differs }},
		"too long":               {strings.Replace(epochLeaf("x"), "origin x", "origin "+strings.Repeat("x", 1<<16), 1), agrees},
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.Options(t, dbtest.Engines()[0]))
			before := log.InvalidLeaves()
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := log.Append(tx, openLeaf(0)); err != nil {
					return err
				}
				return log.AppendIf(tx, wrong.matches, openLeaf(2), wrong.text)
			})
			if _, ok := errors.AsType[log.InvalidLeafError](err); wrong.text != openLeaf(1) && !ok {
				t.Errorf("Append returned %v, want an InvalidLeafError", err)
			}
			if wrong.text == openLeaf(1) && !errors.Is(err, differs) {
				t.Errorf("Append returned %v, want %v", err, differs)
			}
			if left := allLeaves(t, d); len(left) != 0 || log.InvalidLeaves() != before+1 {
				t.Errorf("the log has %q and %d invalid leaves were counted, want an empty log and 1", left, log.InvalidLeaves()-before)
			}
		})
	}
}

// After a batch fails on a wrong leaf, its commands run again one by one. Only that second run
// counts the leaf.
func TestWrongLeafInBatchCountsOnce(t *testing.T) {
	d := dbtest.Open(t, dbtest.Options(t, dbtest.Engines()[0]))
	before := log.InvalidLeaves()
	for _, retried := range []bool{true, false} {
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			tx.RetrySeparately = retried
			return log.Append(tx, "anything\n")
		}); err == nil {
			t.Error("the invalid leaf was appended")
		}
	}
	if n := log.InvalidLeaves() - before; n != 1 {
		t.Errorf("the invalid leaf was counted %d times, want once", n)
	}
}
