//go:build !linux

package postgres

import "time"

// breakUnacknowledged does nothing here: keep-alives and deadlines have to do.
func breakUnacknowledged(uintptr, time.Duration) error { return nil }
