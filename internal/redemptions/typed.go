package redemptions

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/Boostport/address"
	"golang.org/x/text/unicode/norm"
)

// joins reports whether r is one of the two invisible joiners that Persian and Indian words need.
func joins(r rune) bool { return r == '\u200c' || r == '\u200d' }

// visible removes direction marks and other invisible characters, and collapses spaces.
func visible(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) && !joins(r) {
			return -1
		}
		return r
	}, text)
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = strings.TrimFunc(word, joins)
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// zeros are the zero digits of other scripts that our customers type.
var zeros = []rune{'٠', '۰', '०', '০', '๐'}

// plain converts digits, dashes and spaces of any script to ASCII, and letters to upper case.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		for _, zero := range zeros {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		switch {
		case joins(r), r == '〒', r == '〶':
			return -1
		case unicode.Is(unicode.Pd, r), r == '−', r == 'ー':
			return '-'
		}
		return r
	}, norm.NFKC.String(text))
	return strings.ToUpper(visible(text))
}

// formerPrefixes are letters used before post codes that differ from the country code.
var formerPrefixes = map[string]string{
	"AT": "A", "BE": "B", "DE": "D", "ES": "E", "FI": "FIN", "FR": "F", "HU": "H", "IT": "I", "LU": "L", "NO": "N", "PT": "P", "SE": "S", "SI": "SLO",
}

// postCode normalizes a post code to its country's format, if known: it removes a country prefix
// and fixes the hyphen or space.
func postCode(text, country string) string {
	text = plain(text)
	pattern := address.GetCountry(country).PostCodeRegex.Regex
	form, err := regexp.Compile("^(?:" + pattern + ")$")
	if pattern == "" || err != nil || form.MatchString(text) {
		return text
	}
	for _, prefix := range []string{"", country, formerPrefixes[country]} {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " -")
		if form.MatchString(rest) {
			return rest
		}
		compact := strings.NewReplacer(" ", "", "-", "").Replace(rest)
		for _, separator := range []string{"-", " "} {
			for at := 1; at < len(compact); at++ {
				with := compact[:at] + separator + compact[at:]
				if form.MatchString(with) {
					return with
				}
			}
		}
		if form.MatchString(compact) {
			return compact
		}
	}
	return text
}

var extension = regexp.MustCompile(`(?:^|[ ,;]*)\b(?:EXT|EXTENSION|X|DW|ДОБ)[.: ]*([0-9]{1,8})$|[ ,;]*(?:#|分机|轉|转|内線)[.: ]*([0-9]{1,8})$`)

// phone normalizes a phone number to ASCII, with an extension written as "ext. 5".
func phone(text string) string {
	text = plain(text)
	if m := extension.FindStringSubmatchIndex(text); m != nil {
		number := extension.FindStringSubmatch(text)
		return strings.TrimSpace(text[:m[0]]) + " ext. " + number[1] + number[2]
	}
	return text
}
