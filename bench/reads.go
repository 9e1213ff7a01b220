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
	readConnections = 32
	// minReads is the target in requests per second for each resource.
	minReads     = 20_000
	leaderboards = "the leaderboards"
)

// sharedResources are the resources, in the order of the results.
var sharedResources = []string{leaderboards, "the packs", "a pack", "a manifest"}

func (r *reads) prepare(ctx context.Context) (err error) {
	r.storage, err = r.newStorage(ctx, "SQLite", "reads")
	if err != nil {
		return err
	}
	r.server, err = r.serve(ctx, r.storage)
	if err != nil {
		return err
	}
	hash, err := r.manifestHash(ctx, ordinaryPack)
	r.paths = map[string]string{
		leaderboards: "/api/leaderboard", "the packs": "/api/packs", "a pack": "/api/packs/" + ordinaryPack, "a manifest": "/api/fairness/manifests/" + hash,
	}
	return err
}

func (r *reads) round(ctx context.Context) error {
	for _, name := range sharedResources {
		measured, err := r.wrk(ctx, r.server.url.String()+r.paths[name], readConnections)
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		r.record("read "+name, measured.perSecond)
		r.record("read "+name+" p99", measured.p99)
		r.record("read "+name+" ratio", measured.perSecond/r.latest("read "+leaderboards))
	}
	r.logf("reads: packs %.0f/s, a pack %.0f/s, a manifest %.0f/s; leaderboards %.0f/s",
		r.latest("read the packs"), r.latest("read a pack"), r.latest("read a manifest"), r.latest("read "+leaderboards))
	return nil
}

func (r *reads) finish(context.Context) error { return r.stop() }

func (b *bench) readsRows() table {
	t := table{title: "Shared reads, one node, 32 connections"}
	for _, name := range sharedResources {
		sample := "read " + name
		t.rows = append(t.rows, b.row(name, sample, "%.0f/s", fmt.Sprintf("≥ %d/s", minReads), atLeast(minReads),
			b.detail("%.2f × the leaderboards, p99 %.1f ms", sample+" ratio", sample+" p99")))
	}
	return t
}
