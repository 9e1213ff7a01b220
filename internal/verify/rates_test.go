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
func (log *testLog) announceRates(listing money.BasisPoints, change func(*protocol.RatesLeaf)) int64 {
	l := protocol.RatesLeaf{Rates: protocol.Rates{Listing: listing, Bid: 200, Counter: 500}, Effective: log.now.Add(protocol.RatesNotice), Time: log.now}
	if change != nil {
		change(&l)
	}
	return log.append(l)
}

// addSale logs the purchase of a $10 listing at the given rate.
func (log *testLog) addSale(id string, rate money.BasisPoints) int64 {
	return log.addTrade(id, func(l *protocol.TradeLeaf) { l.Fee, l.Rate = money.Cents(1000).RoundedPart(rate), rate })
}

// Each trade uses the announced rate in force at its time: the previous rate until a change takes
// effect, and FirstRates before any change.
func TestTradesUseAnnouncedRate(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		cheat  func(log *testLog) int64
		reason string // empty = valid
	}{
		"honest": {func(log *testLog) int64 {
			log.addSale("before", 500)
			log.announceRates(400, nil)
			log.addSale("announced", 500)
			log.now = log.now.Add(day - time.Millisecond)
			log.addSale("a-moment-before", 500)
			log.announceRates(600, nil)
			log.now = log.now.Add(time.Millisecond)
			log.addSale("in-force", 400)
			log.now = log.now.Add(day)
			return log.addSale("in-force-after-that", 600)
		}, ""},
		"a change that is taken back": {func(log *testLog) int64 {
			log.announceRates(400, nil)
			log.announceRates(500, nil)
			log.now = log.now.Add(day)
			return log.addSale("at-the-first-rate", 500)
		}, ""},
		"too early": {func(log *testLog) int64 {
			log.announceRates(400, nil)
			log.now = log.now.Add(day - time.Millisecond)
			return log.addSale("t", 400)
		}, "is 4 %, but the announced rate in force was 5 %"},
		"too late": {func(log *testLog) int64 {
			log.announceRates(400, nil)
			log.now = log.now.Add(day)
			return log.addSale("t", 500)
		}, "is 5 %, but the announced rate in force was 4 %"},
		"never announced": {func(log *testLog) int64 { return log.addSale("t", 600) }, "is 6 %"},
		"by a leaf without a rate": {func(log *testLog) int64 {
			log.announceRates(400, nil)
			log.now = log.now.Add(day)
			return log.addTrade("t", func(l *protocol.TradeLeaf) { l.V1, l.Rate = true, 0 })
		}, "the announced rate in force was 4 %"},
		"too short a notice": {func(log *testLog) int64 {
			return log.announceRates(400, func(l *protocol.RatesLeaf) { l.Effective = l.Effective.Add(-time.Millisecond) })
		}, "must be at least 24h0m0s"},
		"out of order": {func(log *testLog) int64 {
			log.announceRates(400, func(l *protocol.RatesLeaf) { l.Effective = l.Effective.Add(time.Hour) })
			return log.announceRates(300, nil)
		}, "before the previously announced ones"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newTestLog(t, 1)
			at := c.cheat(log)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			switch fault := report.Fault; {
			case c.reason == "" && (fault != nil || report.Rates == 0):
				t.Errorf("%d changes: %v", report.Rates, fault)
			case c.reason != "" && (fault == nil || fault.Leaf == nil || *fault.Leaf != at || !strings.Contains(fault.Reason, c.reason)):
				t.Errorf("%v, want leaf %d reported for %q", fault, at, c.reason)
			}
		})
	}
}
