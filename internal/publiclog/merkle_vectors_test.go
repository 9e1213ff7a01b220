package publiclog_test

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

var update = flag.Bool("update", false, "write testdata/merkle.json anew")

// merkleVectors is the content of testdata/merkle.json: proofs that the browser's verifier must
// accept. The first eight leaves are the reference tree of Certificate Transparency.
type merkleVectors struct {
	Leaves    []string          `json:"leaves"`
	Roots     map[int64]string  `json:"roots"`
	Inclusion []inclusionVector `json:"inclusion"`
}

type inclusionVector struct {
	Index int64    `json:"index"`
	Size  int64    `json:"size"`
	Proof []string `json:"proof"`
}

// The hashes published in RFC 6962's reference implementation.
const (
	referenceRoot1 = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
	referenceRoot8 = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
)

func leaves(t *testing.T) [][]byte {
	t.Helper()
	reference := []string{
		"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
	}
	all := make([][]byte, 0, 21)
	for _, text := range reference {
		leaf, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, leaf)
	}
	for len(all) < cap(all) {
		all = append(all, []byte{byte(len(all))})
	}
	return all
}

// vectors computes proofs for every leaf of trees of several sizes with golang.org/x/mod.
func vectors(t *testing.T) merkleVectors {
	t.Helper()
	all := leaves(t)
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			found[i] = stored[index]
		}
		return found, nil
	})
	made := merkleVectors{Roots: map[int64]string{}}
	sizes := map[int64]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, 13: true, 21: true}
	for at, leaf := range all {
		made.Leaves = append(made.Leaves, hex.EncodeToString(leaf))
		hashes, err := tlog.StoredHashes(int64(at), leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
		if size := int64(at) + 1; sizes[size] {
			made.add(t, size, reader)
		}
	}
	return made
}

func (m *merkleVectors) add(t *testing.T, size int64, reader tlog.HashReader) {
	t.Helper()
	root, err := tlog.TreeHash(size, reader)
	if err != nil {
		t.Fatal(err)
	}
	m.Roots[size] = hex.EncodeToString(root[:])
	for index := range size {
		proof, err := tlog.ProveRecord(size, index, reader)
		if err != nil {
			t.Fatal(err)
		}
		path := make([]string, len(proof))
		for i, hash := range proof {
			path[i] = hex.EncodeToString(hash[:])
		}
		m.Inclusion = append(m.Inclusion, inclusionVector{index, size, path})
	}
}

func TestMerkleVectors(t *testing.T) {
	made := vectors(t)
	if made.Roots[1] != referenceRoot1 || made.Roots[8] != referenceRoot8 {
		t.Fatalf("roots %v differ from the reference tree", made.Roots)
	}
	want, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "merkle.json")
	if *update {
		if err := os.WriteFile(path, append(want, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want)+"\n" {
		t.Error("testdata/merkle.json is not what golang.org/x/mod proves; rewrite it with -update")
	}
}
