package keys

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// Databases of earlier versions store the beginning of these fingerprints.
func TestFingerprintsNeverChange(t *testing.T) {
	key := strings.Repeat("5e", 32)
	for kind, want := range map[Kind]string{Seed: "681ed502905dfe85", Address: "174dbd638f4e3687"} {
		if got, err := Fingerprint(kind, key); err != nil || got != want {
			t.Errorf("the %s key has the fingerprint %s, want %s: %v", kind, got, want, err)
		}
	}
}

func TestLogKeyHasOneFingerprintInAllEpochs(t *testing.T) {
	private, verifier, err := note.GenerateKey(rand.Reader, "kaibao.log/1")
	if err != nil {
		t.Fatal(err)
	}
	fingerprint, err := Fingerprint(Log, private)
	if err != nil {
		t.Fatal(err)
	}
	name, rest, _ := strings.Cut(verifier, "+")
	for _, key := range []string{verifier, name + ".2+" + rest} {
		if got, err := LogFingerprint(key); err != nil || got != fingerprint {
			t.Errorf("the verifier key %s has the fingerprint %s, want %s: %v", key, got, fingerprint, err)
		}
	}
}

func TestInvalidKeysAreRefused(t *testing.T) {
	for key, kind := range map[string]Kind{
		"": Seed, "5ecre7": Seed, "abcd": Address, strings.Repeat("5e", 33): Address,
		"PRIVATE+KEY+name+hash+5ecre7": Log, "name+hash+AQ==": Log,
	} {
		if _, err := Fingerprint(kind, key); err == nil || strings.Contains(err.Error(), "5ecre7") {
			t.Errorf("the %s key %q is accepted, or revealed: %v", kind, key, err)
		}
	}
}

func TestSeveralKeysAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seed.key")
	want := []string{"a", "b", "c"}
	for _, text := range []string{"a,b,c", "a\nb\nc\n", "a\r\n\r\nb\r\nc", " a, b c\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, source := range []Source{{Seed, text, ""}, {Seed, "", file}} {
			if got, err := source.Read(); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q in %s is read as %q: %v", text, source, got, err)
			}
		}
	}
	if err := os.WriteFile(file, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Source{Seed, "", file}).Read(); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("an empty file: %v", err)
	}
}
