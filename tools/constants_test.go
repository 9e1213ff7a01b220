package tools

import (
	"strconv"
	"strings"
	"testing"
)

// A log must stay valid whatever the house changes. So the protocol and its verifier know
// amounts, errors and the protocol, and nothing else of ours.
func TestTheProtocolKnowsNoFigureOfTheHouse(t *testing.T) {
	allowed := map[string]bool{"kaibao/internal/money": true, "kaibao/internal/fault": true, "kaibao/internal/fair": true}
	read := map[string]int{}
	eachSource(t, func(path string, text []byte) {
		of := packageOf(strings.TrimPrefix(path, "../"))
		if of != "fair" && of != "verify" || strings.HasSuffix(path, "_test.go") {
			return
		}
		read[of]++
		for _, spec := range parse(t, path, text).Imports {
			if to, err := strconv.Unquote(spec.Path.Value); err != nil || strings.HasPrefix(to, "kaibao/") && !allowed[to] {
				t.Errorf("%s imports %s", path, to)
			}
		}
	})
	if read["fair"] == 0 || read["verify"] == 0 {
		t.Errorf("read %v", read)
	}
}
