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

// rate is wrk's result. Times are in milliseconds.
type rate struct {
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
func (b *bench) wrk(ctx context.Context, address string, connections int, arguments ...string) (rate, error) {
	args := append([]string{
		"-t1", "-c" + strconv.Itoa(connections), "-d" + strconv.Itoa(max(1, int(b.span.Seconds()))) + "s", "--timeout", "30s", "-s", b.script, address, "--",
	}, arguments...)
	out, err := exec.CommandContext(ctx, "wrk", args...).CombinedOutput()
	if err != nil {
		return rate{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	r, err := parseWrk(string(out))
	if err != nil {
		err = fmt.Errorf("wrk at %s: %w", address, err)
	}
	return r, err
}

var wrkLine = regexp.MustCompile(`(?m)^bench (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$`)

// parseWrk parses the last line of the script's output.
func parseWrk(out string) (r rate, err error) {
	found := wrkLine.FindStringSubmatch(out)
	if found == nil {
		return r, fmt.Errorf("it did not say what it measured: %s", out)
	}
	var n [6]float64
	for i := range n {
		n[i], err = strconv.ParseFloat(found[i+1], 64)
		if err != nil {
			return r, err
		}
	}
	if n[0] == 0 || n[4] > 0 || n[5] > 0 {
		return r, fmt.Errorf("%.0f answers, %.0f of them refusals, and %.0f broken connections", n[0], n[4], n[5])
	}
	return rate{requests: int(n[0]), perSecond: n[0] / (n[1] / float64(time.Second.Microseconds())), p50: n[2] / 1000, p99: n[3] / 1000}, nil
}
