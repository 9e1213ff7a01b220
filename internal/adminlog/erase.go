package adminlog

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Erasure is a user whose name and address must not appear in the admin log any more.
type Erasure struct {
	UserID  string // stays, and replaces the address
	Address string // of the wallet
	Name    string // may be empty
}

// erasedName replaces the name of a deleted user.
const erasedName = "[erased]"

// Apply returns texts that belong together without the user's name and address, and whether that
// changed them. Texts that don't concern the user, by id or address, stay as they are: the name
// could be another user's. It is the only function that changes what the admin log and its copies
// (approvals, daily totals) say; Matches tells the audit what it may have changed.
func (e Erasure) Apply(texts ...string) ([]string, bool) {
	concerns := func(text string) bool { return strings.Contains(text, e.UserID) || strings.Contains(text, e.Address) }
	if !slices.ContainsFunc(texts, concerns) {
		return texts, false
	}
	erased := make([]string, len(texts))
	for i, text := range texts {
		erased[i] = e.eraseName(strings.ReplaceAll(text, e.Address, e.UserID))
	}
	return erased, !slices.Equal(erased, texts)
}

// eraseName replaces the name where it is a word of its own.
func (e Erasure) eraseName(text string) string {
	if e.Name == "" {
		return text
	}
	var erased strings.Builder
	for {
		at := strings.Index(text, e.Name)
		if at < 0 {
			erased.WriteString(text)
			return erased.String()
		}
		end := at + len(e.Name)
		before, _ := utf8.DecodeLastRuneInString(erased.String() + text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		erased.WriteString(text[:at])
		if isWord(before) || isWord(after) {
			erased.WriteString(e.Name)
		} else {
			erased.WriteString(erasedName)
		}
		text = text[end:]
	}
}

// isWord reports whether a character continues a word. Chinese has no spaces, so its characters
// don't.
func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) || unicode.IsDigit(r))
}

// Matches reports whether a text can be what Apply made of an original: equal, apart from names
// that were replaced.
func Matches(erased, original string) bool {
	if !strings.Contains(erased, erasedName) {
		return erased == original
	}
	parts := strings.Split(erased, erasedName)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("(?s)^" + strings.Join(parts, ".+") + "$").MatchString(original)
}

// Erase removes a deleted user's name and address from the admin log.
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
