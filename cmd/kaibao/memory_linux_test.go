package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
)

func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	limit := func() int64 {
		debug.SetMemoryLimit(math.MaxInt64)
		if err := limitMemory(); err != nil {
			t.Fatal(err)
		}
		return debug.SetMemoryLimit(-1)
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	if got := limit(); got != math.MaxInt64 {
		t.Errorf("GOMEMLIMIT is set, but was overridden with %d bytes", got)
	}
	if err := os.Unsetenv("GOMEMLIMIT"); err != nil { // t.Setenv restores it
		t.Fatal(err)
	}
	if got := limit(); got < 1<<20 || got > 1<<50 {
		t.Errorf("the limit is %d bytes, want from 1 MiB to 1 PiB", got)
	}
}

// Concurrent bodies that are too large, and large ones that expand when decoded, don't use much
// memory.
func TestLargeBodiesUseLittleMemory(t *testing.T) {
	const (
		requests = 200
		maxBytes = 300 << 20
	)
	n := newNode(t, nodeArgs(t.TempDir(), ""))
	user := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
	body := func(size int) string {
		const start = `{"address":"x","firstName":"Name","a":[`
		return start + strings.Repeat(`{"a":1},`, (size-len(start))/8-1) + "1]}"
	}
	call := func(text string) {
		for path, method := range map[string]string{"/api/auth/challenge": http.MethodPost, "/api/auth/user": http.MethodPatch} {
			// The server may close the connection before it has read a body that is too large.
			answer, err := user.Try(context.WithoutCancel(t.Context()), method, path, text)
			if err == nil && len(text) > 1<<20 && answer.Status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s of %d bytes: %d %s", path, len(text), answer.Status, answer.Body)
			}
		}
	}
	for _, size := range []int{1<<20 + 100, 16 << 10} {
		text := body(size)
		var all sync.WaitGroup
		for range requests {
			all.Go(func() { call(text) })
		}
		all.Wait()
	}
	user.Get(t, "/api/auth/user").Want(t, http.StatusOK, nil)
	if peak := peakMemory(t, n.process.Process.Pid); peak > maxBytes {
		t.Errorf("the server used %d MiB, want at most %d", peak>>20, maxBytes>>20)
	}
}

// peakMemory returns a process's peak memory in bytes.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if peak == nil {
		t.Fatalf("no peak in %s", status)
	}
	kib, err := strconv.ParseInt(string(peak[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak %d MiB", kib>>10)
	return kib << 10
}
