// Package searchtext folds names and queries so that people find names they cannot type: it ignores
// accents, script variants, hyphens and spaces.
package searchtext

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// simplifiedPairs lists pairs of a traditional Chinese character and its simplified form. It is
// generated from TSCharacters.txt of OpenCC (Apache License 2.0), with the first form where there
// are several.
//
//go:embed simplified.txt
var simplifiedPairs string

var simplified = func() map[rune]rune {
	pairs := map[rune]rune{}
	all := []rune(strings.ReplaceAll(simplifiedPairs, "\n", ""))
	for pair := range slices.Chunk(all, 2) {
		pairs[pair[0]] = pair[1]
	}
	return pairs
}()

// letters folds letters that Unicode normalization doesn't decompose.
var letters = strings.NewReplacer(
	"ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ŧ", "t", "ß", "ss", "ı", "i", "æ", "ae", "œ", "oe", "þ", "th", "ŋ", "n", "ĸ", "k", "ς", "σ",
)

// Words returns the words of a text, folded: case, width, accents, kana and Chinese variants.
// Apostrophes are removed; all other characters that are neither letters nor numbers separate
// words. Folding words again changes nothing.
func Words(text string) []string { return split(fold(text), false, "") }

// Index returns the text that a name is searched in: its words, each preceded by a space. Names
// with hyphens or apostrophes are indexed both by their parts and joined. Letters next to digits
// are indexed with and without a space between them: Farfetch'd, Ho-Oh, PSA 9.
func Index(name string) string {
	folded := fold(name)
	words := split(folded, false, "")
	all := slices.Concat(words, split(folded, true, ""), split(folded, false, hyphens))
	for i, word := range words {
		if i > 0 && isLetter(last(words[i-1])) && isDigit(first(word)) {
			all = append(all, words[i-1]+word)
		}
		from := 0
		for at, r := range word {
			if at > 0 && isDigit(r) && isLetter(last(word[:at])) {
				all = append(all, word[from:at], word[at:])
				from = at
			}
		}
	}
	var index strings.Builder
	seen := make(map[string]bool, len(all))
	for _, word := range all {
		if !seen[word] {
			seen[word] = true
			index.WriteString(" " + word)
		}
	}
	if index.Len() == 0 {
		return " "
	}
	return index.String()
}

const (
	apostrophes = "'’‘ʼʻʹ′`´ʽ‛"
	hyphens     = "-‐‑‒–—―−"
)

// split splits folded text into words. Characters of joining are removed, which joins the text on
// both sides; so are apostrophes, unless atApostrophes is set.
func split(folded string, atApostrophes bool, joining string) []string {
	if !atApostrophes {
		joining += apostrophes
	}
	if strings.ContainsAny(folded, joining) {
		folded = strings.Map(func(r rune) rune {
			if strings.ContainsRune(joining, r) {
				return -1
			}
			return r
		}, folded)
	}
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// fold folds each letter and removes invisible characters.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, " "), "´", "'") // NFKD makes it a space and an accent
	text = strings.Map(func(r rune) rune {
		switch {
		case isAccent(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	text = strings.Map(func(r rune) rune {
		switch {
		case isAccent(r): // ToLower may produce new accents
			return -1
		case r >= 'ァ' && r <= 'ヶ', r == 'ヽ', r == 'ヾ':
			return r - ('ァ' - 'ぁ')
		}
		if simple, ok := simplified[r]; ok {
			return simple
		}
		return r
	}, norm.NFC.String(letters.Replace(text)))
	return text
}

// isAccent reports whether r is a mark above, below or through a letter of an alphabet. Marks of
// other scripts, such as voiced kana and Thai vowels, make a different letter.
func isAccent(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff || r >= 0x20d0 && r <= 0x20ff
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func first(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
}

func last(word string) rune {
	r, _ := utf8.DecodeLastRuneInString(word)
	return r
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

func isDigit(r rune) bool { return unicode.IsDigit(r) }
