package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

// pocketBase measures a minimal PocketBase (peers/pocketbase) with the same client.
type pocketBase struct {
	*bench
	*server
}

func (p *pocketBase) prepare(ctx context.Context) error {
	p.logf("building PocketBase")
	program := filepath.Join(p.dir, "pocketbase")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = filepath.Join("bench", "peers", "pocketbase")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build PocketBase (its modules come from the Go proxy): %w: %s", err, out)
	}
	var err error
	p.server, err = p.start(exec.CommandContext(ctx, program, filepath.Join(p.dir, "pocketbase.data")), "PocketBase")
	return err
}

func (p *pocketBase) round(ctx context.Context) error {
	for _, clients := range clientCounts {
		measured, err := p.wrk(ctx, p.url.String()+"/api/bench/open", clients, "users", strconv.Itoa(wrkUserCount))
		if err != nil {
			return err
		}
		name := fmt.Sprintf("pocketbase %d", clients)
		p.record(name, measured.perSecond)
		for _, engine := range engines {
			if ours := fmt.Sprintf("%s %d rate", engine, clients); len(p.samples[ours]) > 0 {
				p.record(engine+" against "+name, p.latest(ours)/measured.perSecond)
			}
		}
		p.logf("PocketBase, %d clients: %.0f opens/s", clients, measured.perSecond)
	}
	return nil
}

func (p *pocketBase) finish(context.Context) error {
	_ = p.stop() // PocketBase doesn't exit cleanly
	return nil
}

func (b *bench) pocketBaseRows() table {
	t := table{title: "A minimal open on PocketBase, same client"}
	for _, engine := range engines {
		for _, clients := range clientCounts {
			name := fmt.Sprintf("pocketbase %d", clients)
			t.rows = append(t.rows, b.row(fmt.Sprintf("%s, %d clients, against PocketBase", engine, clients), engine+" against "+name, "%.2f ×", "≥ 2 ×", atLeast(2),
				b.detail("PocketBase %.0f/s", name)))
		}
	}
	return t
}
