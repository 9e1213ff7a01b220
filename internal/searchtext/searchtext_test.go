package searchtext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// found reports whether each word of the search starts a word of the name, or occurs in it for
// scripts without spaces.
func found(name, search string) bool {
	index := Index(name)
	for _, word := range Words(search) {
		if !strings.Contains(index, " "+word) {
			return false
		}
	}
	return true
}

func TestSearchIgnoresSpellingVariants(t *testing.T) {
	for _, c := range []struct{ name, search string }{
		{"Flabébé", "flabebe"}, {"Flabebe", "flabébé"}, {"Pokémon", "pokemon"}, {"Pokemon", "pokémon"}, {"Poke\u0301mon", "POKÉMON"},
		{"Ronald Acuña Jr.", "acuna"}, {"José Ramírez", "jose ramirez"},
		{"Søren Łukasz Đorđe Straße Işıl Ærø", "soren lukasz dorde strasse isil aero"}, {"Soren Lukasz Dorde Strasse Isil", "SØREN ŁUKASZ ĐORĐE STRASSE IŞIL"},
		{"İstanbul", "istanbul"}, {"Straße", "STRASSE"}, {"STRASSE", "straße"}, {"Ёлка", "елка"}, {"Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ"},
		{"Farfetch'd", "farfetchd"}, {"Farfetch’d", "farfetch'd"}, {"Farfetch’d", "farfetch d"}, {"O`Neal", "oneal"}, {"O'Neal", "neal"}, {"Farfetch´d ☆", "farfetchd"},
		{"Ho-Oh", "hooh"}, {"Ho-Oh", "ho-oh"}, {"Ho Oh", "ho-oh"}, {"Ho‑Oh", "ho oh"}, {"Porygon-Z", "porygonz"}, {"OP01-001", "op-01"}, {"OP01-001", "op01001"},
		{"Charizard PSA 9", "PSA9"}, {"Charizard PSA9", "psa 9"}, {"Charizard PSA-9", "psa9"}, {"Charizard PSA9", "psa9"},
		{"ピカチュウ", "ぴかちゅう"}, {"ぴかちゅう", "ピカチュウ"}, {"ﾋﾟｶﾁｭｳ", "ぴか"}, {"ガブリアス", "がぶ"}, {"が", "カ\u3099"},
		{"寶可夢 噴火龍", "宝可梦"}, {"宝可梦", "寶可夢"}, {"喷火龙", "噴火龍"}, {"ＦＵＬＬ　ＡＲＴ", "full art"}, {"①", "1"}, {"皮卡丘 9", "皮卡丘9"},
		{"피카츄", "피카"}, {"Char\u200bizard", "charizard"}, {"\u202eCharizard", "charizard"}, {"สวัสดี", "สวัสดี"},
	} {
		if !found(c.name, c.search) {
			t.Errorf("%q is not found by %q: %q lacks some of %q", c.name, c.search, Index(c.name), Words(c.search))
		}
	}
	for _, c := range []struct{ name, search string }{
		{"カ", "ガ"}, {"Charizard PSA 10", "psa9"}, {"1999 Star", "1st"}, {"Mew", "mewtwo"},
	} {
		if found(c.name, c.search) {
			t.Errorf("%q is found by %q, but must not be", c.name, c.search)
		}
	}
}

// For any text, folded words don't change when folded again, and a name is found by its own words.
func FuzzFoldingIsIdempotent(f *testing.F) {
	for _, text := range []string{"", "Flabébé's 'Ho-Oh' PSA9", "İı ẞ ǅ ﷺ ŉ", "寶可夢ガｶﾞ", "ᾳ ᾼ ΐ \u0345", "Å ﬃ ½ Ⅷ", "\u0f71\u0f73", "각\u1100\u1161", "乾隆 著者 後后", "´a`b'c"} {
		f.Add(text)
	}
	for r := rune(1); r < 0x30000; r += 997 {
		f.Add("a" + string(r) + "\u0301" + string(r+1) + "b")
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := Words(text)
		if again := Words(strings.Join(words, " ")); !slices.Equal(again, words) {
			t.Errorf("%q has the words %q, which fold to %q", text, words, again)
		}
		for _, word := range words {
			if !strings.Contains(Index(text), " "+word) {
				t.Errorf("%q is not found by its word %q: %q", text, word, Index(text))
			}
			if !utf8.ValidString(word) && utf8.ValidString(text) {
				t.Errorf("%q has the invalid word %q", text, word)
			}
		}
	})
}

func TestFoldingEveryRuneIsIdempotent(t *testing.T) {
	for r := rune(0); r <= 0x323af; r++ {
		once := fold(string(r))
		if again := fold(once); again != once {
			t.Errorf("%q (%U) folds to %q, and that to %q", r, r, once, again)
		}
	}
}
