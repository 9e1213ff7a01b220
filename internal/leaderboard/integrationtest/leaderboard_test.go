package integrationtest_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/leaderboard"
)

type entry struct {
	Rank     int64
	Username string
	Value    int64
}

type place struct {
	Rank, Position *int64
	Value          int64
}

// sum is a player's expected totals in one period.
type sum map[string]int64

func (s sum) add(price, best int64) {
	s["VOLUME"] += price
	s["PACKS"]++
	s["TOP_PULL"] = max(s["TOP_PULL"], best)
}

type player struct {
	*apptest.Client
	name         string
	ever, weekly sum
}

// world is a server with players and their expected boards.
type world struct {
	*apptest.Server
	clock   *dbtest.Clock
	players []*player
}

func newWorld(t *testing.T, engine string, players int) *world {
	t.Helper()
	clock := dbtest.NewClock()
	w := &world{Server: apptest.Start(t, apptest.Config(t, engine, apptest.At(clock))), clock: clock}
	for n := range players {
		p := &player{w.SignIn(t), fmt.Sprint("Player ", n), sum{}, sum{}}
		p.Call(t, http.MethodPatch, "/api/auth/user", map[string]any{"firstName": p.name}).Want(t, http.StatusOK, nil)
		p.Deposit(t, 10000)
		w.players = append(w.players, p)
	}
	return w
}

func (w *world) open(t *testing.T, p *player, pack string, price int64) {
	t.Helper()
	w.clock.Advance(time.Millisecond)
	pulled := open(t, p.Client, pack, "seed")
	var best int64
	for _, item := range pulled.Items {
		best = max(best, item.BaseValueCents)
	}
	p.ever.add(price, best)
	p.weekly.add(price, best)
}

// check compares every board and rank with the expected ones, and runs the audit.
func (w *world) check(t *testing.T) {
	t.Helper()
	w.WaitForLog(t)
	w.clock.Advance(time.Second)
	for _, period := range []string{"ALL_TIME", "WEEKLY"} {
		for _, metric := range []string{"VOLUME", "PACKS", "TOP_PULL"} {
			w.checkBoard(t, period, metric)
		}
	}
	w.Audit(t)
}

func (w *world) checkBoard(t *testing.T, period, metric string) {
	t.Helper()
	values := map[string]int64{}
	var sorted []int64
	for _, p := range w.players {
		known := p.ever
		if period == "WEEKLY" {
			known = p.weekly
		}
		if known["PACKS"] > 0 {
			values[p.name] = known[metric]
			sorted = append(sorted, known[metric])
		}
	}
	slices.Sort(sorted)
	slices.Reverse(sorted)
	query := "?period=" + period + "&metric=" + metric
	answer := w.NewClient(t).Get(t, "/api/leaderboard"+query+"&limit=200")
	var entries []entry
	answer.Want(t, http.StatusOK, &entries)
	if answer.Header.Get("X-Total-Count") != strconv.Itoa(len(sorted)) || len(entries) != len(sorted) {
		t.Fatalf("%s: %d entries of %s, want %d: %s", query, len(entries), answer.Header.Get("X-Total-Count"), len(sorted), answer.Body)
	}
	for n, e := range entries {
		if e.Value != sorted[n] || e.Value != values[e.Username] || e.Rank != int64(slices.Index(sorted, e.Value)+1) {
			t.Errorf("%s: place %d is %+v, want value %d", query, n, e, sorted[n])
		}
	}
	for _, p := range w.players {
		var mine place
		p.Get(t, "/api/leaderboard/me"+query).Want(t, http.StatusOK, &mine)
		value, playing := values[p.name]
		switch {
		case !playing && (mine.Rank != nil || mine.Position != nil):
			t.Errorf("%s: %s did not play and is %+v", query, p.name, mine)
		case playing && (mine.Value != value || *mine.Rank != int64(slices.Index(sorted, value)+1) || entries[*mine.Position].Username != p.name):
			t.Errorf("%s: %s is %d at %d with %d, want value %d", query, p.name, *mine.Rank, *mine.Position, mine.Value, value)
		}
	}
}

// Players without a name have a number that is the same on every board.
func TestUnnamedPlayersHaveStableNumbers(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		for range 3 {
			p := s.SignIn(t)
			p.Deposit(t, 100)
			clock.Advance(time.Millisecond)
			open(t, p, "2", "seed")
		}
		s.WaitForLog(t)
		clock.Advance(time.Second)
		type leader struct {
			Username            string
			Rank, Number, Value int64
		}
		numbers := func(query string) map[int64]bool {
			found := map[int64]bool{}
			for _, l := range apptest.Get[[]leader](t, s.NewClient(t), "/api/leaderboard?"+query) {
				if l.Username != "" || l.Number < 1 || found[l.Number] {
					t.Errorf("%s: %+v, earlier numbers %v", query, l, found)
				}
				found[l.Number] = true
			}
			return found
		}
		want := map[int64]bool{1: true, 2: true, 3: true}
		for _, query := range []string{"metric=PACKS", "metric=VOLUME", "metric=TOP_PULL", "metric=PACKS&period=WEEKLY"} {
			if found := numbers(query); !maps.Equal(found, want) {
				t.Errorf("%s: numbers %v", query, found)
			}
		}
		top := func(query string) int64 {
			return apptest.Get[[]leader](t, s.NewClient(t), "/api/leaderboard?"+query)[0].Number
		}
		if all, week := top("metric=TOP_PULL"), top("metric=TOP_PULL&period=WEEKLY"); all != week {
			t.Errorf("the player has numbers %d and %d", all, week)
		}
		s.Audit(t)
	})
}

func TestLeaderboard(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			w := newWorld(t, engine, 6)
			w.check(t)
			random := rand.New(rand.NewPCG(1, 2))
			prices := map[string]int64{"2": 2500, "7": 4000, "demo-pack-1": 2500}
			for round := range 5 {
				for range 12 {
					// The last player never opens.
					p := w.players[random.IntN(len(w.players)-1)]
					for pack, price := range prices {
						w.open(t, p, pack, price)
						break
					}
				}
				w.check(t)
				if round == 2 {
					w.nextWeek(t)
					w.check(t)
				}
			}
		})
	}
}

// nextWeek advances to Monday, 00:00 UTC, when the weekly boards restart.
func (w *world) nextWeek(t *testing.T) {
	t.Helper()
	now := w.clock.Now()
	days := (8 - int(now.Weekday())) % 7
	monday := time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, time.UTC)
	w.clock.Advance(monday.Sub(now))
	for _, p := range w.players {
		p.weekly = sum{}
		p.SignIn(t) // the session has expired
	}
}

func TestLeaderboardRefusesInvalidQueries(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		visitor := s.NewClient(t)
		for _, query := range []string{"?period=DAILY", "?metric=LOSSES", "?limit=0", "?limit=201"} {
			visitor.Get(t, "/api/leaderboard"+query).Want(t, http.StatusUnprocessableEntity, nil)
		}
		visitor.Get(t, "/api/leaderboard/me").Want(t, http.StatusUnauthorized, nil)
	})
}

func TestAuditDetectsDamage(t *testing.T) {
	undone := errors.New("undone")
	for _, engine := range dbtest.Engines() {
		w := newWorld(t, engine, 1)
		w.open(t, w.players[0], "2", 2500)
		w.check(t)
		for _, damage := range []string{
			`UPDATE standings SET week_packs = week_packs + 1`,
			`DELETE FROM leaders WHERE metric = 'PACKS'`,
			`UPDATE leaders SET list = REPLACE(list, '"value":', '"value":1') WHERE metric = 'VOLUME'`,
			`UPDATE standing_counts SET players = players + 1 WHERE level = 2`,
		} {
			t.Run(engine+" "+damage, func(t *testing.T) {
				err := w.DB.InTx(t.Context(), func(tx *db.Tx) error {
					if _, err := tx.Exec(damage); err != nil {
						return err
					}
					found, err := leaderboard.Audit(tx)
					if err == nil && len(found) == 0 {
						t.Error("the audit finds nothing")
					}
					return cmp.Or(err, undone)
				})
				if !errors.Is(err, undone) {
					t.Fatal(err)
				}
			})
		}
		w.check(t)
	}
}
