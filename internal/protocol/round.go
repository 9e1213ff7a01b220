package protocol

import (
	"encoding/base64"
	"fmt"
	"math/bits"
	"time"
	"unicode/utf8"
)

const roundHeader = "kaibao-round/v1"

// Signature is a beacon's BLS signature of a round: a compressed point of G1. Package beacon checks
// it.
type Signature [48]byte

// Schedule says when a beacon publishes its rounds. Round 1 is published at Genesis, and another
// one after each Period.
type Schedule struct {
	Genesis int64 // Unix time in seconds, from 0 to MaxUnix
	Period  int64 // in seconds, from 1 to 1<<32 − 1
}

// MaxUnix is the last second of the year 9999, which no time in a leaf exceeds.
const MaxUnix = 253402300799

// RoundOf returns the round that draws an order of the given time: the first one that is published
// at least lead seconds later. The time is used in whole milliseconds, as in the order's leaf
// (docs/fairness.md, "Sealed packs").
func (s Schedule) RoundOf(at time.Time, lead int) uint64 {
	period := 1000 * s.Period
	wait := max(0, at.UnixMilli()+1000*int64(lead)-1000*s.Genesis)
	return uint64(1 + (wait+period-1)/period)
}

// Time returns when a round is published, in UTC. round is at least 1. Times after the year 9999
// are returned as its last second.
func (s Schedule) Time(round uint64) time.Time {
	over, after := bits.Mul64(round-1, uint64(s.Period))
	if over > 0 || after > uint64(MaxUnix-s.Genesis) {
		return time.Unix(MaxUnix, 0).UTC()
	}
	return time.Unix(s.Genesis+int64(after), 0).UTC()
}

// RoundLeaf publishes a round of a beacon before the first draw that uses it. Its checkpoints show
// which orders were in the log before the round was published.
type RoundLeaf struct {
	Beacon    [32]byte // chain hash
	Round     uint64   // at least 1
	Signature Signature

	// Checkpoint is a signed checkpoint of this log with its witnesses' cosignatures, or "" if none
	// has a quorum from before the round.
	Checkpoint string
	// EndedCheckpoint is the same of the log that this one continues, for the orders copied from
	// it. It is usually "".
	EndedCheckpoint string

	Time time.Time
}

// Format implements Leaf.
func (l RoundLeaf) Format() []byte {
	ended := ""
	if l.EndedCheckpoint != "" {
		ended = "checkpoint " + encodeNote(l.EndedCheckpoint) + "\n"
	}
	return fmt.Appendf(nil, "%s\nbeacon %x\nround %d\nsignature %x\ncheckpoint %s\n%stime %s\n",
		roundHeader, l.Beacon, l.Round, l.Signature, orNone(encodeNote(l.Checkpoint)), ended, formatTime(l.Time))
}

// At implements Leaf.
func (l RoundLeaf) At() time.Time { return l.Time }

func encodeNote(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func readRound(r *reader) Leaf {
	var l RoundLeaf
	l.Beacon = r.hash(r.field("beacon"))
	l.Round = r.round(r.field("round"))
	l.Signature = r.signature(r.field("signature"))
	if text := r.field("checkpoint"); text != none {
		l.Checkpoint = r.note(text)
	}
	if r.nextIs("checkpoint") {
		l.EndedCheckpoint = r.note(r.field("checkpoint"))
	}
	l.Time = r.time(r.field("time"))
	return l
}

// round reads the number of a round.
func (r *reader) round(text string) uint64 {
	n := r.number(text)
	r.check(n > 0, "rounds begin with 1")
	return n
}

func (r *reader) signature(text string) (signature Signature) {
	r.hex(signature[:], text)
	return signature
}

// note reads a non-empty signed note in padded standard base64.
func (r *reader) note(text string) string {
	note, err := base64.StdEncoding.DecodeString(text)
	r.checkText(err == nil && len(note) > 0 && utf8.Valid(note) && encodeNote(string(note)) == text, "not a checkpoint in base64", text)
	return string(note)
}
