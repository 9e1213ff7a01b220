package verify

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"kaibao/internal/protocol"
)

// replay is the state that follows from the leaves so far.
type replay struct {
	published       *published
	users           map[string]*userState
	packs           map[string]*packState
	usedCommitments map[[16]byte]struct{} // commitments used; first half of the bytes
	clientSeeds     map[uint64]struct{}   // pairs of user and client seed, hashed
	hashSeed        maphash.Seed
	draws           map[[32]byte]*manifestDraws
	counts          Counts
	books           booksCheck
	trades          map[[16]byte]struct{}     // trade ids; first half of their SHA-256
	rates           []protocol.RatesLeaf      // in log order
	orders          map[string]*pendingOrder  // by id
	beacons         map[[32]byte]*beaconState // by chain hash
	witnesses       []protocol.WitnessesLeaf  // in log order
	trusted         policy                    // the verifier's own witnesses, if any
	cosigners       []cosigner
	logs            []*loggedTree
	log             *loggedTree // the last of logs
	copying         bool        // the next leaves are copies of pending orders
	held            *heldOrder  // the last leaf, if it may be such a copy
	newest          time.Time   // newest time of a leaf
	since           Checkpoint  // of the last run, if any
	isNew           bool        // the leaf is not under that checkpoint
	sealed          Sealed
	unprovenDraws   map[[32]byte]*manifestDraws
	epoch           int  // number of restores so far
	ended           bool // the last leaf ended its log, so the next log continues
	carriedOver     bool // the leaves that waited in the ended log come first
}

// Counts are the numbers of leaves in a log.
type Counts struct {
	Opens     int64 `json:"opens"`  // draws
	Orders    int64 `json:"orders"` // of sealed packs
	Voids     int64 `json:"voids"`  // orders that were refunded instead of drawn
	Rounds    int64 `json:"rounds"` // of beacons
	Users     int64 `json:"users"`
	Manifests int64 `json:"manifests"`
	Stock     int64 `json:"stockChanges"`
	Trades    int64 `json:"trades"`
	Rates     int64 `json:"rateChanges"`
	Days      int64 `json:"days"` // days with books in the log
}

type userState struct {
	nonce uint64
	next  [32]byte
	epoch int // epoch in which next was committed
}

// packState is the published state of a pack.
type packState struct {
	published []publication
	supply    int64
	sold      int64
	drawSeq   uint64
	stock     protocol.Stock // remaining stock of its finite cards, after all events before the queue
	queue     []stockEvent   // from the first order that isn't settled on

	ordered, orderedRoundAt time.Time // of the last order of a finite pack
}

type publication struct {
	hash      [32]byte
	manifest  *protocol.Manifest
	effective time.Time
}

// manifestDraws counts what the opens of a manifest yielded.
type manifestDraws struct {
	manifest         *protocol.Manifest
	opens            int64
	notPlayerEntropy int64 // opens whose client seed was not chosen by the player
	cards            map[string]int64
}

func newReplay(p *published) *replay {
	return &replay{
		published: p, users: map[string]*userState{}, packs: map[string]*packState{}, usedCommitments: map[[16]byte]struct{}{},
		clientSeeds: map[uint64]struct{}{}, hashSeed: maphash.MakeSeed(), draws: map[[32]byte]*manifestDraws{},
		books: booksCheck{days: map[time.Time]dayActivity{}}, trades: map[[16]byte]struct{}{},
		orders: map[string]*pendingOrder{}, beacons: map[[32]byte]*beaconState{}, unprovenDraws: map[[32]byte]*manifestDraws{},
		sealed: Sealed{Unproven: []UnprovenOrder{}, Voided: []VoidedRound{}, Beacons: []Beacon{}, LostOrders: []LostOrder{}, Witnesses: []string{}}, // lists aren't null in JSON
	}
}

// startLog begins the first log, or the one that continues the last.
func (r *replay) startLog(l loggedTree) {
	r.isNew = r.isNew || r.log != nil && r.log.origin == r.since.Origin
	l.number = len(r.logs)
	r.log = &l
	r.logs = append(r.logs, r.log)
}

// apply checks a leaf against all previous leaves.
func (r *replay) apply(index int64, leaf protocol.Leaf) error {
	if _, begins := leaf.(protocol.EpochLeaf); r.ended && (index != 0 || !begins) {
		return errors.New("the log goes on after its end")
	}
	r.isNew = r.isNew || r.log.origin == r.since.Origin && index >= r.since.Size
	if copied, err := r.copyOrder(index, leaf); copied || err != nil {
		return err
	}
	if err := r.checkTime(index, leaf.At()); err != nil {
		return err
	}
	switch l := leaf.(type) {
	case protocol.OpenLeaf:
		return r.applyOpen(l)
	case protocol.OrderLeaf:
		return r.applyOrder(index, l)
	case protocol.SealedOpenLeaf:
		return r.applySealedOpen(l)
	case protocol.VoidLeaf:
		return r.applyVoid(index, l)
	case protocol.RoundLeaf:
		return r.applyRound(index, l)
	case protocol.WitnessesLeaf:
		return r.applyWitnesses(l)
	case protocol.CommitLeaf:
		return r.applyCommitment(l)
	case protocol.ManifestLeaf:
		return r.applyPublication(l)
	case protocol.StockLeaf:
		return r.applyStock(l)
	case protocol.TradeLeaf:
		return r.applyTrade(l)
	case protocol.RatesLeaf:
		return r.applyRates(l)
	case protocol.BooksLeaf:
		r.counts.Days++
		return r.books.close(l)
	case protocol.EpochLeaf:
		if index != 0 {
			return errors.New("an epoch leaf must be the first leaf of the log")
		}
		r.startCopies()
		if r.ended { // only the key was replaced: nothing else changes
			r.ended = false
			return nil
		}
		r.epoch++
		r.carriedOver = true
		return nil
	case protocol.EndLeaf:
		r.ended = true
		return nil
	default:
		return errors.New("leaf of unknown kind")
	}
}

func (r *replay) applyCommitment(l protocol.CommitLeaf) error {
	u := r.users[l.User]
	switch {
	case u != nil && u.epoch == r.epoch:
		return fmt.Errorf("user %s gets a second first commitment", l.User)
	case u != nil && l.Nonce != u.nonce:
		return fmt.Errorf("user %s continues with nonce %d instead of %d", l.User, l.Nonce, u.nonce)
	case u != nil: // the old seed may have been revealed before the restore
		r.carriedOver = false
		u.next, u.epoch = l.Commitment, r.epoch
		return nil
	case l.Nonce != 0:
		return fmt.Errorf("user %s starts with nonce %d instead of 0", l.User, l.Nonce)
	}
	u = &userState{next: l.Commitment, epoch: r.epoch}
	if r.carriedOver {
		u.epoch-- // committed before the backup
	}
	r.users[l.User] = u
	r.counts.Users++
	return nil
}

func (r *replay) applyPublication(l protocol.ManifestLeaf) error {
	m, err := r.published.manifest(l.Manifest)
	if err != nil {
		return fmt.Errorf("manifest %x: %w", l.Manifest, err)
	}
	if err := l.CheckManifest(m); err != nil {
		return err
	}
	if err := r.checkLimitedCards(l, m); err != nil {
		return err
	}
	p := r.packs[l.Pack]
	if p == nil {
		p = &packState{stock: protocol.Stock{}}
		r.packs[l.Pack] = p
	} else if err := l.CheckNotice(p.published[len(p.published)-1].effective); err != nil {
		return err
	}
	if len(p.queue) > 0 {
		return fmt.Errorf("the manifest is announced while order %s of the pack is pending", p.queue[0].order.ID)
	}
	if m.Finite() {
		if err := p.applyManifest(l, m); err != nil {
			return err
		}
	} else if l.Draw != p.drawSeq {
		return fmt.Errorf("drawSeq is %d instead of %d", l.Draw, p.drawSeq)
	}
	p.supply = l.Supply
	p.published = append(p.published, publication{l.Manifest, m, l.Effective})
	r.counts.Manifests++
	return nil
}

// checkLimitedCards checks that no finite card of the manifest is in another pack's manifest that
// is in force at or after the time when this one takes effect.
func (r *replay) checkLimitedCards(l protocol.ManifestLeaf, m *protocol.Manifest) error {
	for _, id := range slices.Sorted(maps.Keys(r.packs)) {
		if id == l.Pack {
			continue
		}
		for _, other := range slices.Backward(r.packs[id].published) {
			if card := protocol.SharedFinite(m, other.manifest); card != "" {
				return fmt.Errorf("card %s has limited stock, but is also in the manifest of pack %s, which is in force at the same time", card, id)
			}
			if !other.effective.After(l.Effective) {
				break // this one is in force then; earlier ones have ended
			}
		}
	}
	return nil
}

// applyManifest replaces the stock with that of a new manifest, which must equal the remaining
// stock plus the leaf's restock.
func (p *packState) applyManifest(l protocol.ManifestLeaf, m *protocol.Manifest) error {
	if err := p.takeDrawSeq(l.Pack, l.Draw); err != nil {
		return err
	}
	restocked := map[string]int64{}
	for _, restock := range l.Restock {
		if !m.ContainsFinite(restock.Card) {
			return fmt.Errorf("card %s is restocked, but has no stock in the manifest", restock.Card)
		}
		restocked[restock.Card] += restock.Count
	}
	first := len(p.published) == 0
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			if !card.Finite() {
				continue
			}
			if want := p.stock[card.ID] + restocked[card.ID]; !first && card.Stock != want {
				return fmt.Errorf("card %s has a stock of %d in the manifest, but the remaining stock plus returns is %d", card.ID, card.Stock, want)
			}
			p.stock[card.ID] = card.Stock
		}
	}
	return nil
}

func (r *replay) applyStock(l protocol.StockLeaf) error {
	p := r.packs[l.Pack]
	if p == nil {
		return fmt.Errorf("pack %s was never published", l.Pack)
	}
	if err := p.takeDrawSeq(l.Pack, l.Draw); err != nil {
		return err
	}
	if _, finite := p.stock[l.Card]; !finite {
		return fmt.Errorf("card %s of pack %s has no stock to add to", l.Card, l.Pack)
	}
	if len(p.queue) > 0 { // it can be drawn only by later orders
		p.queue = append(p.queue, stockEvent{card: l.Card, count: l.Count})
	} else if err := p.addStock(l.Card, l.Count); err != nil {
		return err
	}
	r.counts.Stock++
	return r.books.addActivity(l.Time, dayActivity{returns: l.Count})
}

// applyTrade checks the terms of a trade and that its id is new.
func (r *replay) applyTrade(l protocol.TradeLeaf) error {
	if err := l.Verify(protocol.RatesAt(r.rates, l.Time)); err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(l.ID))
	short := [16]byte(hash[:16])
	if _, ok := r.trades[short]; ok {
		return fmt.Errorf("trade %s is in the log twice", l.ID)
	}
	r.trades[short] = struct{}{}
	r.counts.Trades++
	one := protocol.Count{Number: 1, Amount: l.Price}
	if l.Kind == protocol.TradeSellBack {
		return r.books.addActivity(l.Time, dayActivity{soldBack: one})
	}
	return r.books.addActivity(l.Time, dayActivity{sold: one, fees: l.Fee})
}

// applyRates checks that rates are announced in the order in which they take effect.
func (r *replay) applyRates(l protocol.RatesLeaf) error {
	if last := len(r.rates) - 1; last >= 0 && l.Effective.Before(r.rates[last].Effective) {
		return fmt.Errorf("the rates take effect at %s, before the previously announced ones (%s)", formatTime(l.Effective), formatTime(r.rates[last].Effective))
	}
	r.rates = append(r.rates, l)
	r.counts.Rates++
	return nil
}

func (r *replay) applyOpen(l protocol.OpenLeaf) error {
	p, m, err := r.accept(l.DrawHead, l.Next, l.Time)
	if err != nil {
		return err
	}
	if m.Finite() {
		if err := p.repeatDraw(l, m); err != nil {
			return err
		}
	}
	r.counts.Opens++
	r.countDraw(l.DrawHead, l.ClientSeed, l.Items, m, false)
	return r.books.addActivity(l.Time, dayActivity{opens: 1, spent: l.Price, drawn: int64(len(l.Items))})
}

// accept checks what an instant open and an order have in common: the user's commitment, a manifest
// in force, and the supply.
func (r *replay) accept(l protocol.DrawHead, next [32]byte, at time.Time) (*packState, *protocol.Manifest, error) {
	if err := r.checkCommitment(l, next); err != nil {
		return nil, nil, err
	}
	p := r.packs[l.Pack]
	if p == nil {
		return nil, nil, fmt.Errorf("pack %s was never published", l.Pack)
	}
	m, err := p.inForce(l.Manifest, at)
	if err != nil {
		return nil, nil, err
	}
	p.sold++
	if p.supply != protocol.Unlimited && p.sold > p.supply {
		return nil, nil, fmt.Errorf("pack %s is opened %d times, but its supply is %d", l.Pack, p.sold, p.supply)
	}
	return p, m, nil
}

// checkCommitment checks the chain of a user's commitments.
func (r *replay) checkCommitment(l protocol.DrawHead, next [32]byte) error {
	u := r.users[l.User]
	switch {
	case u == nil:
		return fmt.Errorf("user %s opens a pack without a first commitment", l.User)
	case l.Nonce != u.nonce:
		return fmt.Errorf("the nonce of user %[2]s is %[1]d instead of %[3]d", l.Nonce, l.User, u.nonce)
	case u.epoch != r.epoch && !r.carriedOver:
		return fmt.Errorf("user %s opens a pack with a commitment from before the restore", l.User)
	case l.Commitment != u.next:
		return fmt.Errorf("the commitment differs from the one announced for nonce %d of user %s", l.Nonce, l.User)
	}
	short := [16]byte(l.Commitment[:16])
	if _, used := r.usedCommitments[short]; used {
		return errors.New("the commitment has been used before")
	}
	r.usedCommitments[short] = struct{}{}
	u.nonce++
	u.next = next
	return nil
}

// inForce returns the manifest of an open if a publication with its hash allows it at that time.
// The same hash may have been published several times; one valid publication is enough.
func (p *packState) inForce(hash [32]byte, at time.Time) (*protocol.Manifest, error) {
	notBefore := time.Time{} // earliest effect among its publications that aren't in force yet
	for n, current := range slices.Backward(p.published) {
		if current.hash == hash && p.inForceOrGrace(n, at) {
			return current.manifest, nil
		}
		if current.hash == hash && at.Before(current.effective) {
			notBefore = current.effective
		}
	}
	if !notBefore.IsZero() {
		return nil, fmt.Errorf("the manifest is in force only from %s", formatTime(notBefore))
	}
	return nil, errors.New("the manifest was not in force")
}

// inForceOrGrace reports whether a publication was in force at a time, or was replaced but is still
// within its grace period. There is no grace for a manifest with instant opens if the next one allows
// none. Leaves have millisecond precision, so a publication still counts in the
// millisecond in which the next one takes effect, and the end of the grace period is inclusive.
func (p *packState) inForceOrGrace(n int, at time.Time) bool {
	inForce := func(n int) bool {
		return !at.Before(p.published[n].effective) && (n == len(p.published)-1 || !at.After(p.published[n+1].effective))
	}
	if inForce(n) {
		return true
	}
	if n == len(p.published)-1 || p.published[n].manifest.Instant() && !p.published[n+1].manifest.Instant() {
		return false
	}
	return inForce(n+1) && !at.After(p.published[n+1].effective.Add(protocol.MaxGrace))
}

// repeatDraw repeats an instant draw with the current stock and updates the stock.
func (p *packState) repeatDraw(l protocol.OpenLeaf, m *protocol.Manifest) error {
	if err := p.takeDrawSeq(l.Pack, l.Draw); err != nil {
		return err
	}
	if len(p.queue) > 0 {
		return fmt.Errorf("an instant open draws before order %s, whose drawSeq is lower", p.queue[0].order.ID)
	}
	if err := l.Verify(m, p.stock); err != nil {
		return err
	}
	return p.takeItems(l.Items)
}

// countDraw adds an open to the realized odds of its manifest, and to those of unproven orders.
func (r *replay) countDraw(l protocol.DrawHead, clientSeed string, items []protocol.LeafItem, m *protocol.Manifest, unproven bool) {
	if m.Finite() {
		return
	}
	key := maphash.String(r.hashSeed, l.User+clientSeed)
	_, repeated := r.clientSeeds[key]
	r.clientSeeds[key] = struct{}{}
	byPlayer := !repeated && clientSeed != "random"
	addDraw(r.draws, l.Manifest, m, items, byPlayer)
	if unproven {
		addDraw(r.unprovenDraws, l.Manifest, m, items, byPlayer)
	}
}

// addDraw counts an open. byPlayer says whether the player chose the client seed.
func addDraw(draws map[[32]byte]*manifestDraws, hash [32]byte, m *protocol.Manifest, items []protocol.LeafItem, byPlayer bool) {
	d := draws[hash]
	if d == nil {
		d = &manifestDraws{manifest: m, cards: map[string]int64{}}
		draws[hash] = d
	}
	d.opens++
	if !byPlayer {
		d.notPlayerEntropy++
		return
	}
	for _, item := range items {
		d.cards[item.Card]++
	}
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
