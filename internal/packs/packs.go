// Package packs manages packs: the manifests that publish their odds, their limited stock, and the
// margin guard that stops a pack from losing money.
package packs

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Pack is a pack that people buy and open.
type Pack struct {
	ID                  string
	Position            int64
	Name                string
	DescriptionEN       string
	DescriptionZH       string
	Series              []string // empty = all
	Price               money.Cents
	CoverImageURL       string // empty = drawn by us
	ItemsPerPack        int64
	Supply              int64 // how many can be sold in all, or Unlimited
	Sold                int64 // counted only if Supply is limited
	Active              bool
	New                 bool
	HiddenFromStore     bool // a demo pack: the page of packs leaves it out
	ListedExpectedValue money.Cents
	OddsUnit            int64 // the weight that counts as 100 % in the published odds
	Definition          Definition
	DrawSeq             int64       // 0 = no card of the pack can run out
	AcceptedLoss        *int64      // cents; nil = no loss accepted, Unlimited = any loss
	RealizedLoss        money.Cents // of its draws (sell-backs less prices); counted only if HasCounters
	PaidBeyondQuotes    money.Cents // paid in sell-backs of its cards beyond the quotes at the draw
}

// Unlimited marks a supply, stock or accepted loss without a limit.
const Unlimited = -1

// Definition assigns a pack's items to tiers: by value, by item id, or by rarity.
type Definition struct {
	Tiers        []TierRule `json:"tiers,omitempty"`
	LootTable    *LootTable `json:"lootTable,omitempty"`
	InitialStock int64      `json:"stock,omitempty"` // of each named item; 0 = none is set, so the items never run out
}

// TierRule describes one tier. It takes items with a value in [Low, High), and only those in Items
// if that is set.
type TierRule struct {
	Label  string      `json:"label"`
	Weight uint64      `json:"weight"`
	Low    money.Cents `json:"lowCents"`
	High   money.Cents `json:"highCents"`
	Items  []string    `json:"items,omitempty"`
}

// HasCounters reports whether opens of the pack must run one after another because they update its
// counters.
func (p Pack) HasCounters() bool {
	return p.DrawSeq > 0 || p.Supply != Unlimited || (p.AcceptedLoss != nil && *p.AcceptedLoss != Unlimited)
}

// countedLoss is the loss that counts against AcceptedLoss.
func (p Pack) countedLoss() money.Cents { return p.RealizedLoss + p.PaidBeyondQuotes }

// supplyUsedUp reports whether the whole supply has been sold.
func (p Pack) supplyUsedUp() bool { return p.Supply != Unlimited && p.Sold >= p.Supply }

// Service publishes packs and reads the decks that opens draw from.
type Service struct {
	DB *db.DB
	// Delay is the time between announcing a changed manifest and its taking effect, and how long
	// the replaced manifest is honored afterwards (fairness.md, section 1).
	Delay time.Duration
	// SoloLossLimit is the highest loss of a pack that an admin can accept without a second one.
	SoloLossLimit money.Cents
	Holdings      Holdings // what admins who raise values own or bid on

	manifests manifestCache
	cache     *responseCache // cache of public responses; nil unless this node serves requests
}
