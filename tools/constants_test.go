package tools

import (
	"strconv"
	"strings"
	"testing"
)

// A log must stay valid whatever policy Kaibao changes. So the protocol, its beacons and its verifier
// may import only money, apperr, protocol and beacon from our packages.
func TestProtocolImportsNoPolicy(t *testing.T) {
	allowed := map[string]bool{"kaibao/internal/money": true, "kaibao/internal/apperr": true, "kaibao/internal/protocol": true, "kaibao/internal/beacon": true}
	read := map[string]int{}
	eachSource(t, func(path string, text []byte) {
		of, _, _ := strings.Cut(strings.TrimPrefix(path, "../internal/"), "/")
		if of != "protocol" && of != "beacon" && of != "verify" || strings.HasSuffix(path, "_test.go") {
			return
		}
		read[of]++
		for _, spec := range parse(t, path, text).Imports {
			if to, err := strconv.Unquote(spec.Path.Value); err != nil || strings.HasPrefix(to, "kaibao/") && !allowed[to] {
				t.Errorf("%s imports %s", path, to)
			}
		}
	})
	if read["protocol"] == 0 || read["beacon"] == 0 || read["verify"] == 0 {
		t.Errorf("read %v", read)
	}
}
