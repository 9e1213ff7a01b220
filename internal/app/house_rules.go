package app

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"kaibao/internal/houserules"
)

// houseRules returns the rules of the configured profile: one that ships with the program, or a
// file, whose name has a dot or a slash. Without a profile they are the default rules.
func (c Config) houseRules() (r houserules.Rules, err error) {
	switch {
	case c.Profile == "":
		return houserules.Default(), nil
	case !strings.ContainsAny(c.Profile, `./\`) || slices.Contains(houserules.Names(), c.Profile):
		r, err = houserules.BuiltIn(c.Profile)
	default:
		var text []byte
		text, err = os.ReadFile(c.Profile)
		if err == nil {
			r, err = houserules.Parse(text)
		}
	}
	if err != nil {
		return r, fmt.Errorf("--profile %s: %w", c.Profile, err)
	}
	return r, nil
}
