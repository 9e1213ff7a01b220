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

// simplifiedPairs has each traditional Chinese character before its simplified one. It is made
// from TSCharacters.txt of OpenCC (Apache License 2.0), with the first choice where there are several.
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

// letters are those that no normalization takes apart.
var letters = strings.NewReplacer(
	"ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ŧ", "t", "ß", "ss", "ı", "i", "æ", "ae", "œ", "oe", "þ", "th", "ŋ", "n", "ĸ", "k", "ς", "σ",
)

// Words are the words of a text, folded: case, width, accents, kana and Chinese variants.
// Apostrophes are left out, and whatever else is neither letter nor number separates words.
// Folding words again changes nothing.
func Words(text string) []string { return split(fold(text), false, "") }

// Index is what a name is found by: its words, each preceded by a space. A name with hyphens
// or apostrophes is also found by its parts and by what they make together, and letters beside
// digits are found with and without a space between: Farfetch'd, Ho-Oh, PSA 9.
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

// split cuts folded text into words. Runes of joining are left out, so that what is beside
// them makes one word; so are apostrophes, unless they split.
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

// fold folds each letter and leaves out what is not seen.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, " "), "´", "'") // which NFKD takes for a space and an accent
	text = strings.Map(func(r rune) rune {
		switch {
		case isAccent(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	text = strings.Map(func(r rune) rune {
		switch {
		case isAccent(r): // of what ToLower has taken apart
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

// isAccent tells of the marks above, below and through letters of alphabets. Those of other
// scripts, such as the voiced marks of kana and vowels of Thai, make another letter.
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
