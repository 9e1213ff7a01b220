package admin

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"kaibao/internal/db"
)

// searchText is a text that an admin searched for, without quotes or the rest of a pasted link.
type searchText struct {
	whole      string
	start, end string // of a text shortened as on the pages, such as DPrnt6...koV6; otherwise start is whole
}

// quotes are removed from both ends of a text, with the punctuation that is copied with them.
const quotes = " \t\r\n\"'`“”‘’«»「」『』()<>[],;，。；"

var (
	idInText  = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)
	shortened = regexp.MustCompile(`^([0-9A-Za-z-]{4,})(?:\.{3}|…)([0-9A-Za-z-]*)$`)
)

// parseSearchText returns the last id in a text. Without one, it returns the last part of the path of
// a pasted link, or the whole text.
func parseSearchText(text string) searchText {
	text = strings.Trim(text, quotes)
	if ids := idInText.FindAllString(text, -1); len(ids) > 0 {
		text = ids[len(ids)-1]
	} else if link, err := url.Parse(text); err == nil && len(path.Base(link.Path)) > 1 && strings.Contains(text, "/") {
		text = path.Base(link.Path)
	}
	if parts := shortened.FindStringSubmatch(text); parts != nil {
		return searchText{text, parts[1], parts[2]}
	}
	return searchText{text, text, ""}
}

// idRange returns the first and last id with a start of at least 8 characters. It reports false for
// any other text.
func idRange(start string) (first, last string, ok bool) {
	start = strings.ToLower(start)
	if len(start) < 8 || len(start) > len(db.MaxID) {
		return "", "", false
	}
	first, last = start+emptyID[len(start):], start+db.MaxID[len(start):]
	if _, ok := db.ParseID(first); !ok {
		return "", "", false
	}
	return first, last, true
}

const emptyID = "00000000-0000-0000-0000-000000000000"
