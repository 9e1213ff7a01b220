package verify

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// Checkpoint is a signed tree.
type Checkpoint struct {
	Origin string    `json:"origin"`
	Size   int64     `json:"size"`
	Root   tlog.Hash `json:"root"`
}

// parseKey parses a verifier key: name+hash+base64, where the base64 contains one byte for the
// algorithm (1 = Ed25519) and the public key (C2SP signed-note).
func parseKey(key string) (name string, public ed25519.PublicKey, err error) {
	if _, err := note.NewVerifier(key); err != nil {
		return "", nil, fmt.Errorf("the log key: %w", err)
	}
	parts := strings.SplitN(key, "+", 3)
	body, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(body) != 1+ed25519.PublicKeySize {
		return "", nil, errors.New("the log key must be an Ed25519 key")
	}
	return parts[0], body[1:], nil
}

// openCheckpoint verifies a checkpoint's signature and parses it (C2SP tlog-checkpoint).
func openCheckpoint(signed []byte, key string) (c Checkpoint, err error) {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return c, fmt.Errorf("the log key: %w", err)
	}
	n, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return c, fmt.Errorf("the checkpoint is not signed by %s: %w", verifier.Name(), err)
	}
	return parseCheckpoint(n.Text, verifier.Name())
}

// parseCheckpoint parses the text of a checkpoint that the log's key has signed.
func parseCheckpoint(text, origin string) (c Checkpoint, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return c, errors.New("the checkpoint has too few lines")
	}
	if lines[0] != origin {
		return c, fmt.Errorf("the checkpoint belongs to the log %q, but the key to %q", lines[0], origin)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || size > maxLeaves || strconv.FormatInt(size, 10) != lines[1] {
		return c, fmt.Errorf("the checkpoint's size %q is not valid", lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	return Checkpoint{Origin: lines[0], Size: size, Root: root}, err
}

// originOf returns the name of the log that a checkpoint belongs to.
func originOf(signed []byte) string {
	origin, _, _ := strings.Cut(string(signed), "\n")
	return origin
}

// frontier is a growing tree that keeps only the roots of its perfect subtrees.
type frontier struct {
	size  int64
	peaks [64]tlog.Hash
}

func (f *frontier) add(h tlog.Hash) {
	level := 0
	for ; f.size>>level&1 == 1; level++ {
		h = tlog.NodeHash(f.peaks[level], h)
	}
	f.peaks[level] = h
	f.size++
}

func (f *frontier) root() tlog.Hash {
	if f.size == 0 {
		return sha256.Sum256(nil)
	}
	level := bits.TrailingZeros64(uint64(f.size))
	h := f.peaks[level]
	for level++; f.size>>level > 0; level++ {
		if f.size>>level&1 == 1 {
			h = tlog.NodeHash(f.peaks[level], h)
		}
	}
	return h
}

// splitBundle splits an entry bundle into leaves, which share its memory.
func splitBundle(data []byte, width int) ([][]byte, error) {
	leaves := make([][]byte, 0, width)
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			return leaves, fmt.Errorf("the bundle ends in the middle of leaf %d", len(leaves))
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		leaves, data = append(leaves, data[2:end:end]), data[end:]
		if len(leaves) > width {
			return leaves, fmt.Errorf("the bundle has more than %d leaves", width)
		}
	}
	if len(leaves) < width {
		return leaves, fmt.Errorf("the bundle has %d leaves instead of %d", len(leaves), width)
	}
	return leaves, nil
}
