package bids

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
)

// Scope is what a bid is for: one entry, one item, or all items that meet a criterion.
// Exactly one of the three is set.
type Scope struct {
	Entry string
	Item  string
	Criterion
}

// Criterion is what items must be like; what is empty or 0 asks for nothing.
type Criterion struct {
	Series   string
	Grader   string // of the certificate
	Rarity   string
	MinGrade int64 // in tenths: 95 is grade 9.5
}

// Grades are those from which on a criterion can ask for items, in tenths.
var Grades = []int64{80, 90, 95, 100}

const (
	entryKey = "entry:"
	itemKey  = "item:"
)

// Key is the one way to write the scope.
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
	asked := url.Values{}
	for name, value := range map[string]string{"series": c.Series, "grader": c.Grader, "rarity": c.Rarity} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	if c.MinGrade != 0 {
		asked.Set("grade", strconv.FormatInt(c.MinGrade, 10))
	}
	return asked.Encode() // sorted by name
}

// ParseScope reads what Key wrote.
func ParseScope(key string) (s Scope, err error) {
	if entry, ok := strings.CutPrefix(key, entryKey); ok {
		return Scope{Entry: entry}, nil
	}
	if item, ok := strings.CutPrefix(key, itemKey); ok {
		return Scope{Item: item}, nil
	}
	asked, err := url.ParseQuery(key)
	if err != nil {
		return s, fmt.Errorf("scope %q: %w", key, err)
	}
	s.Criterion = Criterion{Series: asked.Get("series"), Grader: asked.Get("grader"), Rarity: asked.Get("rarity")}
	if grade := asked.Get("grade"); grade != "" {
		s.MinGrade, err = strconv.ParseInt(grade, 10, 64)
	}
	if err == nil && (s == Scope{} || s.Key() != key) {
		err = fmt.Errorf("scope %q is not written as it is", key)
	}
	return s, err
}

// Covers tells whether an entry of an item is what the bid is for.
func (s Scope) Covers(entry string, item catalogue.Item) bool {
	switch {
	case s.Entry != "":
		return s.Entry == entry
	case s.Item != "":
		return s.Item == item.ID
	}
	return s.Meets(item)
}

// Meets tells whether an item is like the criterion asks.
func (c Criterion) Meets(item catalogue.Item) bool {
	return (c.Series == "" || c.Series == item.Series) && (c.Grader == "" || c.Grader == item.Grader) &&
		(c.Rarity == "" || c.Rarity == item.Rarity) && item.GradeTenths >= c.MinGrade
}

// KeysFor are the keys of all scopes that cover an entry of an item: 41 at most.
func KeysFor(entry string, item catalogue.Item) []string {
	keys := []string{entryKey + entry, itemKey + item.ID}
	grades := []int64{0}
	for _, grade := range Grades {
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
