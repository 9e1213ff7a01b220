package identity

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"kaibao/internal/apperr"
	"kaibao/internal/policy"
)

const (
	// emojiStyle asks for a character's colourful form; fonts do that by themselves.
	emojiStyle = "\ufe0f"
	// joiner makes one picture of two emoji, such as a family or a flag.
	joiner = "\u200d"
)

// Marks in a row that a name may have. After composition (NFC) Latin, Greek and Cyrillic
// need one accent, seldom two; Indic and Tibetan letters have up to four marks of their
// scripts (UTS #39, 5.4).
const (
	mostAccents = 2
	mostMarks   = 4
)

// checkName takes characters that can be seen and that pose as nobody else,
// and gives them in the one form of RFC 8266: full-width letters and the like
// become the plain ones, spaces at the ends go.
func checkName(text string) (string, error) {
	name, err := nickname(strings.ReplaceAll(text, emojiStyle, ""))
	switch length := utf8.RuneCountInString(name); {
	case strings.TrimSpace(text) == "" || length > policy.LongestUserName || err == nil && length == 0:
		return "", apperr.InvalidField("firstName", fmt.Sprintf("must have 1 to %d characters", policy.LongestUserName))
	case err != nil || strings.ContainsRune(text, utf8.RuneError):
		return "", apperr.InvalidField("firstName", "must not contain characters that control or cannot be seen").Because(err)
	case stacked(name):
		return "", apperr.InvalidField("firstName", "must not stack accents")
	case !strings.ContainsFunc(name, func(r rune) bool { return !blank(r) }):
		return "", apperr.InvalidField("firstName", "must have characters that can be seen")
	case nameless.MatchString(joined(fold(name))):
		return "", apperr.InvalidField("firstName", "is what somebody without a name is called")
	case poses(name):
		return "", apperr.InvalidField("firstName", "is kept for Kaibao and those who work for it")
	}
	return name, nil
}

var errJoiner = errors.New("a joiner stands between others than emoji")

const blackFlag = "\U0001f3f4"

// flags matches black flags. The ones of England, Scotland and Wales have invisible tags
// after them: the only such sequences that Unicode recommends.
var flags = regexp.MustCompile(blackFlag + "(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f)?")

// nickname puts a name into the form of RFC 8266, which allows neither tags nor joiners.
// Here tags may follow flags, and joiners may connect emoji.
func nickname(text string) (string, error) {
	tags := []string{""}
	plain := flags.ReplaceAllStringFunc(text, func(flag string) string {
		tags = append(tags, strings.TrimPrefix(flag, blackFlag))
		return blackFlag
	})
	name, err := withoutTags(plain)
	if err != nil {
		return "", err
	}
	parts := strings.Split(name, blackFlag)
	for i, part := range parts {
		parts[i] = tags[i] + part
	}
	return strings.Join(parts, blackFlag), nil
}

// withoutTags puts a name without tags into the form of RFC 8266, but for joiners.
func withoutTags(text string) (string, error) {
	parts := strings.Split(text, joiner)
	for i, part := range parts {
		before, _ := utf8.DecodeLastRuneInString(part)
		after, _ := utf8.DecodeRuneInString(part)
		if i > 0 && !pictured(after) || i < len(parts)-1 && !pictured(before) {
			return "", errJoiner
		}
		name, err := precis.Nickname.String(part)
		if err != nil {
			return "", err
		}
		parts[i] = name
	}
	return strings.Join(parts, joiner), nil
}

// pictured tells whether a character is one that emoji sequences are made of: a symbol,
// or the color of a skin.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r) || '\U0001f3fb' <= r && r <= '\U0001f3ff'
}

// stacked tells whether a name has more marks in a row than any language, or one twice.
func stacked(name string) bool {
	var last rune
	accents, marks := 0, 0
	for _, r := range norm.NFC.String(name) {
		switch {
		case !unicode.In(r, unicode.Mn, unicode.Me):
			accents, marks = 0, 0
		case r == last:
			return true
		case unicode.Is(unicode.Inherited, r):
			accents++
			marks++
		default:
			marks++
		}
		if accents > mostAccents || marks > mostMarks {
			return true
		}
		last = r
	}
	return false
}

// blank tells whether a character leaves nothing on the screen by itself: spaces,
// marks, and the letters and symbols that Unicode draws as nothing.
func blank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800': // Hangul fillers, the empty Braille pattern
		return true
	}
	return unicode.IsSpace(r) || unicode.IsMark(r)
}

// fold makes texts equal that a reader would take for the same: by the skeleton of
// UTS #39, in lower case, without accents. Capitals look alike in other scripts
// than small letters do, so the skeleton is taken of both.
func fold(text string) string {
	for range 2 {
		text = strings.ToLower(confusable.Skeleton(text))
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == 'l': // a capital I, in lower case
			return 'i'
		case r == 'ĸ': // the skeleton of a small Cyrillic k
			return 'k'
		}
		return r
	}, norm.NFKD.String(text))
}

// joined leaves out all that stands between letters and digits.
func joined(folded string) string {
	return strings.Join(words(folded), "")
}

func words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// either matches any of some words as fold leaves them.
func either(words ...string) string {
	for n, word := range words {
		words[n] = regexp.QuoteMeta(fold(word))
	}
	return "(?:" + strings.Join(words, "|") + ")"
}

var (
	roles = either("admin", "admins", "administrator", "moderator", "support", "staff", "official", "helpdesk")
	// beside makes a name of a role's without a space: "SupportTeam".
	beside = either("the", "team", "help", "desk", "care", "center", "customer", "service", "security", "real", "account")
	digits = "[0-9oi]*" // as fold leaves them

	// nameless is how boards and listings call users without a name, in both languages.
	nameless = regexp.MustCompile("^" + either("anonymous", "user", "匿名", "匿名用户", "匿名用戶", "匿名者", "用户", "用戶") + digits + "$")
	ours     = regexp.MustCompile(either("kaibao", "官方", "客服", "管理员", "管理員", "版主") + "|^" +
		either("开包", "開包", "开包团队", "開包團隊", "开包助手", "開包助手", "开包平台", "開包平台", "系统", "系統", "系统消息", "系統消息", "system") + digits + "$")
	role     = regexp.MustCompile("^" + roles + digits + "$")
	roleOnly = regexp.MustCompile("^(?:" + roles + "|" + beside + ")*" + roles + "(?:" + roles + "|" + beside + ")*" + digits + "$")
)

// poses tells whether a reader could take a name for the house's own.
func poses(name string) bool {
	folded := fold(name)
	for _, word := range words(folded) {
		if role.MatchString(word) {
			return true
		}
	}
	whole := joined(folded)
	return ours.MatchString(whole) || roleOnly.MatchString(whole)
}
