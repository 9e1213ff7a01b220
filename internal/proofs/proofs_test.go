package proofs_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/app/apptest"
)

type openProof struct {
	OpenID, Leaf, Receipt, LogKey string
	Index                         *int64
	InclusionProof                []string
	Checkpoint                    *string
}

// The public API proves an open: the audit path leads from its leaf to the signed root, and the
// bundle contains the same leaf.
func TestOpenProof(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 1000)
		var opened struct{ OpenID, Receipt string }
		for range 3 {
			c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusOK, &opened)
		}
		s.WaitForLog(t)
		stranger := s.NewClient(t)
		var p openProof
		stranger.Get(t, "/api/fairness/opens/"+opened.OpenID).Want(t, http.StatusOK, &p)
		if p.Receipt != opened.Receipt || p.Index == nil || p.Checkpoint == nil {
			t.Fatalf("the proof is %+v", p)
		}
		size, root := checkpoint(t, p.LogKey, *p.Checkpoint)
		var path tlog.RecordProof
		for _, text := range p.InclusionProof {
			hash, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, tlog.Hash(hash))
		}
		if err := tlog.CheckRecord(path, size, root, *p.Index, tlog.RecordHash([]byte(p.Leaf))); err != nil {
			t.Error(err)
		}
		bundle := stranger.Get(t, fmt.Sprintf("/log/tile/entries/000.p/%d", size))
		if leaves := unpack(t, bundle.Body); len(leaves) != int(size) || leaves[*p.Index] != p.Leaf {
			t.Errorf("the bundle has %d leaves of %d", len(leaves), size)
		}
		if cache := bundle.Header.Get("Cache-Control"); cache != "no-cache" {
			t.Errorf("a bundle is cached as %q", cache)
		}
		stranger.Get(t, "/api/fairness/opens/nobody").Refused(t, http.StatusNotFound, "not_found")
		for _, path := range []string{fmt.Sprintf("entries/000.p/%d", size+1), "entries/000", "0/000", "1/000.p/1", "0/001.p/1", "nonsense"} {
			stranger.Get(t, "/log/tile/"+path).Refused(t, http.StatusNotFound, "not_found")
		}
		s.Audit(t)
	})
}

func checkpoint(t testing.TB, key, signed string) (size int64, root tlog.Hash) {
	t.Helper()
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	var origin, hash string
	if _, err := fmt.Sscanf(n.Text, "%s\n%d\n%s\n", &origin, &size, &hash); err != nil || origin != verifier.Name() {
		t.Fatalf("checkpoint %q: %v", n.Text, err)
	}
	root, err = tlog.ParseHash(hash)
	if err != nil {
		t.Fatal(err)
	}
	return size, root
}

func unpack(t testing.TB, bundle []byte) (leaves []string) {
	t.Helper()
	for len(bundle) > 0 {
		n := int(binary.BigEndian.Uint16(bundle))
		leaves = append(leaves, string(bundle[2:2+n]))
		bundle = bundle[2+n:]
	}
	return leaves
}

type packDraws struct {
	PackID string
	Opens  int64
	Tiers  []struct {
		Count            int64
		Chance, Expected float64
	}
	PValue *float64
}

// The realized odds are counted as leaves are placed.
func TestDrawsAreCounted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 1000)
		for range 4 {
			c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusOK, nil)
		}
		s.WaitForLog(t)
		var d struct {
			Opens      int64
			Checkpoint struct{ Text string }
			Packs      []packDraws
		}
		s.NewClient(t).Get(t, "/api/fairness/draws").Want(t, http.StatusOK, &d)
		n := slices.IndexFunc(d.Packs, func(p packDraws) bool {
			return p.PackID == "2"
		})
		if d.Opens != 4 || d.Checkpoint.Text == "" || n < 0 || d.Packs[n].Opens != 4 || d.Packs[n].PValue != nil {
			t.Fatalf("draws are %+v, want a checkpoint and 4 opens, all of pack 2 and without a p-value", d)
		}
		count, chance, expected := int64(0), 0.0, 0.0
		for _, tier := range d.Packs[n].Tiers {
			count, chance, expected = count+tier.Count, chance+tier.Chance, expected+tier.Expected
		}
		if count != 4 || chance < 0.999 || chance > 1.001 || expected < 3.99 || expected > 4.01 {
			t.Errorf("%d cards, chances %g, %g expected", count, chance, expected)
		}
	})
}
