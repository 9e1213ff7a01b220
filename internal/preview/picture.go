// Package preview renders the pictures that apps show for links to pull pages and profiles (Open
// Graph): 1200 by 630 pixels, PNG. Rendering takes seconds, so it happens in a background job and
// never while a request waits. Finished pictures are cached in a folder.
package preview

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/art"
	"kaibao/internal/money"
)

// Width and Height are the size of all pictures in pixels.
const (
	Width  = 1200
	Height = 630
)

// MaxCards is how many cards a picture shows at most.
const MaxCards = 5

// Kind is the kind of page that a picture is for.
type Kind string

// The kinds.
const (
	PullPage    Kind = "pull"
	ProfilePage Kind = "profile"
)

// Language is the language of a picture's texts. All but Chinese are English.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Picture is the content of a picture. Equal values are the same picture.
type Picture struct {
	Kind     Kind
	Language Language
	Handle   string // of the profile, or of a pull page's public player; otherwise empty
	Cards    []Card // best first; further ones than MaxCards are only counted

	// Of a pull page.
	Pack, PackZh string      // name of the pack; PackZh may be empty
	Value        money.Cents // of all cards

	// Of a profile.
	Avatar       string // name of the generated picture of the user
	MemberSince  string // a month, such as 2026-11; may be empty
	Showcased    int    // cards of the showcase; 0 isn't shown
	CompleteSets int    // 0 isn't shown
}

// Card is a card or toy in a picture.
type Card struct {
	Item  art.Item
	Value money.Cents
}

// layout must be increased with every change to how pictures look.
const layout = "2"

// Digest identifies the picture's content and look, as 64 hex digits.
func (p Picture) Digest() string {
	return digestOf("picture", layout, art.Version, p)
}

// digestOf returns the SHA-256 of values as hex digits.
func digestOf(values ...any) string {
	encoded, err := json.Marshal(values)
	if err != nil {
		panic(err) // all values are plain
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}

// shown returns the cards that the picture shows.
func (p Picture) shown() []Card { return p.Cards[:min(len(p.Cards), MaxCards)] }

// in returns the text in the picture's language.
func (p Picture) in(english, chinese string) string {
	if p.Language == Chinese {
		return chinese
	}
	return english
}

// counted returns a number with its noun in the picture's language.
func (p Picture) counted(n int, one, several, chinese string) string {
	if p.Language != Chinese && n == 1 {
		return one
	}
	return strings.ReplaceAll(p.in(several, chinese), "#", strconv.Itoa(n))
}

// packName returns the pack's name in the picture's language, or the English one if the fonts lack
// its letters. It is empty if they lack those of both.
func (p Picture) packName() string {
	for _, name := range []string{p.in("", p.PackZh), p.Pack} {
		if name != "" && covered(name) {
			return name
		}
	}
	return ""
}

// title returns the largest line of a pull page's picture and the line above it: the best card's
// name and the pack. A name that the fonts lack letters of is left out.
func (p Picture) title() (above, title string) {
	pack := p.packName()
	if len(p.Cards) > 0 {
		title = art.TitleOf(p.Cards[0].Item.Name).Subject
	}
	switch {
	case title != "" && covered(title) && pack != "":
		if p.Handle != "" {
			return p.in("@"+p.Handle+" pulled from "+pack, "@"+p.Handle+" 从“"+pack+"”开出"), title
		}
		return p.in("Pulled from "+pack, "从“"+pack+"”开出"), title
	case title != "" && covered(title):
		return p.in("Just pulled", "刚刚开出"), title
	case pack != "":
		return p.in("Just pulled from", "刚刚开出"), pack
	default:
		return "", p.in("Just pulled", "刚刚开出")
	}
}

// details returns lines about the best card: its set, and its variant and grade.
func (c Card) details() []string {
	t := art.TitleOf(c.Item.Name)
	set := t.Set
	if set == "" {
		set = c.Item.Series
	}
	number := t.Number
	if number != "" {
		number = "#" + number
	}
	grade := ""
	if c.Item.Grader != "" && c.Item.Grade > 0 {
		grade = joined(" ", c.Item.Grader, art.GradeText(c.Item.Grade), t.Verdict)
	}
	var lines []string
	for _, line := range []string{joined(" ", t.Year, set, number), joined(" · ", t.Variant, grade)} {
		if line != "" && covered(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// joined joins the texts that aren't empty.
func joined(separator string, texts ...string) string {
	var given []string
	for _, text := range texts {
		if text != "" {
			given = append(given, text)
		}
	}
	return strings.Join(given, separator)
}

// since returns when the user joined, or "".
func (p Picture) since() string {
	month, err := time.Parse("2006-01", p.MemberSince)
	if err != nil {
		return ""
	}
	return p.in("Member since "+month.Format("January 2006"), month.Format("2006 年 1 月加入"))
}

// dollars formats an amount with separators: $12,480.00.
func dollars(amount money.Cents) string {
	whole, cents, _ := strings.Cut(strings.TrimPrefix(amount.String(), "-"), ".")
	for n := len(whole) - 3; n > 0; n -= 3 {
		whole = whole[:n] + "," + whole[n:]
	}
	if amount < 0 {
		whole = "-" + whole
	}
	return "$" + whole + "." + cents
}
