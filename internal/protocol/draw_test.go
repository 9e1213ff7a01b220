package protocol

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/apperr"
	"kaibao/internal/money"
)

func TestMACIsHMAC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := hashes().Draw(t, "key")
		message := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "message")
		reference := hmac.New(sha256.New, key[:])
		reference.Write(message)
		mac := newMAC(key)
		if got := mac.sum(message); !hmac.Equal(got[:], reference.Sum(nil)) {
			t.Fatalf("code of %x is %x", message, got)
		}
	})
}

func TestUserTag(t *testing.T) {
	sum := sha256.Sum256([]byte("kaibao/v1/user\x00" + strings.Repeat("\x01", 32) + "address"))
	salt := [32]byte([]byte(strings.Repeat("\x01", 32)))
	if got, want := UserTag(salt, "address"), fmt.Sprintf("%x", sum[:16]); got != want {
		t.Errorf("UserTag = %s; want %s", got, want)
	}
}

func TestClientSeedRules(t *testing.T) {
	m := parse(t, sampleText)
	for _, seed := range []string{"", strings.Repeat("x", 129), "\xff", strings.Repeat("包", 43)} {
		pulls, err := Draw(m, [32]byte{}, [32]byte{}, seed, 0, nil)
		if e := apperr.As(err); e.Code != apperr.Invalid || e.Fields["clientSeed"] == "" || pulls != nil {
			t.Errorf("seed %q: %v, %v", seed, pulls, err)
		}
	}
	for _, seed := range []string{"x", "\x00", strings.Repeat("x", 128), "random"} {
		if _, err := Draw(m, [32]byte{}, [32]byte{}, seed, 0, nil); err != nil {
			t.Errorf("seed %q: %v", seed, err)
		}
	}
}

// Only rolls in the incomplete last multiple are rejected: n = 2^63+1 rejects nearly half of all
// blocks, a power of two none.
func TestUniformRejects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dice := dice{newMAC(hashes().Draw(t, "key"))}
		n := rapid.OneOf(rapid.Uint64Min(1), rapid.Just[uint64](1<<63+1), rapid.Just[uint64](1<<63)).Draw(t, "n")
		roll, counter := dice.uniform(1, 0, n)
		if roll >= n {
			t.Fatalf("roll %d of %d", roll, n)
		}
		if n&(n-1) == 0 && counter != 0 {
			t.Fatalf("%d rejected though every block is usable", counter)
		}
		multiples := uint64(math.MaxUint64) / n // number of whole multiples that certainly fit
		for c := range counter {
			if x := dice.block(1, 0, c); x/n < multiples {
				t.Fatalf("block %d = %d was rejected for %d", c, x, n)
			}
		}
	})
}

func TestDrawFollowsManifestAndStock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := manifests().Draw(t, "manifest")
		stock := drawStock(t, m)
		before := maps.Clone(stock)
		left := leftBy(m, stock)
		pulls, err := Draw(m, Hash(m.Format()), hashes().Draw(t, "seed"), clientSeeds().Draw(t, "client"), 7, stock)
		if !maps.Equal(stock, before) {
			t.Fatalf("Draw modified the stock: %v, was %v", stock, before)
		}
		if errors.Is(err, ErrSoldOut) != SoldOut(m, stock) {
			t.Fatalf("sold out is %v before a draw with %v", SoldOut(m, stock), err)
		}
		if errors.Is(err, ErrSoldOut) {
			checkSoldOut(t, m, left)
			return
		}
		if err != nil || len(pulls) != m.Items {
			t.Fatalf("%d pulls, %v", len(pulls), err)
		}
		for _, pull := range pulls {
			checkPull(t, m, pull, left)
		}
	})
}

func drawStock(t *rapid.T, m *Manifest) Stock {
	if rapid.Bool().Draw(t, "as published") {
		return nil
	}
	stock := Stock{}
	for _, card := range m.cards {
		if rapid.Bool().Draw(t, "counted") {
			stock[card.ID] = rapid.Int64Range(0, 2).Draw(t, "left")
		}
	}
	return stock
}

// leftBy returns the remaining stock of each card as the protocol defines it; -1 means unlimited.
func leftBy(m *Manifest, stock Stock) map[string]int64 {
	left := map[string]int64{}
	for _, card := range m.cards {
		left[card.ID] = card.Stock
		if n, counted := stock[card.ID]; counted && card.Finite() {
			left[card.ID] = n
		}
	}
	return left
}

func checkSoldOut(t *rapid.T, m *Manifest, left map[string]int64) {
	total := int64(0)
	for id, n := range left {
		if n == Unlimited {
			t.Fatalf("sold out though %s is unlimited", id)
		}
		total += n
	}
	if total >= int64(m.Items) {
		t.Fatalf("sold out though %d cards are left for %d items", total, m.Items)
	}
}

// checkPull checks one pull against section 3 of the protocol, with an implementation independent
// of the code: explicit lists of candidates.
func checkPull(t *rapid.T, m *Manifest, pull Pull, left map[string]int64) {
	below := uint64(0)
	for _, tier := range m.Tiers[:pull.Tier] {
		below += tier.Weight
	}
	if pull.TierRoll < below || pull.TierRoll-below >= m.Tiers[pull.Tier].Weight {
		t.Fatalf("roll %d is not tier %d", pull.TierRoll, pull.Tier)
	}
	candidates := inStock(m.Tiers[pull.Tier].Cards, left)
	for lower := pull.Tier - 1; lower >= 0 && len(candidates) == 0; lower-- {
		if m.Tiers[lower].Weight > 0 {
			candidates = inStock(m.Tiers[lower].Cards, left)
		}
	}
	if len(candidates) == 0 {
		candidates = inStock(m.cards, left)
	}
	if pull.CardRoll >= uint64(len(candidates)) || candidates[pull.CardRoll] != pull.Card {
		t.Fatalf("pull %+v is not among %v", pull, candidates)
	}
	if pull.Card.Finite() {
		left[pull.Card.ID]--
		if left[pull.Card.ID] < 0 {
			t.Fatalf("stock of %s fell below 0", pull.Card.ID)
		}
	}
}

func inStock(cards []Card, left map[string]int64) []Card {
	var some []Card
	for _, card := range cards {
		if left[card.ID] != 0 {
			some = append(some, card)
		}
	}
	return some
}

// realistic returns a manifest as large as those of the six card packs.
func realistic(t testing.TB, items int, stock int64) *Manifest {
	m := &Manifest{Pack: "2", Name: "Pokemon", Price: 2500, Items: items}
	weights := []uint64{298, 392, 231, 72, 14, 2}
	for i, weight := range weights {
		tier := Tier{Weight: weight, Label: fmt.Sprintf("tier %d", i)}
		for j := range 30 {
			if i*30+j == 179 {
				break
			}
			tier.Cards = append(tier.Cards, Card{
				ID: fmt.Sprintf("pkm-%d%02d", i, j), Value: money.Cents(500 + 1000*i + j), Stock: stock,
			})
		}
		m.Tiers = append(m.Tiers, tier)
	}
	return parse(t, string(m.Format()))
}

func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name  string
		items int
		stock int64
	}{{"one of 179", 1, Unlimited}, {"five of 179", 5, Unlimited}, {"five of 179 finite", 5, 25}} {
		b.Run(c.name, func(b *testing.B) {
			m := realistic(b, c.items, c.stock)
			hash, seed := Hash(m.Format()), [32]byte{1}
			stock := Stock{}
			for _, card := range m.cards {
				stock[card.ID] = 20
			}
			client := strings.Repeat("f", 64)
			b.ReportAllocs()
			for nonce := uint64(0); b.Loop(); nonce++ {
				if _, err := Draw(m, hash, seed, client, nonce, stock); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseManifest(b *testing.B) {
	text := realistic(b, 5, 25).Format()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseManifest(text); err != nil {
			b.Fatal(err)
		}
	}
}
