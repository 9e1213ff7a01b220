package main

import (
	"context"
	"fmt"
)

// reads measures shared resources, which a node caches in memory.
type reads struct {
	*bench
	*server
	storage
	paths map[string]string
}

const (
	readers = 32
	// leastReads is the target in requests per second for each resource.
	leastReads = 20_000
	boards     = "the boards"
)

// shared are the resources, in the order of the results.
var shared = []string{boards, "the packs", "a pack", "a manifest"}

func (r *reads) prepare(ctx context.Context) (err error) {
	r.storage, err = r.place(ctx, "SQLite", "reads")
	if err != nil {
		return err
	}
	r.server, err = r.serve(ctx, r.storage)
	if err != nil {
		return err
	}
	hash, err := r.manifestHash(ctx, ordinaryPack)
	r.paths = map[string]string{
		boards: "/api/leaderboard", "the packs": "/api/packs", "a pack": "/api/packs/" + ordinaryPack, "a manifest": "/api/fairness/manifests/" + hash,
	}
	return err
}

func (r *reads) round(ctx context.Context) error {
	for _, name := range shared {
		measured, err := r.wrk(ctx, r.server.url.String()+r.paths[name], readers)
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		r.note("read "+name, measured.perSecond)
		r.note("read "+name+" p99", measured.p99)
		r.note("read "+name+" ratio", measured.perSecond/r.latest("read "+boards))
	}
	r.say("reads: packs %.0f/s, a pack %.0f/s, a manifest %.0f/s; boards %.0f/s",
		r.latest("read the packs"), r.latest("read a pack"), r.latest("read a manifest"), r.latest("read "+boards))
	return nil
}

func (r *reads) finish(context.Context) error { return r.stop() }

func (b *bench) readsRows() table {
	t := table{title: "Reads that are the same for all, one node, 32 connections"}
	for _, name := range shared {
		sample := "read " + name
		t.rows = append(t.rows, b.row(name, sample, "%.0f/s", fmt.Sprintf("≥ %d/s", leastReads), atLeast(leastReads),
			b.about("%.2f × the boards, p99 %.1f ms", sample+" ratio", sample+" p99")))
	}
	return t
}
