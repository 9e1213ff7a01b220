package art

import "testing"

func TestTitleOf(t *testing.T) {
	for name, want := range map[string]Title{
		"1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT":                     {"1999", "Pokemon Base Set", "4", "Charizard", "Holo", "MINT"},
		"2023 Pokemon Scarlet and Violet 151 #25 Pikachu Reverse Holo CGC 9.5":   {"2023", "Pokemon Scarlet and Violet 151", "25", "Pikachu", "Reverse Holo", ""},
		"2018 Panini Prizm #280 Luka Doncic Silver Prizm PSA 10 GEM MINT":        {"2018", "Panini Prizm", "280", "Luka Doncic", "Silver Prizm", "GEM MINT"},
		"1986 Topps Traded #11T Barry Bonds PSA 8 NM MT":                         {"1986", "Topps Traded", "11T", "Barry Bonds", "", "NM MT"},
		"2022 One Piece Romance Dawn #OP01-120 Shanks Manga Art PSA 10 GEM MINT": {"2022", "One Piece Romance Dawn", "OP01-120", "Shanks", "Manga Art", "GEM MINT"},
		"Something else": {Subject: "Something else"},
	} {
		if got := TitleOf(name); got != want {
			t.Errorf("%q is %+v, want %+v", name, got, want)
		}
	}
}
