package art

import "testing"

func TestTitleOf(t *testing.T) {
	for name, want := range map[string]title{
		"1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT":                     {"1999", "Pokemon Base Set", "4", "Charizard", "Holo", "MINT"},
		"2023 Pokemon Scarlet and Violet 151 #25 Pikachu Reverse Holo CGC 9.5":   {"2023", "Pokemon Scarlet and Violet 151", "25", "Pikachu", "Reverse Holo", ""},
		"2018 Panini Prizm #280 Luka Doncic Silver Prizm PSA 10 GEM MINT":        {"2018", "Panini Prizm", "280", "Luka Doncic", "Silver Prizm", "GEM MINT"},
		"1986 Topps Traded #11T Barry Bonds PSA 8 NM MT":                         {"1986", "Topps Traded", "11T", "Barry Bonds", "", "NM MT"},
		"2022 One Piece Romance Dawn #OP01-120 Shanks Manga Art PSA 10 GEM MINT": {"2022", "One Piece Romance Dawn", "OP01-120", "Shanks", "Manga Art", "GEM MINT"},
		"Something else": {subject: "Something else"},
	} {
		if got := titleOf(name); got != want {
			t.Errorf("%q is %+v, want %+v", name, got, want)
		}
	}
}

func TestCategoryOf(t *testing.T) {
	for _, c := range []struct {
		series, name string
		want         category
	}{
		{"Basketball", "1986 Fleer #57 Michael Jordan PSA 8 NM MT", basketballCards},
		{"Starter", "2024 NBA Hoops #45 Nikola Jokic PSA 9 MINT", basketballCards},
		{"Starter", "2024 Topps Chrome MLS #61 Sergio Busquets PSA 9 MINT", soccerCards},
		{"Starter", "2024 Panini Score Football #11 Josh Allen PSA 9 MINT", footballCards},
		{"Labubu Deluxe Collection", "Labubu Mega 400% Tycoon", labubuToys},
		{"One Piece", "", onePieceCards},
		{"Paintings", "Untitled", anyCategory},
	} {
		if got := categoryOf(c.series, c.name); got != c.want {
			t.Errorf("%s, %q is category %d, want %d", c.series, c.name, got, c.want)
		}
	}
}

func TestEveryStarterCardHasACategory(t *testing.T) {
	for _, e := range catalogue(t) {
		if categoryOf(e.Series, e.Name) == anyCategory {
			t.Errorf("%s %q has no category", e.ID, e.Name)
		}
	}
}
