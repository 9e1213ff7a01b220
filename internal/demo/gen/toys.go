package main

import (
	"fmt"
	"strconv"
)

// toy is a toy in a collection and its value in cents.
type toy struct {
	name   string
	rarity string
	value  int64
}

// toyCollection is a collection of toys, numbered from 1 in order. Toys are sealed, so all have
// grade 10.
type toyCollection struct {
	name   string
	file   string
	prefix string
	toys   []toy
	sets   []toySet
}

// toySet is a set of consecutive toys in a collection.
type toySet struct {
	name string
	size int
}

// The base collection contains three series of six toys, each followed by its secret toy.
var toyCollections = []toyCollection{
	{"Labubu Collection", "labubu", "labubu", []toy{
		{"Labubu Big into Energy Love", "Common", 2850},
		{"Labubu Big into Energy Happiness", "Common", 2700},
		{"Labubu Big into Energy Loyalty", "Common", 2600},
		{"Labubu Big into Energy Serenity", "Common", 3050},
		{"Labubu Big into Energy Hope", "Rare", 4150},
		{"Labubu Big into Energy Luck", "Rare", 4600},
		{"Labubu Big into Energy Secret Id", "Grail", 26500},
		{"Labubu Have a Seat Sisi", "Common", 2900},
		{"Labubu Have a Seat Haha", "Common", 2750},
		{"Labubu Have a Seat Zizi", "Common", 3100},
		{"Labubu Have a Seat Baba", "Common", 2800},
		{"Labubu Have a Seat Dada", "Rare", 3900},
		{"Labubu Have a Seat Ququ", "Rare", 4250},
		{"Labubu Have a Seat Secret Duoduo", "Grail", 21500},
		{"Labubu Exciting Macaron Soymilk", "Common", 2950},
		{"Labubu Exciting Macaron Lychee Berry", "Common", 3250},
		{"Labubu Exciting Macaron Green Grape", "Common", 2700},
		{"Labubu Exciting Macaron Sesame Bean", "Common", 3000},
		{"Labubu Exciting Macaron Sea Salt Coconut", "Rare", 4400},
		{"Labubu Exciting Macaron Toffee", "Rare", 4750},
		{"Labubu Exciting Macaron Secret Chestnut Cocoa", "Grail", 19900},
	}, []toySet{{"Big into Energy", 7}, {"Have a Seat", 7}, {"Exciting Macaron", 7}}},
	{"Labubu Deluxe Collection", "labubu_deluxe", "labubu-deluxe", []toy{
		{"Labubu Fall in Wild Vinyl Plush", "Rare", 20500},
		{"Labubu Time to Chill Vinyl Plush", "Rare", 22900},
		{"Labubu Best of Luck Vinyl Plush", "Rare", 25500},
		{"Labubu Dress Be Latte Vinyl Plush", "Rare", 28900},
		{"Labubu Jump for Joy Vinyl Plush", "Rare", 33500},
		{"Labubu Angel in Clouds Vinyl Plush", "Rare", 41500},
		{"Labubu Mega 400% Sketch", "Grail", 102500},
		{"Labubu Mega 400% Checkmate", "Grail", 118000},
		{"Labubu Mega 400% Spring Wild", "Grail", 139000},
		{"Labubu Mega 400% Tycoon", "Grail", 164900},
		{"Labubu Mega 1000% All About Us", "Grail", 208500},
		{"Labubu Mega 1000% Summer Rain", "Grail", 236000},
		{"Labubu Mega 1000% Sky Garden", "Grail", 289500},
		{"Labubu Mega 1000% Midnight Gold", "Grail", 615000},
	}, []toySet{{"Vinyl Plush", 6}, {"Mega 400%", 4}, {"Mega 1000%", 4}}},
}

func (c toyCollection) items() []item {
	items := make([]item, len(c.toys))
	for i, t := range c.toys {
		items[i] = item{
			ID:             fmt.Sprintf("%s-%d", c.prefix, i+1),
			Name:           t.name,
			Series:         c.name,
			Rarity:         t.rarity,
			Grade:          10,
			BaseValueCents: t.value,
		}
	}
	first := 0
	for _, s := range c.sets {
		for i := range s.size {
			items[first+i].Set, items[first+i].SetNumber = s.name, strconv.Itoa(i+1)
		}
		first += s.size
	}
	return items
}

// ids returns the ids of toys first to last, counted from 1.
func (c toyCollection) ids(first, last int) []string {
	var ids []string
	for i := first; i <= last; i++ {
		ids = append(ids, fmt.Sprintf("%s-%d", c.prefix, i))
	}
	return ids
}
