package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// machine describes the machine that the results depend on.
type machine struct {
	cores                     int
	processor, kernel, load   string
	kaibao, toolchain, server string
	memory                    float64 // bytes
}

func describeMachine(ctx context.Context, binary string, c cluster) machine {
	version, _ := exec.CommandContext(ctx, binary, "version").Output()
	return machine{
		cores: runtime.NumCPU(), processor: valueAfter("/proc/cpuinfo", "model name\t: "), kernel: firstLine("/proc/sys/kernel/osrelease"),
		load: firstLine("/proc/loadavg"), memory: totalMemory(), kaibao: strings.TrimSpace(string(version)),
		toolchain: runtime.Version(), server: c.version,
	}
}

func firstLine(path string) string {
	text, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

func valueAfter(path, label string) string {
	text, _ := os.ReadFile(path)
	_, rest, _ := strings.Cut(string(text), label)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

func totalMemory() float64 {
	var kilobytes float64
	_, _ = fmt.Sscan(valueAfter("/proc/meminfo", "MemTotal:"), &kilobytes)
	return kilobytes * 1024
}

// tmpfs is the statfs(2) type of an in-memory file system.
const tmpfs = 0x01021994

func checkOnDisk(dir string) error {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return err
	}
	if s.Type == tmpfs {
		return fmt.Errorf("%s is in memory, where syncing costs nothing: set TMPDIR to a folder on a disk", dir)
	}
	return nil
}

// probeDisk repeatedly appends 4 kB and calls fdatasync. It notes the median and the 99th
// percentile in milliseconds.
func (b *bench) probeDisk() error {
	file, err := os.Create(filepath.Join(b.dir, "probe"))
	if err != nil {
		return err
	}
	block := make([]byte, 4096)
	var times []time.Duration
	for begin := time.Now(); time.Since(begin) < time.Second; {
		start := time.Now()
		if _, err := file.Write(block); err != nil {
			return errors.Join(err, file.Close())
		}
		if err := syscall.Fdatasync(int(file.Fd())); err != nil {
			return errors.Join(err, file.Close())
		}
		times = append(times, time.Since(start))
	}
	b.record("fdatasync p50", percentile(times, 0.5))
	b.record("fdatasync p99", percentile(times, 0.99))
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// percentile returns a percentile in milliseconds. It sorts times.
func percentile(times []time.Duration, share float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return float64(times[min(len(times)-1, int(share*float64(len(times))))].Nanoseconds()) / 1e6
}
