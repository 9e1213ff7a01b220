package verify_test

import (
	"strings"
	"testing"
	"time"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// addTrade logs the purchase of a listing. change can forge the leaf.
func (log *testLog) addTrade(id string, change func(*protocol.TradeLeaf)) int64 {
	l := protocol.TradeLeaf{ID: id, Kind: protocol.TradeListing, Item: "plenty-00", Price: 10_00, Fee: 50, Rate: 500, Time: log.now}
	if change != nil {
		change(&l)
	}
	return log.append(l)
}

// Trades that violate the terms, repeat an id, are missing in the books or come after their day's
// books were closed are reported.
func TestForgedTradesAreReported(t *testing.T) {
	day := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	back := func(l *protocol.TradeLeaf) {
		l.Kind, l.Fee, l.Rate, l.Price, l.HouseQuote, l.Route = protocol.TradeSellBack, 0, 0, 90, 90, protocol.RouteDirect
	}
	closed := func(change func(*protocol.BooksLeaf)) func(*testLog) int64 {
		return func(log *testLog) int64 {
			return log.closeBooks(day, func(l *protocol.BooksLeaf) {
				l.Sales, l.SellBacks, l.Fees = protocol.Count{Number: 1, Amount: 10_00}, protocol.Count{Number: 1, Amount: 90}, 50
				change(l)
				l.Balances = l.ImpliedBalances()
			})
		}
	}
	for name, c := range map[string]struct {
		cheat  func(log *testLog) int64
		reason string // empty = valid
	}{
		"honest":                {closed(func(*protocol.BooksLeaf) {}), ""},
		"more than the log has": {closed(func(l *protocol.BooksLeaf) { l.Sales = protocol.Count{Number: 9, Amount: 99_00} }), ""},
		"a sale is left out":    {closed(func(l *protocol.BooksLeaf) { l.Sales.Number = 0 }), "sales"},
		"a sale for less":       {closed(func(l *protocol.BooksLeaf) { l.Sales.Amount-- }), "sales"},
		"a fee is left out":     {closed(func(l *protocol.BooksLeaf) { l.Fees-- }), "fees"},
		"a sell-back for less":  {closed(func(l *protocol.BooksLeaf) { l.SellBacks.Amount-- }), "sell-backs"},
		"another fee":           {func(log *testLog) int64 { return log.addTrade("t-3", func(l *protocol.TradeLeaf) { l.Fee = 20 }) }, "the fee is"},
		"a repeated id":         {func(log *testLog) int64 { return log.addTrade("t-1", nil) }, "in the log twice"},
		"after its day's books": {func(log *testLog) int64 {
			closed(func(*protocol.BooksLeaf) {})(log)
			log.now = day.Add(time.Hour)
			return log.addTrade("t-3", nil)
		}, "were already closed"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 5, 20)
			log.now = day.Add(20 * time.Hour)
			log.addTrade("t-1", nil)
			log.addTrade("t-2", back)
			at := c.cheat(log)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			switch {
			case c.reason == "" && (report.Fault != nil || report.Trades != 2):
				t.Errorf("%d trades: %v", report.Trades, report.Fault)
			case c.reason == "":
			case report.Fault == nil || report.Fault.Leaf == nil || *report.Fault.Leaf != at || !strings.Contains(report.Fault.Reason, c.reason):
				t.Errorf("%v, want leaf %d reported for %q", report.Fault, at, c.reason)
			}
		})
	}
}
