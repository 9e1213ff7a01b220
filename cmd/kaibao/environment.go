package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// fileSuffix makes a variable name the file that contains the setting, such as a secret that Docker
// or Kubernetes mounts.
const fileSuffix = "_FILE"

// settingFileError is why a setting can't be read from a file. It never contains the setting.
type settingFileError struct{ error }

// readSettingFile is a kong.Resolver that reads the setting KAIBAO_X from the file that
// KAIBAO_X_FILE names.
func readSettingFile(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		file := os.Getenv(name + fileSuffix)
		if file == "" {
			continue
		}
		if os.Getenv(name) != "" {
			return nil, settingFileError{fmt.Errorf("%s and %s are both set: keep one of them", name, name+fileSuffix)}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, settingFileError{fmt.Errorf("%s: %w", name+fileSuffix, withoutPath(err))}
		}
		value := strings.TrimRight(string(text), "\r\n")
		if value == "" {
			return nil, settingFileError{fmt.Errorf("%s: the file %s is empty", name+fileSuffix, file)}
		}
		return value, nil
	}
	return nil, nil
}

// withoutPath leaves out the name of a file, which may be the secret itself by mistake.
func withoutPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("can't %s the file: %w", at.Op, at.Err)
	}
	return err
}

// settings returns the environment variables of all commands.
func settings(node *kong.Node) (names []string) {
	for _, flag := range node.Flags {
		for _, name := range flag.Envs {
			names = append(names, name, name+fileSuffix)
		}
	}
	for _, child := range node.Children {
		names = append(names, settings(child)...)
	}
	return names
}

// suggestCommand adds the name of the command that was probably meant to the error of an unexpected
// argument: "kaibao keys" takes "roatte" for an argument of its default command.
func suggestCommand(err error) error {
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context.Selected() == nil {
		return err
	}
	_, unexpected, ok := strings.Cut(err.Error(), "unexpected argument ")
	parent := parse.Context.Selected().Parent
	if !ok || parent == nil {
		return err
	}
	for _, child := range parent.Children {
		if levenshtein.ComputeDistance(unexpected, child.Name) <= maxTypos {
			return fmt.Errorf("%w, did you mean %q?", err, child.Name)
		}
	}
	return err
}
