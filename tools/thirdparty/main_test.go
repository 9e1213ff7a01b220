package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

// inFolder returns the component whose folder has these files, or why it is refused.
func inFolder(t *testing.T, name, license string, files map[string]string) (component, error) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return newComponent(name, "v1", dir, license)
}

// Licenses that differ only in title, owner and line breaks are written once, with every owner.
func TestEqualLicensesAreWrittenOnce(t *testing.T) {
	var all []component
	for name, files := range map[string]map[string]string{
		"one":   {"LICENSE": "MIT License\n\nCopyright (c) 2020 Ann\n\n" + mit},
		"two":   {"license.md": "The MIT License (MIT)\n\nCopyright (c) 2021 Ben\nAll rights reserved.\n\n" + strings.ReplaceAll(mit, " copies", "\ncopies")},
		"three": {"LICENSE-MIT": "Copyright (c) 2020 Ann\n\n" + mit, "NOTICE": "three contains four.\n"},
	} {
		c, err := inFolder(t, name, "", files)
		if err != nil {
			t.Fatal(err)
		}
		if c.license != "MIT" {
			t.Errorf("%s has the license %q, want MIT", name, c.license)
		}
		all = append(all, c)
	}
	text := string(render(all, nil, nil, nil))
	for part, want := range map[string]int{
		"Permission is hereby granted": 1, "Copyright (c) 2020 Ann": 1, "Copyright (c) 2021 Ben": 1, "three contains four.": 1,
		"| one | v1 | MIT |": 1, "| two | v1 | MIT |": 1,
	} {
		if got := strings.Count(text, part); got != want {
			t.Errorf("%q is there %d times, want %d:\n%s", part, got, want, text)
		}
	}
}

// A component without a license, or with one that isn't allowed, is refused.
func TestUnknownLicensesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		license, want string
		files         map[string]string
	}{
		"no file":               {"", "no license file", map[string]string{"main.go": mit}},
		"an unrecognized text":  {"", "no license file", map[string]string{"LICENSE": "Ask me.\n"}},
		"a package's name":      {"SSPL-1.0", "its license is SSPL-1.0", nil},
		"one of two is refused": {"", "its license is LGPL-2.1", map[string]string{"LICENSE": mit, "COPYING": lgpl}},
	} {
		if _, err := inFolder(t, "some", c.license, c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
