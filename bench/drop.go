package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"kaibao/internal/db"
	"kaibao/internal/loadgen"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
)

// drop measures many buyers requesting a pack with little supply at the same time, on three nodes
// that share a PostgreSQL database and the keys.
type drop struct {
	*bench
	storage
	crowd loadgen.Players
}

const (
	nodes    = 3
	dropPack = "3"
)

func (d *drop) prepare(ctx context.Context) (err error) {
	d.storage, err = d.database(ctx, "hot_drop")
	if err != nil {
		return err
	}
	s, err := d.serve(ctx, d.storage) // creates the tables and keys
	if err != nil {
		return err
	}
	d.crowd, err = loadgen.NewPlayers(ctx, d.buyers, s.load(atOnce))
	return errors.Join(err, s.stop())
}

func (d *drop) round(ctx context.Context) error {
	if err := d.fill(ctx); err != nil {
		return err
	}
	o := loadgen.Options{Concurrency: len(d.crowd), Duration: d.span, Pack: ordinaryPack}
	var running []*server
	for range nodes {
		s, err := d.serve(ctx, d.storage)
		if err != nil {
			return err
		}
		running, o.Nodes = append(running, s), append(o.Nodes, s.url)
	}
	ordinary, err := d.crowd.Play(ctx, o)
	if err != nil {
		return fmt.Errorf("opening on %d nodes: %w", nodes, err)
	}
	o.Pack, o.Drop = dropPack, true
	hot, err := d.crowd.Play(ctx, o)
	if err != nil {
		return fmt.Errorf("hot drop: %w", err)
	}
	if err := errors.Join(d.check(ctx, hot, ordinary), d.verify(ctx, d.crowd, o)); err != nil {
		return err
	}
	for _, s := range running {
		if err := s.stop(); err != nil {
			return fmt.Errorf("a node of the hot drop does not end in order: %w", err)
		}
	}
	return d.audit(ctx, d.storage)
}

// fill adds supply to the pack and publishes it.
func (d *drop) fill(ctx context.Context) (err error) {
	database, err := db.Open(ctx, db.Options{Dir: d.storage.dir, URL: d.url, Schema: db.SchemaExact})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	shop := &packs.Service{DB: database, Delay: policy.OrdinaryNotice}
	return database.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.ExecOne(`UPDATE packs SET supply = sold + $1 WHERE id = $2`, d.supply, dropPack); err != nil {
			return err
		}
		return shop.Publish(tx, dropPack)
	})
}

// check requires that the whole supply was sold and all other buyers got "sold out".
func (d *drop) check(ctx context.Context, hot, ordinary *loadgen.Report) error {
	sold, gone := hot.Statuses[http.StatusOK], hot.Statuses[http.StatusGone]
	if sold != d.supply || sold+gone != len(d.crowd) {
		return fmt.Errorf("hot drop: %d sold of %d, answers %v to %d buyers", sold, d.supply, hot.Statuses, len(d.crowd))
	}
	var micros float64
	answer, err := d.cluster.ask(ctx, d.url, fmt.Sprintf(`SELECT max(created_at) - min(created_at) FROM
		(SELECT created_at FROM openings WHERE pack_id = '%s' ORDER BY created_at DESC LIMIT %d) AS last`, dropPack, d.supply))
	if err != nil {
		return err
	}
	if _, err := fmt.Sscan(answer, &micros); err != nil {
		return err
	}
	answered := float64(len(d.crowd)) / hot.Seconds
	d.note("drop ordinary", ordinary.PerSecond)
	d.note("drop answered", answered)
	d.note("drop ratio", answered/ordinary.PerSecond)
	d.note("drop selling", float64(d.supply)/(micros/1e6))
	d.note("drop sold", float64(sold))
	d.say("hot drop: %d sold and %d refused in %.2f s; ordinary %.0f opens/s", sold, gone, hot.Seconds, ordinary.PerSecond)
	return nil
}

func (d *drop) finish(context.Context) error { return nil }
