//go:build !linux

package db

import "time"

// breakUnconfirmed does nothing here: keep-alives and deadlines have to do.
func breakUnconfirmed(uintptr, time.Duration) error { return nil }
