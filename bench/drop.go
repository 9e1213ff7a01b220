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
	players loadgen.Players
}

const (
	dropNodes = 3
	dropPack  = "3"
)

func (d *drop) prepare(ctx context.Context) (err error) {
	d.storage, err = d.newDatabase(ctx, "hot_drop")
	if err != nil {
		return err
	}
	s, err := d.serve(ctx, d.storage) // creates the tables and keys
	if err != nil {
		return err
	}
	d.players, err = loadgen.NewPlayers(ctx, d.buyers, s.load(concurrentPlayers))
	return errors.Join(err, s.stop())
}

func (d *drop) round(ctx context.Context) error {
	if err := d.addSupply(ctx); err != nil {
		return err
	}
	o := loadgen.Options{Concurrency: len(d.players), Duration: d.duration, Pack: ordinaryPack}
	var running []*server
	for range dropNodes {
		s, err := d.serve(ctx, d.storage)
		if err != nil {
			return err
		}
		running, o.Nodes = append(running, s), append(o.Nodes, s.url)
	}
	ordinary, err := d.players.Play(ctx, o)
	if err != nil {
		return fmt.Errorf("opening on %d nodes: %w", dropNodes, err)
	}
	o.Pack, o.Drop = dropPack, true
	hot, err := d.players.Play(ctx, o)
	if err != nil {
		return fmt.Errorf("hot drop: %w", err)
	}
	if err := errors.Join(d.checkSold(ctx, hot, ordinary), d.verify(ctx, d.players, o)); err != nil {
		return err
	}
	for _, s := range running {
		if err := s.stop(); err != nil {
			return fmt.Errorf("stop a node of the hot drop: %w", err)
		}
	}
	return d.audit(ctx, d.storage)
}

// addSupply adds supply to the pack and publishes it.
func (d *drop) addSupply(ctx context.Context) (err error) {
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

// checkSold requires that the whole supply was sold and all other buyers got "sold out".
func (d *drop) checkSold(ctx context.Context, hot, ordinary *loadgen.Report) error {
	sold, gone := hot.Statuses[http.StatusOK], hot.Statuses[http.StatusGone]
	if sold != d.supply || sold+gone != len(d.players) {
		return fmt.Errorf("hot drop: %d of %d sold, statuses %v for %d buyers", sold, d.supply, hot.Statuses, len(d.players))
	}
	var micros float64
	answer, err := d.cluster.query(ctx, d.url, fmt.Sprintf(`SELECT max(created_at) - min(created_at) FROM
		(SELECT created_at FROM openings WHERE pack_id = '%s' ORDER BY created_at DESC LIMIT %d) AS last`, dropPack, d.supply))
	if err != nil {
		return err
	}
	if _, err := fmt.Sscan(answer, &micros); err != nil {
		return err
	}
	answered := float64(len(d.players)) / hot.Seconds
	d.record("drop ordinary", ordinary.PerSecond)
	d.record("drop answered", answered)
	d.record("drop ratio", answered/ordinary.PerSecond)
	d.record("drop selling", float64(d.supply)/(micros/1e6))
	d.record("drop sold", float64(sold))
	d.logf("hot drop: %d sold and %d refused in %.2f s; ordinary %.0f opens/s", sold, gone, hot.Seconds, ordinary.PerSecond)
	return nil
}

func (d *drop) finish(context.Context) error { return nil }
