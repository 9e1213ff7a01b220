package main

import (
	"bufio"
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed lists/*.txt
var lists embed.FS

// card is a printed card from a curated list, before grading.
type card struct {
	year    int
	set     string // without the year
	number  string
	player  string
	variant string // may be empty
	demand  int    // 1 to 100; orders the cards by value
}

// fullSet returns the name of the card's set with its year.
func (c card) fullSet() string { return fmt.Sprintf("%d %s", c.year, c.set) }

// readList reads a curated list: "= year set" starts a set, "number | name | variant | demand" is a
// card in it.
func readList(name string) ([]card, error) {
	text, err := lists.ReadFile("lists/" + name + ".txt")
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	var cards []card
	var current card
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "= "):
			current, err = parseSet(line[2:])
		default:
			var c card
			c, err = parseCard(current, line)
			cards = append(cards, c)
		}
		if err != nil {
			return nil, fmt.Errorf("list %s, line %d: %w", name, n, err)
		}
	}
	return cards, lines.Err()
}

func parseSet(text string) (card, error) {
	year, set, found := strings.Cut(text, " ")
	y, err := strconv.Atoi(year)
	if err != nil || !found {
		return card{}, fmt.Errorf("a set needs a year and a name: %q", text)
	}
	return card{year: y, set: set}, nil
}

func parseCard(set card, line string) (card, error) {
	fields := strings.Split(line, "|")
	if len(fields) != 4 || set.set == "" {
		return card{}, fmt.Errorf("a card needs a set and four fields: %q", line)
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	demand, err := strconv.Atoi(fields[3])
	if err != nil {
		return card{}, fmt.Errorf("demand: %w", err)
	}
	set.number, set.player, set.variant, set.demand = fields[0], fields[1], fields[2], demand
	return set, nil
}
