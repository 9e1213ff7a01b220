package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"kaibao/internal/loadgen"
)

// publicLog measures how much sequencing leaves slows down opens, and how long verifying the
// resulting log takes.
type publicLog struct {
	*bench
	storage
	*server
	players loadgen.Players
}

func (l *publicLog) prepare(ctx context.Context) (err error) {
	l.storage, err = l.newDatabase(ctx, "public_log")
	if err != nil {
		return err
	}
	l.server, err = l.serve(ctx, l.storage)
	if err != nil {
		return err
	}
	l.players, err = loadgen.NewPlayers(ctx, wrkUserCount, l.load(64))
	return err
}

// round measures opens three times: while leaves only wait, because the tree's row is locked; while
// leaves are placed but the feed's follower is locked out; and while both run.
func (l *publicLog) round(ctx context.Context) error {
	unplaced, _, err := l.measureHolding(ctx, "SELECT size FROM log_tree FOR UPDATE")
	if err != nil {
		return err
	}
	unstreamed, _, err := l.measureHolding(ctx, "SELECT position FROM log_followers WHERE name = 'live opens' FOR UPDATE")
	if err != nil {
		return err
	}
	streamed, lag, err := l.measureHolding(ctx, "SELECT 1")
	if err != nil {
		return err
	}
	l.record("log cost", streamed/unplaced)
	l.record("feed cost", streamed/unstreamed)
	l.record("log lag", lag.Seconds())
	l.logf("log: %.0f opens/s while leaves are placed and streamed, %.0f while they are not streamed, %.0f while they wait", streamed, unstreamed, unplaced)
	return nil
}

// measureHolding measures opens while a query holds its locks. Then it waits until every leaf is in
// a signed tree, which is the lag, and until all followers have caught up.
func (l *publicLog) measureHolding(ctx context.Context, query string) (rate float64, lag time.Duration, err error) {
	release, err := l.cluster.hold(ctx, l.storage.url, query)
	if err != nil {
		return 0, 0, err
	}
	rate, err = l.open(ctx)
	if err := errors.Join(err, release()); err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	err = l.awaitTree(ctx)
	lag = time.Since(begun)
	return rate, lag, errors.Join(err, l.awaitZero(ctx, "SELECT sum(size - position) FROM log_tree, log_followers"))
}

func (l *publicLog) open(ctx context.Context) (rate float64, err error) {
	o := l.load(64)
	o.Duration = 2 * l.duration
	report, err := l.players.Play(ctx, o)
	if err != nil {
		return 0, fmt.Errorf("opening packs: %w", err)
	}
	return report.PerSecond, l.verify(ctx, l.players, o)
}

// awaitTree waits until every leaf is in a signed tree.
func (l *publicLog) awaitTree(ctx context.Context) error {
	return l.awaitZero(ctx, "SELECT (SELECT count(*) FROM log_waiting) + size - signed_size FROM log_tree")
}

// awaitZero waits until a query returns 0.
func (l *publicLog) awaitZero(ctx context.Context, query string) error {
	return l.waitUntilZero(ctx, func() (left int64, err error) {
		text, err := l.cluster.query(ctx, l.storage.url, query)
		if err != nil {
			return 0, err
		}
		return strconv.ParseInt(text, 10, 64)
	})
}

func (l *publicLog) finish(ctx context.Context) error {
	mirror := filepath.Join(l.bench.dir, "mirror")
	if out, err := exec.CommandContext(ctx, l.binary, "verify", "mirror", l.server.url.String(), mirror).CombinedOutput(); err != nil {
		return fmt.Errorf("mirror the log: %w: %s", err, out)
	}
	size, err := l.cluster.query(ctx, l.storage.url, "SELECT signed_size FROM log_tree")
	if err != nil {
		return err
	}
	var leaves float64
	if _, err := fmt.Sscan(size, &leaves); err != nil {
		return err
	}
	begin := time.Now()
	peak, err := runMeasuringMemory(exec.CommandContext(ctx, l.binary, "verify", "log", mirror))
	if err != nil {
		return fmt.Errorf("verify the log: %w", err)
	}
	l.record("log verifying", time.Since(begin).Seconds()/leaves*1e6)
	l.record("log memory", peak/1e6)
	l.record("log leaves", leaves)
	if err := l.stop(); err != nil {
		return err
	}
	return l.audit(ctx, l.storage)
}

// runMeasuringMemory runs a command and returns its peak resident memory in bytes. rusage isn't
// used, since it would include this process's memory from before exec.
func runMeasuringMemory(command *exec.Cmd) (peak float64, err error) {
	if err := command.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-ticker.C:
			if now, err := residentMemory(command.Process.Pid); err == nil {
				peak = max(peak, now)
			}
		}
	}
}

func (b *bench) logRows() table {
	return table{"The public log", []row{
		b.row("opens while leaves are placed, against opens while they wait", "log cost", "%.2f ×", "≥ 0.95 ×", atLeast(0.95), "PostgreSQL, 64 clients"),
		b.row("opens while the feed streams them, against opens while it doesn't", "feed cost", "%.2f ×", "≥ 0.95 ×", atLeast(0.95), "the same"),
		b.row("from the last open until its leaf is in a signed tree", "log lag", "%.2f s", "≤ 1 s", atMost(1), ""),
		b.row("verifying 10^6 leaves from disk, by `kaibao verify log`", "log verifying", "%.1f s", "≤ 20 s", atMost(20),
			b.detail("measured on %.0f leaves, %.0f MB resident at most", "log leaves", "log memory")),
	}}
}
