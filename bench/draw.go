package main

import (
	"context"
	"strings"
	"testing"

	"kaibao/internal/protocol"
)

// draw measures only the computation of an open, with the ordinary pack's manifest.
type draw struct {
	*bench
	text     []byte
	manifest *protocol.Manifest
}

func (d *draw) prepare(ctx context.Context) (err error) {
	shop, err := d.newStorage(ctx, "SQLite", "manifest")
	if err != nil {
		return err
	}
	s, err := d.serve(ctx, shop)
	if err != nil {
		return err
	}
	d.text, err = s.manifest(ctx, ordinaryPack)
	if err != nil {
		return err
	}
	d.manifest, err = protocol.ParseManifest(d.text)
	if err != nil {
		return err
	}
	return s.stop()
}

func (d *draw) round(context.Context) error {
	d.recordResult("draw", testing.Benchmark(d.draw))
	d.recordResult("manifest", testing.Benchmark(d.parse))
	d.logf("draw %.2f µs, manifest %.0f µs", d.latest("draw µs"), d.latest("manifest µs"))
	return nil
}

func (d *draw) recordResult(name string, r testing.BenchmarkResult) {
	d.record(name+" µs", float64(r.T.Nanoseconds())/1000/float64(r.N))
	d.record(name+" allocations", float64(r.AllocsPerOp()))
}

func (d *draw) draw(b *testing.B) {
	hash, seed, client := protocol.Hash(d.text), [32]byte{1}, strings.Repeat("f", 26)
	b.ReportAllocs()
	for nonce := uint64(0); b.Loop(); nonce++ {
		if _, err := protocol.Draw(d.manifest, hash, seed, client, nonce, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func (d *draw) parse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := protocol.ParseManifest(d.text); err != nil {
			b.Fatal(err)
		}
	}
}

func (*draw) finish(context.Context) error { return nil }
