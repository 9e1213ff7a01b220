package apptest

import (
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/keys"
)

// AddKey appends a new key to the node's file, as the command does, and returns its fingerprint.
func (s *Server) AddKey(t testing.TB, kind keys.Kind) string {
	t.Helper()
	fingerprint, _, _, err := app.AddKey(s.Config.Storage, s.Config.Keys, kind)
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint
}

// RotateKeys makes the new key of a kind encrypt everything, as the command does.
func (s *Server) RotateKeys(t testing.TB, kind keys.Kind) app.Rotation {
	t.Helper()
	rotation, err := app.RotateKeys(t.Context(), s.Config.Storage, s.Config.Keys, kind, "", time.Minute, func(string) {})
	if err != nil {
		t.Fatalf("rotate the %s key: %v", kind, err)
	}
	return rotation
}

// RemoveKey removes a key from the node's file, as the command does.
func (s *Server) RemoveKey(t testing.TB, fingerprint string) error {
	t.Helper()
	_, err := app.RemoveKey(t.Context(), s.Config.Storage, s.Config.Keys, fingerprint, 1)
	return err
}
