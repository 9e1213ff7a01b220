package profiles

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/bidi"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/money"
)

// Head describes a pull page or a profile to other sites, in the language of its user.
type Head struct {
	Title, Description string
	Path               string
	Type               string // website or profile, as Open Graph defines them
	Image, ImageAlt    string // the image's path, and its text
	Language           string // en or zh
}

// Head returns the head of the page at a path, such as pull/ID or u/HANDLE; nil if it is another page. The
// error has the code not_found unless everybody may see the page now.
func (s *Service) Head(ctx context.Context, path string) (head *Head, err error) {
	folder, name, _ := strings.Cut(path, "/")
	var read func(tx *db.Tx, name string) (*Head, error)
	switch {
	case name == "" || strings.Contains(name, "/"):
		return nil, nil
	case strings.EqualFold(folder, "pull"): // the app's router ignores case
		read = pullHead
	case strings.EqualFold(folder, "u"):
		read = profileHead
	default:
		return nil, nil
	}
	if !db.IsID(name) {
		return nil, errNoPull
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		head, err = read(tx, name)
		return err
	})
	return head, err
}

func pullHead(tx *db.Tx, id string) (*Head, error) {
	p, err := visiblePull(tx, id)
	if err != nil {
		return nil, err
	}
	items, err := pulledItems(tx, p.id)
	if err != nil {
		return nil, err
	}
	public, err := identity.PublicUsers(tx, []string{p.owner})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	h := &Head{Path: "/pull/" + p.id, Type: "website", Image: pullPicture(p.id), Language: p.language}
	h.Title, h.Description, h.ImageAlt = pullTexts[p.language](p, items, public[p.owner].Handle)
	return h, nil
}

// pullTexts return the title, the description and the text of the picture of a pull page, by language. The
// handle is empty unless the user is public.
var pullTexts = map[string]func(p pull, items []ValuedItem, handle string) (title, description, alt string){
	"en": func(p pull, items []ValuedItem, handle string) (title, description, alt string) {
		best := bestText(items[0])
		pulled, title := "pulled", best+" · Kaibao"
		if handle != "" {
			pulled, title = "pulled by @"+handle, "@"+handle+" pulled "+best+" · Kaibao"
		}
		if more := len(items) - 1; more > 0 {
			pulled = fmt.Sprintf("and %d more, %s", more, pulled)
		}
		description = fmt.Sprintf("%s · %s from %s for %s points. Verified draw on Kaibao.", best, pulled, isolated(p.pack.Name), shortAmount(p.price))
		return title, description, best + ", pulled on Kaibao"
	},
	"zh": func(p pull, items []ValuedItem, handle string) (title, description, alt string) {
		best, pack := bestText(items[0]), p.pack.NameZH
		if pack == "" {
			pack = p.pack.Name
		}
		who, title := "", "抽到 "+best+" · Kaibao 开包"
		if handle != "" {
			who, title = "@"+handle+" ", "@"+handle+" "+title
		}
		among := "。"
		if len(items) > 1 {
			among = fmt.Sprintf(" 等 %d 件。", len(items))
		}
		description = fmt.Sprintf("%s花 %s 点数开“%s”，抽到 %s%s结果公开可验证，尽在 Kaibao 开包。", who, shortAmount(p.price), isolated(pack), best, among)
		return title, description, "在 Kaibao 开包抽到的 " + best
	},
}

func profileHead(tx *db.Tx, handle string) (*Head, error) {
	u, err := publicUser(tx, handle)
	if err != nil {
		return nil, err
	}
	best, err := bestPulls(tx, u.ID, 1)
	if err != nil {
		return nil, err
	}
	shown, err := Showcase(tx, u.ID)
	if err != nil {
		return nil, err
	}
	h := &Head{Path: "/u/" + u.Handle, Type: "profile", Image: profilePicture(u.Handle), Language: u.Language}
	h.Title, h.Description, h.ImageAlt = profileTexts[u.Language](u, best, len(shown))
	return h, nil
}

// profileTexts are like pullTexts, for profiles.
var profileTexts = map[string]func(u identity.PublicUser, best []BestPull, shown int) (title, description, alt string){
	"en": func(u identity.PublicUser, best []BestPull, shown int) (title, description, alt string) {
		if len(best) > 0 {
			description = "Best pull: " + bestText(best[0].ValuedItem) + ". "
		}
		switch {
		case shown == 1:
			description += "1 item on show. "
		case shown > 1:
			description += fmt.Sprintf("%d items on show. ", shown)
		}
		description += fmt.Sprintf("Collecting on Kaibao since %d.", u.CreatedAt.Year())
		return nameOf(u) + " · Kaibao", description, "The collection of @" + u.Handle
	},
	"zh": func(u identity.PublicUser, best []BestPull, shown int) (title, description, alt string) {
		if len(best) > 0 {
			description = "最佳抽取：" + bestText(best[0].ValuedItem) + "。"
		}
		if shown > 0 {
			description += fmt.Sprintf("展示 %d 件藏品。", shown)
		}
		description += fmt.Sprintf("%d 年起在 Kaibao 开包收藏。", u.CreatedAt.Year())
		return nameOf(u) + " · Kaibao 开包", description, "@" + u.Handle + " 的收藏"
	},
}

// nameOf returns "Mei (@mei-lin)", or "@mei-lin" without a name.
func nameOf(u identity.PublicUser) string {
	if u.FirstName == "" {
		return "@" + u.Handle
	}
	return isolated(u.FirstName) + " (@" + u.Handle + ")"
}

// bestText returns "2018 Panini Prizm Luka Dončić PSA 10 · $1,240".
func bestText(v ValuedItem) string {
	return isolated(v.Item.Name) + " · $" + shortAmount(v.ValueCents)
}

// shortAmount formats an amount with thousands separators, and without decimals if it is whole: 1,240 or
// 18.90.
func shortAmount(c money.Cents) string {
	whole, decimals, _ := strings.Cut(c.String(), ".")
	var grouped strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			grouped.WriteByte(',')
		}
		grouped.WriteRune(digit)
	}
	if decimals == "00" {
		return grouped.String()
	}
	return grouped.String() + "." + decimals
}

const (
	firstStrongIsolate = "\u2068"
	popIsolate         = "\u2069"
)

// isolated keeps a name with letters that are written from right to left from reordering the text around it.
func isolated(name string) string {
	for _, r := range name {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL, bidi.RLE, bidi.RLO, bidi.RLI, bidi.FSI:
			return firstStrongIsolate + name + popIsolate
		}
	}
	return name
}
