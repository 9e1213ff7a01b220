package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kaibao/internal/loadgen"
)

// growth measures opens in databases that already contain a lot of data. Players sign in first;
// then old users are created with ids between theirs, so that an open touches index pages as
// scattered as after years of use.
type growth struct {
	*bench
	databases []*filledDatabase
}

// filledDatabase is a database with a number of items.
type filledDatabase struct {
	storage
	engine  string
	items   int
	players loadgen.Players
}

// concurrentPlayers divides the number of players, so that each has at most one request in flight.
const concurrentPlayers = 20

func (g *growth) prepare(ctx context.Context) error {
	for _, engine := range engines {
		for _, items := range g.sizes {
			s, err := g.newStorage(ctx, engine, "items_"+strconv.Itoa(items))
			if err != nil {
				return err
			}
			g.databases = append(g.databases, &filledDatabase{storage: s, engine: engine, items: items})
		}
	}
	return parallel(ctx, len(engines), len(engines), func(ctx context.Context, n int) error {
		for _, d := range g.databases[n*len(g.sizes) : (n+1)*len(g.sizes)] {
			if err := g.fillDatabase(ctx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

func (g *growth) fillDatabase(ctx context.Context, d *filledDatabase) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	d.players, err = loadgen.NewPlayers(ctx, g.players, s.load(concurrentPlayers))
	if err != nil {
		return fmt.Errorf("sign in to %s: %w", d.name, err)
	}
	if err := s.stop(); err != nil {
		return err
	}
	if err := g.fill(ctx, d); err != nil {
		return fmt.Errorf("fill %s: %w", d.name, err)
	}
	if err := g.awaitSequencing(ctx, d); err != nil {
		return fmt.Errorf("sequence the leaves of %s: %w", d.name, err)
	}
	if d.url != "" { // as autovacuum would
		if err := g.cluster.execute(ctx, d.url, "VACUUM ANALYZE; CHECKPOINT;"); err != nil {
			return err
		}
	}
	g.logf("filled %s with %d items", d.engine, d.items)
	return nil
}

// awaitSequencing runs a server until the log's tree contains all old opens and all followers have
// counted them, since that work would compete with the measured opens.
func (g *growth) awaitSequencing(ctx context.Context, d *filledDatabase) error {
	s, err := g.serve(ctx, d.storage)
	if err != nil {
		return err
	}
	begin := time.Now()
	err = s.waitUntilZero(ctx, func() (left int64, err error) {
		var draws struct{ Opens int64 }
		err = s.read(ctx, "/api/fairness/draws", &draws)
		jobs, jobsErr := s.jobs(ctx)
		g.showProgress("placing the leaves of "+d.name, int(draws.Opens), d.items)
		left = int64(d.items) - draws.Opens
		for _, job := range jobs {
			left += job.Behind
		}
		return left, errors.Join(err, jobsErr)
	})
	g.record(d.label()+" placing", float64(d.items)/time.Since(begin).Seconds())
	return errors.Join(err, s.stop())
}

func (g *growth) round(ctx context.Context) error {
	for _, d := range g.databases {
		s, err := g.serve(ctx, d.storage)
		if err != nil {
			return err
		}
		name := d.label()
		g.record(name+" restart", s.started.Seconds()*1000)
		o := s.load(concurrentPlayers)
		// Warm up: a server that has just started has cold caches.
		o.Duration = g.duration / 4
		if _, err := d.players.Play(ctx, o); err != nil {
			return err
		}
		o.Duration = g.duration * 3 / 4
		report, err := d.players.Play(ctx, o)
		if err != nil {
			return fmt.Errorf("open on %s: %w", d.name, err)
		}
		if err := g.verify(ctx, d.players, o); err != nil {
			return fmt.Errorf("open on %s: %w", d.name, err)
		}
		g.record(name+" p50", report.P50)
		g.record(name+" growth", report.P50/g.latest(d.smallest(g.sizes)+" p50"))
		g.logf("%s: %d opens, p50 %.2f ms, started in %.0f ms", name, report.Opens, report.P50, g.latest(name+" restart"))
		if err := s.stop(); err != nil {
			return err
		}
	}
	return nil
}

func (d *filledDatabase) label() string { return fmt.Sprintf("%s of %d", d.engine, d.items) }

func (d *filledDatabase) smallest(sizes []int) string {
	return fmt.Sprintf("%s of %d", d.engine, sizes[0])
}

func (g *growth) finish(ctx context.Context) error {
	return parallel(ctx, len(engines), len(g.databases), func(ctx context.Context, n int) error {
		return g.audit(ctx, g.databases[n].storage)
	})
}
