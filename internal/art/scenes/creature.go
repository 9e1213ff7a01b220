package scenes

import (
	"strings"

	"kaibao/internal/art/svg"
)

// element is a creature's element: the colors of its world and body, and its aura.
type element struct {
	Palette
	body, belly, accent string
	aura                func(c *svg.Canvas, rnd svg.Random, e element)
}

var elements = map[string]element{
	"fire":     {Palette{"#fff0a8", "#ff7a2e", "#5e0f16", "#ff5a1f", "#ffd24a"}, "#c9323c", "#ffd9a0", "#ffb52e", flames},
	"water":    {Palette{"#d6fbff", "#2f9df0", "#0a2466", "#2f7fe0", "#8ef0ff"}, "#3b86e0", "#eaf6ff", "#7ae4ff", waves},
	"grass":    {Palette{"#f2ffb0", "#5fc24a", "#0d3d2a", "#2e9a4e", "#ffd1e8"}, "#4fae62", "#e9f7bf", "#ff8fb8", leaves},
	"electric": {Palette{"#fffbd0", "#ffc21f", "#5a3200", "#ffb300", "#fff27a"}, "#fff0c2", "#ffffff", "#5b4be0", bolts},
	"psychic":  {Palette{"#ffe3ff", "#c05cf0", "#2a0a5c", "#a64ae0", "#7af0ff"}, "#8f80ee", "#f2edff", "#ff7ad6", orbits},
	"dragon":   {Palette{"#ffe9c0", "#5f5ce8", "#160f4a", "#4a48d8", "#ffb347"}, "#4f63d8", "#ffe3a6", "#ffab3d", aurora},
	"dark":     {Palette{"#e6dcff", "#5a4a9a", "#0d0b22", "#3a2f6b", "#ffd84a"}, "#39345e", "#9a90cc", "#58e0c4", moon},
	"ice":      {Palette{"#ffffff", "#8fd8f5", "#1b3a7a", "#68c0ee", "#e8fbff"}, "#8ccdf0", "#f4fdff", "#4a7fe0", crystals},
	"earth":    {Palette{"#ffe9c4", "#d08a4a", "#3a1e12", "#a8653a", "#ffe0a0"}, "#a9754e", "#f0d8ac", "#e0503a", rocks},
	"fairy":    {Palette{"#fff3fa", "#ff9ac8", "#5a1a5e", "#ff7ab8", "#fff0a8"}, "#f59ac4", "#fff2f8", "#ffd45e", orbits},
	"ghost":    {Palette{"#e9d9ff", "#8a4ae0", "#180a3a", "#6a35c0", "#7affd0"}, "#5d3fa6", "#a88af0", "#ff5a8a", moon},
	"sky":      {Palette{"#ffffff", "#7ab8f5", "#1c2f6b", "#5a8fe0", "#fff0c0"}, "#c9b08a", "#fff7e6", "#e0607a", aurora},
}

// creatures maps words in a name to element and shapes. The first matching line applies.
var creatures = []struct {
	words, element string
	shapes         []part
}{
	{"Dark Charizard,Giratina", "dark", drake},
	{"Charizard,Charmeleon,Charmander,Typhlosion,Fuecoco", "fire", drake},
	{"Dark Blastoise,Blastoise,Wartortle,Squirtle", "water", tortoise},
	{"Venusaur,Ivysaur,Bulbasaur,Meganium", "grass", bloomback},
	{"Pikachu and Zekrom,Pikachu,Raichu,Pichu,Electabuzz,Ampharos", "electric", critter},
	{"Dark Gyarados,Shining Gyarados", "dark", serpent},
	{"Gyarados,Magikarp,Lapras,Vaporeon,Quaxly", "water", serpent},
	{"Rayquaza,Dragonair,Koraidon", "dragon", serpent},
	{"Dark Dragonite,Dragonite,Arceus", "dragon", drake},
	{"Articuno", "ice", bird}, {"Zapdos", "electric", bird}, {"Moltres,Ho-Oh", "fire", bird}, {"Lugia", "psychic", bird}, {"Pidgeot,Aerodactyl", "sky", bird},
	{"Jolteon", "electric", fox}, {"Flareon,Ninetales,Arcanine,Entei,Vulpix", "fire", fox}, {"Suicune", "water", fox}, {"Umbreon", "dark", fox},
	{"Espeon", "psychic", fox}, {"Leafeon,Sprigatito", "grass", fox}, {"Glaceon", "ice", fox}, {"Sylveon", "fairy", fox}, {"Eevee", "earth", fox},
	{"Gengar,Gastly,Haunter", "ghost", wraith},
	{"Mewtwo,Alakazam,Mew", "psychic", mystic},
	{"Miraidon,Iron Crown", "electric", drake},
	{"Machamp,Hitmonchan,Kabutops,Tyranitar", "earth", golem}, {"Feraligatr", "water", golem}, {"Scyther", "grass", golem},
	{"Chansey,Wigglytuff,Ditto", "fairy", critter}, {"Snorlax", "sky", critter},
}

// creatureOf returns the element and shapes of a creature. An unknown name is the seed of a random
// choice.
func creatureOf(name string) (element, []part) {
	for _, known := range creatures {
		for word := range strings.SplitSeq(known.words, ",") {
			if strings.Contains(name, word) {
				return elements[known.element], known.shapes
			}
		}
	}
	known := svg.Choose(svg.NewRandom(name), creatures)
	return elements[known.element], known.shapes
}

// drawCreature draws an imagined creature and its surroundings.
func drawCreature(c *svg.Canvas, rnd svg.Random, s Subject, rarity RarityColors) {
	e, shapes := creatureOf(s.Name)
	e = e.withVariant(rnd, s.Variant)
	DrawBackground(c, rnd, e.Palette, rarity)
	e.aura(c, rnd, e)
	DrawCutout(c, creatureTransform(rnd), rarity.Light, func() { drawParts(c, shapes, e) })
}

// withVariant varies an element's colors, so that no two cards of a creature look the same.
func (e element) withVariant(rnd svg.Random, variant string) element {
	switch variant {
	case "Gold":
		e.body, e.belly, e.accent = "#e3b23c", "#fff4cf", "#fff0a0"
	case "Shiny":
		e.body, e.accent = svg.Lighter(e.accent, 0.15), e.body
	case "Rainbow Rare":
		e.body, e.belly, e.accent = svg.Mix(e.body, "#ff8ae0", 0.55), "#eafcff", "#7af0e0"
	default:
		e.body = svg.Mix(e.body, svg.Choose(rnd, []string{e.Trim, e.Deep, e.accent, e.Mid, svg.White}), rnd.Between(0, 0.3))
	}
	return e
}

// creatureTransform returns a random view of a creature: whole or portrait, facing either way,
// slightly tilted.
func creatureTransform(rnd svg.Random) string {
	scale, shift := rnd.Between(0.94, 1.06), svg.Point{190, 228}
	if rnd.IntN(4) == 0 {
		scale, shift = 1.5, svg.Point{176, 178}
	}
	flip := svg.Choose(rnd, []float64{-1, 1})
	return `transform="translate(250 ` + svg.Format0(440+10*rnd.Between(-1, 1)) + ") rotate(" + svg.Format0(rnd.Between(-6, 6)) + ") scale(" + svg.Format2(flip*scale) + " " + svg.Format2(scale) +
		") translate(" + svg.Format0(-shift.X()) + " " + svg.Format0(-shift.Y()) + `)"`
}

// part is one shape of a creature with its paint.
type part struct {
	role byte
	d    string
}

// drawParts draws shapes by their roles: Body, Dark side, beLly, Accent, White, inK, or a liNe of
// ink.
func drawParts(c *svg.Canvas, shapes []part, e element) {
	paint := map[byte]string{'B': e.body, 'D': svg.Darker(e.body, 0.32), 'L': e.belly, 'A': e.accent, 'W': svg.White, 'K': svg.Ink,
		'S': svg.Lighter(e.body, 0.28)}
	for _, p := range shapes {
		if p.role == 'N' {
			c.Stroke(p.d, svg.Darker(e.body, 0.55), 3.5, svg.RoundCaps)
			continue
		}
		c.Shape(p.d, paint[p.role])
	}
}
