package verify_test

import (
	"strings"
	"testing"
	"time"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// announceRates announces new rates. change can forge the leaf.
func (w *testLog) announceRates(listing money.BasisPoints, change func(*protocol.RatesLeaf)) int64 {
	l := protocol.RatesLeaf{Rates: protocol.Rates{Listing: listing, Bid: 200, Counter: 500}, Effective: w.now.Add(protocol.RatesNotice), Time: w.now}
	if change != nil {
		change(&l)
	}
	return w.append(l)
}

// addSale logs the purchase of a $10 listing at the given rate.
func (w *testLog) addSale(id string, rate money.BasisPoints) int64 {
	return w.addTrade(id, func(l *protocol.TradeLeaf) { l.Fee, l.Rate = money.Cents(1000).RoundedPart(rate), rate })
}

// Each trade uses the announced rate in force at its time: the previous rate until a change takes
// effect, and FirstRates before any change.
func TestTradesUseAnnouncedRate(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		cheat  func(w *testLog) int64
		reason string // empty = valid
	}{
		"honest": {func(w *testLog) int64 {
			w.addSale("before", 500)
			w.announceRates(400, nil)
			w.addSale("announced", 500)
			w.now = w.now.Add(day - time.Millisecond)
			w.addSale("a-moment-before", 500)
			w.announceRates(600, nil)
			w.now = w.now.Add(time.Millisecond)
			w.addSale("in-force", 400)
			w.now = w.now.Add(day)
			return w.addSale("in-force-after-that", 600)
		}, ""},
		"a change that is taken back": {func(w *testLog) int64 {
			w.announceRates(400, nil)
			w.announceRates(500, nil)
			w.now = w.now.Add(day)
			return w.addSale("at-the-first-rate", 500)
		}, ""},
		"too early": {func(w *testLog) int64 {
			w.announceRates(400, nil)
			w.now = w.now.Add(day - time.Millisecond)
			return w.addSale("t", 400)
		}, "is 4 %, but the announced rate in force was 5 %"},
		"too late": {func(w *testLog) int64 {
			w.announceRates(400, nil)
			w.now = w.now.Add(day)
			return w.addSale("t", 500)
		}, "is 5 %, but the announced rate in force was 4 %"},
		"never announced": {func(w *testLog) int64 { return w.addSale("t", 600) }, "is 6 %"},
		"by a leaf without a rate": {func(w *testLog) int64 {
			w.announceRates(400, nil)
			w.now = w.now.Add(day)
			return w.addTrade("t", func(l *protocol.TradeLeaf) { l.V1, l.Rate = true, 0 })
		}, "the announced rate in force was 4 %"},
		"too short a notice": {func(w *testLog) int64 {
			return w.announceRates(400, func(l *protocol.RatesLeaf) { l.Effective = l.Effective.Add(-time.Millisecond) })
		}, "must be at least 24h0m0s"},
		"out of order": {func(w *testLog) int64 {
			w.announceRates(400, func(l *protocol.RatesLeaf) { l.Effective = l.Effective.Add(time.Hour) })
			return w.announceRates(300, nil)
		}, "before the previously announced ones"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestLog(t, 1)
			at := c.cheat(w)
			report := checkLog(t, verify.Options{Location: w.writeMirror(t)})
			switch fault := report.Fault; {
			case c.reason == "" && (fault != nil || report.Rates == 0):
				t.Errorf("%d changes: %v", report.Rates, fault)
			case c.reason != "" && (fault == nil || fault.Leaf == nil || *fault.Leaf != at || !strings.Contains(fault.Reason, c.reason)):
				t.Errorf("%v, want leaf %d reported for %q", fault, at, c.reason)
			}
		})
	}
}
