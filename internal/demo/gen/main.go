// Command gen writes the demo catalogue: the items of every series, and the packs. It reads the
// curated lists in the folder lists and is seeded, so the same lists always give the same files.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . -out ../data

func main() {
	out := flag.String("out", "internal/demo/data", "output folder")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "items"), 0o755); err != nil {
		return fmt.Errorf("creating the items folder: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return fmt.Errorf("writing the catalogue: %w", err)
		}
	}
	return nil
}

// generate returns the catalogue's files: content by path in the data folder.
func generate() (map[string][]byte, error) {
	files := map[string][]byte{}
	catalogue := map[string][]item{}
	certs := &certificates{used: map[string]bool{}}
	for _, s := range allSeries {
		items, err := s.items(certs)
		if err != nil {
			return nil, fmt.Errorf("series %s: %w", s.name, err)
		}
		catalogue[s.name] = items
		files["items/"+s.file+".json"] = linesOfJSON(items)
	}
	for _, c := range toyCollections {
		catalogue[c.name] = c.items()
		files["items/"+c.file+".json"] = linesOfJSON(catalogue[c.name])
	}
	packs := allPacks()
	if err := checkExpectedValues(packs, catalogue); err != nil {
		return nil, err
	}
	files["packs.json"] = indentedJSON(packs)
	return files, nil
}
