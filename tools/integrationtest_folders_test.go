package tools

import (
	"path/filepath"
	"strings"
	"testing"
)

// lastBelowOthers is the last layer that other features import.
const lastBelowOthers = 13

// TestAppTestsAreSeparate checks that internal tests and tests of the whole app aren't in the same
// folder. Otherwise Go recompiles every package between the two for that folder.
func TestAppTestsAreSeparate(t *testing.T) {
	h := readRules(t)
	inner, whole := map[string]string{}, map[string]string{}
	eachSource(t, func(path string, text []byte) {
		folder := filepath.Dir(path)
		if !strings.HasSuffix(path, "_test.go") || h.packages[h.packageOf(strings.TrimPrefix(folder, "../"))].layer > lastBelowOthers {
			return
		}
		file := parse(t, path, text)
		if !strings.HasSuffix(file.Name.Name, "_test") {
			inner[folder] = path
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"kaibao/internal/app/apptest"` {
				whole[folder] = path
			}
		}
	})
	for folder, path := range whole {
		if inner[folder] != "" {
			t.Errorf("%s tests the whole app and %s tests internals: move the former to %s/integrationtest", path, inner[folder], folder)
		}
	}
}
