package protocol

import (
	"fmt"
	"regexp"
)

var randomPart = regexp.MustCompile(`/[0-9a-f]{16}$`)

// NewOrigin returns the origin of a log that continues another one: the name of its key and, so that a
// restored database can't repeat an earlier origin, 8 random bytes.
func NewOrigin(keyName string, random []byte) string {
	return fmt.Sprintf("%s/%x", keyName, random)
}

// KeyName returns the name of the key of a log, without what NewOrigin appended.
func KeyName(origin string) string {
	return randomPart.ReplaceAllString(origin, "")
}
