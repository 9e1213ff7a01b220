package integrationtest_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// announced returns the leaves that publish a pack's manifests.
func announced(t *testing.T, s *apptest.Server, pack string) (leaves []protocol.ManifestLeaf) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		all, err := publiclog.AllLeaves[protocol.ManifestLeaf](tx)
		leaves = slices.DeleteFunc(all, func(l protocol.ManifestLeaf) bool { return l.Pack != pack })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return leaves
}

func publish(t *testing.T, s *apptest.Server, pack string, came ...protocol.Restock) error {
	t.Helper()
	shop := s.Shop(t)
	return s.DB.InTx(t.Context(), func(tx *db.Tx) error { return shop.Publish(tx, pack, came...) })
}

// stockOf returns the finite stock in a leaf's manifest, by card.
func stockOf(t *testing.T, s *apptest.Server, leaf protocol.ManifestLeaf) map[string]int64 {
	t.Helper()
	m, err := protocol.ParseManifest(s.NewClient(t).Get(t, fmt.Sprintf("/api/fairness/manifests/%x", leaf.Manifest)).Body)
	if err != nil {
		t.Fatal(err)
	}
	stock := map[string]int64{}
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			if card.Finite() {
				stock[card.ID] = card.Stock
			}
		}
	}
	return stock
}

// The stock in each manifest, including the first, is what was left plus what its leaf lists
// (fairness.md, section 1).
func TestRestockIsAnnouncedInLeaf(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		left := map[string]int64{}
		holds := func(leaf protocol.ManifestLeaf) {
			t.Helper()
			for _, came := range leaf.Restock {
				left[came.Card] += came.Count
			}
			if stock := stockOf(t, s, leaf); !maps.Equal(stock, left) {
				t.Errorf("the manifest has stock %v, want %v", stock, left)
			}
		}
		holds(announced(t, s, "8")[0])
		c := s.SignIn(t)
		c.Deposit(t, 450)
		var opened struct{ Items []struct{ ID string } }
		c.OpenSealed(t, "8", "x").Want(t, http.StatusOK, &opened)
		left[opened.Items[0].ID]--
		came := protocol.Restock{Card: opened.Items[0].ID, Count: 3}
		if err := publish(t, s, "8", came); err != nil {
			t.Fatal(err)
		}
		leaves := announced(t, s, "8")
		if len(leaves) != 2 || len(left) != 14 || !slices.Equal(leaves[1].Restock, []protocol.Restock{came}) {
			t.Fatalf("leaves of pack 8 are %+v, want two, the second restocking %+v", leaves, came)
		}
		holds(leaves[1])
		s.Audit(t)
		if err := publish(t, s, "2", came); err == nil {
			t.Error("a card of pack 8 was also added to pack 2")
		}
	})
}

// A supply is only in the leaf, not in the manifest; a change of it is announced, too.
func TestSupplyChangeIsAnnounced(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return tx.ExecOne(`UPDATE packs SET supply = 7 WHERE id = '3'`) }); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second publication changes nothing
			if err := publish(t, s, "3"); err != nil {
				t.Fatal(err)
			}
		}
		leaves := announced(t, s, "3")
		if len(leaves) != 2 || leaves[0].Supply != packs.Unlimited || leaves[1].Supply != 7 || leaves[1].Manifest != leaves[0].Manifest {
			t.Errorf("leaves of pack 3 are %+v, want two with one manifest and supplies -1 and 7", leaves)
		}
		s.Audit(t)
	})
}
