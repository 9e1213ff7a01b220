package identity

import (
	"strings"
	"testing"
)

// These flags are a black flag followed by tags.
const (
	england  = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
	scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
	wales    = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
)

func TestNamesAreNormalized(t *testing.T) {
	for typed, want := range map[string]string{
		"a": "a", "Ana María": "Ana María", "卡包玩家": "卡包玩家", "开包达人": "开包达人", "🐼": "🐼", "Mei ❤️": "Mei ❤",
		"Ｍｅｉ": "Mei", "  Ann   Lee ": "Ann Lee", "A\u030angstrom": "Ångstrom", `<b>"&'`: `<b>"&'`,
		"Username": "Username", "Anonymous Panda": "Anonymous Panda", "Badminton Bob": "Badminton Bob", "Staffan": "Staffan",
		"Supporter": "Supporter", "System of a Down": "System of a Down", "Иван": "Иван", "用户体验师": "用户体验师", "Team Ann": "Team Ann",
		"👨‍👩‍👧‍👦": "👨‍👩‍👧‍👦", "Ann 👩🏽‍🚀": "Ann 👩🏽‍🚀", "🏳️‍🌈 Bo": "🏳‍🌈 Bo", "🏴‍☠️": "🏴‍☠", "❤️‍🔥": "❤‍🔥",
		"🇫🇷 Zoé 🇯🇵": "🇫🇷 Zoé 🇯🇵", "🧔‍♂️": "🧔‍♂", scotland: scotland, wales + " " + england: wales + " " + england, "  Rhys  " + wales + "🏴‍☠️ ": "Rhys " + wales + "🏴‍☠",
		"Nguyễn": "Nguyễn", "Ọ̀ṣun": "Ọ̀ṣun", "ผู้ใหญ่": "ผู้ใหญ่", "शक्ति": "शक्ति", "שָׁלוֹם": "שָׁלוֹם",
		strings.Repeat("é", 24): strings.Repeat("é", 24),
	} {
		if name, err := checkName(typed); err != nil || name != want {
			t.Errorf("%q became %q, %v; want %q", typed, name, err, want)
		}
	}
}

func TestImpersonatingNamesAreRefused(t *testing.T) {
	for _, name := range []string{
		"Admin", "ADMIN", scotland + "Admin", "Ad" + wales + "min", "admin 1", "A.d.m.i.n", "Ádmin", "Adm1n", "AdmIn", "Аdmіn", "Αdmin", "ａｄｍｉｎ", "𝒜dmin", "Ⓐdmin", "🅐🅓🅜🅘🅝", "🅺🅰🅸🅱🅰🅾", "🇦🇩🇲🇮🇳", "ᴀᴅᴍɪɴ", "sтаff", "The Admin", "AdminTeam",
		"Kaibao", "KAlBAO", "K a i b a o", "Kaibao Support", "KaibaoSupport", "Каіbао", "каіbао", "kaibao_help", "Support", "Supp0rt", "Support Team",
		"Customer Support", "Moderator", "Official", "Staff", "System",
		"Anonymous", "Anоnymous", "anonymous", "AnonyMous2", "Anonyrnous", "User", " USER ", "User12", "User１２", "Usеr 7", "user_0",
		"匿名用户", "匿名", "匿名用戶", "用户", "用户12", "用户 １２", "开包", "開包", "开包客服", "官方客服", "开包官方", "管理员", "管理員01", "系统消息", "匿名用户3",
	} {
		if got, err := checkName(name); err == nil {
			t.Errorf("%q passes as %q", name, got)
		}
	}
}

func TestInvisibleNamesAreRefused(t *testing.T) {
	for _, name := range []string{
		"", " ", "\u3000", "\u3164", "\u2800 \u2800", "\u0301", "a\x00", "a\nb", "a\u2028b", "a\u202eb", "a\u200bb", "a\u00adb", "a\xff", "\ufe0f",
		"\U000e0041", "🏴\U000e0067", "🏴\U000e007f", "a" + scotland[len("🏴"):], scotland + "\U000e007f",
		"🏴\U000e0066\U000e0072\U000e007f",
		strings.Repeat("é", 25), strings.Repeat("x", 100_000),
	} {
		if got, err := checkName(name); err == nil {
			t.Errorf("%q passes as %q", name, got)
		}
	}
}

func TestMisplacedJoinersAndStackedAccentsAreRefused(t *testing.T) {
	for _, name := range []string{
		"a\u200db", "\u200d", "👩\u200d", "\u200d👩", "👩\u200d\u200d👩", "a\u200d👩", "👩\u200d ",
		"Z\u0300\u0301\u0302", "Z\u035f\u035f", "a" + strings.Repeat("\u0e49", 3), "A\u0334\u0300\u0301\u0316\u0317n", "ก\u0e34\u0e49\u0e34\u0e49\u0e34",
	} {
		if got, err := checkName(name); err == nil {
			t.Errorf("%+q passes as %+q", name, got)
		}
	}
}
