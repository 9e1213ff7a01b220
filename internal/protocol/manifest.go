// Package protocol defines the draw protocols kaibao/v1 and kaibao/v2 (sealed packs), and everything
// needed to verify them: the manifest with a pack's odds, the commitment that fixes the server's
// entropy before the player chooses theirs, the order that fixes a draw before its beacon's round is
// known, the draw, and the leaves of the public log. It uses no clock, database or network, so the
// server and every verifier run the same code.
package protocol

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"kaibao/internal/money"
)

const (
	// Unlimited is the stock of a card that never runs out.
	Unlimited = -1
	// MaxItems is the most cards one open yields.
	MaxItems = 1000
	// MaxAmount is the largest amount in a manifest or leaf: the largest integer that JavaScript
	// represents exactly. MaxItems × MaxAmount still fits into money.Cents.
	MaxAmount money.Cents = 1<<53 - 1
	// maxIDLength is the maximum length of a card, pack or open id in bytes.
	maxIDLength = 64

	manifestHeader       = "kaibao-manifest/v1"
	sealedManifestHeader = "kaibao-manifest/v2"
)

// Manifest describes the cards that a pack can yield and their odds. A manifest returned by
// ParseManifest is valid, must not be modified, and is safe for concurrent use. To create a new
// one, build the value, publish the result of Format, and use only what ParseManifest returns for
// those bytes.
type Manifest struct {
	Pack  string
	Name  string
	Price money.Cents
	Items int // cards per open
	Tiers []Tier

	// Sealing says how the pack's draws are sealed. It is nil in a kaibao-manifest/v1, whose pack
	// allows instant opens only.
	Sealing *Sealing

	cards []Card // of all tiers, in manifest order; set by ParseManifest
	total uint64 // sum of the weights; set by ParseManifest
}

// Sealing says how orders of a sealed pack are drawn.
type Sealing struct {
	Beacon  [32]byte // chain hash of the beacon
	Lead    int      // seconds from an order to its round, at least; MinLead to MaxLead
	Instant bool     // the player may choose an instant open; only if no card can run out
}

// Instant reports whether the pack allows instant opens.
func (m *Manifest) Instant() bool { return m.Sealing == nil || m.Sealing.Instant }

// Tier is a group of cards that share one weight. Tiers are ordered from lowest to highest.
type Tier struct {
	Weight uint64 // 0 = last resort, never rolled directly
	Low    money.Cents
	High   money.Cents // 0 = no upper bound; otherwise Low ≤ value < High
	Label  string
	Cards  []Card // sorted by id, bytewise

	first int // index of the tier's first card in Manifest.cards
}

// Card is one card that a pack can yield.
type Card struct {
	ID    string
	Value money.Cents
	Stock int64 // at the time of the manifest; Unlimited = never runs out
}

// Finite reports whether the card can run out.
func (c Card) Finite() bool { return c.Stock != Unlimited }

// Finite reports whether any card of the pack can run out. Such a pack numbers its draws so that
// verifiers can replay the stock before each.
func (m *Manifest) Finite() bool {
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			if card.Finite() {
				return true
			}
		}
	}
	return false
}

// Contains reports whether the pack contains a card.
func (m *Manifest) Contains(id string) bool {
	return slices.ContainsFunc(m.cards, func(c Card) bool { return c.ID == id })
}

// ContainsFinite reports whether the pack contains this card with finite stock.
func (m *Manifest) ContainsFinite(id string) bool {
	return slices.ContainsFunc(m.cards, func(c Card) bool { return c.ID == id && c.Finite() })
}

// Cards returns the ids of all cards in the pack.
func (m *Manifest) Cards() []string {
	ids := make([]string, len(m.cards))
	for n, card := range m.cards {
		ids[n] = card.ID
	}
	return ids
}

// SharedFinite returns the id of a card that is in both manifests and finite in at least one, or
// "". Packs on sale must not share such a card.
func SharedFinite(a, b *Manifest) string {
	if !a.Finite() && !b.Finite() {
		return ""
	}
	cards := map[string]Card{}
	for _, card := range a.cards {
		cards[card.ID] = card
	}
	for _, card := range b.cards {
		if other, ok := cards[card.ID]; ok && (card.Finite() || other.Finite()) {
			return card.ID
		}
	}
	return ""
}

// Format returns the published bytes. For a manifest from ParseManifest, they equal the parsed
// bytes.
func (m *Manifest) Format() []byte {
	header, sealing := manifestHeader, ""
	if s := m.Sealing; s != nil {
		header, sealing = sealedManifestHeader, s.format()
	}
	text := fmt.Appendf(nil, "%s\npack %s\nname %s\nprice %d\nitems %d\n%s",
		header, m.Pack, m.Name, m.Price, m.Items, sealing)
	for _, tier := range m.Tiers {
		text = fmt.Appendf(text, "tier %d %d %d %s\n", tier.Weight, tier.Low, tier.High, tier.Label)
		for _, card := range tier.Cards {
			text = fmt.Appendf(text, "card %s %d %d\n", card.ID, card.Value, card.Stock)
		}
	}
	return text
}

// Hash returns the SHA-256 of a manifest's published bytes, which identifies it.
func Hash(manifest []byte) [32]byte { return sha256.Sum256(manifest) }

// ParseManifest parses a published manifest. It accepts only canonical text, so Format returns
// exactly the parsed bytes. Errors name the offending line.
func ParseManifest(text []byte) (*Manifest, error) {
	r := newReader(text)
	header := manifestHeader
	if bytes.HasPrefix(text, []byte(sealedManifestHeader+"\n")) {
		header = sealedManifestHeader
	}
	r.header(header)
	m := &Manifest{}
	m.Pack = r.id(r.field("pack"))
	m.Name = r.label(r.field("name"))
	m.Price = r.amount(r.field("price"))
	m.Items = int(r.count(r.field("items"), MaxItems))
	r.check(m.Items > 0, "an open must draw at least 1 card")
	if header == sealedManifestHeader {
		m.Sealing = readSealing(r)
	}
	ids := map[string]bool{}
	for r.nextIs("tier") {
		tier := readTier(r, math.MaxUint64-m.total, ids)
		tier.first = len(m.cards)
		m.total += tier.Weight
		m.cards = append(m.cards, tier.Cards...)
		m.Tiers = append(m.Tiers, tier)
	}
	r.end()
	r.check(m.total > 0, "no tier has a weight")
	r.check(m.Sealing == nil || !m.Sealing.Instant || !m.Finite(), "a sealed pack with limited cards can't allow instant opens")
	if r.err != nil {
		return nil, fmt.Errorf("not a manifest: %w", r.err)
	}
	return m, nil
}

const (
	instantYes = "yes"
	instantNo  = "no"
)

// format returns the lines that only a kaibao-manifest/v2 has.
func (s *Sealing) format() string {
	instant := instantNo
	if s.Instant {
		instant = instantYes
	}
	return fmt.Sprintf("beacon %x\nlead %d\ninstant %s\n", s.Beacon, s.Lead, instant)
}

func readSealing(r *reader) *Sealing {
	s := &Sealing{}
	s.Beacon = r.hash(r.field("beacon"))
	s.Lead = int(r.count(r.field("lead"), MaxLead))
	r.check(s.Lead >= MinLead, "the lead is too short")
	s.Instant = r.oneOf(r.field("instant"), instantYes, instantNo) == instantYes
	return s
}

// readTier reads a tier of at most the given weight with its cards and adds their ids to ids.
func readTier(r *reader, maxWeight uint64, ids map[string]bool) Tier {
	parts := r.parts(r.field("tier"), 4)
	tier := Tier{
		Weight: r.number(parts[0]),
		Low:    r.amount(parts[1]),
		High:   r.amount(parts[2]),
		Label:  r.label(parts[3]),
	}
	r.check(tier.Weight <= maxWeight, "weights exceed 64 bits")
	r.check(tier.High == 0 || tier.Low < tier.High, "a tier needs low < high, or high 0")
	for r.nextIs("card") {
		card := readCard(r)
		r.check(!ids[card.ID], "duplicate id in the manifest")
		ids[card.ID] = true
		if last := len(tier.Cards) - 1; last >= 0 {
			r.check(tier.Cards[last].ID < card.ID, "cards must be sorted by id")
		}
		r.check(card.Value >= tier.Low && (tier.High == 0 || card.Value < tier.High),
			"value outside the tier's bounds")
		tier.Cards = append(tier.Cards, card)
	}
	return tier
}

func readCard(r *reader) Card {
	parts := r.parts(r.field("card"), 3)
	return Card{ID: r.id(parts[0]), Value: r.amount(parts[1]), Stock: r.supply(parts[2])}
}

// validID reports whether text matches [a-z0-9-]{1,64}.
func validID(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return text != "" && len(text) <= maxIDLength
}

// validLabel reports whether text is valid non-empty UTF-8 without control characters.
func validLabel(text string) bool {
	for _, c := range text {
		if unicode.IsControl(c) {
			return false
		}
	}
	return text != "" && utf8.ValidString(text)
}
