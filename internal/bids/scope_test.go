package bids_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
)

// oneOf draws one of few values, so that repeated draws often match.
func oneOf(t *rapid.T, values ...string) string { return rapid.SampledFrom(values).Draw(t, "value") }

func randomItem(t *rapid.T) catalogue.Item {
	return catalogue.Item{
		ID: oneOf(t, "a", "b"), Series: oneOf(t, "Pokemon", "One Piece & more=?", "Labubu"), Rarity: oneOf(t, "Common", "Rare"),
		Grader: oneOf(t, "", "PSA", "CGC"), GradeTenths: rapid.SampledFrom([]int64{0, 75, 80, 85, 90, 95, 100}).Draw(t, "grade"),
	}
}

func randomScope(t *rapid.T) bids.Scope {
	switch oneOf(t, "entry", "item", "criterion") {
	case "entry":
		return bids.Scope{Entry: oneOf(t, "e", "f")}
	case "item":
		return bids.Scope{Item: oneOf(t, "a", "b")}
	}
	c := bids.Criterion{
		Series: oneOf(t, "", "Pokemon", "One Piece & more=?"), Grader: oneOf(t, "", "PSA"), Rarity: oneOf(t, "", "Rare"),
		MinGrade: rapid.SampledFrom(append([]int64{0}, bids.MinGrades...)).Draw(t, "least grade"),
	}
	if c == (bids.Criterion{}) {
		c.Rarity = "Rare"
	}
	return bids.Scope{Criterion: c}
}

// KeysFor contains the keys of exactly the scopes that cover the entry.
func TestKeysForMatchesCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scope, entry, item := randomScope(t), oneOf(t, "e", "f"), randomItem(t)
		keys := bids.KeysFor(entry, item)
		if covers := scope.Covers(entry, item); covers != slices.Contains(keys, scope.Key()) {
			t.Fatalf("%+v covers %+v: %t, but its keys are %q", scope, item, covers, keys)
		}
		if len(keys) > 41 {
			t.Fatalf("%d keys, want at most 41", len(keys))
		}
		if read, err := bids.ParseScope(scope.Key()); err != nil || read != scope {
			t.Fatalf("ParseScope(%q) = %+v, %v", scope.Key(), read, err)
		}
	})
}

func TestParseScopeRefusesInvalidKeys(t *testing.T) {
	for _, key := range []string{"", "rarity=Rare&grade=90", "grade=x", "series=%zz", "other=1", "grade=0"} {
		if scope, err := bids.ParseScope(key); err == nil {
			t.Errorf("ParseScope(%q) = %+v, want an error", key, scope)
		}
	}
}
