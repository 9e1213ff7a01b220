package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticks is USER_HZ, Linux's unit of process times: ticks per second.
const ticks = 100

type process struct {
	parent     int
	own, ended float64 // CPU seconds of the process, and of its terminated children
}

// processorTimes returns the CPU seconds used so far by each process and its children.
func processorTimes(roots []int) []float64 {
	times := make([]float64, len(roots))
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has terminated; its parent includes its times
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

// parseStat parses /proc/PID/stat (proc(5)). The name in parentheses may contain anything.
func parseStat(text string) process {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	seconds := func(n int) float64 {
		count, _ := strconv.ParseFloat(fields[n], 64)
		return count / ticks
	}
	parent, _ := strconv.Atoi(fields[1])
	return process{parent: parent, own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14)}
}

// residentMemory returns the resident memory of a process in bytes.
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
