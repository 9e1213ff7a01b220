package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kaibao/internal/apperr"
	"kaibao/internal/art"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// amount matches text that is only a number or a price in any form: 12345, $9.99, 4e3, 40 USD, 25元.
var amount = regexp.MustCompile(`(?i)^(?:[\p{P}\p{S}\p{Z}]|0x[0-9a-f]+|\p{N}+(?:e[+-]?\p{N}+|k|m)?|` +
	`us|usd[ct]?|eur|euros?|gbp|cny|rmb|jpy|hkd|dollars?|yuan|cents?|美元|美金|人民币|港币|元|块|円|圆)+$`)

// IsName reports whether text can be a name: it is on one line, has a letter, and is not just a
// number or a price.
func IsName(text string) bool {
	if !strings.ContainsFunc(text, unicode.IsLetter) || strings.ContainsFunc(text, unicode.IsControl) {
		return false
	}
	return !strings.ContainsFunc(text, unicode.IsNumber) || !amount.MatchString(norm.NFKC.String(text))
}

// verdict is a grader's verdict as written in a card's name: PSA 9 MINT.
type verdict struct {
	grader string
	tenths int64 // 95 is grade 9.5; 0 = no grade
}

var verdictText = regexp.MustCompile(`(?i)\b(PSA|CGC|BGS|SGC)` +
	`(?:(?:[ -]*(?:GRADE|GEM|MINT|NM|MT|EX|VG|GOOD|PRISTINE|PERFECT))*[ -]*(10|[1-9](?:\.5)?)(?:\.0)?\b|\b)`)

// verdicts returns the verdicts in a name.
func verdicts(name string) (all []verdict) {
	for _, match := range verdictText.FindAllStringSubmatch(norm.NFKC.String(name), -1) {
		grade, _ := strconv.ParseFloat(match[2], 64) // 0 if empty
		all = append(all, verdict{grader: strings.ToUpper(match[1]), tenths: int64(grade * 10)})
	}
	return all
}

// GradeInName returns the only grade that a name contains, of the given grader if there is one. It
// returns 0 if there is no grade, or more than one.
func GradeInName(name, grader string) (tenths int64) {
	for _, v := range verdicts(name) {
		if v.tenths == 0 || grader != "" && v.grader != grader {
			continue
		}
		if tenths != 0 && tenths != v.tenths {
			return 0
		}
		tenths = v.tenths
	}
	return tenths
}

var certificateNumber = regexp.MustCompile(fmt.Sprintf(`^[0-9]{%d,%d}$`, policy.MinCertNumberLength, policy.MaxCertNumberLength))

// checkCertificate requires a known grader and a valid number, or neither.
func checkCertificate(i Item, refused apperr.Fields) {
	switch i.Grader {
	case "":
		if i.CertNumber != "" {
			refused["certType"] = "is required with a certificate number"
		}
		return
	case "PSA", "CGC":
	default:
		refused["certType"] = "must be PSA or CGC"
	}
	if !certificateNumber.MatchString(i.CertNumber) {
		refused["certNumber"] = fmt.Sprintf("is required with a grader: %d to %d digits", policy.MinCertNumberLength, policy.MaxCertNumberLength)
	}
}

// checkSet requires a set for a number in it, and that both are on one line. A set's name may be just
// a number.
func checkSet(i Item, refused apperr.Fields) {
	if i.Set == "" && i.SetNumber != "" {
		refused["set"] = "is required with a number in the set"
	}
	for field, text := range map[string]string{"set": i.Set, "setNumber": i.SetNumber} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			refused[field] = "must not contain line breaks"
		}
	}
}

// Certificate returns the item's grader and certificate number. It is empty without a certificate,
// and for sample certificates, which several items may share.
func (i Item) Certificate() string {
	if i.CertNumber == "" || strings.HasPrefix(i.CertNumber, art.SampleCertificate) {
		return ""
	}
	return i.Grader + " " + i.CertNumber
}

// CertificateTaken is the error text for a certificate that another item has.
func CertificateTaken(holder string) string {
	return "is already used by item " + holder
}

// CheckCertificate refuses a new certificate that another item has.
func CheckCertificate(tx *db.Tx, before, after Item) error {
	if after.Certificate() == before.Certificate() {
		return nil
	}
	holders, err := CertificateHolders(tx, []Item{after})
	if holder := holders[after.Certificate()]; err == nil && holder != "" {
		err = apperr.InvalidField("certNumber", CertificateTaken(holder))
	}
	return err
}

// checkVerdict refuses a grader or a grade that contradicts the item's name.
func checkVerdict(i Item, refused apperr.Fields) {
	matching := verdicts(i.Name)
	if i.Grader != "" && len(matching) > 0 {
		matching = slices.DeleteFunc(matching, func(v verdict) bool { return v.grader != i.Grader })
		if len(matching) == 0 {
			refused["certType"] = "differs from the grader in the name"
		}
	}
	matching = slices.DeleteFunc(matching, func(v verdict) bool { return v.tenths == 0 })
	if i.GradeTenths != 0 && len(matching) > 0 && !slices.ContainsFunc(matching, func(v verdict) bool { return v.tenths == i.GradeTenths }) {
		refused["grade"] = "differs from the grade in the name"
	}
}

var (
	entity = regexp.MustCompile(`&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});`)
	// mojibake matches UTF-8 that was decoded as Windows-1252: Ã© for é.
	mojibake = regexp.MustCompile(`[ÃÂ][\x{80}-\x{bf}\x{152}\x{153}\x{160}\x{161}\x{178}\x{17d}\x{17e}\x{192}\x{2c6}\x{2dc}\x{2013}\x{2014}\x{2018}\x{201a}-\x{203a}\x{20ac}\x{2122}]|â[\x{80}-\x{9f}\x{20ac}][\x{80}-\x{bf}\x{152}\x{153}\x{161}\x{2013}-\x{203a}\x{2122}]`)
)

// damageIn returns why a name or series looks corrupted, or an empty string.
func damageIn(text string) string {
	switch {
	case strings.ContainsRune(text, utf8.RuneError):
		return "contains the replacement character (\ufffd): save the file as UTF-8"
	case mojibake.MatchString(text):
		return "contains characters in the wrong encoding, such as " + mojibake.FindString(text) + ": save the file as UTF-8"
	case entity.MatchString(text):
		return "contains the HTML entity " + entity.FindString(text) + ": use the character itself"
	}
	runes := []rune(text)
	for i, r := range runes {
		joined := r == '\u200d' && i > 0 && i < len(runes)-1 // as in family emoji
		if unicode.Is(unicode.Cf, r) && !joined && r != '\u200c' && (r < 0xe0020 || r > 0xe007f) {
			return fmt.Sprintf("contains the invisible character %U", r)
		}
	}
	return ""
}
