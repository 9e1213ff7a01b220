package protocol

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"
)

const (
	// WitnessesHeader is the first line of a WitnessesLeaf.
	WitnessesHeader = "kaibao-witnesses/v1"

	// MaxWitnesses is the most witnesses that a log can name.
	MaxWitnesses = 15
)

// WitnessesLeaf names the witnesses that cosign the log's checkpoints. The first one in a log takes
// effect at its time, each later one WitnessNotice after it.
type WitnessesLeaf struct {
	Quorum    int // distinct witnesses that must have cosigned a checkpoint; 1 to all of them
	Witnesses []Witness
	Time      time.Time
}

// Witness is the verifier key of a witness (C2SP signed-note and tlog-cosignature, type 0x04).
type Witness struct {
	Name string
	Key  [ed25519.PublicKeySize]byte
}

// cosignature is the signature type of Ed25519 cosignatures of checkpoints.
const cosignature = 4

// String returns the verifier key: name+hash+base64.
func (w Witness) String() string {
	return fmt.Sprintf("%s+%x+%s", w.Name, w.KeyHash(), base64.StdEncoding.EncodeToString(append([]byte{cosignature}, w.Key[:]...)))
}

// KeyHash returns the key's id in signatures, of four bytes.
func (w Witness) KeyHash() []byte {
	sum := sha256.Sum256(append([]byte(w.Name+"\n\x04"), w.Key[:]...))
	return sum[:4]
}

// ParseWitness parses a verifier key. It accepts only canonical text, so String returns exactly the
// parsed text.
func ParseWitness(text string) (Witness, error) {
	name, rest, _ := strings.Cut(text, "+")
	hash, encoded, _ := strings.Cut(rest, "+")
	body, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(body) != 1+ed25519.PublicKeySize || body[0] != cosignature {
		return Witness{}, fmt.Errorf("%s is not a verifier key of type 0x04", quote(text))
	}
	w := Witness{Name: name, Key: [ed25519.PublicKeySize]byte(body[1:])}
	id, err := hex.DecodeString(hash)
	if !validLabel(name) || strings.ContainsFunc(name, unicode.IsSpace) || err != nil || !bytes.Equal(id, w.KeyHash()) || w.String() != text {
		return Witness{}, fmt.Errorf("%s is damaged: its name, hash and key don't match", quote(text))
	}
	return w, nil
}

// Format implements Leaf.
func (l WitnessesLeaf) Format() []byte {
	text := fmt.Appendf(nil, "%s\nquorum %d\n", WitnessesHeader, l.Quorum)
	for _, w := range l.Witnesses {
		text = fmt.Appendf(text, "witness %s\n", w)
	}
	return fmt.Appendf(text, "time %s\n", formatTime(l.Time))
}

// At implements Leaf.
func (l WitnessesLeaf) At() time.Time { return l.Time }

func readWitnesses(r *reader) Leaf {
	var l WitnessesLeaf
	l.Quorum = int(r.count(r.field("quorum"), MaxWitnesses))
	names, keys := map[string]bool{}, map[[ed25519.PublicKeySize]byte]bool{}
	for len(l.Witnesses) == 0 || r.nextIs("witness") {
		text := r.field("witness")
		w, err := ParseWitness(text)
		if err != nil {
			r.refuse("%s", err)
			return nil
		}
		r.check(!names[w.Name] && !keys[w.Key], "duplicate witness")
		names[w.Name], keys[w.Key] = true, true
		l.Witnesses = append(l.Witnesses, w)
	}
	r.check(len(l.Witnesses) <= MaxWitnesses, "too many witnesses")
	l.Time = r.time(r.field("time"))
	r.check(l.Quorum >= 1 && l.Quorum <= len(l.Witnesses), "the quorum must be from 1 to the number of witnesses")
	return l
}

// check verifies that two quorums always share a witness. Otherwise each of two different logs could
// have one.
func (l WitnessesLeaf) check() error {
	if 2*l.Quorum <= len(l.Witnesses) {
		return fmt.Errorf("a quorum of %d among %d witnesses allows two quorums without a common witness", l.Quorum, len(l.Witnesses))
	}
	return nil
}
