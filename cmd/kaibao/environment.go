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

// injected are variables that container platforms set for a service called kaibao, or kaibao-*.
var injected = regexp.MustCompile(`^KAIBAO_(.*_)?(SERVICE_.*|PORT(_.*)?)$`)

// mistyped is how many letters may differ for a variable to be taken for a known one.
const mistyped = 2

// checkEnvironment refuses variables that are nearly a setting's, which would be without
// effect, and returns those that are like none.
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
		if levenshtein.ComputeDistance(name, closest) <= mistyped {
			errs = append(errs, fmt.Errorf("there is no setting %s: did you mean %s?", name, closest))
		} else {
			unknown = append(unknown, name)
		}
	}
	return unknown, errors.Join(errs...)
}

// settings lists the variables of every command.
func settings(node *kong.Node) (names []string) {
	for _, flag := range node.Flags {
		names = append(names, flag.Envs...)
	}
	for _, child := range node.Children {
		names = append(names, settings(child)...)
	}
	return names
}
