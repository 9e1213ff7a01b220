package importer

import (
	"slices"
	"strings"
)

// column identifies a column.
type column int

const (
	idColumn column = iota
	nameColumn
	seriesColumn
	rarityColumn
	gradeColumn
	graderColumn
	certColumn
	setColumn
	setNumberColumn
	centsColumn
	dollarsColumn
	imageColumn
	activeColumn
	columnCount
)

// columnNames are the columns' names, those of the API where they exist.
var columnNames = [columnCount]string{
	"id", "name", "series", "rarity", "grade", "certType", "certNumber", "set", "setNumber", "baseValueCents", "baseValue", "imageUrl", "active",
}

func columnOf(name string) (column, bool) {
	n := slices.Index(columnNames[:], name)
	return column(n), n >= 0
}

// columnNamed is columnOf ignoring case, as for CSV headers.
func columnNamed(name string) (column, bool) {
	n := slices.IndexFunc(columnNames[:], func(known string) bool { return strings.EqualFold(known, name) })
	return column(n), n >= 0
}
