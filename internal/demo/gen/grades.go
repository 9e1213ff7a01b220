package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// grading is a grader's possible verdict, and how many points it takes from a copy's score.
type grading struct {
	grader    string
	grade     float64
	words     string // the grader's words for the grade; empty if it prints only the number
	scoreLoss float64
}

// String returns the verdict as used in names: grader, grade and words.
func (g grading) String() string {
	text := g.grader + " " + strconv.FormatFloat(g.grade, 'f', -1, 64)
	if g.words != "" {
		text += " " + g.words
	}
	return text
}

var (
	psa10 = grading{"PSA", 10, "GEM MINT", 0}
	psa9  = grading{"PSA", 9, "MINT", 14}
	psa8  = grading{"PSA", 8, "NM MT", 22}
	psa7  = grading{"PSA", 7, "NM", 28}
	psa6  = grading{"PSA", 6, "EX MT", 34}
	psa5  = grading{"PSA", 5, "EX", 40}
	psa4  = grading{"PSA", 4, "VG EX", 46}
	psa3  = grading{"PSA", 3, "VG", 51}
	psa25 = grading{"PSA", 2.5, "GOOD+", 55}
	cgc10 = grading{"CGC", 10, "", 4}
	cgc95 = grading{"CGC", 9.5, "", 10}
	cgc9  = grading{"CGC", 9, "", 17}
	cgc85 = grading{"CGC", 8.5, "", 21}
	cgc8  = grading{"CGC", 8, "", 25}
	cgc75 = grading{"CGC", 7.5, "", 28}
)

// chance is a grading and its relative frequency.
type chance struct {
	grading
	weight int
}

// era describes the gradings of cards printed before a year, and how strongly a low grade counts:
// perfect corners are rare on cards from 1956.
type era struct {
	before   int
	lossRate float64
	chances  []chance
}

var eras = []era{
	{1976, 0.45, []chance{{psa8, 4}, {psa7, 9}, {psa6, 12}, {psa5, 12}, {psa4, 10}, {psa3, 6}, {psa25, 3}}},
	{1992, 0.8, []chance{{psa10, 3}, {psa9, 18}, {psa8, 24}, {psa7, 16}, {psa6, 8}, {psa5, 4}, {psa4, 2}, {cgc9, 3}, {cgc85, 3}, {cgc8, 4}, {cgc75, 3}}},
	{2004, 0.9, []chance{{psa10, 10}, {psa9, 26}, {psa8, 22}, {psa7, 12}, {psa6, 6}, {psa5, 3}, {cgc95, 4}, {cgc9, 5}, {cgc85, 5}, {cgc8, 4}, {cgc75, 3}}},
	{9999, 1, []chance{{psa10, 40}, {psa9, 26}, {psa8, 8}, {cgc10, 8}, {cgc95, 8}, {cgc9, 5}, {cgc85, 2}}},
}

func eraOf(year int) era {
	for _, e := range eras {
		if year < e.before {
			return e
		}
	}
	panic("the last era has no end")
}

// pickGrading draws a grading of the era that is not in used. ok is false if all are.
func (e era) pickGrading(r *rand.Rand, used map[grading]bool) (picked grading, ok bool) {
	total := 0
	for _, c := range e.chances {
		if !used[c.grading] {
			total += c.weight
		}
	}
	if total == 0 {
		return grading{}, false
	}
	roll := r.IntN(total)
	for _, c := range e.chances {
		if used[c.grading] {
			continue
		}
		if roll < c.weight {
			return c.grading, true
		}
		roll -= c.weight
	}
	panic("a roll below the total weight must select a grading")
}

// certificates issues unique certificate numbers. They start with 0000, which no grader uses, so
// none is real.
type certificates struct {
	used map[string]bool
}

func (c *certificates) next(r *rand.Rand, grader string) string {
	digits, span := 6, 900_000
	if grader == "CGC" {
		digits, span = 8, 90_000_000
	}
	for {
		number := fmt.Sprintf("0000%0*d", digits, span/9+r.IntN(span))
		if !c.used[number] {
			c.used[number] = true
			return number
		}
	}
}
