package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

//go:embed wrk.lua
var wrkScript []byte

// measurement is wrk's result. Times are in milliseconds.
type measurement struct {
	requests            int
	perSecond, p50, p99 float64
}

// findWrk checks that wrk is installed and writes its script to dir.
func findWrk(dir string) (script string, err error) {
	if _, err := exec.LookPath("wrk"); err != nil {
		return "", fmt.Errorf("wrk is not installed; run scripts/setup test: %w", err)
	}
	script = filepath.Join(dir, "wrk.lua")
	return script, os.WriteFile(script, wrkScript, 0o600)
}

// wrk runs the script with its arguments over some connections. Any refused request or broken
// connection is an error.
func (b *bench) wrk(ctx context.Context, address string, connections int, arguments ...string) (measurement, error) {
	args := append([]string{
		"-t1", "-c" + strconv.Itoa(connections), "-d" + strconv.Itoa(max(1, int(b.duration.Seconds()))) + "s", "--timeout", "30s", "-s", b.script, address, "--",
	}, arguments...)
	out, err := exec.CommandContext(ctx, "wrk", args...).CombinedOutput()
	if err != nil {
		return measurement{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	r, err := parseWrk(string(out))
	if err != nil {
		err = fmt.Errorf("wrk at %s: %w", address, err)
	}
	return r, err
}

// wrkLine is the last line that the script prints.
var wrkLine = regexp.MustCompile(`(?m)^bench \d+ \d+ \d+ \d+ \d+ \d+$`)

// wrkCounts are the figures of wrkLine. Times are in microseconds.
type wrkCounts struct {
	requests, duration, p50, p99, refused, broken int64
}

// parseWrk parses the last line of the script's output.
func parseWrk(out string) (m measurement, err error) {
	line := wrkLine.FindString(out)
	if line == "" {
		return m, fmt.Errorf("it printed no result line: %s", out)
	}
	var c wrkCounts
	if _, err := fmt.Sscanf(line, "bench %d %d %d %d %d %d", &c.requests, &c.duration, &c.p50, &c.p99, &c.refused, &c.broken); err != nil {
		return m, err
	}
	if c.requests == 0 || c.refused > 0 || c.broken > 0 {
		return m, fmt.Errorf("%d answers, %d of them refusals, and %d broken connections", c.requests, c.refused, c.broken)
	}
	seconds := float64(c.duration) / float64(time.Second.Microseconds())
	return measurement{requests: int(c.requests), perSecond: float64(c.requests) / seconds, p50: float64(c.p50) / 1000, p99: float64(c.p99) / 1000}, nil
}
