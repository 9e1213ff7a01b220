package packs

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
)

// Values that the API schema refuses are also refused by the use case, before any query.
func TestCreateRefusesValuesOutOfBounds(t *testing.T) {
	for name, spoil := range map[string][]func(*packInput){
		"name":       {func(in *packInput) { in.Body.Name = strings.Repeat("n", 61) }},
		"priceCents": {func(in *packInput) { in.Body.PriceCents = math.MaxInt64 }, func(in *packInput) { in.Body.PriceCents = -5 }},
		"supply":     {func(in *packInput) { in.Body.Supply = new(int64(-7)) }, func(in *packInput) { in.Body.Supply = new(int64(math.MaxInt64)) }},
		"series": {func(in *packInput) { in.Body.Series = slices.Repeat([]string{"a"}, 51) },
			func(in *packInput) { in.Body.Series = []string{strings.Repeat("s", 65)} }, func(in *packInput) { in.Body.Series = []string{strings.Repeat("系", 65)} }},
		"acceptedLossCents": {func(in *packInput) { in.Body.AcceptedLossCents = new(int64(-1)) },
			func(in *packInput) { in.Body.AcceptedLossCents = new(int64(math.MaxInt64)) }},
		"coverImageUrl": {func(in *packInput) { in.Body.CoverImageURL = "/" + strings.Repeat("i", 2000) }},
	} {
		for _, spoil := range spoil {
			in := &packInput{}
			in.Body.Name, in.Body.PriceCents = "Name", 1
			in.Body.LootTableJSON = LootTable{Rarities: map[string]json.Number{"Common": "1"}, ItemsPerPack: 1}
			spoil(in)
			_, err := (&Service{}).create(nil, httpapi.Principal{}, in)
			if refused := apperr.As(err); refused.Code != apperr.Invalid || len(refused.Fields) != 1 || !strings.HasPrefix(slices.Collect(maps.Keys(refused.Fields))[0], name) {
				t.Errorf("%s out of bounds: %v", name, err)
			}
		}
	}
}
