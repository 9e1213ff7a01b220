package db

import (
	"time"

	"golang.org/x/sys/unix"
)

// breakUnconfirmed makes the kernel close a connection whose sent data isn't acknowledged in time.
func breakUnconfirmed(socket uintptr, after time.Duration) error {
	return unix.SetsockoptInt(int(socket), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(after.Milliseconds()))
}
