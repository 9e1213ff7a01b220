package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kaibao/internal/progress"
)

// bench is one run: where it works, what it started and what it has seen.
type bench struct {
	settings
	dir      string // on the disk that is measured, gone when the run ends
	script   string // wrk's
	begun    time.Time
	machine  machine
	progress *progress.Line
	cluster  cluster
	mutex    sync.Mutex // databases are filled side by side
	servers  []*server
	samples  map[string][]float64
}

func newBench(ctx context.Context, s settings) (*bench, error) {
	b := &bench{settings: s, begun: time.Now(), progress: progress.New(os.Stderr), samples: map[string][]float64{}}
	binary, err := filepath.Abs(s.binary)
	if err != nil {
		return nil, err
	}
	b.binary = binary
	b.dir, err = os.MkdirTemp("", "kaibao-bench.")
	if err != nil {
		return nil, err
	}
	if err := inMemory(b.dir); err != nil {
		b.close()
		return nil, err
	}
	b.script, err = findWrk(b.dir)
	if err == nil {
		b.cluster, err = findCluster(ctx, s.postgres)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	b.machine = lookAround(ctx, b.binary, b.cluster)
	return b, nil
}

// close stops every server that still runs and deletes their data.
func (b *bench) close() {
	for _, s := range slices.Backward(b.servers) {
		_ = s.stop()
	}
	_ = os.RemoveAll(b.dir)
}

// say tells people what has been done.
func (b *bench) say(format string, args ...any) {
	b.progress.End()
	fmt.Printf("%5.0f s  %s\n", time.Since(b.begun).Seconds(), fmt.Sprintf(format, args...))
}

// step shows on a terminal how far a long piece of work is.
func (b *bench) step(what string, done, total int) {
	b.progress.Step(what, int64(done), int64(total))
}

// note adds a sample of what is called name.
func (b *bench) note(name string, value float64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.samples[name] = append(b.samples[name], value)
}

// median of the samples of a name, and whether there are any.
func (b *bench) median(name string) (float64, bool) {
	samples := slices.Sorted(slices.Values(b.samples[name]))
	if len(samples) == 0 {
		return 0, false
	}
	middle := len(samples) / 2
	if len(samples)%2 == 0 {
		return (samples[middle-1] + samples[middle]) / 2, true
	}
	return samples[middle], true
}

// latest is the sample of this round.
func (b *bench) latest(name string) float64 {
	samples := b.samples[name]
	return samples[len(samples)-1]
}

// rest lets the machine come to rest for a moment.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
