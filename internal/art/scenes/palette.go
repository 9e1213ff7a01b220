package scenes

// Palette has the colors of a scene: the background from its light center to its dark edge, and two
// team colors.
type Palette struct{ Light, Mid, Deep, Main, Trim string }

// TeamPalettes are the colors of athletes and their backgrounds.
var TeamPalettes = []Palette{
	{"#ffe29a", "#f0802c", "#701226", "#c8102e", "#ffc72c"},
	{"#ffd36b", "#a14fd0", "#2b0f57", "#552583", "#fdb927"},
	{"#bfe8ff", "#3f8df0", "#0e2a66", "#1d428a", "#ffc72c"},
	{"#e4f7a8", "#35a866", "#063a2a", "#007a33", "#f4f1e6"},
	{"#ffc09a", "#e0363f", "#3d0a1c", "#151b26", "#ff4b4f"},
	{"#ffe8a8", "#1fa3a8", "#07384f", "#00788c", "#ffb13b"},
	{"#ffd59a", "#ef6a3c", "#3f1466", "#e56020", "#fff1d6"},
	{"#d2f1ff", "#2f9be8", "#0a2d6b", "#0077c0", "#f4f4f4"},
	{"#ffdcb0", "#cf4058", "#3b0722", "#98002e", "#f9e2b0"},
	{"#e6f9a8", "#3c9fb8", "#0f2f5c", "#236192", "#9be03a"},
	{"#c6e2ff", "#5577d8", "#161f55", "#f2f3f6", "#c8102e"},
	{"#c9fff0", "#4f7be0", "#1c1260", "#2b2f77", "#5fe3d2"},
	{"#ffd9e6", "#c94fa0", "#43104a", "#f4f1ea", "#8a2a77"},
	{"#fff0b8", "#2fae92", "#0b3a44", "#f6a81c", "#12312f"},
}

// legendaryPalettes suit the gold foil of a Legendary card, which looks gray on cold colors.
var legendaryPalettes = []Palette{
	{"#fff6cf", "#f0b63a", "#5a2a06", "#b8741a", "#fff0b0"},
	{"#fff0c0", "#e0702a", "#4a0f1a", "#c8402a", "#ffd98a"},
	{"#fffbe0", "#c9a13a", "#1f2a1a", "#8a6a1a", "#ffe9a0"},
	{"#ffe9c0", "#d84a3a", "#3a0a1e", "#a82a2a", "#ffd27a"},
}

func palettesFor(rarity RarityColors) []Palette {
	if rarity.Level == 3 {
		return legendaryPalettes
	}
	return TeamPalettes
}

// RarityColors has the colors of a rarity: its edge from light to dark, and its glow.
type RarityColors struct {
	Light, Base, Deep string
	Level             int // 0 for the least rare to 4
}

// RarityColorsOf returns the colors of a card's or a toy's rarity. Unknown rarities look Common.
func RarityColorsOf(rarity string) RarityColors {
	switch rarity {
	case "Rare":
		return RarityColors{"#a9d2ff", "#3d8bff", "#12397d", 1}
	case "Epic":
		return RarityColors{"#dcc0ff", "#9a5cff", "#3d1a80", 2}
	case "Legendary":
		return RarityColors{"#fff1b8", "#f0b429", "#7a4a06", 3}
	case "Mythic", "Grail":
		return RarityColors{"#ffc4f1", "#e23fc0", "#5a1d9e", 4}
	default:
		return RarityColors{"#d3dbe6", "#8494a8", "#38434f", 0}
	}
}
