package opening_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/app/apptest"
	"kaibao/internal/protocol"
)

// result holds the fields of an open response that the tests use.
type result struct {
	OpenID, PackID, ServerSeedRevealed, Commitment, ClientSeed, ManifestHash, Receipt, CreatedAt string

	PriceCents, TotalValueCents, BalanceCents, Nonce, DrawSeq int64

	Items []struct {
		InventoryID, ID, Rarity, ImageURL, SellBackUntil string
		BaseValueCents, SellBackCents                    int64
	}
	Next current
}

type current struct {
	Commitment, Manifest string
	Nonce                int64
}

func body(seed string) map[string]any { return map[string]any{"clientSeed": seed} }

func open(t *testing.T, c *apptest.Client, pack string, body map[string]any) (r result) {
	t.Helper()
	c.Post(t, "/api/packs/"+pack+"/open", body).Want(t, http.StatusOK, &r)
	return r
}

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	var wallet struct{ BalanceCents int64 }
	c.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
	return wallet.BalanceCents
}

func commitment(t *testing.T, c *apptest.Client) (now current) {
	t.Helper()
	c.Get(t, "/api/fairness/commitment").Want(t, http.StatusOK, &now)
	return now
}

func TestOpenChargesDrawsAndCanBeVerified(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		shown := commitment(t, c)

		r := open(t, c, "2", map[string]any{"clientSeed": "我的种子", "commitment": shown.Commitment})

		if r.Commitment != shown.Commitment || r.Nonce != 0 || r.ClientSeed != "我的种子" || r.PriceCents != 2500 {
			t.Errorf("open has commitment %s, nonce %d, client seed %q and price %d; want %s, 0, 我的种子 and 2500", r.Commitment, r.Nonce, r.ClientSeed, r.PriceCents, shown.Commitment)
		}
		if r.BalanceCents != 7500 || balance(t, c) != 7500 {
			t.Errorf("balance is %d in the response and %d in the wallet, want 7500", r.BalanceCents, balance(t, c))
		}
		if len(r.Items) != 1 || r.Items[0].BaseValueCents != r.TotalValueCents || r.Items[0].SellBackCents != r.TotalValueCents*90/100 {
			t.Errorf("items are %+v, want one with the total value of %d and a sell-back of 90 %%", r.Items, r.TotalValueCents)
		}
		if next := commitment(t, c); next.Commitment != r.Next.Commitment || next.Nonce != 1 || r.Next.Nonce != 1 {
			t.Errorf("the next commitment is %+v, want %+v with nonce 1 as in the response", next, r.Next)
		}
		verifyOpen(t, c, r, nil)

		var listed []result
		c.Get(t, "/api/opens").Want(t, http.StatusOK, &listed)
		var single result
		c.Get(t, "/api/opens/"+r.OpenID).Want(t, http.StatusOK, &single)
		for _, again := range []result{listed[0], single} {
			if fmt.Sprint(again.Items) != fmt.Sprint(r.Items) {
				t.Errorf("items are read back as %+v, want %+v", again.Items, r.Items)
			}
		}
		if single.Receipt != r.Receipt || listed[0].Receipt != "" {
			t.Errorf("receipt is %q alone and %q in the list, want %q and none", single.Receipt, listed[0].Receipt, r.Receipt)
		}
		var owned []struct {
			ID   string
			Item struct{ ID string }
		}
		c.Get(t, "/api/inventory/me").Want(t, http.StatusOK, &owned)
		if len(owned) != 1 || owned[0].ID != r.Items[0].InventoryID || owned[0].Item.ID != r.Items[0].ID {
			t.Errorf("the inventory has %+v, want the pulled items %+v", owned, r.Items)
		}
		s.SignIn(t).Get(t, "/api/opens/"+r.OpenID).Refused(t, http.StatusNotFound, "not_found")
		s.Audit(t)
	})
}

// verifyOpen checks a response with public data: the receipt with the log's public key, the draw with
// the published manifest. It returns the receipt's leaf.
func verifyOpen(t *testing.T, c *apptest.Client, r result, stock protocol.Stock) protocol.OpenLeaf {
	t.Helper()
	leaf := receiptOf(t, c, r)
	manifest := c.Get(t, "/api/fairness/manifests/"+r.ManifestHash)
	if err := protocol.VerifyOpen(leaf, manifest.Body, stock); err != nil {
		t.Errorf("the open can't be verified: %v", err)
	}
	if leaf.ID != r.OpenID || hex.EncodeToString(leaf.ServerSeed[:]) != r.ServerSeedRevealed ||
		hex.EncodeToString(leaf.Next[:]) != r.Next.Commitment || int64(leaf.Draw) != r.DrawSeq {
		t.Errorf("leaf is %+v, want the values of the response %+v", leaf, r)
	}
	return leaf
}

// receiptOf returns the leaf in a response's receipt after checking its signature.
func receiptOf(t *testing.T, c *apptest.Client, r result) protocol.OpenLeaf {
	t.Helper()
	return leafIn(t, c, r.Receipt).(protocol.OpenLeaf)
}

// leafIn returns the leaf in a receipt after checking its signature.
func leafIn(t *testing.T, c *apptest.Client, signed string) protocol.Leaf {
	t.Helper()
	verifier, err := note.NewVerifier(strings.TrimSpace(string(c.Get(t, "/log/key").Body)))
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		t.Fatalf("the receipt's signature is refused: %v", err)
	}
	parsed, err := protocol.ParseLeaf([]byte(receipt.Text))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestRarityPackYieldsFive(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		r := open(t, c, "demo-pack-1", body("random"))
		var total int64
		for _, item := range r.Items {
			total += item.BaseValueCents
		}
		if len(r.Items) != 5 || total != r.TotalValueCents {
			t.Errorf("pulled %d items worth %d, want 5 worth %d", len(r.Items), total, r.TotalValueCents)
		}
		verifyOpen(t, c, r, nil)
	})
}

func TestRefusedOpensChargeNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 30)
		before := commitment(t, c)
		for name, refused := range map[string]struct {
			pack   string
			body   any
			status int
			code   string
		}{
			"unknown pack":             {"none", body("x"), http.StatusNotFound, "not_found"},
			"no client seed":           {"2", map[string]any{}, http.StatusUnprocessableEntity, "invalid"},
			"empty client seed":        {"2", body(""), http.StatusUnprocessableEntity, "invalid"},
			"client seed too long":     {"2", body(strings.Repeat("x", 129)), http.StatusUnprocessableEntity, "invalid"},
			"client seed not UTF-8":    {"2", "{\"clientSeed\": \"a\xff\xfeb\"}", http.StatusBadRequest, "malformed"},
			"client seed not a string": {"2", map[string]any{"clientSeed": 7}, http.StatusUnprocessableEntity, "invalid"},
			"balance too small":        {"8", body("x"), http.StatusPaymentRequired, "insufficient_funds"},
			"unknown commitment":       {"2", map[string]any{"clientSeed": "x", "commitment": strings.Repeat("0", 64)}, http.StatusConflict, "commitment_changed"},
			"unknown manifest":         {"2", map[string]any{"clientSeed": "x", "manifest": strings.Repeat("0", 64)}, http.StatusConflict, "manifest_changed"},
		} {
			t.Run(name, func(t *testing.T) {
				c.Post(t, "/api/packs/"+refused.pack+"/open", refused.body).Refused(t, refused.status, refused.code)
			})
		}
		if after := commitment(t, c); after != before || balance(t, c) != 3000 {
			t.Errorf("after the refusals the commitment is %+v and the balance %d, want %+v and 3000", after, balance(t, c), before)
		}
		s.NewClient(t).Post(t, "/api/packs/2/open", body("x")).Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.Audit(t)
	})
}

func TestConflictReturnsCurrentValues(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 30)
		now := commitment(t, c)
		var pack struct{ ManifestHash string }
		c.Get(t, "/api/packs/2").Want(t, http.StatusOK, &pack)
		for _, stale := range []string{"commitment", "manifest"} {
			var refusal struct{ Details current }
			c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x", stale: strings.Repeat("0", 64)}).
				Want(t, http.StatusConflict, &refusal)
			if refusal.Details.Commitment != now.Commitment || refusal.Details.Manifest != pack.ManifestHash {
				t.Errorf("with an old %s, the refusal's details are %+v, want the commitment of %+v and manifest %s", stale, refusal.Details, now, pack.ManifestHash)
			}
		}
	})
}

func TestRepeatedCommitmentReturnsSameOpen(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		request := map[string]any{"clientSeed": "mine", "commitment": commitment(t, c).Commitment}
		first := open(t, c, "2", request)
		open(t, c, "2", body("another"))
		again := open(t, c, "2", request)
		if again.OpenID != first.OpenID || again.Receipt != first.Receipt || again.BalanceCents != 5000 {
			t.Errorf("the repeated request returned %+v, want open %s with its receipt and a balance of 5000", again, first.OpenID)
		}
		request["clientSeed"] = "changed my mind"
		c.Post(t, "/api/packs/2/open", request).Refused(t, http.StatusConflict, "commitment_changed")
		request["clientSeed"] = "mine"
		c.Post(t, "/api/packs/1/open", request).Refused(t, http.StatusConflict, "commitment_changed")
		s.Audit(t)
	})
}

// callConcurrently makes n concurrent calls and counts the responses by status.
func callConcurrently(t *testing.T, n int, call func(i int) apptest.Answer) map[int]int {
	t.Helper()
	statuses := map[int]int{}
	var mutex sync.Mutex
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			answer := call(i)
			mutex.Lock()
			defer mutex.Unlock()
			statuses[answer.Status]++
		})
	}
	calls.Wait()
	return statuses
}

func TestConcurrentOpensCannotOverspend(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		got := callConcurrently(t, 20, func(int) apptest.Answer { return c.Post(t, "/api/packs/2/open", body("x")) })
		if got[http.StatusOK] != 1 || got[http.StatusPaymentRequired] != 19 {
			t.Errorf("statuses are %v, want one 200 and nineteen 402", got)
		}
		if left := balance(t, c); left != 0 {
			t.Errorf("balance is %d, want 0", left)
		}
		s.Audit(t)
	})
}

func TestConcurrentOpensUseEachNonceOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 1000)
		got := callConcurrently(t, 40, func(int) apptest.Answer { return c.Post(t, "/api/packs/2/open", body("x")) })
		if got[http.StatusOK] != 40 || balance(t, c) != 0 {
			t.Errorf("statuses are %v and the balance %d, want forty 200 and 0", got, balance(t, c))
		}
		var opens []result
		c.Get(t, "/api/opens?limit=200").Want(t, http.StatusOK, &opens)
		for n, o := range opens {
			if o.Nonce != int64(39-n) {
				t.Fatalf("nonce at index %d is %d, want %d", n, o.Nonce, 39-n)
			}
		}
		s.Audit(t)
	})
}
