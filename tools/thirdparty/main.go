// Command thirdparty writes THIRD_PARTY.md: the modules, packages and libraries that the program
// contains, and their licenses. It fails if one has no license or one that isn't in allowed. Run it
// by make generate.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the SPDX ids of licenses that a module or package may have. All of them allow
// distribution of the binary with the license's text, if modules under the MPL are unchanged.
var allowed = map[string]bool{
	"0BSD": true, "Apache-2.0": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "ISC": true, "MIT": true,
	"MPL-2.0": true, "OFL-1.1": true, "Unlicense": true,
}

// fixed are licenses whose text never differs, apart from a filled-in copyright line.
var fixed = map[string]bool{"Apache-2.0": true, "MPL-2.0": true}

//go:embed LGPL-2.1.txt
var lgpl string

//go:embed MPL-2.0.txt
var mpl string

// resvgNotices names what resvg.wasm contains, as its file names and licenses do.
//
//go:embed resvg.txt
var resvgNotices string

// libraries are the C libraries in the binary.
var libraries = []component{
	{name: "SQLite", license: "blessing (public domain)"},
	{name: "GNU C Library", license: "LGPL-2.1-or-later", files: []string{lgpl}},
}

// modulesInWebAssembly are embedded in the binary and run in a sandbox (internal/preview/resvg).
var modulesInWebAssembly = []component{
	{name: "@resvg/resvg-wasm", version: "2.6.2", license: "MPL-2.0, and those of its libraries", files: []string{mpl, resvgNotices}},
}

// component is a module, package or library that is compiled into the program.
type component struct {
	name, version, license string
	files                  []string // texts of its license files
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatalf("thirdparty: %v", err)
	}
}

func run() error {
	modules, err := goModules("..")
	if err != nil {
		return err
	}
	packages, err := npmPackages("../web")
	if err != nil {
		return err
	}
	return os.WriteFile("../THIRD_PARTY.md", render(modules, packages, modulesInWebAssembly, libraries), 0o644)
}

// goModules returns the modules of the program in a folder, and Go's standard library.
func goModules(dir string) ([]component, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/kaibao")
	list.Dir, list.Stderr = dir, os.Stderr
	// The same list on every machine.
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1", "GOFLAGS=-tags=netgo,osusergo,sqlite_omit_load_extension")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list modules: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	lines := slices.Compact(slices.Sorted(strings.Lines(string(out))))
	found := make([]component, 0, len(lines)+1)
	for _, line := range append(lines, "Go standard library\t\t"+string(root)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		c, err := newComponent(fields[0], fields[1], fields[2], "")
		if err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, nil
}

// npmPackages returns the packages of the web app without those that only build or test it.
func npmPackages(dir string) ([]component, error) {
	text, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, Optional    bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var packages []component
	for _, path := range slices.Sorted(maps.Keys(lock.Packages)) {
		found := lock.Packages[path]
		if path == "" || found.Dev || found.Optional {
			continue
		}
		_, name, _ := strings.Cut(path[strings.LastIndex("/"+path, "/node_modules/"):], "node_modules/")
		c, err := newComponent(name, found.Version, filepath.Join(dir, path), found.License)
		if err != nil {
			return nil, err
		}
		packages = append(packages, c)
	}
	return packages, nil
}

var errNoLicense = errors.New("it has no license file, and its package names no license")

// newComponent reads the license files in a component's folder. license is the SPDX id that its
// package names, or "" to recognize the texts.
func newComponent(name, version, dir, license string) (component, error) {
	c := component{name: name, version: version}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return c, err
	}
	var ids []string
	if license != "" {
		ids = []string{license}
	}
	for _, entry := range entries {
		stem := strings.ToUpper(regexp.MustCompile(`[.-]`).Split(entry.Name(), 2)[0])
		if entry.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"}, stem) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return c, err
		}
		for _, match := range licensecheck.Scan(text).Match {
			if license == "" && !slices.Contains(ids, match.ID) {
				ids = append(ids, match.ID)
			}
		}
		c.files = append(c.files, strings.ReplaceAll(string(bytes.TrimSpace(text)), "\r\n", "\n")+"\n")
	}
	if len(ids) == 0 {
		return c, fmt.Errorf("%s: %w", name, errNoLicense)
	}
	for _, id := range ids {
		if !allowed[id] {
			return c, fmt.Errorf("%s: its license is %s: check whether the program may contain it, then add it to allowed", name, id)
		}
	}
	c.license = strings.Join(ids, " and ")
	return c, nil
}

// copyrightLine matches the lines of a license that name its owners, and its title.
var copyrightLine = regexp.MustCompile(`(?m)^[ \t/*]*(Copyright .*|[Aa]ll [Rr]ights [Rr]eserved\.?|.{0,25}\bLicense( \([\w-]+\))?\)?|=+)[ \t]*\n`)

// split returns the title of a license file, the lines that name its owners, and its text. Texts with
// the same key are the same. A file that has several licenses is not split.
func split(file string) (key, title, owners, text string) {
	found := licensecheck.Scan([]byte(file)).Match
	if len(found) != 1 {
		if len(found) == 0 {
			return "", "Notices", file, ""
		}
		return file, "Several licenses", "", file
	}
	id := found[0].ID
	for _, line := range copyrightLine.FindAllString(file, -1) {
		if strings.Contains(line, "Copyright ") && !strings.Contains(line, "Copyright [") && !strings.Contains(line, "Copyright {") {
			owners += strings.TrimLeft(line, " \t/*")
		}
	}
	text = strings.Trim(copyrightLine.ReplaceAllString(file, ""), "\n") + "\n"
	if fixed[id] {
		return id, id, owners, file
	}
	words := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(text), " ")
	return strings.TrimSpace(words), id, owners, text
}

// license is a license text and the components that are under it.
type license struct {
	title, text string
	users       map[string][]string // names of components by the lines that name their owners
}

// licenses merges equal license texts, in the order of their titles.
func licenses(components []component) []*license {
	byKey := map[string]*license{}
	for _, c := range components {
		for _, file := range c.files {
			key, title, owners, text := split(file)
			l := byKey[key]
			if l == nil {
				l = &license{title: title, text: text, users: map[string][]string{}}
				byKey[key] = l
			}
			if owners == "" { // its copyright line isn't filled in
				l.text = text
			}
			l.users[owners] = append(l.users[owners], c.name)
		}
	}
	keys := slices.SortedFunc(maps.Keys(byKey), func(a, b string) int {
		return cmp.Or(cmp.Compare(byKey[a].title, byKey[b].title), cmp.Compare(a, b))
	})
	sorted := make([]*license, len(keys))
	for i, key := range keys {
		sorted[i] = byKey[key]
	}
	return sorted
}

// render returns the document: tables of all components, then each license text once, after the names
// and copyright lines of the components that are under it.
func render(modules, packages, sandboxed, libraries []component) []byte {
	var out bytes.Buffer
	out.WriteString("# Third-party software\n\nThe program contains the following software. `make generate` writes this file.\n")
	for _, group := range []struct {
		title      string
		components []component
	}{{"Server", modules}, {"Web app", packages}, {"WebAssembly", sandboxed}, {"C libraries", libraries}} {
		fmt.Fprintf(&out, "\n## %s\n\n| name | version | license |\n|---|---|---|\n", group.title)
		for _, c := range group.components {
			fmt.Fprintf(&out, "| %s | %s | %s |\n", c.name, c.version, c.license)
		}
	}
	// Its license asks for this if it is linked statically.
	out.WriteString("\nThe GNU C Library is linked statically. To use another version of it, install that and build the program from its source with `make build`.\n")
	out.WriteString("\n## License texts\n")
	for _, l := range licenses(slices.Concat(modules, packages, sandboxed, libraries)) {
		fmt.Fprintf(&out, "\n### %s\n\n```text\n", l.title)
		for _, owners := range slices.SortedFunc(maps.Keys(l.users), func(a, b string) int { return cmp.Compare(l.users[a][0], l.users[b][0]) }) {
			fmt.Fprintln(&out, strings.Join(slices.Compact(l.users[owners]), ", "))
			for line := range strings.Lines(owners) {
				out.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
			}
		}
		if l.text != "" {
			fmt.Fprintf(&out, "\n%s", l.text)
		}
		out.WriteString("```\n")
	}
	return out.Bytes()
}
