package catalogue

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Facets counts, for each choice of a filter, the rows it would leave while the filter's other
// choices stay. Choices without rows are left out.
type Facets struct {
	Series  []Facet `json:"series" nullable:"false" doc:"Counts by series and category."`
	Graders []Facet `json:"certification" nullable:"false"`
	Rarity  []Facet `json:"rarity" nullable:"false"`
	Grade   []Facet `json:"grade" nullable:"false" doc:"Counts by minimum grade."`
}

// Facet is a choice and its number of rows.
type Facet struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// Kind holds the properties of an item that facets filter by.
type Kind struct {
	Series      string
	Category    CategoryID // empty if the series has none
	Rarity      string
	Grader      string
	GradeTenths int64
}

// Kind returns the item's kind.
func (i Item) Kind() Kind {
	return Kind{i.Series, CategoryOf(i.Series, i.Name), i.Rarity, i.Grader, i.GradeTenths}
}

// KindCount counts the rows of a list whose items have the same kind.
type KindCount struct {
	Kind  Kind
	Count int64
}

// Facets of a filter, in the order of Facets.
const (
	seriesFacet = iota
	graderFacet
	rarityFacet
	gradeFacet
	facetCount
)

var allFacets = [facetCount]bool{true, true, true, true}

// matchedFacets reports for each facet whether the filter's choice matches the kind.
func (f Filter) matchedFacets(k Kind) [facetCount]bool {
	return [facetCount]bool{
		seriesFacet: f.Series == "" || inSeries(k, f.Series),
		graderFacet: f.Grader == "" || f.Grader == k.Grader,
		rarityFacet: f.Rarity == "" || f.Rarity == k.Rarity,
		gradeFacet:  f.Grade == 0 || k.GradeTenths >= f.Grade*10,
	}
}

// inSeries reports whether a kind belongs to the named series or category.
func inSeries(k Kind, name string) bool {
	if category, ok := categoryNamed(name); ok {
		return k.Category == category.ID
	}
	return k.Series == name
}

// Matches reports whether the filter matches the kind, ignoring its search words and prices.
func (f Filter) Matches(k Kind) bool { return f.matchedFacets(k) == allFacets }

// Total counts the rows that match the filter. The rows must already match its words and prices.
func (f Filter) Total(rows []KindCount) (total int64) {
	for _, row := range rows {
		if f.Matches(row.Kind) {
			total += row.Count
		}
	}
	return total
}

// PriceRange returns the filter's lowest and highest price; unbounded reports whether it has
// neither.
func (f Filter) PriceRange() (lowest, highest money.Cents, unbounded bool) {
	highest = math.MaxInt64
	if f.MinPrice.Given {
		lowest = money.Cents(f.MinPrice.Value * 100)
	}
	if f.MaxPrice.Given {
		highest = money.Cents(f.MaxPrice.Value * 100)
	}
	return lowest, highest, !f.MinPrice.Given && !f.MaxPrice.Given
}

// choices returns the choices of each facet that match the kind.
func choices(k Kind) [facetCount][]string {
	all := [facetCount][]string{seriesFacet: {k.Series}, rarityFacet: {k.Rarity}}
	if k.Category != "" {
		all[seriesFacet] = append(all[seriesFacet], string(k.Category))
	}
	if k.Grader != "" {
		all[graderFacet] = []string{k.Grader}
	}
	for grade := int64(policy.MinGrade); grade <= policy.MaxGrade && grade*10 <= k.GradeTenths; grade++ {
		all[gradeFacet] = append(all[gradeFacet], strconv.FormatInt(grade, 10))
	}
	return all
}

// Facets counts the rows of each choice. The rows must already match the filter's words and prices.
func (f Filter) Facets(rows []KindCount) Facets {
	var counts [facetCount]map[string]int64
	for facet := range counts {
		counts[facet] = map[string]int64{}
	}
	for _, row := range rows {
		matched, all := f.matchedFacets(row.Kind), choices(row.Kind)
		for facet := range counts {
			others := matched
			others[facet] = true
			if others != allFacets {
				continue
			}
			for _, value := range all[facet] {
				counts[facet][value] += row.Count
			}
		}
	}
	return Facets{
		Series: sortedFacets(counts[seriesFacet]), Graders: sortedFacets(counts[graderFacet]),
		Rarity: sortedFacets(counts[rarityFacet]), Grade: sortedFacets(counts[gradeFacet]),
	}
}

func sortedFacets(counts map[string]int64) []Facet {
	all := make([]Facet, 0, len(counts))
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, Facet{value, counts[value]})
	}
	return all
}
