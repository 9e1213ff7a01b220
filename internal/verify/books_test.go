package verify_test

import (
	"strings"
	"testing"
	"time"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// closeBooks writes the books of a day, an hour after its end. change can forge the leaf.
func (log *testLog) closeBooks(day time.Time, change func(*protocol.BooksLeaf)) int64 {
	l := protocol.BooksLeaf{Day: day, Gifts: 1_000_000_00, Time: day.Add(25 * time.Hour)}
	for _, text := range log.leaves {
		leaf, err := protocol.ParseLeaf([]byte(text))
		if err != nil {
			panic(err)
		}
		switch leaf := leaf.(type) {
		case protocol.OpenLeaf:
			if leaf.Time.Before(l.End()) {
				l.Opens.Number++
				l.Opens.Amount += leaf.Price
			}
		case protocol.StockLeaf:
			if leaf.Time.Before(l.End()) {
				l.SellBacks.Number++
				l.SellBacks.Amount += 90
			}
		}
	}
	l.Balances = l.ImpliedBalances()
	if change != nil {
		change(&l)
	}
	log.now = l.Time
	return log.append(l)
}

// Books that contradict the log, skip or repeat a day, or are written before or after the events
// they cover are reported.
func TestForgedBooksAreReported(t *testing.T) {
	first := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	second, third := first.Add(protocol.Day), first.Add(2*protocol.Day)
	forged := func(change func(*protocol.BooksLeaf)) func(*testLog) int64 {
		return func(log *testLog) int64 { return log.closeBooks(third, change) }
	}
	for name, c := range map[string]struct {
		cheat  func(log *testLog) int64
		reason string // empty = valid
	}{
		"honest": {forged(nil), ""},
		"nobody opened for days": {func(log *testLog) int64 {
			log.closeBooks(third, nil)
			return log.closeBooks(third.Add(protocol.Day), nil)
		}, ""},
		"an open is left out":     {forged(func(l *protocol.BooksLeaf) { l.Opens.Number-- }), "opens"},
		"less was spent":          {forged(func(l *protocol.BooksLeaf) { l.Opens.Amount--; l.Balances++ }), "opens"},
		"a cent from nowhere":     {forged(func(l *protocol.BooksLeaf) { l.Balances++ }), "have balances of"},
		"a return is left out":    {forged(func(l *protocol.BooksLeaf) { l.SellBacks.Number = 0 }), "sell-backs"},
		"more sold than drawn":    {forged(func(l *protocol.BooksLeaf) { l.SellBacks.Number = 1000 }), "sell-backs"},
		"gifts are taken back":    {forged(func(l *protocol.BooksLeaf) { l.Gifts--; l.Balances-- }), "less gifts"},
		"points are taken back":   {forged(func(l *protocol.BooksLeaf) { l.Debits, l.Balances = l.Debits+5, l.Balances-5 }), ""},
		"points are given up":     {forged(func(l *protocol.BooksLeaf) { l.Forfeits, l.Balances = l.Forfeits+5, l.Balances-5 }), ""},
		"a debit that users keep": {forged(func(l *protocol.BooksLeaf) { l.Debits += 5 }), "have balances of"},
		"debits decrease": {func(log *testLog) int64 {
			log.closeBooks(third, func(l *protocol.BooksLeaf) { l.Debits, l.Balances = l.Debits+10, l.Balances-10 })
			return log.closeBooks(third.Add(protocol.Day), nil)
		}, "less debits"},
		"forfeits decrease": {func(log *testLog) int64 {
			log.closeBooks(third, func(l *protocol.BooksLeaf) { l.Forfeits, l.Balances = l.Forfeits+10, l.Balances-10 })
			return log.closeBooks(third.Add(protocol.Day), nil)
		}, "less forfeits"},
		"a day is left out":              {func(log *testLog) int64 { return log.closeBooks(third.Add(protocol.Day), nil) }, "follow"},
		"a day is closed twice":          {func(log *testLog) int64 { return log.closeBooks(second, nil) }, "follow"},
		"a day is closed before its end": {forged(func(l *protocol.BooksLeaf) { l.Time = l.End().Add(-time.Millisecond) }), "before the day ended"},
		"an open is slipped in": {func(log *testLog) int64 {
			log.now = second.Add(23 * time.Hour)
			return log.open(log.users[0], "plenty", nil)
		}, "were already closed"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 5, 60)
			log.returnCard("few", "few-00")
			log.closeBooks(first, nil)
			log.open(log.users[0], "plenty", nil)
			log.closeBooks(second, nil)
			log.open(log.users[0], "plenty", nil)
			at := c.cheat(log)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			switch {
			case c.reason == "" && report.Fault != nil:
				t.Error(report.Fault)
			case c.reason == "":
			case report.Fault == nil || report.Fault.Leaf == nil || *report.Fault.Leaf != at || !strings.Contains(report.Fault.Reason, c.reason):
				t.Errorf("%v, want leaf %d reported for %q", report.Fault, at, c.reason)
			}
		})
	}
}
