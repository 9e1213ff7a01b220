package catalogue

import (
	"slices"
	"testing"
)

func TestThePageIsToldEachCategoryAndItsSeriesOnce(t *testing.T) {
	told := ForPage()
	var ids []CategoryID
	series := []string{Starter}
	for _, category := range told.Categories {
		ids = append(ids, category.ID)
		series = append(series, category.Series...)
	}
	if !slices.Equal(slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(told.MorePacks))) {
		t.Errorf("the store has %v, the row below a pack %v", ids, told.MorePacks)
	}
	if !slices.Equal(slices.Sorted(slices.Values(series)), slices.Sorted(slices.Values(told.Series))) {
		t.Errorf("the categories have %v, the page is told %v", series, told.Series)
	}
}

func TestASeriesIsMeantByItsCategoryOrItsName(t *testing.T) {
	for name, want := range map[string][]string{
		"LABUBU": {"Labubu Collection", "Labubu Deluxe Collection"}, "onepiece": {"One Piece"}, "One Piece": {"One Piece"}, "Other": {"Other"},
	} {
		if got := seriesOf(name); !slices.Equal(got, want) {
			t.Errorf("%s means %v, not %v", name, got, want)
		}
	}
}
