// Package importer imports the catalogue from CSV and JSON files, and exports it in the same
// formats.
package importer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// cells holds a row's values; given distinguishes an absent value from an empty one.
type cells struct {
	text  [columnCount]string
	given [columnCount]bool
}

// problem is a reason to refuse a row. field is the column, or empty for the whole row.
type problem struct{ field, reason string }

// row is a row of a file.
type row struct {
	number      int64 // as in a spreadsheet: the header of a CSV file is row 1
	item        catalogue.Item
	keepsActive bool // the row doesn't say whether the item is active
	keepsSet    bool // the row has no cell for the set
	keepsNumber bool // the row has no cell for the number in the set
	problems    []problem
	original    []byte // its text in the file; valid until the next row is read
}

// read parses and checks the cells.
func (r *row) read(c *cells) {
	refused := apperr.Fields{}
	r.item = catalogue.Item{
		ID: c.text[idColumn], Name: c.text[nameColumn], Series: c.text[seriesColumn], Rarity: c.text[rarityColumn],
		Grader: c.text[graderColumn], CertNumber: c.text[certColumn], Set: c.text[setColumn], SetNumber: c.text[setNumberColumn], ImageURL: c.text[imageColumn],
	}
	r.keepsSet, r.keepsNumber = !c.given[setColumn], !c.given[setNumberColumn]
	r.readActive(c, refused)
	r.readValue(c, refused)
	r.readGrade(c, refused)
	maps.Copy(refused, r.item.InvalidFields())
	r.checkTexts(c, refused)
	for _, name := range columnNames {
		if why := refused[name]; why != "" {
			r.problems = append(r.problems, problem{name, why})
		}
	}
}

// readActive reads whether the item is active; an empty cell leaves that unchanged.
func (r *row) readActive(c *cells, refused apperr.Fields) {
	switch strings.ToLower(c.text[activeColumn]) {
	case "":
		r.keepsActive, r.item.Active = true, true
	case "true", "yes", "1":
		r.item.Active = true
	case "false", "no", "0":
	default:
		refused[columnNames[activeColumn]] = "must be true or false"
	}
}

func (r *row) readValue(c *cells, refused apperr.Fields) {
	at, in := centsColumn, cents
	if c.text[centsColumn] == "" && c.text[dollarsColumn] != "" {
		at, in = dollarsColumn, dollars
	}
	switch {
	case c.text[at] == "":
		refused[columnNames[at]] = "is missing: every item needs a value"
	case at == centsColumn && c.text[dollarsColumn] != "":
		refused[columnNames[dollarsColumn]] = "must not be combined with baseValueCents"
	default:
		value, why := amount(c.text[at], in)
		r.item.BaseValue = value
		if why != "" {
			refused[columnNames[at]] = why
		}
	}
}

var gradePattern = regexp.MustCompile(`^(?:(10)(?:\.0*)?|([1-9])(?:\.(?:([05])0*)?)?)$`)

// readGrade reads the row's grade, or the grade in the name if the column is absent.
func (r *row) readGrade(c *cells, refused apperr.Fields) {
	text := c.text[gradeColumn]
	parts := gradePattern.FindStringSubmatch(text)
	switch {
	case !c.given[gradeColumn]:
		r.item.GradeTenths = catalogue.GradeInName(r.item.Name, r.item.Grader)
	case text == "":
	case parts == nil:
		refused[columnNames[gradeColumn]] = "must be from 1 to 10, in steps of 0.5"
	case parts[1] != "":
		r.item.GradeTenths = 10 * policy.MaxGrade
	default:
		r.item.GradeTenths = 10 * int64(parts[2][0]-'0')
		if parts[3] == "5" {
			r.item.GradeTenths += 5
		}
	}
}

// checkTexts refuses values that the item's own checks accept or don't cover.
func (r *row) checkTexts(c *cells, refused apperr.Fields) {
	i := r.item
	if !db.IsID(i.ID) {
		refused["id"] = "must be 1 to 64 lowercase letters, digits and hyphens"
	}
	if !slices.Contains(catalogue.Rarities, i.Rarity) {
		refused["rarity"] = "must be one of " + strings.Join(catalogue.Rarities, ", ")
	}
	for at, limit := range map[column]int{nameColumn: policy.MaxItemNameLength, seriesColumn: policy.MaxSeriesLength, setColumn: policy.MaxSetLength, setNumberColumn: policy.MaxSetNumberLength, imageColumn: policy.MaxItemPictureURLLength} {
		if utf8.RuneCountInString(c.text[at]) > limit {
			refused[columnNames[at]] = fmt.Sprintf("must have at most %d characters", limit)
		}
	}
	for at, text := range c.text {
		switch {
		case !utf8.ValidString(text):
			refused[columnNames[at]] = "is not UTF-8"
		case refused[columnNames[at]] == "" && strings.ContainsRune(text, utf8.RuneError):
			refused[columnNames[at]] = "contains the replacement character (\ufffd): save the file as UTF-8"
		case strings.ContainsFunc(text, unicode.IsControl):
			refused[columnNames[at]] = "must not contain line breaks"
		case text == "" && column(at) <= rarityColumn:
			refused[columnNames[at]] = "is missing"
		}
	}
}
