//go:build !linux

package postgres

import "time"

// breakUnacknowledged does nothing, because only Linux has the socket option. Keep-alives and deadlines
// remain.
func breakUnacknowledged(uintptr, time.Duration) error { return nil }
