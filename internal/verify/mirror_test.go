package verify_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/verify"
)

// A mirror's files are evidence against a server that later rolls back or forks its log, so it must
// not replace them with the new ones.
func TestMirrorKeepsSignedTree(t *testing.T) {
	for name, c := range map[string]struct {
		kept, now int
		change    int                               // index of the leaf that changed; -1 = none
		disguised bool                              // serves the old leaves and hashes
		before    func(t *testing.T, mirror string) // prepares the mirror
		says      []string                          // parts of the error; none = accepted
	}{
		"the same log":                    {kept: 300, now: 300, change: -1},
		"one that grew":                   {kept: 40, now: 200, change: -1},
		"one that grew by tiles":          {kept: 300, now: 700, change: -1},
		"one that grew to full tiles":     {kept: 255, now: 512, change: -1},
		"one that was empty":              {kept: 0, now: 300, change: -1},
		"one without a checkpoint yet":    {kept: 300, now: 300, change: -1, before: removeFile("checkpoint")},
		"one rolled back":                 {kept: 700, now: 300, change: -1, says: []string{" 300 ", " 700: ", "another folder"}},
		"one rolled back to empty":        {kept: 700, now: 0, change: -1, says: []string{" 0 ", " 700: ", "another folder"}},
		"another one as long":             {kept: 300, now: 300, change: 7, says: []string{" 300 ", "another folder"}},
		"another one that is longer":      {kept: 300, now: 700, change: 299, says: []string{" 300 ", " 700 ", "another folder"}},
		"another one without the key":     {kept: 300, now: 700, change: 7, before: removeFile("key"), says: []string{" 300 ", " 700 ", "another folder"}},
		"another end":                     {kept: 300, now: 700, change: 300},
		"another one with the old hashes": {kept: 300, now: 700, change: 7, disguised: true, says: []string{" 300 ", " 700 ", "inconsistent"}},
		"an unreadable checkpoint": {kept: 300, now: 700, change: -1, before: func(t *testing.T, mirror string) {
			writeFile(t, mirror, "checkpoint", []byte("kaibao.log/test\n300\n"))
		}, says: []string{"checkpoint", "another folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			log, mirror := newBusyLog(t, 9, 800), t.TempDir()
			all := slices.Clone(log.leaves)
			log.leaves = all[:c.kept]
			host := newHost(t, log.writeMirror(t))
			if err := runMirror(t, host, mirror); err != nil {
				t.Fatal(err)
			}
			if c.before != nil {
				c.before(t, mirror)
			}
			log.leaves = slices.Clone(all[:c.now])
			if c.change >= 0 {
				log.leaves[c.change] = "another leaf"
			}
			before := readFiles(t, mirror)
			host.dir = log.writeMirror(t)
			if c.disguised {
				writeTiles(t, host.dir, all[:c.now])
			}
			err := runMirror(t, host, mirror)
			if len(c.says) == 0 {
				signed, _ := os.ReadFile(filepath.Join(mirror, "checkpoint"))
				if err != nil || !bytes.Equal(signed, log.checkpoint(t, log.leaves)) {
					t.Errorf("%v: the mirror has checkpoint %s", err, signed)
				}
				return
			}
			for _, says := range c.says {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("%v, want %q in it", err, says)
				}
			}
			if !maps.Equal(readFiles(t, mirror), before) {
				t.Error("the mirror has changed")
			}
		})
	}
}

// A restored database starts another log, which needs its own folder.
func TestMirrorRefusesAnotherEpoch(t *testing.T) {
	log, mirror := newBusyLog(t, 9, 300), t.TempDir()
	host := newHost(t, log.writeMirror(t))
	if err := runMirror(t, host, mirror); err != nil {
		t.Fatal(err)
	}
	before := readFiles(t, mirror)
	log.restore(t, "kaibao.log/test/one", 3)
	host.dir = log.writeMirror(t)
	if err := runMirror(t, host, mirror); err == nil || !strings.Contains(err.Error(), "another folder") || !maps.Equal(readFiles(t, mirror), before) {
		t.Error(err)
	}
	next := t.TempDir()
	if err := runMirror(t, host, next); err != nil {
		t.Fatal(err)
	}
	if report := checkLog(t, verify.Options{Location: next}); report.Fault != nil || len(report.EndedLogs) != 1 {
		t.Errorf("report is %+v, want no fault and one ended log", report)
	}
}

func runMirror(t *testing.T, from *host, to string) error {
	t.Helper()
	_, _, err := verify.Mirror(t.Context(), from.URL, to, "", func(int64, int64) {})
	return err
}

// readFiles returns the content of all files in a folder by name.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func removeFile(name string) func(t *testing.T, mirror string) {
	return func(t *testing.T, mirror string) {
		t.Helper()
		if err := os.Remove(filepath.Join(mirror, name)); err != nil {
			t.Fatal(err)
		}
	}
}
