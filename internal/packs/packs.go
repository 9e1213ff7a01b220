// Package packs manages packs: the manifests that publish their odds, their limited stock, and the
// margin guard that stops a pack from losing money.
package packs

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Pack is what people buy and open.
type Pack struct {
	ID             string
	Position       int64
	Name           string
	DescriptionEN  string
	DescriptionZH  string
	Series         []string // none = all
	Price          money.Cents
	CoverImageURL  string // empty = the drawn art
	ItemsPerPack   int64
	Supply         int64 // Unlimited or the number that can be sold
	Sold           int64 // counted only where Supply is limited
	Active         bool
	New            bool
	Demo           bool // kept out of the store
	ListedExpected money.Cents
	OddsUnit       int64 // the weight that stands for 100 % in the published odds
	Definition     Definition
	DrawSeq        int64       // 0 = no card of the pack can run out
	AcceptedLoss   *int64      // cents; nil = nobody acknowledged a loss, Unlimited = any
	RealisedLoss   money.Cents // by its draws, each card at the sell-back of its draw; counted only where Shared
	BeyondQuotes   money.Cents // what sell-backs of its cards paid more than that
}

// Unlimited stands for a supply, stock or accepted loss without a bound.
const Unlimited = -1

// Definition says how a pack's cards fall into tiers: by value, by name, or by rarity.
type Definition struct {
	Tiers     []TierRule `json:"tiers,omitempty"`
	LootTable *LootTable `json:"lootTable,omitempty"`
	Stock     int64      `json:"stock,omitempty"` // of each named item at first; 0 = unlimited
}

// TierRule is one tier: the items it names, or else those whose value is in [Low, High).
type TierRule struct {
	Label  string      `json:"label"`
	Weight uint64      `json:"weight"`
	Low    money.Cents `json:"lowCents"`
	High   money.Cents `json:"highCents"`
	Items  []string    `json:"items,omitempty"`
}

// Shared tells whether opens of the pack must go one after the other: they
// count something down.
func (p Pack) Shared() bool {
	return p.DrawSeq > 0 || p.Supply != Unlimited || (p.AcceptedLoss != nil && *p.AcceptedLoss != Unlimited)
}

// lost is what counts against the accepted loss.
func (p Pack) lost() money.Cents { return p.RealisedLoss + p.BeyondQuotes }

// supplyUsedUp tells whether the pack was sold as often as it can be.
func (p Pack) supplyUsedUp() bool { return p.Supply != Unlimited && p.Sold >= p.Supply }

// Service publishes packs and reads what an open draws from.
type Service struct {
	DB *db.DB
	// Delay is how long a changed manifest is announced before it is in force,
	// and how long the replaced one is honoured after (fairness.md, section 1).
	Delay time.Duration
	// LossAlone is up to what loss of a pack one admin accepts alone.
	LossAlone money.Cents
	Stakes    Stakes // of who raises values

	parsed manifestCache
	window *window // of a node that serves
}
