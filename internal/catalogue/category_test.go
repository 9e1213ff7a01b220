package catalogue

import (
	"slices"
	"testing"
)

func TestForPageListsEachCategoryAndSeriesOnce(t *testing.T) {
	page := ForPage()
	var ids []CategoryID
	series := []string{Starter}
	for _, category := range page.Categories {
		ids = append(ids, category.ID)
		series = append(series, category.Series...)
	}
	if !slices.Equal(slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(page.MorePacks))) {
		t.Errorf("the store has categories %v, the row below a pack %v", ids, page.MorePacks)
	}
	if !slices.Equal(slices.Sorted(slices.Values(series)), slices.Sorted(slices.Values(page.Series))) {
		t.Errorf("the categories have series %v, the page gets %v", series, page.Series)
	}
}

func TestCategoryNamed(t *testing.T) {
	for name, want := range map[string]CategoryID{"LABUBU": "labubu", "onepiece": "onepiece", "One Piece": "", "pokemon": "pokemon", "Pokemon": "", "Other": ""} {
		if got, _ := categoryNamed(name); got.ID != want {
			t.Errorf("%s names the category %q, want %q", name, got.ID, want)
		}
	}
}
