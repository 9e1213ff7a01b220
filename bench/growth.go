package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"kaibao/internal/db"
)

// growth measures opens in databases that hold much already. The players sign in
// first, and the old rows are then written all around theirs, so that an open finds
// its places in the indexes as scattered as years of use would leave them.
type growth struct {
	*bench
	grown []*grown
}

// grown is a database with a number of items.
type grown struct {
	storage
	engine  string
	items   int
	players []*player
}

const (
	playing = 1000
	// neighbours of each player: together 100,000 users.
	neighbours = 100
	// chunk is how many opens are written in one transaction.
	chunk = 100_000
	// atOnce is how many players open at the same time; it divides playing, so that
	// each of them has one request under way.
	atOnce = 20
)

func (g *growth) prepare(ctx context.Context) error {
	var workers sync.WaitGroup
	failures := make([]error, 2)
	for n, engine := range []string{"PostgreSQL", "SQLite"} {
		for _, items := range g.sizes {
			s, err := g.place(ctx, engine, "items_"+strconv.Itoa(items))
			if err != nil {
				return err
			}
			g.grown = append(g.grown, &grown{storage: s, engine: engine, items: items})
		}
		workers.Go(func() {
			for _, d := range g.grown[n*len(g.sizes):] {
				if d.engine == engine && failures[n] == nil {
					failures[n] = g.grow(ctx, d)
				}
			}
		})
	}
	workers.Wait()
	return errors.Join(failures...)
}

func (g *growth) grow(ctx context.Context, d *grown) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	if d.players, err = signIn(ctx, s.url, playing); err != nil {
		return fmt.Errorf("sign in to %s: %w", d.name, err)
	}
	if err := s.stop(); err != nil {
		return err
	}
	if err := g.fill(ctx, d); err != nil {
		return fmt.Errorf("fill %s: %w", d.name, err)
	}
	if err := g.sequence(ctx, d); err != nil {
		return fmt.Errorf("place the leaves of %s: %w", d.name, err)
	}
	if d.url != "" { // at rest, as after a night of autovacuum
		if err := g.cluster.script(ctx, d.url, "VACUUM ANALYZE; CHECKPOINT;"); err != nil {
			return err
		}
	}
	g.say("filled %s with %d items", d.engine, d.items)
	return nil
}

// sequence lets a server put the old opens into the log's tree.
func (g *growth) sequence(ctx context.Context, d *grown) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	for begin, placed := time.Now(), int64(0); placed < int64(d.items); {
		if err := rest(ctx, 100*time.Millisecond); err != nil {
			return err
		}
		var draws struct{ Opens int64 }
		body, err := s.get(ctx, "/api/fairness/draws")
		if err == nil {
			err = json.Unmarshal(body, &draws)
		}
		if err != nil {
			return err
		}
		placed = draws.Opens
		g.note(d.label()+" placing", float64(placed)/time.Since(begin).Seconds())
	}
	return s.stop()
}

// fill writes the old users and their opens, chunk by chunk.
func (g *growth) fill(ctx context.Context, d *grown) (err error) {
	execute := g.onPostgres(d)
	if d.url == "" {
		database, err := db.Open(ctx, db.Options{Dir: d.dir})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, database.Close()) }()
		execute = onSQLite(database)
	}
	each := max(1, d.items/(playing*neighbours))
	words := []string{
		"@neighbours", strconv.Itoa(neighbours), "@owners", strconv.Itoa(d.items / each), "@each", strconv.Itoa(each),
		"@price", "2500", "@pack", ordinaryPack, "@now", strconv.FormatInt(db.Micros(time.Now()), 10),
		"@leaf", strings.Repeat("0123456789abcdef", 32),
	}
	if err := execute(ctx, script("fill.sql", words...)); err != nil {
		return err
	}
	for first := 0; first < d.items; first += chunk {
		last := min(first+chunk, d.items)
		words := append(words, "@first", strconv.Itoa(first), "@last", strconv.Itoa(last))
		if err := execute(ctx, script("fill_opens.sql", words...)); err != nil {
			return err
		}
	}
	return nil
}

// script is a file of statements with values for its words.
func script(file string, words ...string) string {
	text, err := scripts.ReadFile(file)
	if err != nil {
		panic(err) // it is embedded
	}
	return strings.NewReplacer(words...).Replace(string(text))
}

// onPostgres leaves the foreign keys unchecked, row by row the most of the work;
// the audit follows all of them.
func (g *growth) onPostgres(d *grown) func(context.Context, string) error {
	before := "SET session_replication_role = replica; SET client_min_messages = warning;\n" + script("fill_postgres.sql")
	return func(ctx context.Context, text string) error {
		return g.cluster.script(ctx, d.url, before+text)
	}
}

func onSQLite(database *db.DB) func(context.Context, string) error {
	return func(ctx context.Context, text string) error {
		return database.InTx(ctx, func(tx *db.Tx) error {
			for statement := range strings.SplitSeq(strings.TrimSpace(text), ";\n\n") {
				if _, err := tx.Exec(statement); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func (g *growth) round(ctx context.Context) error {
	for _, d := range g.grown {
		s, err := g.serve(ctx, d.storage)
		if err != nil {
			return err
		}
		name := d.label()
		g.note(name+" restart", s.started.Seconds()*1000)
		// A server that has just started has nothing of the database in memory.
		if _, err := play(ctx, s.url, d.players, g.span/4); err != nil {
			return err
		}
		times, err := play(ctx, s.url, d.players, g.span*3/4)
		if err != nil {
			return fmt.Errorf("open on %s: %w", d.name, err)
		}
		g.note(name+" p50", percentile(times, 0.5))
		g.note(name+" growth", percentile(times, 0.5)/g.latest(d.smallest(g.sizes)+" p50"))
		g.say("%s: %d opens, p50 %.2f ms, started in %.0f ms", name, len(times), g.latest(name+" p50"), g.latest(name+" restart"))
		if err := s.stop(); err != nil {
			return err
		}
	}
	return nil
}

func (d *grown) label() string { return fmt.Sprintf("%s of %d", d.engine, d.items) }

func (d *grown) smallest(sizes []int) string { return fmt.Sprintf("%s of %d", d.engine, sizes[0]) }

func (g *growth) finish(ctx context.Context) error {
	for _, d := range g.grown {
		if err := g.audit(ctx, d.storage); err != nil {
			return err
		}
	}
	return nil
}
