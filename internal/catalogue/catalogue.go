// Package catalogue holds what exists and what a pack can yield: items, packs,
// the manifests that publish a pack's odds, the live stock, and the drawn art.
package catalogue

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
)

// Item is a catalogue entry: a graded card or a toy.
type Item struct {
	ID          string
	Series      string
	Name        string
	Rarity      string
	GradeTenths int64 // 95 is grade 9.5; 0 = not graded
	CertType    string
	CertNumber  string
	ImageURL    string // empty = the drawn art
	BaseValue   money.Cents
	Active      bool
}

// Rarities from the lowest to the highest; Grail stands beside Mythic and is for toys.
var Rarities = []string{"Common", "Rare", "Epic", "Legendary", "Mythic", "Grail"}

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
	DrawSeq        int64  // 0 = no card of the pack can run out
	AcceptedLoss   *int64 // cents; nil = nobody acknowledged a loss, Unlimited = any
	RealisedLoss   money.Cents
	Paused         string // why the margin guard stopped it; empty = running
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

// supplyUsedUp tells whether the pack was sold as often as it can be.
func (p Pack) supplyUsedUp() bool { return p.Supply != Unlimited && p.Sold >= p.Supply }

// ErrInactive refuses a pack that is not on sale, or paused.
var ErrInactive = fault.New(fault.Inactive, "This pack is not for sale at the moment. You were not charged.")

// Catalogue serves items and packs.
type Catalogue struct {
	DB *db.DB
	// Delay is how long a changed manifest is announced before it is in force,
	// and how long the replaced one is honoured after (fairness.md, section 1).
	Delay time.Duration

	parsed manifestCache
}

// Fold makes text comparable for searching: case and width folded, each word
// preceded by a space.
func Fold(text string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	return " " + strings.Join(words, " ")
}
