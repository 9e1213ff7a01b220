package adminlog

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Erasure is a user whose name, handle and address must not appear in the admin log any more.
type Erasure struct {
	UserID  string // stays, and replaces the address
	Address string // of the wallet
	Name    string // may be empty
	Handle  string // may be empty
	// Claims are the ids of the user's claims, whose parcels lead to an address.
	Claims []string
}

// ErasedText replaces names, pictures and tracking numbers of deleted users.
const ErasedText = "[erased]"

// Apply returns texts that belong together without the user's name and address, and whether that
// changed them. The last text is an admin's own words. In the others, which are paths, subjects and
// JSON, the name is replaced only in the field reason: elsewhere it could be a word of the format.
// Texts that don't concern the user, by id or address, stay as they are: the name could be another
// user's. It is the only function that changes what the admin log and its copies (approvals, daily
// totals) say; Matches tells the audit what it may have changed.
func (e Erasure) Apply(texts ...string) ([]string, bool) {
	if !slices.ContainsFunc(texts, e.concerns) {
		return texts, false
	}
	erased := make([]string, len(texts))
	for i, text := range texts {
		text = strings.ReplaceAll(text, e.Address, e.UserID)
		if i == len(texts)-1 {
			text = e.eraseName(text)
		} else {
			text = reasonField.ReplaceAllStringFunc(text, e.eraseNameInField)
		}
		text = profileField.ReplaceAllString(text, `"$1":"`+ErasedText+`"`)
		erased[i] = jsonObject.ReplaceAllStringFunc(text, func(object string) string {
			if !slices.ContainsFunc(e.Claims, func(claim string) bool { return strings.Contains(object, claim) }) {
				return object
			}
			return trackingField.ReplaceAllString(object, `"tracking":"`+ErasedText+`"`)
		})
	}
	return erased, !slices.Equal(erased, texts)
}

// The fields of JSON texts that are changed: admins' words, earlier names, handles and pictures, and tracking
// numbers in the objects of a user's claims.
var (
	reasonField   = regexp.MustCompile(`"reason"\s*:\s*"(?:[^"\\]|\\.)+"`)
	profileField  = regexp.MustCompile(`"(firstName|profileImageUrl|handle)":"(?:[^"\\]|\\.)+"`)
	trackingField = regexp.MustCompile(`"tracking"\s*:\s*"(?:[^"\\]|\\.)+"`)
	jsonObject    = regexp.MustCompile(`\{[^{}]*\}`)
)

// concerns reports whether a text names the user or one of their claims.
func (e Erasure) concerns(text string) bool {
	return slices.ContainsFunc(e.marks(), func(mark string) bool { return strings.Contains(text, mark) })
}

// marks are the texts by which rows about the user are found.
func (e Erasure) marks() []string { return append([]string{e.UserID, e.Address}, e.Claims...) }

// eraseName replaces the name and the handle where they are words of their own.
func (e Erasure) eraseName(text string) string {
	return eraseWord(eraseWord(text, e.Name), e.Handle)
}

// eraseWord replaces a name where it is a word of its own.
func eraseWord(text, name string) string {
	if name == "" {
		return text
	}
	var erased strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			erased.WriteString(text)
			return erased.String()
		}
		end := at + len(name)
		before, _ := utf8.DecodeLastRuneInString(erased.String() + text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		erased.WriteString(text[:at])
		if isWord(before) || isWord(after) {
			erased.WriteString(name)
		} else {
			erased.WriteString(ErasedText)
		}
		text = text[end:]
	}
}

// eraseNameInField is eraseName for the value of a JSON field.
func (e Erasure) eraseNameInField(field string) string {
	at := strings.Index(field, ":") + 1
	var value string
	if err := json.Unmarshal([]byte(field[at:]), &value); err != nil {
		return field
	}
	erased := e.eraseName(value)
	if erased == value {
		return field
	}
	text, err := json.Marshal(erased)
	if err != nil {
		return field
	}
	return field[:at] + string(text)
}

// isWord reports whether a character continues a word. Chinese has no spaces, so its characters
// don't.
func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) || unicode.IsDigit(r))
}

// Matches reports whether a text can be what Apply made of an original for a user: equal, apart from
// what was replaced by ErasedText, and addresses that were replaced by the user's id.
func Matches(erased, original, userID string) bool {
	if erased == original {
		return true
	}
	pattern := regexp.QuoteMeta(erased)
	for _, replaced := range []string{ErasedText, userID} {
		pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta(replaced), ".+")
	}
	return regexp.MustCompile("(?s)^" + pattern + "$").MatchString(original)
}

// Erase removes a deleted user's name, handle and address from the admin log.
func Erase(tx *db.Tx, e Erasure) error {
	rows, err := textsAbout(tx, e)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if texts, changed := e.Apply(row.texts...); changed {
			if err := replaceTexts(tx, row.id, texts, e.UserID); err != nil {
				return err
			}
		}
	}
	return nil
}

// Audit checks that rows of the admin log were changed only for deleted users.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return FindWrongErasures(tx, "admin_acts", "id")
}
