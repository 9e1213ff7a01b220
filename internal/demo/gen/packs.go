package main

// pack is a pack in packs.json. Money is in cents; a supply of -1 is unlimited.
type pack struct {
	ID                  string     `json:"id"`
	Name                string     `json:"name"`
	NameZH              string     `json:"nameZh"`
	Description         text       `json:"description"`
	Series              []string   `json:"series"`
	PriceCents          int64      `json:"priceCents"`
	ItemsPerPack        int        `json:"itemsPerPack"`
	Supply              int        `json:"supply"`
	ListedExpectedCents int64      `json:"listedExpectedValueCents"`
	IsNew               bool       `json:"isNew"`
	IsDemo              bool       `json:"isDemo,omitempty"`
	OddsUnit            int64      `json:"oddsUnit"` // weight equal to 100 % in the published odds
	Stock               int        `json:"stock,omitempty"`
	Sealing             string     `json:"sealing,omitempty"`           // like packs.Definition.Sealing
	AcceptedLossCents   int64      `json:"acceptedLossCents,omitempty"` // accepted loss; -1 = any
	Tiers               []tier     `json:"tiers,omitempty"`
	LootTable           *lootTable `json:"lootTable,omitempty"`
}

type text struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

// tier is a tier of a pack: a value band [low, high) of the pack's series, or named items. A high
// of 0 means no limit.
type tier struct {
	Label     string   `json:"label"`
	Weight    int64    `json:"weight"`
	LowCents  int64    `json:"lowCents"`
	HighCents int64    `json:"highCents"`
	Items     []string `json:"items,omitempty"`
}

// lootTable is the odds of a pack drawn by rarity, as shares of 1.
type lootTable struct {
	Rarities     rarityShares `json:"rarities"`
	ItemsPerPack int          `json:"itemsPerPack"`
}

type rarityShares struct {
	Common    float64 `json:"Common"`
	Rare      float64 `json:"Rare"`
	Epic      float64 `json:"Epic"`
	Legendary float64 `json:"Legendary"`
	Mythic    float64 `json:"Mythic"`
}

func allPacks() []pack {
	return []pack{
		valuePack("1", "Basketball", "篮球", 2, text{
			"One graded basketball card, from the paper rookies of the eighties to the prizms of this season.",
			"一张评级篮球卡：从八十年代的纸质新秀卡，到本赛季的闪面折射卡。"}),
		valuePack("2", "Pokemon", "宝可梦", 2, text{
			"One graded Pokemon card, from the first holos of 1999 to the illustration rares of today.",
			"一张评级宝可梦卡：从 1999 年初代闪卡，到如今的插画稀有卡。"}),
		valuePack("3", "One Piece", "航海王", 0, text{
			"One graded One Piece card: crews, captains and the manga art collectors chase.",
			"一张评级航海王卡：船员、船长，还有藏家追寻的漫画异画卡。"}),
		valuePack("4", "Football", "美式橄榄球", 2, text{
			"One graded football card: quarterbacks, receivers and rookies from five decades.",
			"一张评级美式橄榄球卡：横跨五十年的四分卫、接球手与新秀。"}),
		valuePack("5", "Soccer", "足球", 2, text{
			"One graded soccer card, from album legends of 1970 to the wonderkids of this season.",
			"一张评级足球卡：从 1970 年的传奇球星，到本赛季的天才少年。"}),
		valuePack("6", "Baseball", "棒球", 2, text{
			"One graded baseball card, from vintage Topps to modern chrome.",
			"一张评级棒球卡：从古董纸卡，到现代镀铬卡。"}),
		labubuBase(),
		labubuDeluxe(),
		starterPack("demo-pack-1", "Starter Dawn", "新手卡包·晨曦", text{
			"Five everyday slabs across every series, drawn by rarity.",
			"五张入门评级卡，涵盖各大系列，按稀有度抽取。"}),
		starterPack("demo-pack-2", "Starter Dusk", "新手卡包·暮色", text{
			"Five everyday slabs across every series: the evening edition.",
			"五张入门评级卡，涵盖各大系列：暮色版。"}),
	}
}

// valuePack returns a $25 pack with one card drawn by value band (specification, section 5).
// topWeight is the weight of its highest band. One Piece has weight 0 there and 2 more in the band
// below.
func valuePack(id, series, nameZH string, topWeight int64, description text) pack {
	return pack{
		ID: id, Name: series, NameZH: nameZH, Description: description, Series: []string{series},
		PriceCents: 2500, ItemsPerPack: 1, Supply: -1, ListedExpectedCents: 2500, OddsUnit: 1000,
		Tiers: []tier{
			{Label: "$5-15", Weight: 298, LowCents: 500, HighCents: 1500},
			{Label: "$15-25", Weight: 392, LowCents: 1500, HighCents: 2500},
			{Label: "$25-50", Weight: 231, LowCents: 2500, HighCents: 5000},
			{Label: "$50-100", Weight: 72, LowCents: 5000, HighCents: 10000},
			{Label: "$100-200", Weight: 16 - topWeight, LowCents: 10000, HighCents: 20000},
			{Label: "$200-400", Weight: topWeight, LowCents: 20000, HighCents: 40000},
		},
	}
}

// labubuBase has tiers by toy series rather than by value, so they have no bounds.
func labubuBase() pack {
	c := toyCollections[0]
	secrets := []string{c.ids(7, 7)[0], c.ids(14, 14)[0], c.ids(21, 21)[0]}
	return pack{
		ID: "7", Name: "Labubu Base Box", NameZH: "Labubu 经典盲盒", Series: []string{c.name},
		Description: text{
			"One sealed long-eared toy from three series, each with a secret of its own.",
			"一只未拆封的长耳玩偶，出自三个系列，每个系列各藏一款隐藏款。"},
		PriceCents: 4000, ItemsPerPack: 1, Supply: -1, ListedExpectedCents: 4000, IsNew: true, OddsUnit: 10000,
		Tiers: []tier{
			{Label: "Big into Energy", Weight: 3233, Items: c.ids(1, 6)},
			{Label: "Have a Seat", Weight: 3233, Items: c.ids(8, 13)},
			{Label: "Exciting Macaron", Weight: 3233, Items: c.ids(15, 20)},
			{Label: "Secret Rare", Weight: 300, Items: secrets},
		},
	}
}

// labubuDeluxe names its toys because its bands overlap. Every toy has the pack's limited stock.
func labubuDeluxe() pack {
	c := toyCollections[1]
	return pack{
		ID: "8", Name: "Labubu Deluxe Box", NameZH: "Labubu 豪华盲盒", Series: []string{c.name},
		Description: text{
			"One large sealed toy. Each of the fourteen is limited to 25.",
			"一只未拆封的大号玩偶。十四款，每款限量 25 只。"},
		PriceCents: 45000, ItemsPerPack: 1, Supply: -1, ListedExpectedCents: 45000, IsNew: true, OddsUnit: 100, Stock: 25, Sealing: "sealed", AcceptedLossCents: -1,
		Tiers: []tier{
			{Label: "Rare ($200-500)", Weight: 65, LowCents: 20000, HighCents: 50000, Items: c.ids(1, 6)},
			{Label: "Grail ($1,000-2,900)", Weight: 25, LowCents: 100000, HighCents: 290000, Items: c.ids(7, 10)},
			{Label: "Super Grail ($2,000-4,000)", Weight: 8, LowCents: 200000, HighCents: 400000, Items: c.ids(11, 13)},
			{Label: "Mega Grail ($6,000+)", Weight: 2, LowCents: 600000, HighCents: 0, Items: c.ids(14, 14)},
		},
	}
}

// starterPack is drawn by rarity with the default odds (specification, section 5).
func starterPack(id, name, nameZH string, description text) pack {
	return pack{
		ID: id, Name: name, NameZH: nameZH, Description: description, Series: []string{"Starter"},
		PriceCents: 2500, ItemsPerPack: 5, Supply: -1, ListedExpectedCents: 2450, IsDemo: true, OddsUnit: 1_000_000,
		LootTable: &lootTable{rarityShares{0.60, 0.25, 0.10, 0.04, 0.01}, 5},
	}
}
