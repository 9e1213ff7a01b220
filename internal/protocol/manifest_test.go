package protocol

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseManifest(t *testing.T) {
	m := parse(t, sampleText)
	if m.Pack != "2" || m.Name != "Pokemon 宝可梦" || m.Price != 2500 || m.Items != 1 || len(m.Tiers) != 3 {
		t.Errorf("parsed %+v", m)
	}
	tier := m.Tiers[1]
	if tier.Weight != 298 || tier.Low != 500 || tier.High != 1500 || tier.Label != "$5-15" || len(tier.Cards) != 2 {
		t.Errorf("parsed tier %+v", tier)
	}
	if card := (Card{ID: "pkm-007", Value: 1200, Stock: 1}); tier.Cards[1] != card || !card.Finite() || !m.Finite() {
		t.Errorf("parsed card %+v", tier.Cards[1])
	}
	if unlimited := parse(t, strings.Replace(sampleText, "1200 1", "1200 -1", 1)); unlimited.Finite() {
		t.Error("a manifest of unlimited cards is called finite")
	}
}

func TestParseManifestRefuses(t *testing.T) {
	_, weighted, _ := strings.Cut(sampleText, "card zz-rest 99 -1\n")
	for _, c := range []struct{ name, old, new, want string }{
		{"no header", "kaibao-manifest/v1\n", "", "line 1: expected kaibao-manifest/v1"},
		{"other version", "/v1", "/v3", "line 1: expected kaibao-manifest/v1"},
		{"version 2 without its lines", "/v1", "/v2", "line 6: expected beacon"},
		{"byte order mark", "kaibao-manifest", "\ufeffkaibao-manifest", "line 1: expected"},
		{"carriage return", "pack 2\n", "pack 2\r\n", "line 2: not an id"},
		{"capital in the pack", "pack 2", "pack Two", "line 2: not an id"},
		{"long pack id", "pack 2", "pack " + strings.Repeat("a", 65), "line 2: not an id"},
		{"order of fields", "pack 2\nname Pokemon 宝可梦\n", "name Pokemon\npack 2\n", "line 2: expected pack"},
		{"empty name", "name Pokemon 宝可梦", "name ", "line 3: not a text"},
		{"control character", "Pokemon", "Poke\tmon", "line 3: not a text"},
		{"C1 control character", "Pokemon", "Poke\u0085mon", "line 3: not a text"},
		{"not UTF-8", "Pokemon", "Poke\xffmon", "line 3: not a text"},
		{"leading zero", "price 2500", "price 02500", "line 4: not a canonical decimal"},
		{"plus sign", "price 2500", "price +2500", "line 4: not a canonical decimal"},
		{"negative price", "price 2500", "price -1", "line 4: not a canonical decimal"},
		{"space before a number", "price 2500", "price  2500", "line 4: not a canonical decimal"},
		{"decimals", "price 2500", "price 25.00", "line 4: not a canonical decimal"},
		{"price above the limit", "price 2500", "price 9007199254740992", "line 4: too large"},
		{"no items", "items 1", "items 0", "line 5: an open must draw"},
		{"too many items", "items 1", "items 1001", "line 5: too large"},
		{"negative weight", "tier 298", "tier -1", "line 8: not a canonical decimal"},
		{"weight of 65 bits", "tier 298", "tier 18446744073709551616", "line 8: not a canonical decimal"},
		{"weights of 65 bits", "tier 298", "tier 18446744073709551615", "line 11: weights exceed"},
		{"empty band", "500 1500 $5-15", "1500 1500 $5-15", "line 8: a tier needs"},
		{"no label", " $5-15", "", "line 8: expected 4 values"},
		{"empty label", " $5-15", " ", "line 8: not a text"},
		{"capital in an id", "pkm-001", "PKM-001", "line 9: not an id"},
		{"card without stock", "pkm-001 650 -1", "pkm-001 650", "line 9: expected 3 values"},
		{"stock −2", "650 -1", "650 -2", "line 9: not a canonical decimal"},
		{"stock −01", "650 -1", "650 -01", "line 9: not a canonical decimal"},
		{"extra word", "650 -1", "650 -1 new", "line 9: not a canonical decimal"},
		{"value below the tier", "pkm-001 650", "pkm-001 499", "line 9: value outside"},
		{"value at the tier's upper bound", "pkm-001 650", "pkm-001 1500", "line 9: value outside"},
		{"cards unsorted", "pkm-007", "pkm-000", "line 10: cards must be sorted"},
		{"card twice in a tier", "pkm-007", "pkm-001", "line 10: duplicate id"},
		{"card twice in the manifest", "pkm-100", "zz-rest", "line 12: duplicate id"},
		{"empty line", "tier 392", "\ntier 392", "line 11: unexpected text"},
		{"unknown line", "tier 392", "note x\ntier 392", "line 11: unexpected text"},
		{"no last newline", "1500 -1\n", "1500 -1", "line 12: missing newline"},
		{"text after the end", "1500 -1\n", "1500 -1\n\n", "line 13: unexpected text"},
		{"no weight", weighted, "", "line 7: no tier has a weight"},
		{"nothing", sampleText, "", "line 1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(sampleText, c.old) == 0 {
				t.Fatalf("the sample has no %q", c.old)
			}
			_, err := ParseManifest([]byte(strings.Replace(sampleText, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// sealedText is a sealed pack's manifest.
var sealedText = strings.NewReplacer("/v1", "/v2", "1200 1", "1200 -1",
	"items 1\n", "items 1\nbeacon "+strings.Repeat("5a", 32)+"\nlead 3\ninstant yes\n").Replace(sampleText)

func TestParseSealedManifest(t *testing.T) {
	m := parse(t, sealedText)
	if want := (Sealing{Beacon: [32]byte(bytes.Repeat([]byte{0x5a}, 32)), Lead: 3, Instant: true}); *m.Sealing != want || !m.Instant() {
		t.Errorf("parsed %+v", m.Sealing)
	}
	if m := parse(t, strings.Replace(sealedText, "instant yes", "instant no", 1)); m.Instant() {
		t.Error("a sealed pack allows instant opens")
	}
	if m := parse(t, sampleText); m.Sealing != nil || !m.Instant() {
		t.Error("a manifest of version 1 doesn't allow instant opens")
	}
}

func TestParseSealedManifestRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"finite card", "1200 -1", "1200 1", "can't allow instant opens"},
		{"no beacon", "beacon " + strings.Repeat("5a", 32) + "\n", "", "line 6: expected beacon"},
		{"lead 1", "lead 3", "lead 1", "line 7: the lead is too short"},
		{"lead 31", "lead 3", "lead 31", "line 7: too large"},
		{"no lead", "lead 3\n", "", "line 7: expected lead"},
		{"instant", "instant yes", "instant Yes", "line 8: expected one of"},
		{"line twice", "instant yes\n", "instant yes\ninstant yes\n", "line 9: unexpected text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseManifest([]byte(strings.Replace(sealedText, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestManifestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := manifests().Draw(t, "manifest")
		text := m.Format()
		again, err := ParseManifest(text)
		if err != nil || !bytes.Equal(again.Format(), text) {
			t.Fatalf("%v:\n%s\n%s", err, text, again.Format())
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(sampleText))
	f.Add([]byte(sealedText))
	f.Add([]byte("kaibao-manifest/v1\npack a\nname b\nprice 0\nitems 1\ntier 18446744073709551615 0 0 all\n"))
	f.Add([]byte("kaibao-manifest/v1\npack a\nname b\nprice 00\nitems 1\ntier 1 0 0 x\ncard a 1 -1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest(text)
		if err != nil {
			return
		}
		if again := m.Format(); !bytes.Equal(again, text) {
			t.Errorf("accepted but not canonical:\n%q\n%q", text, again)
		}
	})
}
