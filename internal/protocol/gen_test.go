package protocol

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/money"
)

// sampleText is the example manifest from the protocol's specification, plus a finite card.
const sampleText = `kaibao-manifest/v1
pack 2
name Pokemon 宝可梦
price 2500
items 1
tier 0 0 0 Last resort
card zz-rest 99 -1
tier 298 500 1500 $5-15
card pkm-001 650 -1
card pkm-007 1200 1
tier 392 1500 2500 $15-25
card pkm-100 1500 -1
`

func parse(t testing.TB, text string) *Manifest {
	t.Helper()
	m, err := ParseManifest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var ids = rapid.StringMatching(`[a-z0-9-]{1,64}`)

// labels generates single-line texts without control characters.
var labels = rapid.StringMatching(`[ -~é宝開盒🎴]{1,20}`)

// manifests generates valid manifests with few cards and little stock, so that fallbacks are
// common.
func manifests() *rapid.Generator[*Manifest] {
	return rapid.Custom(func(t *rapid.T) *Manifest {
		m := &Manifest{
			Pack:  ids.Draw(t, "pack"),
			Name:  labels.Draw(t, "name"),
			Price: amounts().Draw(t, "price"),
			Items: rapid.IntRange(1, 6).Draw(t, "items"),
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "tiers") {
			m.Tiers = append(m.Tiers, drawTier(t, i))
		}
		top := &m.Tiers[len(m.Tiers)-1]
		top.Weight = max(top.Weight, 1)
		if rapid.Bool().Draw(t, "sealed") {
			m.Sealing = &Sealing{
				Beacon: hashes().Draw(t, "beacon"), Lead: rapid.IntRange(MinLead, MaxLead).Draw(t, "lead"),
				Instant: !m.Finite() && rapid.Bool().Draw(t, "instant"),
			}
		}
		parsed, err := ParseManifest(m.Format())
		if err != nil {
			t.Fatalf("generated manifest is refused: %v\n%s", err, m.Format())
		}
		return parsed
	})
}

func drawTier(t *rapid.T, number int) Tier {
	weights := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64Range(0, 1000), rapid.Uint64Range(0, 1<<61))
	tier := Tier{
		Weight: weights.Draw(t, "weight"),
		Low:    amounts().Draw(t, "low"),
		Label:  labels.Draw(t, "label"),
	}
	if tier.Low < MaxAmount && rapid.Bool().Draw(t, "bounded") {
		tier.High = money.Cents(rapid.Int64Range(int64(tier.Low)+1, int64(MaxAmount)).Draw(t, "high"))
	}
	highest := int64(MaxAmount)
	if tier.High > 0 {
		highest = int64(tier.High) - 1
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "cards") {
		tier.Cards = append(tier.Cards, Card{
			ID:    fmt.Sprintf("t%d-%d", number, i),
			Value: money.Cents(rapid.Int64Range(int64(tier.Low), highest).Draw(t, "value")),
			Stock: rapid.Int64Range(-1, 3).Draw(t, "stock"),
		})
	}
	return tier
}

func amounts() *rapid.Generator[money.Cents] {
	return rapid.Map(rapid.Int64Range(0, int64(MaxAmount)), func(n int64) money.Cents { return money.Cents(n) })
}

func hashes() *rapid.Generator[[32]byte] {
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), 32, 32), func(b []byte) [32]byte { return [32]byte(b) })
}

func clientSeeds() *rapid.Generator[string] {
	return rapid.StringN(1, 32, MaxClientSeed)
}

func times() *rapid.Generator[time.Time] {
	const year10000 = 253402300800000
	return rapid.Map(rapid.Int64Range(0, year10000-1), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
}
