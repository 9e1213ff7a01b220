package packs

import (
	"encoding/json"
	"slices"

	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/toppulls"
)

// Text is a text in English and Chinese.
type Text struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

// PackView is a pack in the API.
type PackView struct {
	ID                       string      `json:"id"`
	Name                     string      `json:"name"`
	NameZH                   string      `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
	Description              Text        `json:"description"`
	Series                   []string    `json:"series" nullable:"false" doc:"Series to draw from; none = all."`
	PriceCents               money.Cents `json:"priceCents"`
	Price                    string      `json:"price" example:"$25.00"`
	CoverImageURL            string      `json:"coverImageUrl"`
	CoverSources             string      `json:"coverSources" doc:"The picture in several widths, in the format of HTML's srcset; empty if there is only one."`
	ItemsPerPack             int64       `json:"itemsPerPack"`
	Supply                   int64       `json:"supply" doc:"Maximum number of opens ever; -1 = unlimited."`
	Sold                     *int64      `json:"sold" nullable:"true" doc:"Number of opens; null for packs with unlimited supply."`
	IsActive                 bool        `json:"isActive" doc:"On sale, and the margin guard allows opens."`
	SoldOut                  bool        `json:"soldOut" doc:"The supply is used up, or too few cards are left for an open."`
	IsNew                    bool        `json:"isNew"`
	IsDemo                   bool        `json:"isDemo" doc:"A demo pack, hidden in the store."`
	ListedExpectedValueCents money.Cents `json:"listedExpectedValueCents"`
	ExpectedValueCents       money.Cents `json:"expectedValueCents" doc:"Calculated from the manifest and the live stock."`
	LootTableJSON            *LootTable  `json:"lootTableJson,omitempty" doc:"Only for packs that draw by rarity."`
	Sealed                   *SealedView `json:"sealed,omitempty" doc:"Only for packs with sealed draws."`
	ManifestHash             string      `json:"manifestHash"`
	Paused                   string      `json:"paused" doc:"Why the margin guard has paused the pack; empty = not paused. The pause ends on its own."`
}

// TierView is a row of the odds panel.
type TierView struct {
	Label     string      `json:"label"`
	LowCents  money.Cents `json:"lowCents"`
	HighCents money.Cents `json:"highCents" doc:"Exclusive; 0 = no upper bound."`
	Weight    uint64      `json:"weight"`
	Published float64     `json:"published" doc:"The listed weight as a fraction of the publisher's 100%."`
	Chance    float64     `json:"chance" doc:"Effective probability of the next card, after fallbacks."`
}

// StorePackView is a pack on sale, with what a buyer wants to know before opening it.
type StorePackView struct {
	PackView
	TopItem              *catalogue.ItemView         `json:"topItem,omitempty" doc:"The most valuable card that can be pulled now, with its value in the manifest; absent if no card is left."`
	BeatsPriceChance     float64                     `json:"beatsPriceChance" doc:"Chance that all cards of an open together are worth at least its price."`
	AverageSellBackCents *money.Cents                `json:"cashBackCents" nullable:"true" doc:"What selling all cards of an open back to Kaibao right away returns on average; null where Kaibao doesn't buy items back."`
	Approximate          bool                        `json:"approximate" doc:"beatsPriceChance and the distribution are approximate (say \"about\"): cards may run out within an open, or exact sums would take too long."`
	LastBigPull          *toppulls.AnonymousPullView `json:"lastBigPull,omitempty" doc:"The last item pulled from this pack that was worth at least 5 times the price of its open; absent if there is none."`
}

// PackDetail is a pack with its odds, its most valuable cards and the distribution of its values.
type PackDetail struct {
	StorePackView
	Odds         []TierView           `json:"odds" nullable:"false"`
	Showcase     []catalogue.ItemView `json:"showcase" nullable:"false"`
	Distribution DistributionView     `json:"distribution"`
}

// DistributionView is the distribution of the total value of an open.
type DistributionView struct {
	Buckets     []Bucket    `json:"buckets" nullable:"false" doc:"At most 40, without gaps, lowest first; their chances add up to 1. The price is the edge of one unless all values are above or below it. None if no card is left."`
	MedianCents money.Cents `json:"medianCents" doc:"Half of all opens are worth this or more; 0 if no card is left."`
}

// Bucket is a range of values and the chance that an open's total is in it.
type Bucket struct {
	LowCents  money.Cents `json:"lowCents"`
	HighCents money.Cents `json:"highCents" doc:"Exclusive; 0 = no upper bound."`
	Chance    float64     `json:"chance"`
}

// CardView is a card that a pack can yield.
type CardView struct {
	Item       catalogue.ItemView `json:"item" doc:"With its value in the manifest."`
	ValueCents money.Cents        `json:"valueCents" doc:"Value in the manifest in force."`
	Chance     float64            `json:"chance" doc:"Probability that the next card drawn is this one, with the cards left now. The chances of all cards add up to 1."`
}

// DemoView is the card of a demo open. Nothing is charged or kept.
type DemoView struct {
	Item   catalogue.ItemView `json:"item" doc:"With its value in the manifest."`
	Chance float64            `json:"chance" doc:"Probability that a card drawn in a real open is this one; the demo may draw by other odds (house rule demo)."`
}

// MadePackView is the response to creating or editing a pack; it lists the items that the pack
// can't draw.
type MadePackView struct {
	AdminPackView
	Approval *approval.Waiting `json:"approval,omitempty" doc:"The request waiting for a second admin: an accepted loss, and the pack's sale if it depends on it."`
	LeftOut  []LeftOut         `json:"leftOut" nullable:"false" doc:"Items of its series whose limited stock belongs to another pack. Limited cards can be in one pack only."`
}

// AdminPackView is a pack as shown to admins: as it can be opened now, and as last saved.
type AdminPackView struct {
	PackView
	Wanted          WantedView     `json:"wanted"`
	Announced       *AnnouncedView `json:"announced,omitempty" doc:"The last announced manifest until it takes effect. Absent if the wanted state is in force."`
	PublishingSince string         `json:"publishingSince,omitempty" format:"date-time" doc:"A publication has waited for the draws of pending orders since then; absent if none waits. Until they are drawn, the pack takes no orders."`
	LostCents       money.Cents    `json:"lostCents" doc:"Loss counted against the accepted loss. Only counted for packs with something limited."`
}

// AnnouncedView is a manifest that is announced but not in force yet.
type AnnouncedView struct {
	ManifestHash string `json:"manifestHash"`
	EffectiveAt  string `json:"effectiveAt" format:"date-time"`
}

// WantedView is a pack as last saved by an admin.
type WantedView struct {
	Name              string      `json:"name"`
	NameZH            string      `json:"nameZh,omitempty" doc:"Chinese name; absent if it has none."`
	PriceCents        money.Cents `json:"priceCents"`
	CoverImageURL     string      `json:"coverImageUrl" doc:"Empty for a generated cover."`
	ItemsPerPack      int64       `json:"itemsPerPack"`
	Series            []string    `json:"series" nullable:"false"`
	Shares            []ShareView `json:"shares" nullable:"false" doc:"From the lowest tier to the highest."`
	Supply            int64       `json:"supply" doc:"Maximum number of opens ever; -1 = unlimited."`
	Sealing           Sealing     `json:"sealing" enum:"instant,choice,sealed" doc:"instant = drawn at once; choice = as the player chooses; sealed = always with a later round of a public beacon."`
	IsActive          bool        `json:"isActive" doc:"Put on sale by an admin. The margin guard may have paused it."`
	AcceptedLossCents *int64      `json:"acceptedLossCents" nullable:"true" doc:"-1 = any; null = none."`
}

// ShareView is a tier's share of the draws.
type ShareView struct {
	Label string `json:"label" doc:"The rarity, for packs that draw by rarity."`
	Share string `json:"share" example:"0.25" doc:"In decimals. For the first packs these are listed weights, which needn't add up to 1."`
}

// adminView converts the pack for admins.
func (p *LivePack) adminView() AdminPackView {
	v := AdminPackView{PackView: p.view(), LostCents: p.countedLoss(), Wanted: p.saved.wantedView()}
	if !p.PublishingSince.IsZero() {
		v.PublishingSince = httpapi.Timestamp(p.PublishingSince)
	}
	if len(p.announced) > 0 {
		last := p.announced[0]
		v.Announced = &AnnouncedView{ManifestHash: last.Hash.String(), EffectiveAt: httpapi.Timestamp(last.EffectiveAt)}
	}
	return v
}

// wantedView converts the pack as last saved by an admin.
func (p Pack) wantedView() WantedView {
	v := WantedView{
		Name: p.Name, NameZH: p.NameZH, PriceCents: p.Price, CoverImageURL: p.CoverImageURL, ItemsPerPack: p.ItemsPerPack, Series: slices.Clone(p.Series),
		Supply: p.Supply, IsActive: p.Active, Sealing: p.Definition.sealing(), AcceptedLossCents: p.AcceptedLoss, Shares: []ShareView{},
	}
	wanted := buildManifest(p, nil, nil)
	for _, tier := range wanted.Tiers {
		share := tier.Weight * fullWeight / uint64(p.oddsUnit(&wanted))
		v.Shares = append(v.Shares, ShareView{Label: tier.Label, Share: formatShare(share)})
	}
	return v
}

// changedPackView returns the view of a pack after it was created or edited.
func (s *Service) changedPackView(tx *db.Tx, id string) (MadePackView, error) {
	p, err := byID(tx, id)
	if err != nil {
		return MadePackView{}, err
	}
	live, err := s.livePackOf(tx, p)
	if err != nil {
		return MadePackView{}, err
	}
	_, elsewhere, err := drawableItems(tx, p)
	return MadePackView{AdminPackView: live.adminView(), LeftOut: leftOutItems(elsewhere)}, err
}

// lootTable returns the loot table of the manifest in force, or nil if the pack draws by value.
func (p *LivePack) lootTable() *LootTable {
	if p.Definition.LootTable == nil {
		return nil
	}
	table := &LootTable{Rarities: map[string]json.Number{}, ItemsPerPack: p.ItemsPerPack}
	for _, tier := range p.Current.Manifest.Tiers {
		if tier.Label != lastResort {
			table.Rarities[tier.Label] = json.Number(formatShare(tier.Weight))
		}
	}
	return table
}

func (p *LivePack) view() PackView {
	cover := p.Cover()
	v := PackView{
		ID: p.ID, Name: p.Name, NameZH: p.NameZH, Description: Text{EN: p.DescriptionEN, ZH: p.DescriptionZH},
		Series: slices.Clone(p.Series), PriceCents: p.Price, Price: "$" + p.Price.String(), CoverImageURL: cover.Address, CoverSources: cover.Sources,
		ItemsPerPack: p.ItemsPerPack, Supply: p.Supply, IsActive: p.CanOpen(), IsNew: p.New, IsDemo: p.HiddenFromStore,
		SoldOut:                  p.supplyUsedUp() || protocol.SoldOut(p.Current.Manifest, p.Stock),
		ListedExpectedValueCents: p.ListedExpectedValue, ExpectedValueCents: protocol.ExpectedValue(p.Current.Manifest, p.Stock),
		LootTableJSON: p.lootTable(), Sealed: sealedView(p.Current.Manifest), ManifestHash: p.Current.Hash.String(),
	}
	if p.Supply != Unlimited {
		v.Sold = &p.Sold
	}
	if refusal := p.marginRefusal(); refusal != nil {
		v.Paused = refusal.Error()
	}
	return v
}

// storeViews returns the views of packs on sale.
func (s *Service) storeViews(tx *db.Tx, live []*LivePack) ([]StorePackView, error) {
	packIDs, found, itemIDs := make([]string, len(live)), make([]*storeFigures, len(live)), []string{}
	for n, p := range live {
		packIDs[n], found[n] = p.ID, s.figuresOf(p)
		if cards := found[n].cards; len(cards) > 0 {
			itemIDs = append(itemIDs, cards[0].ID)
		}
	}
	lastBig, err := toppulls.LastBigPulls(tx, packIDs)
	if err != nil {
		return nil, err
	}
	for _, pull := range lastBig {
		itemIDs = append(itemIDs, pull.ItemID)
	}
	items, err := catalogue.Items(tx, itemIDs)
	views := make([]StorePackView, len(live))
	for n, p := range live {
		f := found[n]
		v := StorePackView{PackView: p.view(), BeatsPriceChance: f.beatsPrice, Approximate: f.approximate}
		if s.Rules.SellBack {
			v.AverageSellBackCents = &f.averageSellBack
		}
		if len(f.cards) > 0 {
			top := cardItem(items, f.cards[0].Card)
			v.TopItem = &top
		}
		if pull, ok := lastBig[p.ID]; ok {
			view := pull.View(items[pull.ItemID])
			v.LastBigPull = &view
		}
		views[n] = v
	}
	return views, err
}

// cardItem returns the item of a card, with its value in the manifest.
func cardItem(items map[string]catalogue.Item, card protocol.Card) catalogue.ItemView {
	item := items[card.ID]
	item.BaseValue = card.Value
	return item.View()
}

func (s *Service) detailView(tx *db.Tx, p *LivePack) (PackDetail, error) {
	views, err := s.storeViews(tx, []*LivePack{p})
	if err != nil {
		return PackDetail{}, err
	}
	unit := float64(p.oddsUnit(p.Current.Manifest))
	f := s.figuresOf(p)
	v := PackDetail{StorePackView: views[0], Odds: []TierView{}, Showcase: []catalogue.ItemView{}, Distribution: DistributionView{f.buckets, f.median}}
	for _, t := range protocol.Odds(p.Current.Manifest, p.Stock) {
		if t.Weight == 0 && t.Chance == 0 {
			continue
		}
		v.Odds = append(v.Odds, TierView{
			Label: t.Label, LowCents: t.Low, HighCents: t.High, Weight: t.Weight,
			Published: float64(t.Weight) / unit, Chance: t.Chance,
		})
	}
	cards := p.showcase(f.cards)
	items, err := catalogue.Items(tx, idsOf(cards))
	for _, card := range cards {
		if p.isBaseBox() && items[card.ID].Rarity != "Grail" {
			continue
		}
		v.Showcase = append(v.Showcase, cardItem(items, card.Card))
	}
	return v, err
}

// isDeluxeBox reports whether the pack draws listed items that can run out.
func (p Pack) isDeluxeBox() bool { return p.Definition.InitialStock > 0 }

// isBaseBox reports whether the pack draws listed items that never run out.
func (p Pack) isBaseBox() bool {
	listsItems := slices.ContainsFunc(p.Definition.Tiers, func(t TierRule) bool { return len(t.Items) > 0 })
	return listsItems && !p.isDeluxeBox()
}

// showcase picks the cards to present from those that can be pulled, given the most valuable first
// (specification, section 9): normally the ten most valuable; for a base box all, of which detailView
// presents the Grail items; for a deluxe box the top six, with the seventh replacing the second.
func (p *LivePack) showcase(cards []protocol.CardChance) []protocol.CardChance {
	switch {
	case p.isBaseBox():
		return cards
	case p.isDeluxeBox() && len(cards) >= 7:
		return []protocol.CardChance{cards[0], cards[6], cards[2], cards[3], cards[4], cards[5]}
	case p.isDeluxeBox():
		return cards
	default:
		return cards[:min(10, len(cards))]
	}
}
