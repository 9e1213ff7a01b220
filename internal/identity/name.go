package identity

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
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
	// emojiStyle requests a character's emoji presentation, which fonts use anyway.
	emojiStyle = "\ufe0f"
	// joiner combines two emoji into one, such as a family or a flag.
	joiner = "\u200d"
)

// Maximum numbers of consecutive marks in a name. After composition (NFC) Latin, Greek and Cyrillic
// need one accent, seldom two; Indic and Tibetan letters have up to four marks of their scripts
// (UTS #39, 5.4).
const (
	maxAccents = 2
	maxMarks   = 4
)

// checkName returns a name in the normalized form of RFC 8266: full-width letters become plain
// ones, and outer spaces are removed. It refuses names that are invisible, impersonate Kaibao, or
// look like the display name of a user without a name.
func checkName(text string) (string, error) {
	name, err := normalizeName(strings.ReplaceAll(text, emojiStyle, ""))
	switch length := utf8.RuneCountInString(name); {
	case strings.TrimSpace(text) == "" || length > policy.MaxUserNameLength || err == nil && length == 0:
		return "", apperr.InvalidField("firstName", fmt.Sprintf("must have 1 to %d characters", policy.MaxUserNameLength))
	case err != nil || strings.ContainsRune(text, utf8.RuneError):
		return "", apperr.InvalidField("firstName", "must not contain control characters or invisible characters").Because(err)
	case hasStackedAccents(name):
		return "", apperr.InvalidField("firstName", "must not stack accents")
	case !strings.ContainsFunc(name, func(r rune) bool { return !isBlank(r) }):
		return "", apperr.InvalidField("firstName", "must contain visible characters")
	case anonymousNames.MatchString(alphanumeric(skeleton(name))):
		return "", apperr.InvalidField("firstName", "is reserved for users without a name")
	case impersonatesStaff(name):
		return "", apperr.InvalidField("firstName", "is reserved for Kaibao")
	}
	return name, nil
}

var errJoiner = errors.New("zero-width joiner outside an emoji")

const blackFlag = "\U0001f3f4"

// blackFlags matches a black flag and the invisible tags that turn it into the flag of England,
// Scotland or Wales. Unicode recommends no other tags.
var blackFlags = regexp.MustCompile(blackFlag + "(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f)?")

// normalizeName normalizes a name by RFC 8266, which allows neither tags nor joiners. Here tags may
// follow flags, and joiners may connect emoji.
func normalizeName(text string) (string, error) {
	tags := []string{""}
	plain := blackFlags.ReplaceAllStringFunc(text, func(flag string) string {
		tags = append(tags, strings.TrimPrefix(flag, blackFlag))
		return blackFlag
	})
	name, err := normalizeUntagged(plain)
	if err != nil {
		return "", err
	}
	parts := strings.Split(name, blackFlag)
	for i, part := range parts {
		parts[i] = tags[i] + part
	}
	return strings.Join(parts, blackFlag), nil
}

// normalizeUntagged normalizes a name without tags by RFC 8266, except that joiners may connect
// emoji.
func normalizeUntagged(text string) (string, error) {
	parts := strings.Split(text, joiner)
	for i, part := range parts {
		before, _ := utf8.DecodeLastRuneInString(part)
		after, _ := utf8.DecodeRuneInString(part)
		if i > 0 && !isEmojiPart(after) || i < len(parts)-1 && !isEmojiPart(before) {
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

// isEmojiPart reports whether a character can be part of an emoji: a symbol or a skin color.
func isEmojiPart(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r) || '\U0001f3fb' <= r && r <= '\U0001f3ff'
}

// hasStackedAccents reports whether a name has more consecutive marks than any language uses, or a
// repeated mark.
func hasStackedAccents(name string) bool {
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
		if accents > maxAccents || marks > maxMarks {
			return true
		}
		last = r
	}
	return false
}

// isBlank reports whether a character is invisible by itself: spaces, marks, and the letters and
// symbols that Unicode renders blank.
func isBlank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800': // Hangul fillers, the empty Braille pattern
		return true
	}
	return unicode.IsSpace(r) || unicode.IsMark(r)
}

// skeleton maps texts that look the same to the same text: the skeleton of UTS #39, in lower case,
// without accents. Capitals have other lookalikes than lower-case letters, so it takes the
// skeleton, lowers it and takes the skeleton again.
func skeleton(text string) string {
	text = strings.Map(plainSymbol, text)
	for range 2 {
		text = strings.ToLower(confusable.Skeleton(text))
	}
	return plainLetters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text)))
}

// plainSymbol replaces letters in dark circles and squares and those of flags, which Unicode doesn't
// decompose, by plain ones.
func plainSymbol(r rune) rune {
	for _, first := range []rune{'🅐', '🅰', '🇦'} {
		if first <= r && r < first+26 {
			return r - first + 'a'
		}
	}
	return r
}

// plainLetters replaces l, which is the skeleton of a capital I, and the small capitals that are the
// skeletons of themselves and of some Cyrillic letters.
var plainLetters = strings.NewReplacer("l", "i", "ʟ", "i", "ĸ", "k", "ᴀ", "a", "ʙ", "b", "ᴅ", "d", "ᴇ", "e", "ɢ", "g", "ʜ", "h", "ᴊ", "j",
	"ʍ", "rn", "ɴ", "n", "ᴘ", "p", "ʀ", "r", "ᴛ", "t", "ʏ", "y", "ɮ", "b", "β", "b", "ь", "b", "ට", "o", "ട", "o",
	"○", "o", "◯", "o", "⭕", "o", "°", "o", "│", "i", "┃", "i")

// alphanumeric removes everything but letters and digits.
func alphanumeric(skel string) string {
	return strings.Join(words(skel), "")
}

// words splits a skeleton into its runs of letters and digits.
func words(skel string) []string {
	return strings.FieldsFunc(skel, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// anyOf returns a pattern that matches the skeleton of any of the words.
func anyOf(words ...string) string {
	for i, word := range words {
		words[i] = regexp.QuoteMeta(skeleton(word))
	}
	return "(?:" + strings.Join(words, "|") + ")"
}

var (
	staffWords = anyOf("admin", "admins", "administrator", "moderator", "moderators", "support", "staff", "official", "helpdesk")
	// fillerWords may be joined to a staff word: "SupportTeam".
	fillerWords = anyOf("the", "team", "help", "desk", "care", "center", "customer", "service", "security", "real", "account")
	digits      = "[0-9oi]*" // as skeleton leaves them: l becomes i, and o can stand for 0

	// anonymousNames matches the display names of users without a name, in both languages.
	anonymousNames = regexp.MustCompile("^" + anyOf("anonymous", "user", "匿名", "匿名用户", "匿名用戶", "匿名者", "用户", "用戶") + digits + "$")
	houseNames     = regexp.MustCompile(anyOf("kaibao", "官方", "客服", "管理员", "管理員", "版主") + "|^" +
		anyOf("开包", "開包", "开包团队", "開包團隊", "开包助手", "開包助手", "开包平台", "開包平台", "系统", "系統", "系统消息", "系統消息", "system") + digits + "$")
	staffWord      = regexp.MustCompile("^" + staffWords + digits + "$")
	onlyStaffWords = regexp.MustCompile("^(?:" + staffWords + "|" + fillerWords + ")*" + staffWords + "(?:" + staffWords + "|" + fillerWords + ")*" + digits + "$")
)

// impersonatesStaff reports whether a name could be mistaken for Kaibao or its staff.
func impersonatesStaff(name string) bool {
	skel := skeleton(name)
	if slices.ContainsFunc(words(skel), staffWord.MatchString) {
		return true
	}
	whole := alphanumeric(skel)
	return houseNames.MatchString(whole) || onlyStaffWords.MatchString(whole)
}
