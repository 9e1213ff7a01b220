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
	ID             string
	Position       int64
	Name           string
	DescriptionEN  string
	DescriptionZH  string
	Series         []string // empty = all
	Price          money.Cents
	CoverImageURL  string // empty = drawn by us
	ItemsPerPack   int64
	Supply         int64 // how many can be sold in all, or Unlimited
	Sold           int64 // counted only if Supply is limited
	Active         bool
	New            bool
	Demo           bool // not shown in the store
	ListedExpected money.Cents
	OddsUnit       int64 // the weight that counts as 100 % in the published odds
	Definition     Definition
	DrawSeq        int64       // 0 = no card of the pack can run out
	AcceptedLoss   *int64      // cents; nil = no loss accepted, Unlimited = any loss
	RealisedLoss   money.Cents // of its draws (sell-backs less prices); counted only if Shared
	BeyondQuotes   money.Cents // paid in sell-backs of its cards beyond the quotes at the draw
}

// Unlimited marks a supply, stock or accepted loss without a limit.
const Unlimited = -1

// Definition assigns a pack's items to tiers: by value, by item id, or by rarity.
type Definition struct {
	Tiers     []TierRule `json:"tiers,omitempty"`
	LootTable *LootTable `json:"lootTable,omitempty"`
	Stock     int64      `json:"stock,omitempty"` // initial stock of each named item; 0 = no limit (not Unlimited)
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

// Shared reports whether opens of the pack must run one after another because they update its
// counters.
func (p Pack) Shared() bool {
	return p.DrawSeq > 0 || p.Supply != Unlimited || (p.AcceptedLoss != nil && *p.AcceptedLoss != Unlimited)
}

// lost is the loss that counts against AcceptedLoss.
func (p Pack) lost() money.Cents { return p.RealisedLoss + p.BeyondQuotes }

// supplyUsedUp reports whether the whole supply has been sold.
func (p Pack) supplyUsedUp() bool { return p.Supply != Unlimited && p.Sold >= p.Supply }

// Service publishes packs and reads the decks that opens draw from.
type Service struct {
	DB *db.DB
	// Delay is the time between announcing a changed manifest and its taking effect, and how long
	// the replaced manifest is honored afterwards (fairness.md, section 1).
	Delay time.Duration
	// LossAlone is the highest loss of a pack that an admin can accept without a second one.
	LossAlone money.Cents
	Stakes    Stakes // what admins who raise values own or bid on

	parsed manifestCache
	window *window // cache of public responses; nil unless this node serves requests
}
