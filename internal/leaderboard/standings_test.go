package leaderboard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

func TestWeeksBeginOnMonday(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04T12:00:00Z":        "2026-03-02T00:00:00Z",
		"2026-03-02T00:00:00Z":        "2026-03-02T00:00:00Z",
		"2026-03-01T23:59:59.999999Z": "2026-02-23T00:00:00Z",
		"2026-03-02T07:00:00+08:00":   "2026-02-23T00:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := db.Time(int64(weekOf(at))).Format(time.RFC3339); got != want {
			t.Errorf("the week of %s began at %s, want %s", text, got, want)
		}
	}
}

func TestAboveCoversEveryHigherValueOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		value, other := random.Int64N(1<<random.IntN(45)+1), random.Int64N(1<<random.IntN(45)+1)
		covered := 0
		for _, s := range bucketsAbove(value) {
			if slot := other >> (radix * s.level); slot >= s.low && slot <= s.high {
				covered++
			}
		}
		if want := map[bool]int{true: 1, false: 0}[other > value]; covered != want {
			t.Fatalf("%d is covered %d times by above(%d)", other, covered, value)
		}
	}
}

// enrol inserts users without any data.
func enrol(tb testing.TB, d *db.DB, from, to int) {
	tb.Helper()
	if err := d.InTx(tb.Context(), func(tx *db.Tx) error {
		rows := db.Rows{Columns: []string{"id", "wallet_address", "tag", "tag_salt", "created_at"}}
		for n := from; n < to; n++ {
			name := fmt.Sprintf("u%07d", n)
			rows.Add(db.ID(dbtest.ID(name)), name, name, []byte{0}, 0)
		}
		return tx.InsertRows("users", rows)
	}); err != nil {
		tb.Fatal(err)
	}
}

func pulled(user int, at time.Time, price, value money.Cents) publiclog.Draw {
	return publiclog.Draw{DrawHead: protocol.DrawHead{User: fmt.Sprintf("u%07d", user)}, Price: price, Time: at, Items: []protocol.LeafItem{{Card: "x", Value: value}}}
}

func count(tb testing.TB, d *db.DB, opens []publiclog.Draw) {
	tb.Helper()
	if err := d.InTx(tb.Context(), func(tx *db.Tx) error { return countOpens(tx, opens) }); err != nil {
		tb.Fatal(err)
	}
}

func expectNoBreaches(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		for _, check := range []func(*db.Tx) ([]audit.Breach, error){findWrongCounts, findWrongLeaders} {
			found, err := check(tx)
			if err != nil {
				return err
			}
			for _, b := range found {
				t.Errorf("the audit finds %+v, want no breach", b)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, d *db.DB, r ranking) (found []leader) {
	t.Helper()
	read(t, d, func(tx *db.Tx) (err error) {
		found, err = leadersOf(tx, r)
		return err
	})
	return found
}

func TestMorePlayersThanLeaders(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const players = storedLeaders + 60
		enrol(t, d, 0, players)
		now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		values := make([]money.Cents, players)
		random := rand.New(rand.NewPCG(5, 6))
		for range 12 {
			var opens []publiclog.Draw
			for range 100 {
				user, price := random.IntN(players), money.Cents(random.IntN(2_000_000))
				values[user] += price
				opens = append(opens, pulled(user, now, price, price))
			}
			count(t, d, opens)
			expectNoBreaches(t, d)
		}
		slices.Sort(values)
		slices.Reverse(values)
		for n, l := range list(t, d, ranking{allTime, Volume}) {
			if l.Value != int64(values[n]) {
				t.Fatalf("place %d has %d, want %d", n, l.Value, values[n])
			}
		}
	})
}

func TestTiesAreOrderedByTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		enrol(t, d, 0, 2)
		now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		count(t, d, []publiclog.Draw{pulled(1, now, 2500, 10)})
		count(t, d, []publiclog.Draw{pulled(0, now.Add(time.Second), 2500, 10)})
		found := list(t, d, ranking{allTime, Packs})
		if len(found) != 2 || found[0].Player != "u0000001" {
			t.Errorf("leaders are %+v, want 2, the earlier one first", found)
		}
		read(t, d, func(tx *db.Tx) error {
			board, err := readBoard(tx, ranking{allTime, Packs}, storedLeaders)
			if err == nil && (board.Body[0].Rank != 1 || board.Body[1].Rank != 1) {
				t.Errorf("tied players have different ranks: %+v", board.Body)
			}
			return err
		})
	})
}

// An open from Sunday may be logged after opens from Monday.
func TestLateOpenOfLastWeek(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		enrol(t, d, 0, 3)
		monday := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
		count(t, d, []publiclog.Draw{pulled(0, monday.Add(-time.Hour), 2500, 10)})
		count(t, d, []publiclog.Draw{pulled(0, monday, 2500, 10), pulled(1, monday, 2500, 10)})
		count(t, d, []publiclog.Draw{pulled(0, monday.Add(-time.Second), 2500, 10), pulled(2, monday.Add(-time.Second), 2500, 10)})
		expectNoBreaches(t, d)
		if week := list(t, d, ranking{weekOf(monday), Packs}); len(week) != 2 || week[0].Value != 1 {
			t.Errorf("the week has %+v", week)
		}
		if ever := list(t, d, ranking{allTime, Packs}); len(ever) != 3 || ever[0].Value != 3 {
			t.Errorf("all time has %+v", ever)
		}
	})
}

// BenchmarkMillion reads a board and a rank among a million players.
func BenchmarkMillion(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		d := dbtest.Open(b, dbtest.Options(b, engine))
		const players, batch = 1_000_000, 5000
		random := rand.New(rand.NewPCG(7, 8))
		now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		for from := 0; from < players; from += batch {
			enrol(b, d, from, from+batch)
			opens := make([]publiclog.Draw, batch)
			for n := range opens {
				packs := money.Cents(1 + random.ExpFloat64()*10)
				opens[n] = pulled(from+n, now, packs*2500, money.Cents(random.IntN(300_000)))
			}
			count(b, d, opens)
		}
		r := ranking{allTime, Volume}
		b.Run(engine+"/board", func(b *testing.B) {
			for b.Loop() {
				read(b, d, func(tx *db.Tx) error { _, err := readBoard(tx, r, storedLeaders); return err })
			}
		})
		b.Run(engine+"/rank", func(b *testing.B) {
			for b.Loop() {
				user := fmt.Sprintf("u%07d", random.IntN(players))
				read(b, d, func(tx *db.Tx) error {
					_, err := myRank(tx, ranking{allTime, metrics[random.IntN(3)]}, user)
					return err
				})
			}
		})
		b.Run(engine+"/count512", func(b *testing.B) {
			for b.Loop() {
				opens := make([]publiclog.Draw, 512)
				for n := range opens {
					opens[n] = pulled(random.IntN(players), now, 2500, money.Cents(random.IntN(300_000)))
				}
				count(b, d, opens)
			}
		})
	}
}

func read(b testing.TB, d *db.DB, read func(*db.Tx) error) {
	b.Helper()
	if err := d.Read(b.Context(), read); err != nil {
		b.Fatal(err)
	}
}
