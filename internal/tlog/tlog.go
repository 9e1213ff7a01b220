// Package tlog is the public log. Whatever it must show is written as a leaf in
// the transaction of the fact itself; placing the leaves in the tree comes later
// and slows nobody down. A receipt is a leaf signed with the log's key: with it
// a user can prove that the log owes it.
package tlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

// Kinds of leaves, as in their first line.
const (
	KindOpen     = "open"
	KindCommit   = "commit"
	KindManifest = "manifest-published"
	KindStock    = "stock"
)

// Log signs for one log key.
type Log struct {
	signer   note.Signer
	verifier string
}

// GenerateKey makes a signing key whose name no other log has.
func GenerateKey(random io.Reader) (string, error) {
	name := make([]byte, 4)
	if _, err := io.ReadFull(random, name); err != nil {
		return "", err
	}
	private, _, err := note.GenerateKey(random, fmt.Sprintf("kaibao.log/%x", name))
	return private, err
}

// New reads a signing key (PRIVATE+KEY+name+hash+base64, package note).
func New(privateKey string) (*Log, error) {
	signer, err := note.NewSigner(strings.TrimSpace(privateKey))
	if err != nil {
		return nil, errors.New("the log key cannot be read")
	}
	verifier, err := verifierKey(privateKey)
	if err != nil {
		return nil, err
	}
	return &Log{signer: signer, verifier: verifier}, nil
}

// VerifierKey is what anybody checks signatures with: name+hash+base64.
func (l *Log) VerifierKey() string { return l.verifier }

// Pin keeps a database to one key: a node that holds another one is refused.
func (l *Log) Pin(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		pinned, err := db.Pin(tx, "log_key", l.verifier)
		if err == nil && pinned != l.verifier {
			err = fmt.Errorf("this database belongs to the log key %s, not to %s: start with the key it was made with", pinned, l.verifier)
		}
		return err
	})
}

// Receipt signs a leaf. Ed25519 is deterministic: the same leaf always gives
// the same receipt, so none is stored.
func (l *Log) Receipt(leaf string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: leaf}, l.signer)
	return string(signed), err
}

// Routes registers /log/key.
func (l *Log) Routes(k *httpkit.Kit) {
	k.Raw("GET /log/key", httpkit.Public, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(l.verifier + "\n"))
	}))
}
