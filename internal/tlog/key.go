package tlog

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// verifierKey derives the public half of a note signing key. Its body is one
// byte for the algorithm (1 = Ed25519) and the 32-byte seed (C2SP signed-note).
func verifierKey(privateKey string) (string, error) {
	parts := strings.SplitN(strings.TrimSpace(privateKey), "+", 5)
	if len(parts) != 5 {
		return "", errors.New("the log key cannot be read")
	}
	body, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(body) != 1+ed25519.SeedSize || body[0] != 1 {
		return "", errors.New("the log key is not an Ed25519 key")
	}
	public := ed25519.NewKeyFromSeed(body[1:]).Public().(ed25519.PublicKey)
	return note.NewEd25519VerifierKey(parts[2], public)
}
