package protocol

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/money"
)

const bidText = "kaibao-bid/v1\nid 0190-d\nscope grade=90&series=Pok%C3%A9mon\npeg 95\nmost 1000\nquantity 3\nleft 2\n" +
	"expires 2026-02-01T03:04:05.678Z\ntime 2026-01-02T03:04:05.678Z\n"

func TestParseBid(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	want := BidNote{ID: "0190-d", Scope: "grade=90&series=Pok%C3%A9mon", Peg: 95, Max: 10_00, Quantity: 3, Left: 2, Expires: at.AddDate(0, 0, 30), Time: at}
	if got, err := ParseBid([]byte(bidText)); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestParseBidRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"bid/v1", "bid/v2", "line 1: expected kaibao-bid/v1"},
		{"id 0190-d", "id 0190_d", "line 2: not an id"},
		{"scope grade=90&series=Pok%C3%A9mon", "scope ", "line 3: not a text"},
		{"peg 95", "peg 121", "line 4: too large"},
		{"most 1000", "most 0", "line 5: must be at least 1"},
		{"most 1000", "most 1e3", "line 5: not a canonical decimal"},
		{"quantity 3", "quantity 0", "line 6: must be at least 1"},
		{"left 2", "left 4", "line 7: too large"},
		{"expires 2026-02-01", "expires 2026-01-01", "line 9: a bid must expire after"},
		{"5.678Z\ntime", "5.678Z\nstate open\ntime", "line 9: expected time"},
		{"time 2026-01-02T03:04:05.678Z\n", "time 2026-01-02T03:04:05.678Z", "line 9: missing newline"},
		{"05.678Z\n", "05.678Z\n\n", "line 9: expected time"},
	} {
		if !strings.Contains(bidText, c.old) {
			t.Fatalf("the bid has no %q", c.old)
		}
		if b, err := ParseBid([]byte(strings.Replace(bidText, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q: got %+v, %v; want %q", c.new, b, err, c.want)
		}
	}
}

func TestBidRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 1<<40).Draw(t, "time")).UTC()
		b := BidNote{
			ID: ids.Draw(t, "id"), Scope: labels.Draw(t, "scope"), Peg: rapid.Int64Range(0, 120).Draw(t, "peg"),
			Max: money.Cents(rapid.Int64Range(1, int64(MaxAmount)).Draw(t, "most")), Quantity: rapid.Int64Range(1, 1<<40).Draw(t, "quantity"), Time: at,
		}
		b.Left = rapid.Int64Range(0, b.Quantity).Draw(t, "left")
		b.Expires = at.Add(time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "left to stand")) * time.Millisecond)
		if got, err := ParseBid(b.Format()); err != nil || got != b {
			t.Fatalf("%v: %+v read back as %+v", err, b, got)
		}
	})
}
