package identity

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"kaibao/internal/fault"
	"kaibao/internal/terms"
)

// emojiStyle asks for a character's colourful form; fonts do that by themselves.
const emojiStyle = "\ufe0f"

// checkName takes characters that can be seen and that pose as nobody else,
// and gives them in the one form of RFC 8266: full-width letters and the like
// become the plain ones, spaces at the ends go.
func checkName(text string) (string, error) {
	name, err := precis.Nickname.String(strings.ReplaceAll(text, emojiStyle, ""))
	switch length := utf8.RuneCountInString(name); {
	case strings.TrimSpace(text) == "" || length > terms.LongestUserName || err == nil && length == 0:
		return "", fault.InvalidField("firstName", fmt.Sprintf("must have 1 to %d characters", terms.LongestUserName))
	case err != nil || strings.ContainsRune(text, utf8.RuneError):
		return "", fault.InvalidField("firstName", "must not contain characters that control or cannot be seen").Because(err)
	case !strings.ContainsFunc(name, func(r rune) bool { return !blank(r) }):
		return "", fault.InvalidField("firstName", "must have characters that can be seen")
	case nameless.MatchString(joined(fold(name))):
		return "", fault.InvalidField("firstName", "is what somebody without a name is called")
	case poses(name):
		return "", fault.InvalidField("firstName", "is kept for Kaibao and those who work for it")
	}
	return name, nil
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
