package packs

import (
	"strconv"
	"strings"
)

var exportColumns = []string{
	"id", "name", "series", "price", "items", "supply", "sold", "onSale", "paused", "soldOut", "demo", "expectedValue", "listedExpectedValue", "lost", "manifest",
}

// exportRecord returns a pack's row in the CSV export, as it can be opened now.
func exportRecord(p AdminPackView) []string {
	sold := ""
	if p.Sold != nil {
		sold = strconv.FormatInt(*p.Sold, 10)
	}
	return []string{
		p.ID, p.Name, strings.Join(p.Series, "; "), p.PriceCents.String(), strconv.FormatInt(p.ItemsPerPack, 10), strconv.FormatInt(p.Supply, 10), sold,
		strconv.FormatBool(p.IsActive), p.Paused, strconv.FormatBool(p.SoldOut), strconv.FormatBool(p.IsDemo),
		p.ExpectedValueCents.String(), p.ListedExpectedValueCents.String(), p.LostCents.String(), p.ManifestHash,
	}
}
