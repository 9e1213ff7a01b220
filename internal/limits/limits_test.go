package limits

import (
	"math/rand/v2"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

func utc(text string) time.Time {
	at, err := time.Parse("2006-01-02T15:04:05.999999", text)
	if err != nil {
		panic(err)
	}
	return at
}

func TestSpansBeginAndEndInUTC(t *testing.T) {
	for _, c := range []struct {
		at         string
		span       Span
		began, end string
	}{
		{"2026-03-04T12:00:00", Day, "2026-03-04T00:00:00", "2026-03-05T00:00:00"},
		{"2026-03-04T00:00:00", Day, "2026-03-04T00:00:00", "2026-03-05T00:00:00"},
		{"2026-03-04T23:59:59.999999", Day, "2026-03-04T00:00:00", "2026-03-05T00:00:00"},
		{"2026-03-08T23:59:59.999999", Week, "2026-03-02T00:00:00", "2026-03-09T00:00:00"}, // a Sunday
		{"2026-03-09T00:00:00", Week, "2026-03-09T00:00:00", "2026-03-16T00:00:00"},
		{"2026-01-01T05:00:00", Week, "2025-12-29T00:00:00", "2026-01-05T00:00:00"},
		{"1970-01-01T00:00:00", Week, "1969-12-29T00:00:00", "1970-01-05T00:00:00"},
		{"2028-02-29T23:59:59", Month, "2028-02-01T00:00:00", "2028-03-01T00:00:00"},
		{"2026-12-31T23:59:59.999999", Month, "2026-12-01T00:00:00", "2027-01-01T00:00:00"},
	} {
		began, end := db.Time(c.span.Began(db.Micros(utc(c.at)))), c.span.Ends(utc(c.at))
		if !began.Equal(utc(c.began)) || !end.Equal(utc(c.end)) {
			t.Errorf("span %d of %s is from %s to %s, want %s to %s", c.span, c.at, began, end, c.began, c.end)
		}
	}
}

// happened is an act as recorded by the model.
type happened struct {
	at              time.Time
	lost, deposited money.Cents
	paid            money.Cents
}

// For acts in any order of time, the counters equal the sum over all acts, and an open is allowed
// exactly if every limit leaves its price.
func TestCountersMatchModel(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 8))
		now := utc("2026-01-29T20:00:00")
		p := ledger.PlayLimits{
			LossLimits:    ledger.Spans{money.Cents(random.IntN(400)), money.Cents(random.IntN(900)), ledger.NoLimit},
			DepositLimits: ledger.Spans{money.Cents(random.IntN(900)), ledger.NoLimit, money.Cents(random.IntN(3000))},
		}
		var all []happened
		for range 300 {
			now = now.Add(time.Duration(random.IntN(9*3600)) * time.Second)
			amount := money.Cents(1 + random.IntN(100))
			p, all = step(t, p, all, now, amount, random.IntN(3))
		}
	}
}

func step(t *testing.T, p ledger.PlayLimits, all []happened, now time.Time, amount money.Cents, what int) (ledger.PlayLimits, []happened) {
	t.Helper()
	sum := func(s Span, of func(happened) money.Cents) (total money.Cents) {
		for _, h := range all {
			if !h.at.Before(db.Time(s.Began(db.Micros(now)))) {
				total += of(h)
			}
		}
		return total
	}
	lost, deposited := func(h happened) money.Cents { return h.lost }, func(h happened) money.Cents { return h.deposited }
	var fits [2]bool
	fits[0], fits[1] = true, true
	for _, s := range spans {
		fits[0] = fits[0] && (p.LossLimits[s] < 0 || sum(s, lost)+amount <= p.LossLimits[s]) && (p.DepositLimits[s] < 0 || sum(s, deposited) <= p.DepositLimits[s])
		fits[1] = fits[1] && (p.DepositLimits[s] < 0 || sum(s, deposited)+amount <= p.DepositLimits[s])
	}
	switch what {
	case 0:
		opened, err := CountOpen(p, now, amount, houserules.Default())
		if (err == nil) != fits[0] {
			t.Fatalf("an open for %s at %s: %v, the model says %v", amount, now, err, fits[0])
		}
		if err == nil {
			p, all = opened, append(all, happened{now, amount, 0, amount})
		}
	case 1:
		if err := CheckDeposit(p, now, amount, 0); (err == nil) != fits[1] {
			t.Fatalf("a deposit of %s at %s: %v, the model says %v", amount, now, err, fits[1])
		}
		p, all = CountDeposit(p, now, amount), append(all, happened{at: now, deposited: amount})
	case 2:
		p, all = addAmounts(p, now, -amount, amount/2), append(all, happened{at: now, lost: -amount, deposited: amount / 2})
	}
	counts := resetSpans(p, now)
	for _, s := range spans {
		if counts.Lost[s] != sum(s, lost) || counts.Deposited[s] != sum(s, deposited) {
			t.Fatalf("%+v is counted at %s, the model has %s and %s for span %d", counts, now, sum(s, lost), sum(s, deposited), s)
		}
	}
	if paid := sum(Day, func(h happened) money.Cents { return h.paid }); counts.Spent != paid {
		t.Fatalf("%s is spent, the model has %s", counts.Spent, paid)
	}
	return p, all
}

func TestSaleBackAndExcess(t *testing.T) {
	for _, c := range []struct {
		sale         CountedSale
		back, excess money.Cents
	}{
		{CountedSale{Own: true, Net: 80, Quote: 90, Value: 100}, 80, 0},
		{CountedSale{Own: true, Net: 190, Quote: 90, Value: 100}, 90, 0},  // a sale to a friend
		{CountedSale{Own: true, Net: 250, Quote: 90, Value: 100}, 90, 50}, // an inflated price
		{CountedSale{Net: 80, Quote: 90, Value: 100}, 0, 0},               // a bought entry
		{CountedSale{Net: 201, Quote: 90, Value: 100}, 0, 1},
		{CountedSale{Gift: true, Net: 80, Quote: 90, Value: 100}, 0, 80}, // a gift
	} {
		if c.sale.Back() != c.back || c.sale.Excess() != c.excess {
			t.Errorf("%+v counts for %s and %s, want %s and %s", c.sale, c.sale.Back(), c.sale.Excess(), c.back, c.excess)
		}
	}
}

func TestStopped(t *testing.T) {
	now := utc("2026-03-04T12:00:00")
	later := db.Micros(now) + 1
	for _, c := range []struct {
		p    ledger.PlayLimits
		code apperr.Code
	}{
		{ledger.PlayLimits{TimedOut: later}, apperr.TimedOut},
		{ledger.PlayLimits{Excluded: later}, apperr.Excluded},
		{ledger.PlayLimits{Excluded: Forever, TimedOut: later}, apperr.Excluded},
	} {
		if err := CheckStopped(c.p, now); !apperr.IsCode(err, c.code) {
			t.Errorf("%+v gets %v, want %s", c.p, err, c.code)
		}
	}
	if err := CheckStopped(ledger.PlayLimits{TimedOut: later, Excluded: later}, now.Add(time.Microsecond)); err != nil {
		t.Errorf("after its end: %v", err)
	}
}
