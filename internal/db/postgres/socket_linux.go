package postgres

import (
	"time"

	"golang.org/x/sys/unix"
)

// breakUnacknowledged makes the kernel close a connection whose sent data isn't acknowledged in
// time.
func breakUnacknowledged(socket uintptr, after time.Duration) error {
	return unix.SetsockoptInt(int(socket), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(after.Milliseconds()))
}
