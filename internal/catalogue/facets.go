package catalogue

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Facets are how many rows of a list each choice of a filter would leave, beside all its
// other choices. A choice that would leave none is not there.
type Facets struct {
	Series  []Facet `json:"series" nullable:"false" doc:"Of each series and each category."`
	Graders []Facet `json:"certification" nullable:"false"`
	Rarity  []Facet `json:"rarity" nullable:"false"`
	Grade   []Facet `json:"grade" nullable:"false" doc:"Of each lowest grade."`
}

// Facet is a choice, and what it would leave.
type Facet struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// Kind is all that facets tell of an item.
type Kind struct {
	Series      string
	Category    CategoryID // empty for a series without a shelf
	Rarity      string
	Grader      string
	GradeTenths int64
}

// Kind is what no facet tells the item apart from.
func (i Item) Kind() Kind {
	return Kind{i.Series, CategoryOf(i.Series, i.Name), i.Rarity, i.Grader, i.GradeTenths}
}

// Alike is how many rows of a list have items of a kind.
type Alike struct {
	Kind   Kind
	Number int64
}

// facets of a filter, in the order of Facets.
const (
	seriesFacet = iota
	graderFacet
	rarityFacet
	gradeFacet
	facetNumber
)

var everyFacet = [facetNumber]bool{true, true, true, true}

// takes tells of each facet whether the filter lets a kind through.
func (f Filter) takes(k Kind) [facetNumber]bool {
	return [facetNumber]bool{
		seriesFacet: f.Series == "" || isOf(k, f.Series),
		graderFacet: f.Grader == "" || f.Grader == k.Grader,
		rarityFacet: f.Rarity == "" || f.Rarity == k.Rarity,
		gradeFacet:  f.Grade == 0 || k.GradeTenths >= f.Grade*10,
	}
}

// isOf tells whether a kind is of a series by its name, or of a category by its id.
func isOf(k Kind, name string) bool {
	if category, ok := categoryNamed(name); ok {
		return k.Category == category.ID
	}
	return k.Series == name
}

// Takes tells whether the filter lets a kind through, its words and prices apart.
func (f Filter) Takes(k Kind) bool { return f.takes(k) == everyFacet }

// Total is how many of some rows, which pass the filter's words and prices, it lets through.
func (f Filter) Total(rows []Alike) (total int64) {
	for _, row := range rows {
		if f.Takes(row.Kind) {
			total += row.Number
		}
	}
	return total
}

// Prices are the lowest and the highest that the filter lets through; all if it names none.
func (f Filter) Prices() (lowest, highest money.Cents, all bool) {
	highest = math.MaxInt64
	if f.MinPrice.Given {
		lowest = money.Cents(f.MinPrice.Value * 100)
	}
	if f.MaxPrice.Given {
		highest = money.Cents(f.MaxPrice.Value * 100)
	}
	return lowest, highest, !f.MinPrice.Given && !f.MaxPrice.Given
}

// choices are by facet what somebody could choose to have a kind.
func choices(k Kind) [facetNumber][]string {
	all := [facetNumber][]string{seriesFacet: {k.Series}, rarityFacet: {k.Rarity}}
	if k.Category != "" {
		all[seriesFacet] = append(all[seriesFacet], string(k.Category))
	}
	if k.Grader != "" {
		all[graderFacet] = []string{k.Grader}
	}
	for grade := int64(policy.LeastGrade); grade <= policy.MostGrade && grade*10 <= k.GradeTenths; grade++ {
		all[gradeFacet] = append(all[gradeFacet], strconv.FormatInt(grade, 10))
	}
	return all
}

// Facets counts the choices, of rows that pass the filter's words and prices.
func (f Filter) Facets(rows []Alike) Facets {
	var counts [facetNumber]map[string]int64
	for facet := range counts {
		counts[facet] = map[string]int64{}
	}
	for _, row := range rows {
		takes, all := f.takes(row.Kind), choices(row.Kind)
		for facet := range counts {
			others := takes
			others[facet] = true
			if others != everyFacet {
				continue
			}
			for _, value := range all[facet] {
				counts[facet][value] += row.Number
			}
		}
	}
	return Facets{
		Series: sorted(counts[seriesFacet]), Graders: sorted(counts[graderFacet]),
		Rarity: sorted(counts[rarityFacet]), Grade: sorted(counts[gradeFacet]),
	}
}

func sorted(counts map[string]int64) []Facet {
	all := make([]Facet, 0, len(counts))
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, Facet{value, counts[value]})
	}
	return all
}
