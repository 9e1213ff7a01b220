// Package packs manages packs: the manifests that publish their odds, their limited stock, and the
// margin guard that stops a pack from losing money.
//
// Start with Pack in packs.go. tiers.go defines how a pack's items are divided into tiers,
// compose.go builds its manifest, publish.go announces it, and manifest.go reads what is published.
// waiting_publication.go keeps a publication until the pack's pending orders are drawn.
// Opens draw from a LivePack (live_pack.go), which counts stock (stock.go). margin.go is the margin
// guard. The acts of admins are in create_pack.go, edit_pack.go and edit_item.go; losses and raised
// values that need a second admin are in accepted_loss.go and value_raises.go.
package packs

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/money"
)

// Pack is a pack that people buy and open.
type Pack struct {
	ID                  string
	Position            int64
	Name                string
	NameZH              string // Chinese name; empty = none. It is not part of the manifest.
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
	PublishingSince     time.Time   // a publication has waited for pending orders since then; zero = none waits
}

// Unlimited marks a supply, stock or accepted loss without a limit.
const Unlimited = -1

// Service publishes packs and reads the live packs that opens draw from.
type Service struct {
	DB *db.DB
	// Delay is the time between announcing a changed manifest and its taking effect, and how long
	// the replaced manifest is honored afterwards (fairness.md, section 1).
	Delay time.Duration
	// SoloLossLimit is the highest loss of a pack that an admin can accept without a second one.
	SoloLossLimit money.Cents
	// Beacon returns the chain hash of the beacon that new manifests of sealed packs name.
	Beacon   func() [32]byte
	Holdings Holdings // what admins who raise values own or bid on
	Rules    houserules.Rules

	manifests manifestCache
	figures   figuresCache
	cache     *responseCache // cache of public responses; nil unless this node serves requests
}
