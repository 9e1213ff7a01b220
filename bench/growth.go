package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kaibao/internal/loadgen"
)

// growth measures opens in databases that already contain much data. Players sign in first; then
// old users are created with ids between theirs, so that an open touches index pages as scattered
// as after years of use.
type growth struct {
	*bench
	grown []*grown
}

// grown is a database with a number of items.
type grown struct {
	storage
	engine  string
	items   int
	players loadgen.Players
}

// atOnce is the number of concurrent players. It divides their number, so that each has at most one
// request in flight.
const atOnce = 20

func (g *growth) prepare(ctx context.Context) error {
	for _, engine := range engines {
		for _, items := range g.sizes {
			s, err := g.place(ctx, engine, "items_"+strconv.Itoa(items))
			if err != nil {
				return err
			}
			g.grown = append(g.grown, &grown{storage: s, engine: engine, items: items})
		}
	}
	return together(ctx, len(engines), len(engines), func(ctx context.Context, n int) error {
		for _, d := range g.grown[n*len(g.sizes) : (n+1)*len(g.sizes)] {
			if err := g.grow(ctx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

func (g *growth) grow(ctx context.Context, d *grown) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	d.players, err = loadgen.NewPlayers(ctx, g.playing, s.load(atOnce))
	if err != nil {
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
	if d.url != "" { // as after a night of autovacuum
		if err := g.cluster.script(ctx, d.url, "VACUUM ANALYZE; CHECKPOINT;"); err != nil {
			return err
		}
	}
	g.say("filled %s with %d items", d.engine, d.items)
	return nil
}

// sequence runs a server until the log's tree contains all old opens and all followers have counted
// them, since that work would compete with the measured opens.
func (g *growth) sequence(ctx context.Context, d *grown) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	begin := time.Now()
	err = s.until(ctx, func() (left int64, err error) {
		var draws struct{ Opens int64 }
		var ready struct{ Jobs []struct{ Behind int64 } }
		err = errors.Join(s.read(ctx, "/api/fairness/draws", &draws), s.read(ctx, "/readyz", &ready))
		g.step("placing the leaves of "+d.name, int(draws.Opens), d.items)
		left = int64(d.items) - draws.Opens
		for _, job := range ready.Jobs {
			left += job.Behind
		}
		return left, err
	})
	g.note(d.label()+" placing", float64(d.items)/time.Since(begin).Seconds())
	return errors.Join(err, s.stop())
}

func (g *growth) round(ctx context.Context) error {
	for _, d := range g.grown {
		s, err := g.serve(ctx, d.storage)
		if err != nil {
			return err
		}
		name := d.label()
		g.note(name+" restart", s.started.Seconds()*1000)
		o := s.load(atOnce)
		// Warm up: a server that has just started has cold caches.
		o.Duration = g.span / 4
		if _, err := d.players.Play(ctx, o); err != nil {
			return err
		}
		o.Duration = g.span * 3 / 4
		report, err := d.players.Play(ctx, o)
		if err != nil {
			return fmt.Errorf("open on %s: %w", d.name, err)
		}
		if err := g.verify(ctx, d.players, o); err != nil {
			return fmt.Errorf("open on %s: %w", d.name, err)
		}
		g.note(name+" p50", report.P50)
		g.note(name+" growth", report.P50/g.latest(d.smallest(g.sizes)+" p50"))
		g.say("%s: %d opens, p50 %.2f ms, started in %.0f ms", name, report.Opens, report.P50, g.latest(name+" restart"))
		if err := s.stop(); err != nil {
			return err
		}
	}
	return nil
}

func (d *grown) label() string { return fmt.Sprintf("%s of %d", d.engine, d.items) }

func (d *grown) smallest(sizes []int) string { return fmt.Sprintf("%s of %d", d.engine, sizes[0]) }

func (g *growth) finish(ctx context.Context) error {
	return together(ctx, len(engines), len(g.grown), func(ctx context.Context, n int) error {
		return g.audit(ctx, g.grown[n].storage)
	})
}
