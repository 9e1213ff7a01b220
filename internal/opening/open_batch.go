package opening

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/inventory"
	"kaibao/internal/keyring"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// openBatch holds the opens of one transaction. It reads everything before the first draw and
// writes everything after the last one.
type openBatch struct {
	*Service
	tx          *db.Tx
	accounts    map[string]ledger.AccountRow
	packs       map[string]*packs.LivePack
	sealing     keyring.Key      // encrypts the next seeds
	drawSeqs    map[string]int64 // each pack's last drawSeq: as locked, then counted up by checkOpenLeaf
	unavailable map[string]error // packs that can't be opened at all
	paid        []paidOpen
	ordering    bool      // roundsLock is held
	lastRound   time.Time // of the orders
}

// PacksOpened is the message (db.Tx.Publish) that packs were opened.
type PacksOpened struct{ Opens int }

// paidOpen is an instant open that has been drawn, or an order, that isn't written yet.
type paidOpen struct {
	OpenResult
	index    int // index of its request
	account  ledger.AccountRow
	play     ledger.PlayLimits // the user's play counters, including this open
	manifest packs.PublishedManifest
	pulls    []protocol.Pull // none for an order
}

// queuedLocks are queued reads that lock the accounts first, then the packs.
type queuedLocks struct {
	accounts db.Queued[map[string]ledger.AccountRow]
	packIDs  []string // in the order of packs
	packs    []db.Queued[*packs.LivePack]
	sealing  db.Queued[keyring.Key]
}

// queueLocks queues the locks that the requests need, in the same round trip as the transaction's
// next statement.
func (s *Service) queueLocks(tx *db.Tx, requests []UserRequest) queuedLocks {
	users := make([]string, len(requests))
	for n, r := range requests {
		users[n] = r.UserID
	}
	locks := queuedLocks{accounts: ledger.QueueLockAll(tx, users), packIDs: packIDs(requests)}
	for _, id := range locks.packIDs {
		locks.packs = append(locks.packs, s.Packs.QueueLivePack(tx, id))
	}
	locks.sealing = s.Sealer.ring.QueueSealing(tx)
	return locks
}

// newOpenBatch waits for the locks and starts a batch without opens.
func (s *Service) newOpenBatch(tx *db.Tx, locks queuedLocks) (*openBatch, error) {
	b := &openBatch{Service: s, tx: tx, packs: map[string]*packs.LivePack{}, drawSeqs: map[string]int64{}, unavailable: map[string]error{}}
	var err error
	b.accounts, err = locks.accounts()
	if err != nil {
		return nil, fmt.Errorf("lock the accounts: %w", err)
	}
	for n, id := range locks.packIDs {
		pack, err := locks.packs[n]()
		if _, refused := errors.AsType[*apperr.Error](err); refused {
			b.unavailable[id] = err
		} else if err != nil {
			return nil, fmt.Errorf("read pack %s: %w", id, err)
		} else {
			b.packs[id], b.drawSeqs[id] = pack, pack.DrawSeq
		}
	}
	b.sealing, err = locks.sealing()
	return b, err
}

// packIDs returns the ids of the packs to open, sorted. Packs are locked in this order so that
// batches can't deadlock.
func packIDs(requests []UserRequest) []string {
	var ids []string
	for _, r := range requests {
		if r.validate() == nil {
			ids = append(ids, r.PackID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// validate checks the request before it reaches the database, because a failing statement would
// abort the whole batch.
func (r UserRequest) validate() error {
	if !db.IsID(r.PackID) {
		return apperr.Missing("Pack")
	}
	commitment, _ := hex.DecodeString(r.Commitment)
	if r.Commitment != "" && (len(commitment) != 32 || hex.EncodeToString(commitment) != r.Commitment) {
		return apperr.InvalidField("commitment", "must be 64 lowercase hex digits")
	}
	return protocol.CheckClientSeed(r.ClientSeed)
}

// openLocked opens packs for some of the requests that the locks were queued for.
func (s *Service) openLocked(tx *db.Tx, locks queuedLocks, requests []UserRequest) ([]batch.Outcome[OpenResult], error) {
	b, err := s.newOpenBatch(tx, locks)
	if err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[OpenResult], len(requests))
	for n, request := range requests {
		earlier, err := b.open(n, request)
		if _, refused := errors.AsType[*apperr.Error](err); err != nil && !refused {
			return nil, err
		}
		outcomes[n] = batch.Outcome[OpenResult]{Value: earlier, Err: err}
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	for _, p := range b.paid {
		outcomes[p.index].Value = p.OpenResult
	}
	return outcomes, nil
}

// open draws or orders the pack of the request at an index of the batch. If the request repeats an
// earlier open, it returns that one instead.
func (b *openBatch) open(index int, request UserRequest) (earlier OpenResult, err error) {
	if err := request.validate(); err != nil {
		return OpenResult{}, err
	}
	if err := b.unavailable[request.PackID]; err != nil {
		return OpenResult{}, err
	}
	account, pack := b.accounts[request.UserID], b.packs[request.PackID]
	if request.Commitment != "" && request.Commitment != hex.EncodeToString(account.Seed.Commitment) {
		return b.repeatedOpen(b.tx, request, account, pack.Current.Hash)
	}
	manifest, err := pack.ManifestFor(request.Manifest)
	if changed, ok := errors.AsType[packs.ManifestChangedError](err); ok {
		return OpenResult{}, drawChanged(apperr.ManifestChanged, account, changed.Current)
	}
	if err != nil {
		return OpenResult{}, err
	}
	at := b.tx.Now
	if request.Sealed {
		at = later(at, pack.Orders.LastAt) // a transaction that began later, or another node's clock, was faster
	}
	paid, err := b.pay(at, request, account, pack, manifest)
	if err != nil {
		return OpenResult{}, err
	}
	paid.index = index
	if request.Sealed {
		if request.Paused != nil {
			return OpenResult{}, request.Paused
		}
		return OpenResult{}, b.placeOrder(paid, pack)
	}
	return OpenResult{}, b.draw(paid, pack)
}

// pay returns the open of a request at a time, without its draw, or the error that refuses it.
func (b *openBatch) pay(at time.Time, request UserRequest, account ledger.AccountRow, pack *packs.LivePack, manifest packs.PublishedManifest) (p paidOpen, err error) {
	price := manifest.Manifest.Price // the price shown to the buyer; a new one may be announced
	p = paidOpen{account: account, manifest: manifest}
	p.play, err = limits.CountOpen(account.Play, at, price, b.Rules)
	if err != nil {
		return p, err
	}
	if account.Balance < price {
		return p, ledger.ErrInsufficientFunds
	}
	p.Balance = account.Balance - price
	p.NextSeed = newSeed(b.tx, b.sealing, b.Log.SeedOrigin(), request.UserID, account.Seed.Nonce+1)
	p.Open = Open{
		ID: b.tx.NewID(), UserID: request.UserID, UserTag: request.UserTag, PackID: pack.ID, PackName: pack.Name, PackNameZH: pack.NameZH, Price: price,
		ManifestHash: manifest.Hash, Nonce: account.Seed.Nonce, Commitment: [32]byte(account.Seed.Commitment),
		ClientSeed: request.ClientSeed, At: at, NextCommitment: [32]byte(p.NextSeed.Commitment),
	}
	return p, nil
}

// draw draws an instant open and adds it to b.paid; write stores it.
func (b *openBatch) draw(p paidOpen, pack *packs.LivePack) error {
	if err := checkInstant(p.manifest.Manifest, pack); err != nil {
		return err
	}
	seed, err := b.Sealer.unseal(b.Log.SeedOrigin(), p.UserID, p.account.Seed)
	if err != nil {
		return err
	}
	p.pulls, err = protocol.Draw(p.manifest.Manifest, p.manifest.Hash, seed, p.ClientSeed, uint64(p.Nonce), pack.Stock)
	if err != nil {
		return err
	}
	p.State, p.ServerSeed, p.DrawSeq = Opened, seed, pack.CountOpen(p.manifest, p.pulls)
	b.paid = append(b.paid, p)
	return nil
}

// repeatedOpen handles a request whose commitment is not the current one. It returns the open that
// used up the commitment if pack and client seed match, and otherwise a conflict.
func (s *Service) repeatedOpen(tx *db.Tx, request UserRequest, account ledger.AccountRow, manifest packs.Hash) (OpenResult, error) {
	changed := drawChanged(apperr.CommitmentChanged, account, manifest)
	if request.EarlierOpen == "" {
		return OpenResult{}, changed
	}
	o, err := byID(tx, request.UserID, request.EarlierOpen)
	if err != nil {
		return OpenResult{}, err
	}
	if o.PackID != request.PackID || o.ClientSeed != request.ClientSeed {
		return OpenResult{}, changed
	}
	o, err = s.readItemsAndLeaf(tx, o)
	return OpenResult{Open: o, Balance: account.Balance, NextSeed: account.Seed}, err
}

// Current lists the values that an open must name now; it is the details of a conflict error.
type Current struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
	Manifest   string `json:"manifest"`
}

func drawChanged(code apperr.Code, account ledger.AccountRow, manifest packs.Hash) error {
	return apperr.New(code, "The odds or the seed have changed since this page was loaded. You were not charged.").
		WithDetails(Current{
			Commitment: hex.EncodeToString(account.Seed.Commitment), Nonce: account.Seed.Nonce, Manifest: manifest.String(),
		})
}

// readItemsAndLeaf reads the opening's items and leaf.
func (s *Service) readItemsAndLeaf(tx *db.Tx, o Open) (Open, error) {
	items, err := inventory.ByOpenings(tx, []string{o.ID})
	if err != nil {
		return Open{}, err
	}
	o.Items = items[o.ID]
	o.Leaf, err = s.Log.LeafOf(tx, o.ID, o.At, o.leafText())
	return o, err
}

// write writes everything that was paid, with one statement per table: payments, stock, opens,
// orders, inventory entries and log leaves.
func (b *openBatch) write() error {
	if len(b.paid) == 0 {
		return nil
	}
	if err := b.buildItemsAndLeaves(); err != nil {
		return err
	}
	payments := make([]ledger.Payment, len(b.paid))
	leaves := make([]string, len(b.paid))
	var opens, orders []Open
	var entries []inventory.Entry
	for n, p := range b.paid {
		payments[n] = ledger.Payment{AccountRow: p.account, Amount: p.Price, Kind: ledger.KindOpen, Ref: p.ID, NextSeed: p.NextSeed, NextPlay: p.play}
		leaves[n] = p.Leaf.Body
		if p.Order != nil {
			orders = append(orders, p.Open)
			continue
		}
		opens = append(opens, p.Open)
		entries = append(entries, p.Items...)
	}
	if err := ledger.PayAll(b.tx, ledger.Packs, payments); err != nil {
		return err
	}
	for _, pack := range b.packs {
		if err := b.Packs.SaveLivePack(b.tx, pack); err != nil {
			return fmt.Errorf("save the packs' stock: %w", err)
		}
	}
	if err := errors.Join(insertOpens(b.tx, opens), insertOrders(b.tx, orders)); err != nil {
		return fmt.Errorf("insert the openings: %w", err)
	}
	if err := inventory.Add(b.tx, entries); err != nil {
		return fmt.Errorf("add the items to the inventory: %w", err)
	}
	if len(opens) > 0 {
		b.tx.Publish(PacksOpened{len(opens)})
	}
	if len(orders) > 0 {
		last := b.lastRound
		b.tx.AfterCommit(func() { b.Log.Hurry(last) }) // so that the witnesses see the orders in time
	}
	return publiclog.AppendIf(b.tx, b.checkLeaf, leaves...)
}

// buildItemsAndLeaves adds the inventory entries and the log leaf to each open.
func (b *openBatch) buildItemsAndLeaves() error {
	opens, pulls := make([]*Open, len(b.paid)), make([][]protocol.Pull, len(b.paid))
	for n := range b.paid {
		opens[n], pulls[n] = &b.paid[n].Open, b.paid[n].pulls
	}
	if err := addItems(b.tx, opens, pulls); err != nil {
		return err
	}
	for _, o := range opens {
		o.Leaf = b.Log.NewLeaf(o.leafText())
	}
	return nil
}

// addItems adds the inventory entries of the pulls to each open.
func addItems(tx *db.Tx, opens []*Open, pulls [][]protocol.Pull) error {
	var ids []string
	for _, drawn := range pulls {
		for _, pull := range drawn {
			ids = append(ids, pull.Card.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	items, err := catalogue.Items(tx, ids)
	if err != nil {
		return err
	}
	for i, o := range opens {
		for n, pull := range pulls[i] {
			item, ok := items[pull.Card.ID]
			if !ok {
				return fmt.Errorf("item %s of the manifest is missing in the catalogue", pull.Card.ID)
			}
			o.TotalValue += pull.Card.Value
			o.Items = append(o.Items, inventory.NewEntry(tx, o.UserID, o.ID, n, item, pull.Card.Value))
		}
	}
	return nil
}
