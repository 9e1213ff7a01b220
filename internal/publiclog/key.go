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

// epochSigner signs for the log of one epoch. All epochs use the same key, each under its own name,
// the origin.
type epochSigner struct {
	origin   string
	signer   note.Signer
	verifier string // the public half: name+hash+base64
}

// parseKey parses a note signing key: PRIVATE+KEY+name+hash+base64, where the base64 contains one
// byte for the algorithm (1 = Ed25519) and the 32-byte seed (C2SP signed-note).
func parseKey(text string) (name string, seed []byte, err error) {
	text = strings.TrimSpace(text)
	parts := strings.SplitN(text, "+", 5)
	if _, err := note.NewSigner(text); err != nil || len(parts) != 5 {
		return "", nil, errors.New("the log key must have the form PRIVATE+KEY+…: restore the log.key file or KAIBAO_LOG_KEY that this database was created with")
	}
	body, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(body) != 1+ed25519.SeedSize || body[0] != 1 {
		return "", nil, errors.New("the log key must be an Ed25519 key: restore the log.key file or KAIBAO_LOG_KEY that this database was created with")
	}
	return parts[2], body[1:], nil
}

// newEpochSigner returns the signer of an origin, with the key of the given seed.
func newEpochSigner(origin string, seed []byte) (n epochSigner, err error) {
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

// sign signs a text as a note (C2SP signed-note).
func (n epochSigner) sign(text string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: text}, n.signer)
	return string(signed), err
}

// checkpoint signs a tree (C2SP tlog-checkpoint).
func (n epochSigner) checkpoint(t tree) (string, error) {
	return n.sign(checkpointText(n.origin, t.size, t.root))
}

// checkpointText returns the unsigned text of a checkpoint (C2SP tlog-checkpoint).
func checkpointText(origin string, size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// verifierOf returns a verifier for the key under an epoch's origin.
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
