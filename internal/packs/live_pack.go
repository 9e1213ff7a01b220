package packs

import (
	"errors"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// LivePack is a pack as a transaction's opens change it one after another: the manifests they may
// draw from and the remaining stock.
type LivePack struct {
	Pack                           // with name, price and item count of the manifest in force
	saved      Pack                // as last saved by an admin, even if not in force yet
	Current    PublishedManifest   // the manifest in force
	Stock      protocol.Stock      // nil when no card of the pack can run out
	Orders     PackOrders          // zero when no card of the pack can run out
	replaced   *PublishedManifest  // the previous manifest, while it is still honored
	announced  []PublishedManifest // not in force yet, latest first
	drawnCards map[string]int64    // cards to subtract from the stored stock

	waitingReturns []WaitingReturn // only read for settling (LockForSettling)
	returned       int64           // drawSeq of the last return that was added to the stock; 0 = none

	marginChecked bool  // whether marginErr is valid for the current stock
	marginErr     error // the margin guard's refusal, if any
}

// QueueLivePack queues a read of the pack, in the same round trip as the transaction's next
// statement. The returned function yields the pack, or an error if there is no such pack. A pack
// with counters stays locked until the transaction ends.
func (s *Service) QueueLivePack(tx *db.Tx, packID string) db.Queued[*LivePack] {
	locked, publications := queueLocked(tx, packID), queuePublications(tx, packID)
	return func() (*LivePack, error) {
		p, err := locked()
		if errors.Is(err, db.ErrNoRow) {
			p, err = lockPack(tx, packID)
			publications = queuePublications(tx, packID)
		}
		if err != nil {
			return nil, err
		}
		return s.buildLivePack(tx, p, publications)
	}
}

func (s *Service) livePackOf(tx *db.Tx, p Pack) (*LivePack, error) {
	return s.buildLivePack(tx, p, queuePublications(tx, p.ID))
}

// buildLivePack reads a pack's manifests and stock.
func (s *Service) buildLivePack(tx *db.Tx, p Pack, publications db.Queued[[]publication]) (*LivePack, error) {
	d := &LivePack{Pack: p, saved: p, drawnCards: map[string]int64{}}
	if err := s.setManifests(tx, d, publications); err != nil {
		return nil, err
	}
	m := d.Current.Manifest
	d.Name, d.Price, d.ItemsPerPack = m.Name, m.Price, int64(m.Items)
	if p.DrawSeq == 0 {
		return d, nil // no card of the pack can run out, so it has no stock to count
	}
	var err error
	d.Stock, err = Stock(tx, p.ID)
	if err != nil {
		return nil, err
	}
	d.Orders, err = packOrders(tx, p.ID)
	return d, err
}

// lastAnnounced returns the manifest announced last, which will be in force in the end.
func (p *LivePack) lastAnnounced() PublishedManifest {
	if len(p.announced) > 0 {
		return p.announced[0]
	}
	return p.Current
}

// OnSale returns the active packs in store order.
func (s *Service) OnSale(tx *db.Tx) ([]*LivePack, error) { return s.livePacks(tx, activePacks) }

// ChanceOf returns the probability that the next card drawn from the pack is the given one.
func (p *LivePack) ChanceOf(card string) float64 {
	return protocol.ChanceOf(p.Current.Manifest, p.Stock, card)
}

// CanOpen reports whether the pack is active and passes the margin guard.
func (p *LivePack) CanOpen() bool { return p.Active && p.marginRefusal() == nil }

// CountPaused counts the packs that admins put on sale and the margin guard pauses.
func (s *Service) CountPaused(tx *db.Tx) (paused int, err error) {
	live, err := s.livePacks(tx, activePacks)
	for _, p := range live {
		if p.marginRefusal() != nil {
			paused++
		}
	}
	return paused, err
}

func (s *Service) livePacks(tx *db.Tx, read func(*db.Tx) ([]Pack, error)) ([]*LivePack, error) {
	packs, err := read(tx)
	if err != nil {
		return nil, err
	}
	publications := make([]func() ([]publication, error), len(packs))
	for n, p := range packs {
		publications[n] = queuePublications(tx, p.ID)
	}
	live := make([]*LivePack, len(packs))
	for n, p := range packs {
		live[n], err = s.buildLivePack(tx, p, publications[n])
		if err != nil {
			return nil, err
		}
	}
	return live, nil
}

// ErrInactive is returned when a pack is opened that is not on sale, or that the margin guard
// blocks.
var ErrInactive = apperr.New(apperr.Inactive, "This pack isn't for sale right now. You were not charged.")

// ManifestChangedError is returned for an open that names a manifest that is no longer honored.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "manifest no longer valid" }

// ManifestFor returns the manifest for the next open. wanted is the hash that the player expects;
// empty means the one in force. It fails if the pack is inactive, sold out or blocked by the margin
// guard, if a publication waits, or if the wanted manifest is no longer honored.
func (p *LivePack) ManifestFor(wanted string) (PublishedManifest, error) {
	switch {
	case !p.CanOpen():
		return PublishedManifest{}, ErrInactive
	case !p.PublishingSince.IsZero():
		return PublishedManifest{}, errPublishing
	case p.supplyUsedUp():
		return PublishedManifest{}, protocol.ErrSoldOut
	case wanted == "" || wanted == p.Current.Hash.String():
		return p.Current, nil
	case p.replaced != nil && wanted == p.replaced.Hash.String() && !p.endsInstantOpens(*p.replaced) && p.checkManifestMargin(*p.replaced, append(slices.Clip(p.announced), p.Current)) == nil:
		return *p.replaced, nil
	}
	return PublishedManifest{}, ManifestChangedError{Current: p.Current.Hash}
}

// endsInstantOpens reports whether the manifest in force sealed a pack that allowed instant opens. The
// replaced manifest is then not honored any more (docs/fairness.md, "Sealed packs").
func (p *LivePack) endsInstantOpens(replaced PublishedManifest) bool {
	return replaced.Manifest.Instant() && !p.Current.Manifest.Instant()
}

// CountOpen updates stock and counters after an instant open. It returns the open's drawSeq, or 0 if
// no card of the manifest can run out.
func (p *LivePack) CountOpen(by PublishedManifest, pulls []protocol.Pull) (drawSeq int64) {
	drawSeq = p.countSale(by)
	p.CountDraw(by.Manifest, pulls)
	return drawSeq
}

// CountOrder updates the counters after an order, which is drawn later. It returns its drawSeq like
// CountOpen.
func (p *LivePack) CountOrder(by PublishedManifest, at time.Time, round uint64) (drawSeq int64) {
	drawSeq = p.countSale(by)
	if drawSeq > 0 {
		p.Orders = PackOrders{p.Orders.Pending + 1, p.Orders.PendingItems + int64(by.Manifest.Items), at, round}
	}
	return drawSeq
}

// countSale counts an open or order that is paid.
func (p *LivePack) countSale(by PublishedManifest) (drawSeq int64) {
	p.marginChecked = false
	if p.Supply != Unlimited {
		p.Sold++
	}
	if by.Manifest.Finite() {
		p.DrawSeq++
		drawSeq = p.DrawSeq
	}
	return drawSeq
}

// CountDraw updates stock and realized loss after a draw.
func (p *LivePack) CountDraw(m *protocol.Manifest, pulls []protocol.Pull) {
	if !p.HasCounters() {
		return
	}
	var payback money.Cents
	for _, pull := range pulls {
		payback += policy.SellBack(pull.Card.Value)
		if pull.Card.Finite() {
			p.Stock[pull.Card.ID]--
			p.drawnCards[pull.Card.ID]++
		}
	}
	p.RealizedLoss += payback - m.Price
	p.marginChecked = false
}

// SaveLivePack writes the pack's stock and counters.
func (s *Service) SaveLivePack(tx *db.Tx, d *LivePack) error {
	if !d.HasCounters() {
		return nil
	}
	s.invalidateCache(tx)
	if err := subtractStock(tx, d.drawnCards); err != nil {
		return err
	}
	if d.returned > 0 {
		if err := deleteWaitingReturns(tx, d.ID, d.returned); err != nil {
			return err
		}
	}
	return saveCounters(tx, d.Pack)
}
