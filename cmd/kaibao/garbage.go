package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// garbage is how much of it lies about before it is collected, in bytes, between two bounds in
// per cent of what lives. Where little lives, collecting at Go's own 100 takes an eighth of a
// busy server's time. Where much does, as of a million listings, more would be memory that no
// cache holds, and five times what lives.
const (
	garbage         = 64 << 20
	mostGarbage     = 400
	leastGarbage    = 25
	garbageLookedAt = time.Second
)

// boundGarbage sets GOGC by what lives, until ctx ends.
func boundGarbage(ctx context.Context) {
	live, set := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, 0
	look := time.NewTicker(garbageLookedAt)
	defer look.Stop()
	for {
		metrics.Read(live)
		percent := garbagePercent(live[0].Value.Uint64())
		if percent < set*9/10 || percent > set*11/10 { // setting it stops everything for a moment
			debug.SetGCPercent(percent)
			set = percent
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

func garbagePercent(live uint64) int {
	return int(min(mostGarbage, max(leastGarbage, garbage*100/max(live, 1))))
}
