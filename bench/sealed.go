package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/loadgen"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/rounds"
)

// sealed measures orders of sealed packs on PostgreSQL: their rate on one node against that of ordinary
// opens, and how soon after its round the last order of a drop on three nodes is drawn.
type sealed struct {
	*bench
	storage
	players loadgen.Players
}

func (s *sealed) prepare(ctx context.Context) (err error) {
	s.storage, err = s.newDatabase(ctx, "sealed")
	if err != nil {
		return err
	}
	node, err := s.serve(ctx, s.storage) // creates the tables and keys
	if err != nil {
		return err
	}
	s.players, err = loadgen.NewPlayers(ctx, s.buyers, node.load(concurrentPlayers))
	return errors.Join(err, node.stop())
}

func (s *sealed) round(ctx context.Context) error {
	pack, err := s.makePack(ctx)
	if err != nil {
		return fmt.Errorf("make a sealed pack: %w", err)
	}
	first, err := s.serve(ctx, s.storage)
	if err != nil {
		return err
	}
	few := s.players[:checkingPlayers]
	o := first.load(len(few))
	o.Duration = s.duration / 2
	opens, err := few.Play(ctx, o)
	if err != nil {
		return err
	}
	o.Pack, o.Sealed = pack, true
	if err := s.warmUp(ctx, o); err != nil {
		return err
	}
	orders, err := few.Play(ctx, o)
	if err != nil {
		return fmt.Errorf("order on one node: %w", err)
	}
	s.record("sealed baseline", opens.PerSecond)
	s.record("sealed orders", orders.PerSecond)
	s.record("sealed ratio", orders.PerSecond/opens.PerSecond)
	s.logf("sealed packs: %.0f orders/s, ordinary %.0f opens/s", orders.PerSecond, opens.PerSecond)
	if err := s.drop(ctx, o, first); err != nil {
		return fmt.Errorf("drop: %w", err)
	}
	return s.audit(ctx, s.storage)
}

// drop lets each player order once, all at the same time on three nodes. It stops the nodes.
func (s *sealed) drop(ctx context.Context, o loadgen.Options, first *server) (err error) {
	nodes := []*server{first}
	for range dropNodes - 1 {
		node, err := s.serve(ctx, s.storage)
		if err != nil {
			return err
		}
		nodes, o.Nodes = append(nodes, node), append(o.Nodes, node.url)
	}
	if err := s.warmUp(ctx, o); err != nil {
		return err
	}
	if err := s.awaitDraws(ctx); err != nil {
		return err
	}
	begin := time.Now()
	o.Concurrency, o.Drop = len(s.players), true
	hot, err := s.players.Play(ctx, o)
	if err != nil {
		return err
	}
	if err := s.awaitDraws(ctx); err != nil {
		return err
	}
	var late float64
	answer, err := s.cluster.query(ctx, s.url, fmt.Sprintf(`SELECT max(o.settled_at - (b.genesis + (o.round - 1) * b.period) * 1000000) / 1e6
		FROM orders o, sandbox_beacon b WHERE o.created_at >= %d AND o.state = 'open'`, begin.UnixMicro()))
	if err != nil {
		return err
	}
	if _, err := fmt.Sscan(answer, &late); err != nil {
		return err
	}
	s.record("sealed drop", float64(hot.Opens))
	s.record("sealed drop rate", float64(hot.Opens)/hot.Seconds)
	s.record("sealed drop late", late)
	s.logf("sealed drop: %d orders in %.2f s; the last draw %.2f s after its round", hot.Opens, hot.Seconds, late)
	if err := s.verify(ctx, s.players, o); err != nil {
		return err
	}
	for _, node := range slices.Backward(nodes) {
		err = errors.Join(err, node.stop())
	}
	return err
}

// makePack puts the ordinary pack on sale a second time, sealed.
func (s *sealed) makePack(ctx context.Context) (id string, err error) {
	database, err := db.Open(ctx, db.Options{Dir: s.storage.dir, URL: s.url, Schema: db.SchemaExact})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	err = database.InTx(ctx, func(tx *db.Tx) error {
		beacon, err := rounds.SandboxBeacon(tx)
		if err != nil {
			return err
		}
		all, err := packs.All(tx)
		if err != nil {
			return err
		}
		p := all[slices.IndexFunc(all, func(p packs.Pack) bool { return p.ID == ordinaryPack })]
		p.ID, p.Sold, p.Definition.Sealing = tx.NewID(), 0, packs.AlwaysLater
		id = p.ID
		shop := &packs.Service{DB: database, Delay: policy.OrdinaryNotice, Beacon: beacon.Hash}
		return errors.Join(shop.Add(tx, p), shop.Activate(tx, id, nil))
	})
	return id, err
}

// warmUp orders once on each node, which refuses orders until it has checked its clock.
func (s *sealed) warmUp(ctx context.Context, o loadgen.Options) error {
	o.Duration, o.Concurrency = time.Millisecond, len(o.Nodes)
	_, err := s.players[:len(o.Nodes)].Play(ctx, o)
	return err
}

// awaitDraws waits until all orders are drawn.
func (s *sealed) awaitDraws(ctx context.Context) error {
	for {
		pending, err := s.cluster.query(ctx, s.url, `SELECT count(*) FROM orders WHERE state = 'sealed'`)
		if err != nil || pending == "0" {
			return err
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

func (s *sealed) finish(context.Context) error { return nil }
