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

// bench is the state of one run.
type bench struct {
	settings
	dir      string // on the measured disk; deleted at the end
	script   string // wrk's Lua script
	begun    time.Time
	machine  machine
	progress *progress.Line
	cluster  cluster
	mutex    sync.Mutex // guards samples and servers: databases are filled in parallel
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
	if err := checkOnDisk(b.dir); err != nil {
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
	b.machine = describeMachine(ctx, b.binary, b.cluster)
	return b, nil
}

// close stops all running servers and deletes their data.
func (b *bench) close() {
	for _, s := range slices.Backward(b.servers) {
		_ = s.stop()
	}
	_ = os.RemoveAll(b.dir)
}

// logf prints a message with the time since the start.
func (b *bench) logf(format string, args ...any) {
	b.progress.End()
	fmt.Printf("%5.0f s  %s\n", time.Since(b.begun).Seconds(), fmt.Sprintf(format, args...))
}

// showProgress updates the progress line.
func (b *bench) showProgress(what string, done, total int) {
	b.progress.Step(what, int64(done), int64(total))
}

// record adds a sample of a metric.
func (b *bench) record(name string, value float64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.samples[name] = append(b.samples[name], value)
}

// median returns the median of a metric's samples and whether it has any.
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

// latest returns the current round's sample of a metric.
func (b *bench) latest(name string) float64 {
	samples := b.samples[name]
	return samples[len(samples)-1]
}

// sleep waits, so that the machine can settle.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
