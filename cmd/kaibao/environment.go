package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
)

const settingPrefix = "KAIBAO_"

// injected matches variables that container platforms set for a service called kaibao or kaibao-*.
var injected = regexp.MustCompile(`^KAIBAO_(.*_)?(SERVICE_.*|PORT(_.*)?)$`)

// maxTypos is the edit distance up to which a variable counts as a misspelled setting.
const maxTypos = 2

// checkEnvironment returns an error for variables that look like misspelled settings, since they
// would have no effect. It returns other unknown variables.
func checkEnvironment(environment, settings []string) (unknown []string, err error) {
	var errs []error
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, settingPrefix) || slices.Contains(settings, name) || injected.MatchString(name) {
			continue
		}
		closest := slices.MinFunc(settings, func(a, b string) int {
			return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
		})
		if levenshtein.ComputeDistance(name, closest) <= maxTypos {
			errs = append(errs, fmt.Errorf("unknown setting %s: did you mean %s?", name, closest))
		} else {
			unknown = append(unknown, name)
		}
	}
	return unknown, errors.Join(errs...)
}

// settings returns the environment variables of all commands.
func settings(node *kong.Node) (names []string) {
	for _, flag := range node.Flags {
		names = append(names, flag.Envs...)
	}
	for _, child := range node.Children {
		names = append(names, settings(child)...)
	}
	return names
}
