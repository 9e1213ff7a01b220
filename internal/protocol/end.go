package protocol

import (
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"
)

const endHeader = "kaibao-end/v1"

// EndLeaf is the last leaf of a log whose key was replaced. It names the log that continues it,
// with all commitments and stock as they are. A follower who trusts the ended log may trust the key
// of the next one.
type EndLeaf struct {
	Origin string // of the next log
	Key    string // of the next log: a verifier key, name+hash+base64, with the origin as its name
	Time   time.Time
}

// Format implements Leaf.
func (l EndLeaf) Format() []byte {
	return fmt.Appendf(nil, "%s\norigin %s\nkey %s\ntime %s\n", endHeader, l.Origin, l.Key, formatTime(l.Time))
}

// At implements Leaf.
func (l EndLeaf) At() time.Time { return l.Time }

func readEnd(r *reader) Leaf {
	var l EndLeaf
	l.Origin = r.label(r.field("origin"))
	l.Key = r.label(r.field("key"))
	l.Time = r.time(r.field("time"))
	return l
}

// check verifies that the key is valid and has the origin as its name.
func (l EndLeaf) check() error {
	key, err := note.NewVerifier(l.Key)
	if err != nil || key.Name() != l.Origin {
		return fmt.Errorf("the next log %s can't have the key %s", l.Origin, l.Key)
	}
	return nil
}
