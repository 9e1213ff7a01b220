package redemptions

import (
	"slices"
	"testing"
)

func TestPostCodesAndPhonesAreNormalized(t *testing.T) {
	for _, c := range []struct{ country, typed, want string }{
		{"JP", "〒１００−０００１", "100-0001"}, {"JP", "1000001", "1000001"}, {"JP", "100ー0001", "100-0001"}, {"JP", "\u200e100–0001\u202c", "100-0001"},
		{"DE", "D-10115", "10115"}, {"DE", "DE 10115", "10115"}, {"DE", "10 115", "10115"}, {"AT", "A-1010", "1010"}, {"CH", "CH-8001", "8001"},
		{"PL", "00950", "00-950"}, {"PL", "00 950", "00-950"}, {"PL", "00—950", "00-950"}, {"PL", "PL-00950", "00-950"},
		{"IN", "110 001", "110001"}, {"IN", "११०००१", "110001"}, {"CA", "K1A-0B1", "K1A 0B1"}, {"CA", "k1a 0b1", "K1A 0B1"},
		{"US", "10001–3100", "10001-3100"}, {"US", "100013100", "10001-3100"}, {"SE", "S-114 55", "114 55"}, {"GB", "sw1a-1aa", "SW1A 1AA"},
		{"DE", "1011", "1011"}, {"FR", "F-75001", "75001"}, {"BR", "01310 100", "01310-100"},
	} {
		got := normalizePostCode(c.typed, c.country)
		if got != c.want {
			t.Errorf("%s %q becomes %q, want %q", c.country, c.typed, got, c.want)
		}
		if again := normalizePostCode(got, c.country); again != got {
			t.Errorf("%s %q becomes %q, and then %q", c.country, c.typed, got, again)
		}
	}
	for _, c := range []struct{ typed, want string }{
		{"+1 212 555 0100 ext. 5", "+1 212 555 0100 ext. 5"}, {"+1 212 555 0100 x5", "+1 212 555 0100 ext. 5"}, {"＋８１　３−１２３４−５６７８", "+81 3-1234-5678"},
		{"021-12345678 转 801", "021-12345678 ext. 801"}, {"(212) 555‑0100, Extension 42", "(212) 555-0100 ext. 42"}, {"۰۲۱ ۱۲۳۴۵۶۷", "021 1234567"},
	} {
		got := normalizePhone(c.typed)
		if got != c.want || !phonePattern.MatchString(got) || normalizePhone(got) != got {
			t.Errorf("%q becomes %q, want %q", c.typed, got, c.want)
		}
	}
	typed := Address{
		Name: "\u200fعلی\u200cرضا محمدی\u200c ", Line1: "Am Kupfergraben\u00a06–7", City: "Ber\u00adlin", PostalCode: "D-10117", Country: "DE", Phone: "+49 30 1234567 ext 5",
	}
	want := Address{Name: "علی\u200cرضا محمدی", Line1: "Am Kupfergraben 6–7", City: "Berlin", PostalCode: "10117", Country: "DE", Phone: "+49 30 1234567 ext. 5"}
	got, err := typed.validate()
	if err != nil || got != want {
		t.Errorf("%+q, %v; want %+q", got, err, want)
	}
	if again, err := got.validate(); err != nil || again != got {
		t.Errorf("%+q becomes %+q: %v", got, again, err)
	}
	if label := got.Label(); !slices.Contains(label, "Am Kupfergraben 6–7") || !slices.Contains(label, "10117 BERLIN") {
		t.Errorf("label %q", label)
	}
}
