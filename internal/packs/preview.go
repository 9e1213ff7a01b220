package packs

import (
	"cmp"
	"context"
	"errors"
	"math"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

type previewInput struct {
	Body struct {
		PackChange
		PackID            httpapi.ID `json:"packId,omitempty" doc:"The pack to edit; a new pack if left out."`
		AcceptedLossCents *int64     `json:"acceptedLossCents,omitempty" minimum:"0" maximum:"100000000000" doc:"0 = none."`
	}
}

// PreviewView is the preview of a pack.
type PreviewView struct {
	Fields  map[string]string `json:"fields" nullable:"false" doc:"Refused fields with their reasons."`
	Figures *Figures          `json:"figures,omitempty" doc:"Absent if nothing could be drawn."`
	Refusal string            `json:"refusal" doc:"Why the margin guard would refuse the sale; empty = it would allow it."`
	Fits    FitsView          `json:"fits" doc:"Changes that would make the margin guard allow the sale."`
	LeftOut []LeftOut         `json:"leftOut" nullable:"false" doc:"Items of its series whose limited stock belongs to another pack."`
}

// FitsView suggests changes to a pack that would be refused.
type FitsView struct {
	LowestPriceCents *money.Cents `json:"lowestPriceCents" nullable:"true" doc:"null = the price isn't the problem, or no price is high enough."`
	Series           []string     `json:"series" nullable:"false" doc:"Series that would each pass on their own."`
}

// Figures describes an open of the pack with the current stock.
type Figures struct {
	Tiers                 []TierFigures `json:"tiers" nullable:"false" doc:"From lowest to highest, including tiers that nothing is drawn from."`
	ExpectedValueCents    money.Cents   `json:"expectedValueCents"`
	ExpectedSellBackCents money.Cents   `json:"expectedSellBackCents" doc:"Expected return of an open in sell-backs."`
	MarginCents           money.Cents   `json:"marginCents" doc:"Price minus expected return; below 0 is an expected loss."`
	WorstSellBackCents    money.Cents   `json:"worstSellBackCents" doc:"Highest possible sell-back of one open."`
	BestCardCents         money.Cents   `json:"bestCardCents" doc:"Value of the most valuable card that can be drawn."`
	IsLimited             bool          `json:"isLimited" doc:"Whether the stock of any of its cards is limited."`
}

// TierFigures describes one tier.
type TierFigures struct {
	Label              string      `json:"label"`
	LowCents           money.Cents `json:"lowCents"`
	HighCents          money.Cents `json:"highCents" doc:"Exclusive; 0 = no upper bound."`
	Chance             float64     `json:"chance" doc:"Probability that a card is of this tier, after fallbacks."`
	Cards              int         `json:"cards" doc:"Cards that can be drawn now."`
	ExpectedCents      money.Cents `json:"expectedCents" doc:"The tier's share of an open's expected value."`
	WorstSellBackCents money.Cents `json:"worstSellBackCents" doc:"Highest sell-back of a card in this tier."`
}

// preview returns the effect of creating or editing a pack, by the same rules, without changing
// anything.
func (s *Service) preview(ctx context.Context, in *previewInput) (v PreviewView, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		saved, refused := newPack(), apperr.Fields{}
		if in.Body.PackID != "" {
			saved, err = byID(tx, string(in.Body.PackID))
			if err != nil {
				return err
			}
		}
		edited, err := in.Body.applyAndRecount(tx, saved, refused)
		if err != nil {
			return err
		}
		previewed := edited
		if loss := in.Body.AcceptedLossCents; loss != nil {
			checkAcceptedLoss(loss, refused)
			previewed.AcceptedLoss = lossFrom(loss)
			if err := recount(tx, edited, &previewed); err != nil {
				return err
			}
		}
		v, err = s.previewOf(tx, previewed, refused)
		return err
	})
	return v, err
}

// previewOf composes the pack's manifest and runs the checks on it.
func (s *Service) previewOf(tx *db.Tx, p Pack, refused apperr.Fields) (PreviewView, error) {
	v := PreviewView{Fields: refused, Fits: FitsView{Series: []string{}}}
	items, elsewhere, err := drawableItems(tx, p)
	if err != nil {
		return v, err
	}
	v.LeftOut = leftOutItems(elsewhere)
	stock, err := Stock(tx, p.ID)
	if err != nil {
		return v, err
	}
	p.ID, p.Name = cmp.Or(p.ID, "preview"), "preview" // the name affects no figure
	m := previewManifest(p, items, stock)
	if m == nil {
		return v, nil
	}
	v.Figures = figures(m, stock)
	err = v.checkSale(tx, p, m, stock)
	return v, err
}

// previewManifest returns the pack's manifest, or nil if its fields don't allow one; the refused
// fields say why.
func previewManifest(p Pack, items []catalogue.Item, stock protocol.Stock) *protocol.Manifest {
	if p.Price < 1 || p.Price > policy.MaxPackPrice || p.ItemsPerPack < 1 || p.ItemsPerPack > policy.MaxItemsPerPack {
		return nil
	}
	body := buildManifest(p, items, stock)
	m, err := protocol.ParseManifest(body.Format())
	if err != nil {
		return nil
	}
	return m
}

// checkSale runs the checks that would refuse the pack and looks for alternatives that pass.
func (v *PreviewView) checkSale(tx *db.Tx, p Pack, m *protocol.Manifest, stock protocol.Stock) error {
	refusal := checkNoEmptyTiers(tx, p)
	if refusal == nil {
		refusal = checkMargin(p, p.Price, protocol.ExpectedValue(m, stock))
	}
	if refusal == nil {
		return nil
	}
	refusal = withSuggestions(tx, p, refusal)
	if _, known := errors.AsType[*apperr.Error](refusal); !known {
		return refusal
	}
	shown := apperr.As(refusal)
	v.Refusal = shown.Message
	apperr.Fields(v.Fields).Add(shown.Fields)
	switch details := shown.Details.(type) {
	case suggestion:
		v.Fits.Series = details.Series
	case shortfall:
		v.Fits = FitsView{LowestPriceCents: details.LowestPriceCents, Series: details.Series}
	}
	return nil
}

func figures(m *protocol.Manifest, stock protocol.Stock) *Figures {
	f := &Figures{Tiers: make([]TierFigures, len(m.Tiers)), ExpectedValueCents: protocol.ExpectedValue(m, stock), IsLimited: m.Finite()}
	f.ExpectedSellBackCents = policy.SellBack(f.ExpectedValueCents)
	f.MarginCents = m.Price - f.ExpectedSellBackCents
	for n, odds := range protocol.Odds(m, stock) {
		t := TierFigures{Label: odds.Label, LowCents: odds.Low, HighCents: odds.High, Chance: odds.Chance}
		var sum, highest money.Cents
		for _, card := range m.Tiers[n].Cards {
			if left, counted := stock[card.ID]; counted && left == 0 {
				continue
			}
			t.Cards++
			sum += card.Value
			highest = max(highest, card.Value)
		}
		if odds.Chance > 0 && t.Cards > 0 {
			t.ExpectedCents = money.Cents(math.Round(odds.Chance * float64(m.Items) * float64(sum) / float64(t.Cards)))
			t.WorstSellBackCents = policy.SellBack(highest)
			f.BestCardCents = max(f.BestCardCents, highest)
		}
		f.Tiers[n] = t
	}
	f.WorstSellBackCents = highestSellBack(m, stock)
	return f
}

// highestSellBack returns the highest possible sell-back of one open: the most valuable cards
// available, each as often as its stock allows.
func highestSellBack(m *protocol.Manifest, stock protocol.Stock) (most money.Cents) {
	wanted := int64(m.Items)
	for _, card := range protocol.Chances(m, stock) {
		times := wanted
		if card.Finite() {
			times = min(times, stock[card.ID])
		}
		most += money.Cents(times) * policy.SellBack(card.Value)
		wanted -= times
	}
	return most
}
