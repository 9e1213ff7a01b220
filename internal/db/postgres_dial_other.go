//go:build !linux

package db

import "time"

// breakUnconfirmed has no counterpart here: keep-alives and deadlines must do.
func breakUnconfirmed(uintptr, time.Duration) error { return nil }
