package solana_test

import (
	"slices"
	"testing"

	"kaibao/internal/deposits/solana"
	"kaibao/internal/deposits/solana/chaintest"
)

const (
	owed, dollars, fee = chaintest.Owed, chaintest.Dollars, chaintest.Fee

	rentOfTokens int64 = 2_039_280 // lamports that a token account must hold
)

type chain struct{ chaintest.Chain }

func (c chain) read(t *testing.T, payment string, at solana.Commitment) *solana.Transaction {
	t.Helper()
	found, err := (&solana.Client{URL: c.URL}).Transaction(t.Context(), c.Signatures[payment], at)
	if err != nil {
		t.Fatalf("%s: %v", payment, err)
	}
	return found
}

// changes are the expected balance changes by account; others are 0.
type changes = map[string]int64

var payments = map[string]struct {
	lamports, usdc changes
	failed         bool
	signers        []string // besides the payer
}{
	"SOL":                      {lamports: changes{"payer": -owed - fee, "merchant": owed}},
	"one lamport short":        {lamports: changes{"payer": -owed + 1 - fee, "merchant": owed - 1}},
	"to somebody else":         {lamports: changes{"payer": -owed - fee, "provider": owed}},
	"split":                    {lamports: changes{"payer": -owed - 208_334 - fee, "merchant": owed, "provider": 208_334}},
	"through a lookup table":   {lamports: changes{"payer": -owed - 208_334 - fee, "merchant": owed, "provider": 208_334}},
	"failed":                   {lamports: changes{"payer": -fee}, failed: true},
	"paid and taken back":      {lamports: changes{"payer": -2 * fee}, signers: []string{"merchant"}},
	"USDC":                     {lamports: changes{"payer": -fee}, usdc: changes{"payer": -dollars, "merchant": dollars}},
	"USDC split":               {lamports: changes{"payer": -fee}, usdc: changes{"payer": -dollars - 250_000, "merchant": dollars, "provider": 250_000}},
	"USDC that failed":         {lamports: changes{"payer": -fee}, failed: true},
	"USDC paid and taken back": {lamports: changes{"payer": -2 * fee}, signers: []string{"merchant"}},
	"another mint":             {lamports: changes{"payer": -fee}},
	"another token program":    {lamports: changes{"payer": -fee}},
	"USDC into two accounts, one of them new": {
		lamports: changes{"payer": -rentOfTokens - 2*fee, "opened": rentOfTokens},
		usdc:     changes{"payer": -dollars, "merchant": dollars}, signers: []string{"opened"},
	},
}

func TestRuntimeTransactions(t *testing.T) {
	c := chain{chaintest.Start(t, "../../../web")}
	t.Run("dropped", func(t *testing.T) { c.checkDropped(t) })
	t.Run("other tokens", func(t *testing.T) { c.checkTokens(t) })
	for payment, want := range payments {
		t.Run(payment, func(t *testing.T) {
			if early := c.read(t, payment, solana.Finalized); early != nil {
				t.Fatalf("final before it was finalized: %+v", early)
			}
			c.SetState(t, "finalize", payment)
			got := c.read(t, payment, solana.Finalized)
			if got == nil {
				t.Fatal("the finalized transaction was not found")
			}
			if got.Failed != want.failed || got.Signature() != c.Signatures[payment] || got.At != chaintest.At || got.Slot == 0 {
				t.Errorf("transaction is %+v, want failed=%t, signature %s, time %v and a slot", got, want.failed, c.Signatures[payment], chaintest.At)
			}
			for who, address := range c.Addresses {
				lamports, usdc := got.Lamports(address), got.Tokens(address, solana.USDC)
				if lamports != want.lamports[who] || usdc != want.usdc[who] {
					t.Errorf("%s changes by %d lamports and %d of USDC, want %d and %d", who, lamports, usdc, want.lamports[who], want.usdc[who])
				}
				if signs := who == "payer" || slices.Contains(want.signers, who); got.SignedBy(address) != signs {
					t.Errorf("%s signed the transaction: %t, want %t", who, !signs, signs)
				}
			}
		})
	}
}

// Other tokens are counted under their own mint; tokens of another program are ignored.
func (c chain) checkTokens(t *testing.T) {
	t.Helper()
	for payment, want := range map[string]struct {
		mint string
		got  int64
	}{"another mint": {"mint", dollars}, "another token program": {"mint2022", 0}} {
		if got := c.read(t, payment, solana.Confirmed).Tokens(c.Addresses["merchant"], c.Addresses[want.mint]); got != want.got {
			t.Errorf("%s: %d, want %d", payment, got, want.got)
		}
	}
}

// A transaction that was confirmed and then dropped is gone at every commitment.
func (c chain) checkDropped(t *testing.T) {
	t.Helper()
	if got := c.read(t, "dropped", solana.Confirmed); got == nil || got.Failed || got.Lamports(c.Addresses["merchant"]) != owed {
		t.Fatalf("confirmed as %+v", got)
	}
	c.SetState(t, "drop", "dropped")
	for _, at := range []solana.Commitment{solana.Confirmed, solana.Finalized} {
		if got := c.read(t, "dropped", at); got != nil {
			t.Errorf("%s after it was dropped: %+v", at, got)
		}
	}
}
