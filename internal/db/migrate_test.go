package db_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Released migrations are never edited: databases that ran the old text would have another schema than
// their version says.
func TestMigrationsAreOnlyAdded(t *testing.T) {
	sums, err := os.ReadFile("migrations/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) != bytes.Count(sums, []byte("\n")) {
		t.Fatalf("%d migrations, but %d lines in SHA256SUMS: add the sum of a new migration there: %v", len(files), bytes.Count(sums, []byte("\n")), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(text), filepath.Base(file)); !bytes.Contains(sums, []byte(sum)) {
			t.Errorf("%s was edited after its release: restore it and add a migration. Its sum is now %s", file, sum)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "CHECK (") && !namedCheck.MatchString(line) {
				t.Errorf("%s: a check without a name, which no migration could change on SQLite: %s", file, line)
			}
		}
	}
}

var namedCheck = regexp.MustCompile(`CONSTRAINT \w+ CHECK \(`)
