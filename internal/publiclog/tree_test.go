package publiclog

import (
	"encoding/hex"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

// The leaves and roots of RFC 6962's reference implementation (certificate-transparency,
// merkle_tree_test.cc).
var (
	referenceLeaves = []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	referenceRoots  = []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
)

func TestRootsMatchRFC6962(t *testing.T) {
	e := &frontier{tiles: tiles{}, changed: map[tileID]bool{}}
	for n, want := range referenceRoots {
		if root := e.root(); fmt.Sprintf("%x", root[:]) != want {
			t.Errorf("the root of %d leaves is %x, want %s", n, root[:], want)
		}
		if n < len(referenceLeaves) {
			leaf, err := hex.DecodeString(referenceLeaves[n])
			if err != nil {
				t.Fatal(err)
			}
			e.add(leaf)
		}
	}
}

// The tree yields the same roots and proofs as golang.org/x/mod, regardless of the sizes at which
// it is stored and reloaded.
func TestTreeMatchesReference(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var hashes []tlog.Hash
		reference := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
			found := make([]tlog.Hash, len(indexes))
			for n, index := range indexes {
				found[n] = hashes[index]
			}
			return found, nil
		})
		kept := tiles{}
		size := int64(0)
		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			known := tiles{}
			for _, id := range frontierTiles(size) {
				known[id] = append([]byte{}, kept[id]...)
			}
			e, err := newFrontier(size, known)
			if err != nil {
				rt.Fatal(err)
			}
			for range rapid.IntRange(0, 700).Draw(rt, "leaves") {
				leaf := fmt.Appendf(nil, "leaf %d", size)
				more, err := tlog.StoredHashes(size, leaf, reference)
				if err != nil {
					rt.Fatal(err)
				}
				hashes = append(hashes, more...)
				e.add(leaf)
				size++
			}
			for id := range e.changed {
				kept[id] = e.tiles[id]
			}
			want, err := tlog.TreeHash(size, reference)
			if err != nil || e.root() != want && size > 0 {
				rt.Fatalf("root of %d leaves: %s, want %s (%v)", size, e.root(), want, err)
			}
		}
		if size == 0 {
			return
		}
		n := rapid.Int64Range(0, size-1).Draw(rt, "proved")
		read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
			found := make([]tlog.Hash, len(indexes))
			for i, index := range indexes {
				var err error
				found[i], err = kept.hash(index)
				if err != nil {
					return nil, err
				}
			}
			return found, nil
		})
		ours, err := tlog.ProveRecord(size, n, read)
		theirs, err2 := tlog.ProveRecord(size, n, reference)
		if err != nil || err2 != nil || fmt.Sprint(ours) != fmt.Sprint(theirs) {
			rt.Fatalf("proof of %d in %d: %v, want %v (%v, %v)", n, size, ours, theirs, err, err2)
		}
	})
}

func TestParseAddress(t *testing.T) {
	for path, want := range map[string]tilePath{
		"0/000":                  {tileID: tileID{0, 0}, width: 256},
		"3/x001/x234/067":        {tileID: tileID{3, 1234067}, width: 256},
		"63/005.p/1":             {tileID: tileID{63, 5}, width: 1},
		"entries/x001/000.p/255": {entries: true, tileID: tileID{0, 1000}, width: 255},
	} {
		if a, ok := parseTilePath(path); !ok || a != want {
			t.Errorf("%s: %+v %t, want %+v", path, a, ok, want)
		}
	}
	for _, path := range []string{
		"", "0", "0/", "0/0", "0/0000", "0/00x", "64/000", "-1/000", "+1/000", "00/000", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/",
		"0/x000/001", "0/x001", "0/001/x002", "0/x001/002/", "entries", "data/000", "0/x001//002", "0/x999/x999/x999/x999/x999/x999/999", "0/000.p/1/2",
	} {
		if a, ok := parseTilePath(path); ok {
			t.Errorf("%s was parsed as %+v", path, a)
		}
	}
}
