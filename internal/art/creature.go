package art

import "strings"

// element is a creature's element: the colors of its world and body, and its aura.
type element struct {
	hues
	body, belly, accent string
	aura                func(c *canvas, d dice, e element)
}

var elements = map[string]element{
	"fire":     {hues{"#fff0a8", "#ff7a2e", "#5e0f16", "#ff5a1f", "#ffd24a"}, "#c9323c", "#ffd9a0", "#ffb52e", flames},
	"water":    {hues{"#d6fbff", "#2f9df0", "#0a2466", "#2f7fe0", "#8ef0ff"}, "#3b86e0", "#eaf6ff", "#7ae4ff", waves},
	"grass":    {hues{"#f2ffb0", "#5fc24a", "#0d3d2a", "#2e9a4e", "#ffd1e8"}, "#4fae62", "#e9f7bf", "#ff8fb8", leaves},
	"electric": {hues{"#fffbd0", "#ffc21f", "#5a3200", "#ffb300", "#fff27a"}, "#fff0c2", "#ffffff", "#5b4be0", bolts},
	"psychic":  {hues{"#ffe3ff", "#c05cf0", "#2a0a5c", "#a64ae0", "#7af0ff"}, "#8f80ee", "#f2edff", "#ff7ad6", orbits},
	"dragon":   {hues{"#ffe9c0", "#5f5ce8", "#160f4a", "#4a48d8", "#ffb347"}, "#4f63d8", "#ffe3a6", "#ffab3d", aurora},
	"dark":     {hues{"#e6dcff", "#5a4a9a", "#0d0b22", "#3a2f6b", "#ffd84a"}, "#39345e", "#9a90cc", "#58e0c4", moon},
	"ice":      {hues{"#ffffff", "#8fd8f5", "#1b3a7a", "#68c0ee", "#e8fbff"}, "#8ccdf0", "#f4fdff", "#4a7fe0", crystals},
	"earth":    {hues{"#ffe9c4", "#d08a4a", "#3a1e12", "#a8653a", "#ffe0a0"}, "#a9754e", "#f0d8ac", "#e0503a", rocks},
	"fairy":    {hues{"#fff3fa", "#ff9ac8", "#5a1a5e", "#ff7ab8", "#fff0a8"}, "#f59ac4", "#fff2f8", "#ffd45e", orbits},
	"ghost":    {hues{"#e9d9ff", "#8a4ae0", "#180a3a", "#6a35c0", "#7affd0"}, "#5d3fa6", "#a88af0", "#ff5a8a", moon},
	"sky":      {hues{"#ffffff", "#7ab8f5", "#1c2f6b", "#5a8fe0", "#fff0c0"}, "#c9b08a", "#fff7e6", "#e0607a", aurora},
}

// bestiary maps words in a name to element and build. The first matching line applies.
var bestiary = []struct {
	words, element string
	build          []part
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

// creatureOf returns the element and build of a creature. Unknown names get a random one from their
// seed.
func creatureOf(name string) (element, []part) {
	for _, known := range bestiary {
		for word := range strings.SplitSeq(known.words, ",") {
			if strings.Contains(name, word) {
				return elements[known.element], known.build
			}
		}
	}
	known := one(diceOf(name), bestiary)
	return elements[known.element], known.build
}

// creature draws an imagined creature and its surroundings.
func (c *canvas) creature(d dice, t title, tone tones) {
	e, build := creatureOf(t.subject)
	e = e.printed(d, t.variant)
	c.ground(d, e.hues, tone)
	e.aura(c, d, e)
	c.cutout(framing(d), tone, func() { c.parts(build, e) })
}

// printed varies an element's colors, so that no two cards of a creature look the same.
func (e element) printed(d dice, variant string) element {
	switch variant {
	case "Gold":
		e.body, e.belly, e.accent = "#e3b23c", "#fff4cf", "#fff0a0"
	case "Shiny":
		e.body, e.accent = lighter(e.accent, 0.15), e.body
	case "Rainbow Rare":
		e.body, e.belly, e.accent = mix(e.body, "#ff8ae0", 0.55), "#eafcff", "#7af0e0"
	default:
		e.body = mix(e.body, one(d, []string{e.trim, e.deep, e.accent, e.mid, white}), d.between(0, 0.3))
	}
	return e
}

// framing returns a random view of a creature: whole or portrait, facing either way, slightly
// tilted.
func framing(d dice) string {
	scale, shift := d.between(0.94, 1.06), pt{190, 228}
	if d.below(4) == 0 {
		scale, shift = 1.5, pt{176, 178}
	}
	flip := one(d, []float64{-1, 1})
	return `transform="translate(250 ` + whole(440+10*d.between(-1, 1)) + ") rotate(" + whole(d.between(-6, 6)) + ") scale(" + num2(flip*scale) + " " + num2(scale) +
		") translate(" + whole(-shift.x) + " " + whole(-shift.y) + `)"`
}

// part is one shape of a creature with its paint.
type part struct {
	role byte
	d    string
}

// parts draws shapes by their roles: Body, Dark side, beLly, Accent, White, inK, or a liNe of ink.
func (c *canvas) parts(build []part, e element) {
	paint := map[byte]string{'B': e.body, 'D': darker(e.body, 0.32), 'L': e.belly, 'A': e.accent, 'W': white, 'K': ink,
		'S': lighter(e.body, 0.28)}
	for _, p := range build {
		if p.role == 'N' {
			c.stroke(p.d, darker(e.body, 0.55), 3.5, round)
			continue
		}
		c.shape(p.d, paint[p.role])
	}
}
