package catalogue

import (
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
	for name, invalidate := range map[string]func(*itemInput){
		"name":           func(in *itemInput) { in.Body.Name = strings.Repeat("n", 201) },
		"series":         func(in *itemInput) { in.Body.Series = strings.Repeat("s", 65) },
		"rarity":         func(in *itemInput) { in.Body.Rarity = "Ultra" },
		"grade":          func(in *itemInput) { in.Body.Grade = new(10.5) },
		"imageUrl":       func(in *itemInput) { in.Body.ImageURL = "/" + strings.Repeat("i", 2000) },
		"baseValueCents": func(in *itemInput) { in.Body.BaseValueCents = -100 },
	} {
		in := &itemInput{}
		in.Body.Name, in.Body.Series, in.Body.Rarity, in.Body.BaseValueCents = "Name", "Series", "Rare", 1
		if err := in.item().Check(); err != nil {
			t.Fatal(err)
		}
		invalidate(in)
		_, err := create(nil, httpapi.Principal{}, in)
		wantRefused(t, err, name)
	}
	for _, grade := range []float64{0, 0.5, 9.7, math.NaN(), math.Inf(1)} {
		in := &itemInput{}
		in.Body.Name, in.Body.Series, in.Body.Rarity, in.Body.BaseValueCents, in.Body.Grade = "Name", "Series", "Rare", 1, &grade
		_, err := create(nil, httpapi.Principal{}, in)
		wantRefused(t, err, "grade")
	}
}

func wantRefused(t *testing.T, err error, field string) {
	t.Helper()
	if refused := apperr.As(err); refused.Code != apperr.Invalid || !slices.Equal(slices.Collect(maps.Keys(refused.Fields)), []string{field}) {
		t.Errorf("%s out of bounds: %v", field, err)
	}
}
