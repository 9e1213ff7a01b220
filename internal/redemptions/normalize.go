package redemptions

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/Boostport/address"
	"golang.org/x/text/unicode/norm"
)

// isJoiner reports whether r is one of the two invisible joiners that Persian and Indian scripts need.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// stripInvisible removes direction marks and other invisible characters, and collapses spaces.
func stripInvisible(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) && !isJoiner(r) {
			return -1
		}
		return r
	}, text)
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = strings.TrimFunc(word, isJoiner)
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// scriptZeros are the zero digits of other scripts that our customers type.
var scriptZeros = []rune{'٠', '۰', '०', '০', '๐'}

// toASCII converts digits, dashes and spaces of any script to ASCII, and letters to upper case.
func toASCII(text string) string {
	text = strings.Map(func(r rune) rune {
		for _, zero := range scriptZeros {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		switch {
		case isJoiner(r), r == '〒', r == '〶':
			return -1
		case unicode.Is(unicode.Pd, r), r == '−', r == 'ー':
			return '-'
		}
		return r
	}, norm.NFKC.String(text))
	return strings.ToUpper(stripInvisible(text))
}

// postCodePrefixes are letters used before post codes that differ from the country code.
var postCodePrefixes = map[string]string{
	"AT": "A", "BE": "B", "DE": "D", "ES": "E", "FI": "FIN", "FR": "F", "HU": "H", "IT": "I", "LU": "L", "NO": "N", "PT": "P", "SE": "S", "SI": "SLO",
}

// normalizePostCode normalizes a post code to its country's format, if known: it removes a country prefix
// and fixes the hyphen or space.
func normalizePostCode(text, country string) string {
	text = toASCII(text)
	pattern := address.GetCountry(country).PostCodeRegex.Regex
	format, err := regexp.Compile("^(?:" + pattern + ")$")
	if pattern == "" || err != nil || format.MatchString(text) {
		return text
	}
	for _, prefix := range []string{"", country, postCodePrefixes[country]} {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " -")
		if format.MatchString(rest) {
			return rest
		}
		compact := strings.NewReplacer(" ", "", "-", "").Replace(rest)
		for _, separator := range []string{"-", " "} {
			for at := 1; at < len(compact); at++ {
				candidate := compact[:at] + separator + compact[at:]
				if format.MatchString(candidate) {
					return candidate
				}
			}
		}
		if format.MatchString(compact) {
			return compact
		}
	}
	return text
}

var phoneExtension = regexp.MustCompile(`(?:^|[ ,;]*)\b(?:EXT|EXTENSION|X|DW|ДОБ)[.: ]*([0-9]{1,8})$|[ ,;]*(?:#|分机|轉|转|内線)[.: ]*([0-9]{1,8})$`)

// normalizePhone normalizes a phone number to ASCII, with an extension written as "ext. 5".
func normalizePhone(text string) string {
	text = toASCII(text)
	if m := phoneExtension.FindStringSubmatchIndex(text); m != nil {
		number := phoneExtension.FindStringSubmatch(text)
		return strings.TrimSpace(text[:m[0]]) + " ext. " + number[1] + number[2]
	}
	return text
}
