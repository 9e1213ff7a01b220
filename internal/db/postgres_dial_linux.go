package db

import (
	"time"

	"golang.org/x/sys/unix"
)

// breakUnconfirmed ends a connection whose other end confirms nothing for a while.
func breakUnconfirmed(socket uintptr, after time.Duration) error {
	return unix.SetsockoptInt(int(socket), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(after.Milliseconds()))
}
