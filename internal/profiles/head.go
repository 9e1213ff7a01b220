package profiles

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/bidi"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/money"
	"kaibao/internal/sets"
)

// Head returns the head of the page at a path, such as pull/ID or u/HANDLE, in the language of its user; nil
// if it is another page. The error has the code not_found unless everybody may see the page now.
func (s *Service) Head(ctx context.Context, path string) (head *httpapi.PageHead, err error) {
	folder, name, _ := strings.Cut(path, "/")
	isPull, isProfile := strings.EqualFold(folder, "pull"), strings.EqualFold(folder, "u") // the app's router ignores case
	switch {
	case name == "" || strings.Contains(name, "/") || !isPull && !isProfile:
		return nil, nil
	case !db.IsID(name):
		return nil, errNoPull
	}
	var all sets.Directory
	if isProfile {
		all, err = s.Sets.All(ctx)
	}
	if err != nil {
		return nil, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		if isPull {
			p, err := loadPull(tx, name)
			head = p.head()
			return err
		}
		p, err := s.loadProfile(ctx, tx, all, name)
		head = p.head()
		return err
	})
	if err != nil {
		return nil, err
	}
	return head, nil
}

// head returns the head of the pull's page, nil if it has no items.
func (p pull) head() *httpapi.PageHead {
	texts := pullTexts[p.language]
	if len(p.items) == 0 || texts == nil {
		return nil
	}
	h := &httpapi.PageHead{Path: "/pull/" + p.id, Type: "website", Image: pullPath(p.id, p.picture()), Language: p.language}
	handle := ""
	if p.player != nil {
		handle = p.player.Handle
	}
	h.Title, h.Description, h.ImageAlt = texts(p, handle)
	return h
}

// pullTexts return the title, the description and the text of the picture of a pull page, by language. The
// handle is empty unless the user is public.
var pullTexts = map[string]func(p pull, handle string) (title, description, alt string){
	"en": func(p pull, handle string) (title, description, alt string) {
		best := p.items[0].text()
		pulled, title := "pulled", best+" · Kaibao"
		if handle != "" {
			pulled, title = "pulled by @"+handle, "@"+handle+" pulled "+best+" · Kaibao"
		}
		if more := len(p.items) - 1; more > 0 {
			pulled = fmt.Sprintf("and %d more, %s", more, pulled)
		}
		description = fmt.Sprintf("%s · %s from %s for %s points. Anyone can verify the draw.", best, pulled, isolated(p.pack.Name), shortAmount(p.price))
		return title, description, best + ", pulled on Kaibao"
	},
	"zh": func(p pull, handle string) (title, description, alt string) {
		best, pack := p.items[0].text(), p.pack.NameZH
		if pack == "" {
			pack = p.pack.Name
		}
		who, title := "", "抽到 "+best+" · Kaibao 开包"
		if handle != "" {
			who, title = "@"+handle+" ", "@"+handle+" "+title
		}
		among := "。"
		if len(p.items) > 1 {
			among = fmt.Sprintf(" 等 %d 件。", len(p.items))
		}
		description = fmt.Sprintf("%s花 %s 点打开“%s”，抽到 %s%s结果人人可校验。", who, shortAmount(p.price), isolated(pack), best, among)
		return title, description, "在 Kaibao 开包抽到的 " + best
	},
}

// head returns the head of the profile.
func (p profile) head() *httpapi.PageHead {
	texts := profileTexts[p.user.Language]
	if texts == nil {
		return nil
	}
	h := &httpapi.PageHead{Path: "/u/" + p.user.Handle, Type: "profile", Image: profilePath(p), Language: p.user.Language}
	h.Title, h.Description, h.ImageAlt = texts(p)
	return h
}

// profileTexts are like pullTexts, for profiles.
var profileTexts = map[string]func(p profile) (title, description, alt string){
	"en": func(p profile) (title, description, alt string) {
		if len(p.bestPulls) > 0 {
			description = "Best pull: " + p.bestPulls[0].text() + ". "
		}
		switch shown := len(p.showcase); {
		case shown == 1:
			description += "1 item in the showcase. "
		case shown > 1:
			description += fmt.Sprintf("%d items in the showcase. ", shown)
		}
		description += fmt.Sprintf("Member since %d.", p.user.CreatedAt.Year())
		return nameOf(p.user) + " · Kaibao", description, "The collection of @" + p.user.Handle
	},
	"zh": func(p profile) (title, description, alt string) {
		if len(p.bestPulls) > 0 {
			description = "最佳单抽：" + p.bestPulls[0].text() + "。"
		}
		if shown := len(p.showcase); shown > 0 {
			description += fmt.Sprintf("展示 %d 件物品。", shown)
		}
		description += fmt.Sprintf("%d 年加入 Kaibao 开包。", p.user.CreatedAt.Year())
		return nameOf(p.user) + " · Kaibao 开包", description, "@" + p.user.Handle + " 的收藏"
	},
}

// nameOf returns "Mei (@mei-lin)", or "@mei-lin" without a name.
func nameOf(u identity.PublicUser) string {
	if u.FirstName == "" {
		return "@" + u.Handle
	}
	return isolated(u.FirstName) + " (@" + u.Handle + ")"
}

// text returns the item with its value: 2018 Panini Prizm Luka Dončić PSA 10 · $1,240.
func (i shownItem) text() string { return isolated(i.item.Name) + " · $" + shortAmount(i.value) }

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
