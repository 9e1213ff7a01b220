package publiclog

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// named is the log of one epoch: all are signed with one key, each under a name of
// its own, which is its origin.
type named struct {
	origin   string
	signer   note.Signer
	verifier string // the public half: name+hash+base64
}

// parseKey reads a note signing key: PRIVATE+KEY+name+hash+base64 of one byte for
// the algorithm (1 = Ed25519) and the 32-byte seed (C2SP signed-note).
func parseKey(text string) (name string, seed []byte, err error) {
	text = strings.TrimSpace(text)
	parts := strings.SplitN(text, "+", 5)
	if _, err := note.NewSigner(text); err != nil || len(parts) != 5 {
		return "", nil, errors.New("the log key is not of the form PRIVATE+KEY+…: put back the log.key or KAIBAO_LOG_KEY that the database was made with")
	}
	body, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(body) != 1+ed25519.SeedSize || body[0] != 1 {
		return "", nil, errors.New("the log key is not an Ed25519 key: put back the log.key or KAIBAO_LOG_KEY that the database was made with")
	}
	return parts[2], body[1:], nil
}

// newNamed is the log of an origin that a key signs for.
func newNamed(origin string, seed []byte) (n named, err error) {
	n.origin = origin
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	n.verifier, err = note.NewEd25519VerifierKey(origin, public)
	if err != nil {
		return n, err
	}
	hash, _, _ := strings.Cut(strings.TrimPrefix(n.verifier, origin+"+"), "+")
	private := base64.StdEncoding.EncodeToString(append([]byte{1}, seed...))
	n.signer, err = note.NewSigner("PRIVATE+KEY+" + origin + "+" + hash + "+" + private)
	return n, err
}

// sealed is a text as a signed note (C2SP signed-note).
func (n named) sealed(text string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: text}, n.signer)
	return string(signed), err
}

// checkpoint signs a tree (C2SP tlog-checkpoint).
func (n named) checkpoint(t pinned) (string, error) {
	return n.sealed(checkpointText(n.origin, t.size, t.root))
}

// checkpointText is a tree's head by C2SP tlog-checkpoint.
func checkpointText(origin string, size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// verifierOf is a verifier key under the name of an epoch.
func verifierOf(key, origin string) (note.Verifier, error) {
	if _, err := note.NewVerifier(key); err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(strings.SplitN(key, "+", 3)[2])
	if err != nil {
		return nil, err
	}
	renamed, err := note.NewEd25519VerifierKey(origin, body[1:])
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(renamed)
}
