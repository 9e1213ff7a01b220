package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ticks is USER_HZ, in which Linux counts a process's time.
const ticks = 100

type process struct {
	parent     int
	own, ended float64 // seconds of the process, and of its children that have ended
}

// processorTimes is what each of some processes, with all that it started, has
// used so far, in seconds.
func processorTimes(roots []int) []float64 {
	times := make([]float64, len(roots))
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended: its parent tells of it
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		p := parseStat(string(text))
		for n, root := range roots {
			switch root {
			case pid:
				times[n] += p.own + p.ended
			case p.parent:
				times[n] += p.own
			}
		}
	}
	return times
}

// parseStat reads /proc/PID/stat (proc(5)); the name in brackets may hold anything.
func parseStat(text string) process {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	seconds := func(n int) float64 {
		count, _ := strconv.ParseFloat(fields[n], 64)
		return count / ticks
	}
	parent, _ := strconv.Atoi(fields[1])
	return process{parent: parent, own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14)}
}

// residentMemory of a process in bytes.
func residentMemory(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, alive := strings.Cut(string(text), "VmRSS:")
	if !alive {
		return 0, fmt.Errorf("process %d has ended", pid)
	}
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	return kilobytes * 1024, err
}

// meter is the clock of a load run. The run looks at it first when the measured
// part begins, and then before and after every open: at the first look, and at
// the first one past the end, it reads what the processes have used.
type meter struct {
	roots      []int
	span       time.Duration
	begun      time.Time
	from, to   []float64 // of each root
	start, end sync.Once
}

func (m *meter) now() time.Time {
	now := time.Now()
	m.start.Do(func() { m.begun, m.from = now, processorTimes(m.roots) })
	if now.Sub(m.begun) >= m.span {
		m.end.Do(func() { m.to = processorTimes(m.roots) })
	}
	return now
}

// used is what each root has used while the run measured, less what it takes idle.
func (m *meter) used(idle []float64) []float64 {
	used := make([]float64, len(m.roots))
	for n := range used {
		used[n] = m.to[n] - m.from[n] - idle[n]*m.span.Seconds()
	}
	return used
}
