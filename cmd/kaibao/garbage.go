package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// garbage is the heap growth in bytes before a collection; GOGC is set accordingly, within two
// bounds in percent of the live heap. With a small heap, Go's default of 100 would cost a busy
// server an eighth of its time. With a large one, such as a million listings, a high percentage
// would take memory from caches: at 400, the heap grows to five times its live size.
const (
	garbage         = 64 << 20
	mostGarbage     = 400
	leastGarbage    = 25
	garbageLookedAt = time.Second
)

// boundGarbage adjusts GOGC to the live heap until ctx is canceled.
func boundGarbage(ctx context.Context) {
	live, set := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, 0
	look := time.NewTicker(garbageLookedAt)
	defer look.Stop()
	for {
		metrics.Read(live)
		percent := garbagePercent(live[0].Value.Uint64())
		if percent < set*9/10 || percent > set*11/10 { // SetGCPercent stops the world
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
