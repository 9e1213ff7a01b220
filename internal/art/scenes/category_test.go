package scenes

import "testing"

func TestCategoryOf(t *testing.T) {
	for _, c := range []struct {
		series, name string
		want         Category
	}{
		{"Basketball", "1986 Fleer #57 Michael Jordan PSA 8 NM MT", BasketballCards},
		{"Starter", "2024 NBA Hoops #45 Nikola Jokic PSA 9 MINT", BasketballCards},
		{"Starter", "2024 Topps Chrome MLS #61 Sergio Busquets PSA 9 MINT", SoccerCards},
		{"Starter", "2024 Panini Score Football #11 Josh Allen PSA 9 MINT", FootballCards},
		{"Labubu Deluxe Collection", "Labubu Mega 400% Tycoon", LabubuToys},
		{"One Piece", "", OnePieceCards},
		{"Paintings", "Untitled", AnyCategory},
	} {
		if got := CategoryOf(c.series, c.name); got != c.want {
			t.Errorf("%s, %q is category %d, want %d", c.series, c.name, got, c.want)
		}
	}
}
