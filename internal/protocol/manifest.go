// Package protocol defines the draw protocol kaibao/v1 and everything needed to verify it: the
// manifest with a pack's odds, the commitment that fixes the server's entropy before the player
// chooses theirs, the draw, and the leaves of the public log. It uses no clock, database or
// network, so that the server and every verifier run the same code.
package protocol

import (
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
	// MaxAmount is the largest amount in a manifest or leaf: the largest integer
	// that a verifier written in JavaScript holds exactly. MaxItems times it
	// still fits into money.Cents.
	MaxAmount money.Cents = 1<<53 - 1
	// maxIDLength is the longest id of a card, pack or open, in bytes.
	maxIDLength = 64

	manifestHeader = "kaibao-manifest/v1"
)

// Manifest is what a pack can yield and by which odds. One that comes from
// ParseManifest obeys every rule of the format; it must not be changed and may be
// shared by any number of goroutines. A new one is built as a value, published as
// Format, and used only after ParseManifest has taken those bytes.
type Manifest struct {
	Pack  string
	Name  string
	Price money.Cents
	Items int // cards that one open yields
	Tiers []Tier

	cards []Card // of all tiers, in manifest order; set by ParseManifest
	total uint64 // sum of the weights; set by ParseManifest
}

// Tier is a group of cards that are drawn with one weight. Tiers run from the
// lowest to the highest.
type Tier struct {
	Weight uint64 // 0 = a last resort, never rolled itself
	Low    money.Cents
	High   money.Cents // 0 = no upper bound; otherwise Low ≤ value < High
	Label  string
	Cards  []Card // sorted by id, bytewise

	first int // position of the first card in Manifest.cards
}

// Card is one thing that a pack can yield.
type Card struct {
	ID    string
	Value money.Cents
	Stock int64 // when the manifest was made; Unlimited = never runs out
}

// Finite tells whether the card can run out.
func (c Card) Finite() bool { return c.Stock != Unlimited }

// Finite tells whether any card of the pack can run out: such a pack numbers its
// draws, so that the stock before each can be replayed.
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

// Holds tells whether the pack can yield a card.
func (m *Manifest) Holds(id string) bool {
	return slices.ContainsFunc(m.cards, func(c Card) bool { return c.ID == id })
}

// FiniteCard tells whether the pack can yield a card that can run out.
func (m *Manifest) FiniteCard(id string) bool {
	return slices.ContainsFunc(m.cards, func(c Card) bool { return c.ID == id && c.Finite() })
}

// Cards lists the ids of all that the pack can yield.
func (m *Manifest) Cards() []string {
	ids := make([]string, len(m.cards))
	for n, card := range m.cards {
		ids[n] = card.ID
	}
	return ids
}

// SharedFinite names a card that stands in both manifests and can run out by one of
// them; it is empty if there is none. Of two packs on sale none may be shared so.
func SharedFinite(a, b *Manifest) string {
	if !a.Finite() && !b.Finite() {
		return ""
	}
	cards := map[string]Card{}
	for _, card := range a.cards {
		cards[card.ID] = card
	}
	for _, card := range b.cards {
		if other, both := cards[card.ID]; both && (card.Finite() || other.Finite()) {
			return card.ID
		}
	}
	return ""
}

// Format writes the published bytes. For a manifest that came from ParseManifest
// they are the bytes it was parsed from.
func (m *Manifest) Format() []byte {
	text := fmt.Appendf(nil, "%s\npack %s\nname %s\nprice %d\nitems %d\n",
		manifestHeader, m.Pack, m.Name, m.Price, m.Items)
	for _, tier := range m.Tiers {
		text = fmt.Appendf(text, "tier %d %d %d %s\n", tier.Weight, tier.Low, tier.High, tier.Label)
		for _, card := range tier.Cards {
			text = fmt.Appendf(text, "card %s %d %d\n", card.ID, card.Value, card.Stock)
		}
	}
	return text
}

// Hash names a manifest: SHA-256 of its published bytes.
func Hash(manifest []byte) [32]byte { return sha256.Sum256(manifest) }

// ParseManifest reads a published manifest by the strict grammar, so that for all
// text it takes, Format gives the same bytes back. Everything else is refused
// with the line at fault.
func ParseManifest(text []byte) (*Manifest, error) {
	r := newReader(text)
	r.header(manifestHeader)
	m := &Manifest{}
	m.Pack = r.id(r.field("pack"))
	m.Name = r.label(r.field("name"))
	m.Price = r.amount(r.field("price"))
	m.Items = int(r.count(r.field("items"), MaxItems))
	r.check(m.Items > 0, "an open yields at least 1 card")
	ids := map[string]bool{}
	for r.at("tier") {
		tier := readTier(r, math.MaxUint64-m.total, ids)
		tier.first = len(m.cards)
		m.total += tier.Weight
		m.cards = append(m.cards, tier.Cards...)
		m.Tiers = append(m.Tiers, tier)
	}
	r.end()
	r.check(m.total > 0, "no tier has a weight")
	if r.err != nil {
		return nil, fmt.Errorf("not a manifest: %w", r.err)
	}
	return m, nil
}

// readTier takes a tier of at most this weight and its cards, and notes their ids.
func readTier(r *reader, heaviest uint64, ids map[string]bool) Tier {
	parts := r.parts(r.field("tier"), 4)
	tier := Tier{
		Weight: r.number(parts[0]),
		Low:    r.amount(parts[1]),
		High:   r.amount(parts[2]),
		Label:  r.label(parts[3]),
	}
	r.check(tier.Weight <= heaviest, "the weights do not fit into 64 bits")
	r.check(tier.High == 0 || tier.Low < tier.High, "a tier's bounds are low < high, or high 0")
	for r.at("card") {
		card := readCard(r)
		r.check(!ids[card.ID], "the id stands in the manifest already")
		ids[card.ID] = true
		if last := len(tier.Cards) - 1; last >= 0 {
			r.check(tier.Cards[last].ID < card.ID, "cards are sorted by id")
		}
		r.check(card.Value >= tier.Low && (tier.High == 0 || card.Value < tier.High),
			"the value is outside the tier's bounds")
		tier.Cards = append(tier.Cards, card)
	}
	return tier
}

func readCard(r *reader) Card {
	parts := r.parts(r.field("card"), 3)
	return Card{ID: r.id(parts[0]), Value: r.amount(parts[1]), Stock: r.supply(parts[2])}
}

// validID tells whether text is [a-z0-9-]{1,64}.
func validID(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return text != "" && len(text) <= maxIDLength
}

// validLabel tells whether text is UTF-8 for one line: not empty, no control
// characters.
func validLabel(text string) bool {
	for _, c := range text {
		if unicode.IsControl(c) {
			return false
		}
	}
	return text != "" && utf8.ValidString(text)
}
