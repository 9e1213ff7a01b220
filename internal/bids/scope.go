package bids

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
)

// Scope is what a bid is for: one entry, one item, or all items that meet a criterion. Exactly one
// of the three is set.
type Scope struct {
	Entry string
	Item  string
	Criterion
}

// Criterion describes items by their attributes; empty or 0 matches anything.
type Criterion struct {
	Series   string
	Grader   string // who issued the certificate: PSA or CGC
	Rarity   string
	MinGrade int64 // in tenths of a grade: 95 is grade 9.5
}

// MinGrades are the minimum grades that a criterion can ask for, in tenths.
var MinGrades = []int64{80, 90, 95, 100}

const (
	entryKey = "entry:"
	itemKey  = "item:"
)

// Key returns the canonical text of the scope.
func (s Scope) Key() string {
	switch {
	case s.Entry != "":
		return entryKey + s.Entry
	case s.Item != "":
		return itemKey + s.Item
	}
	return s.key()
}

func (c Criterion) key() string {
	query := url.Values{}
	for name, value := range map[string]string{"series": c.Series, "grader": c.Grader, "rarity": c.Rarity} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if c.MinGrade != 0 {
		query.Set("grade", strconv.FormatInt(c.MinGrade, 10))
	}
	return query.Encode() // Encode sorts by name
}

// ParseScope parses a key. It accepts only the form that Key returns.
func ParseScope(key string) (s Scope, err error) {
	if entry, ok := strings.CutPrefix(key, entryKey); ok {
		return Scope{Entry: entry}, nil
	}
	if item, ok := strings.CutPrefix(key, itemKey); ok {
		return Scope{Item: item}, nil
	}
	query, err := url.ParseQuery(key)
	if err != nil {
		return s, fmt.Errorf("scope %q: %w", key, err)
	}
	s.Criterion = Criterion{Series: query.Get("series"), Grader: query.Get("grader"), Rarity: query.Get("rarity")}
	if grade := query.Get("grade"); grade != "" {
		s.MinGrade, err = strconv.ParseInt(grade, 10, 64)
	}
	if err == nil && (s == Scope{} || s.Key() != key) {
		err = fmt.Errorf("scope %q is not in canonical form", key)
	}
	return s, err
}

// Covers reports whether the scope includes an entry of the item.
func (s Scope) Covers(entry string, item catalogue.Item) bool {
	switch {
	case s.Entry != "":
		return s.Entry == entry
	case s.Item != "":
		return s.Item == item.ID
	}
	return s.Matches(item)
}

// Matches reports whether the item meets the criterion.
func (c Criterion) Matches(item catalogue.Item) bool {
	return (c.Series == "" || c.Series == item.Series) && (c.Grader == "" || c.Grader == item.Grader) &&
		(c.Rarity == "" || c.Rarity == item.Rarity) && item.GradeTenths >= c.MinGrade
}

// KeysFor returns the keys of all scopes that cover an entry of the item, at most 41.
func KeysFor(entry string, item catalogue.Item) []string {
	keys := []string{entryKey + entry, itemKey + item.ID}
	grades := []int64{0}
	for _, grade := range MinGrades {
		if item.GradeTenths >= grade {
			grades = append(grades, grade)
		}
	}
	for _, series := range anyOr(item.Series) {
		for _, grader := range anyOr(item.Grader) {
			for _, rarity := range anyOr(item.Rarity) {
				for _, grade := range grades {
					c := Criterion{series, grader, rarity, grade}
					if c != (Criterion{}) {
						keys = append(keys, c.key())
					}
				}
			}
		}
	}
	return keys
}

func anyOr(value string) []string {
	if value == "" {
		return []string{""}
	}
	return []string{"", value}
}
