package packs

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Hash identifies a manifest.
type Hash [32]byte

// String returns the hash in lower-case hex, as used in the API.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses 64 lower-case hex digits.
func ParseHash(text string) (h Hash, ok bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(h) || strings.ToLower(text) != text {
		return Hash{}, false
	}
	return Hash(b), true
}

// lastResort is the label of the tier for cards that fit no other.
const lastResort = "last resort"

// buildManifest assigns the items to the pack's tiers, with the given stock.
func buildManifest(p Pack, items []catalogue.Item, stock protocol.Stock) protocol.Manifest {
	rules := p.Definition.Tiers
	inTier := func(r TierRule, i catalogue.Item) bool {
		return (r.Items == nil || slices.Contains(r.Items, i.ID)) && i.BaseValue >= r.Low && (r.High == 0 || i.BaseValue < r.High)
	}
	if p.Definition.LootTable != nil {
		rules = p.Definition.LootTable.rules()
		inTier = func(r TierRule, i catalogue.Item) bool { return i.Rarity == r.Label }
	}
	tiers := make([]protocol.Tier, len(rules), len(rules)+1)
	for n, r := range rules {
		tiers[n] = protocol.Tier{Weight: r.Weight, Low: r.Low, High: r.High, Label: r.Label}
	}
	rest := protocol.Tier{Label: lastResort}
	for _, item := range items {
		tier := &rest
		if n := slices.IndexFunc(rules, func(r TierRule) bool { return inTier(r, item) }); n >= 0 {
			tier = &tiers[n]
		}
		left, finite := stock[item.ID]
		if !finite {
			left = protocol.Unlimited
		}
		tier.Cards = append(tier.Cards, protocol.Card{ID: item.ID, Value: item.BaseValue, Stock: left})
	}
	if len(rest.Cards) > 0 {
		tiers = slices.Insert(tiers, 0, rest)
	}
	return protocol.Manifest{Pack: p.ID, Name: p.Name, Price: p.Price, Items: int(p.ItemsPerPack), Tiers: tiers}
}

// LockPublishing serializes transactions that publish. A manifest depends on many rows: items of a
// series, their stock and values, and the manifests of other packs. Two concurrent publishers could
// contradict each other in the log. Announcement times are counted from the end of the wait.
func LockPublishing(tx *db.Tx) error {
	err := tx.AdvisoryLock("publishing")
	tx.Restate()
	return err
}

// PublishedManifest is a pack's manifest and the time from which it is in force.
type PublishedManifest struct {
	Hash        Hash
	Manifest    *protocol.Manifest
	EffectiveAt time.Time
}

// Publish composes the pack's manifest from its current items and supply, applies the given stock
// changes, and announces it. The first manifest of a pack takes effect immediately. Later ones take
// effect after the delay, counted from tx.Stated; a transaction that commits later than
// policy.StatedWithin after that is refused. Nothing is published if manifest and supply equal the
// last publication and no stock changes. The error is db.ErrNoRow if a card has its stock in
// another pack.
func (s *Service) Publish(tx *db.Tx, packID string, came ...protocol.Restock) error {
	s.invalidateCache(tx)
	p, err := lockPack(tx, packID)
	if err != nil {
		return err
	}
	for _, card := range came {
		if err := changeStock(tx, packID, card); err != nil {
			return err
		}
	}
	m, text, err := s.compose(tx, p)
	if err != nil {
		return err
	}
	for _, card := range came {
		if !m.FiniteCard(card.Card) {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) does not draw card %s.", p.ID, p.Name, card.Card))
		}
	}
	last, err := lastPublication(tx, packID)
	next := publication{packID: p.ID, number: last.number + 1, hash: protocol.Hash(text), supply: p.Supply, publishedAt: tx.Now, effectiveAt: tx.Now}
	if err != nil || (next.hash == last.hash && next.supply == last.supply && len(came) == 0) {
		return err
	}
	if last.number > 0 {
		next.publishedAt, next.effectiveAt = tx.Stated, s.nextEffectiveAt(tx, last)
		tx.CommitBy(tx.Stated.Add(policy.StatedWithin(s.Delay)),
			"What was to be announced took too long, so nothing was done. Please try again, with fewer changes at once.")
	}
	if m.Finite() {
		p, err = takeDrawSeq(tx, p)
	}
	if err != nil {
		return err
	}
	return announce(tx, next, last, m, text, p.DrawSeq, came)
}

// changeStock adds or removes a pack's stock of a card.
func changeStock(tx *db.Tx, packID string, card protocol.Restock) error {
	if card.Count > 0 {
		if err := addStock(tx, packID, card); err != nil {
			return fmt.Errorf("take in card %s: %w", card.Card, err)
		}
		return nil
	}
	err := removeStock(tx, packID, card.Card, -card.Count)
	if errors.Is(err, db.ErrNoRow) {
		return apperr.InvalidField("restock.count", "takes out more than is left")
	}
	return err
}

// takeDrawSeq takes the pack's next drawSeq; the first one makes the pack have counters.
func takeDrawSeq(tx *db.Tx, p Pack) (after Pack, err error) {
	after = p
	after.DrawSeq, err = incrementDrawSeq(tx, p.ID)
	if err != nil || p.HasCounters() {
		return after, err
	}
	if err := recount(tx, p, &after); err != nil {
		return after, err
	}
	return after, saveCounters(tx, after)
}

// nextEffectiveAt returns when a manifest announced in this transaction takes effect. That is never
// before the previous one does, even if a longer delay applied then.
func (s *Service) nextEffectiveAt(tx *db.Tx, last publication) time.Time {
	at := tx.Stated.Add(s.Delay)
	if at.Before(last.effectiveAt) {
		return last.effectiveAt
	}
	return at
}

// compose builds a pack's manifest and its text.
func (s *Service) compose(tx *db.Tx, p Pack) (m *protocol.Manifest, text []byte, err error) {
	items, _, err := drawableItems(tx, p)
	if err != nil {
		return nil, nil, err
	}
	stock, err := Stock(tx, p.ID)
	if err != nil {
		return nil, nil, err
	}
	body := buildManifest(p, items, stock)
	text = body.Format()
	m, err = protocol.ParseManifest(text)
	if err != nil {
		return nil, nil, apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) cannot be drawn from with its items like that.", p.ID, p.Name)).
			Because(fmt.Errorf("manifest of pack %s: %w", p.ID, err))
	}
	return m, text, s.checkStockExclusive(tx, p.ID, m)
}

// announce stores a publication and appends its leaf to the log.
func announce(tx *db.Tx, p, last publication, m *protocol.Manifest, text []byte, drawSeq int64, came []protocol.Restock) error {
	if err := insertManifest(tx, p.hash, p.packID, string(text)); err != nil {
		return err
	}
	if err := insertPublication(tx, p); err != nil {
		return err
	}
	leaf := protocol.ManifestLeaf{
		Pack: p.packID, Manifest: p.hash, Supply: p.supply, Draw: uint64(drawSeq), Restock: came, Effective: p.effectiveAt, Time: p.publishedAt,
	}
	return publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.ManifestLeaf)
		switch {
		case !ok || l.Manifest != protocol.Hash(text) || l.Draw != uint64(drawSeq):
			return errors.New("it does not name the manifest and the drawSeq of the pack")
		case last.number > 0:
			return errors.Join(l.Announces(m), l.Follows(last.effectiveAt.Truncate(time.Millisecond)))
		}
		return l.Announces(m)
	}, string(leaf.Format()))
}

// gracePeriod returns how long a replaced manifest is honored: the delay, but at most
// protocol.LongestGrace, because verifiers reject more.
func (s *Service) gracePeriod() time.Duration { return min(s.Delay, protocol.LongestGrace) }

// setManifests sets the deck's manifests: the one in force, the one it replaced while that is
// still honored, and the announced ones.
func (s *Service) setManifests(tx *db.Tx, d *Deck, live func() ([]publication, error)) error {
	rows, err := live()
	if err != nil {
		return err
	}
	for n, row := range rows {
		m, err := s.Manifest(tx, row.hash)
		if err != nil {
			return err
		}
		p := PublishedManifest{Hash: row.hash, Manifest: m, EffectiveAt: row.effectiveAt}
		switch {
		case row.effectiveAt.After(tx.Now):
			d.announced = append(d.announced, p)
		case n == len(d.announced):
			d.Current = p
		case tx.Now.Before(d.Current.EffectiveAt.Add(s.gracePeriod())):
			d.replaced = &p
		}
	}
	if d.Current.Manifest == nil {
		return apperr.Missing("Pack")
	}
	return nil
}

// manifestCache caches parsed manifests. It needs no invalidation: the content of a hash never
// changes.
type manifestCache struct{ byHash sync.Map }

// Manifest returns a published manifest, or db.ErrNoRow.
func (s *Service) Manifest(tx *db.Tx, hash Hash) (*protocol.Manifest, error) {
	if m, ok := s.manifests.byHash.Load(hash); ok {
		return m.(*protocol.Manifest), nil
	}
	text, err := ManifestText(tx, hash)
	if err != nil {
		return nil, err
	}
	m, err := protocol.ParseManifest([]byte(text))
	if err == nil && protocol.Hash([]byte(text)) != hash {
		err = errors.New("another text is stored under its hash")
	}
	if err != nil {
		return nil, fmt.Errorf("stored manifest %s: %w", hash, err)
	}
	s.manifests.byHash.Store(hash, m)
	return m, nil
}
