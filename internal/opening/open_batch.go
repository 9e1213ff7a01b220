package opening

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

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
	drawn       []pendingOpen
}

// PacksOpened is the message (db.Tx.Publish) that packs were opened.
type PacksOpened struct{ Opens int }

// pendingOpen is an open that has been drawn but not written yet.
type pendingOpen struct {
	OpenResult
	index    int // index of its request
	account  ledger.AccountRow
	play     ledger.PlayLimits // the user's play counters, including this open
	manifest packs.PublishedManifest
	pulls    []protocol.Pull
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
	for _, d := range b.drawn {
		outcomes[d.index].Value = d.OpenResult
	}
	return outcomes, nil
}

// open draws the pack of the request at an index of the batch. If the request repeats an earlier
// open, it returns that one instead.
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
	return OpenResult{}, b.draw(index, request, account, pack)
}

// draw draws the request's pack and adds the result to b.drawn; write stores it.
func (b *openBatch) draw(index int, request UserRequest, account ledger.AccountRow, pack *packs.LivePack) error {
	manifest, err := pack.ManifestFor(request.Manifest)
	if changed, ok := errors.AsType[packs.ManifestChangedError](err); ok {
		return drawChanged(apperr.ManifestChanged, account, changed.Current)
	}
	if err != nil {
		return err
	}
	price := manifest.Manifest.Price // the price shown to the buyer; a new one may be announced
	counted, err := limits.CountOpen(account.Play, b.tx.Now, price, b.Rules)
	if err != nil {
		return err
	}
	if account.Balance < price {
		return ledger.ErrInsufficientFunds
	}
	seed, err := b.Sealer.unseal(b.Log.SeedOrigin(), request.UserID, account.Seed)
	if err != nil {
		return err
	}
	pulls, err := protocol.Draw(manifest.Manifest, manifest.Hash, seed, request.ClientSeed, uint64(account.Seed.Nonce), pack.Stock)
	if err != nil {
		return err
	}
	next := newSeed(b.tx, b.sealing, b.Log.SeedOrigin(), request.UserID, account.Seed.Nonce+1)
	b.drawn = append(b.drawn, pendingOpen{index: index, account: account, play: counted, manifest: manifest, pulls: pulls, OpenResult: OpenResult{
		Open: Open{
			ID: b.tx.NewID(), UserID: request.UserID, UserTag: request.UserTag, PackID: pack.ID, PackName: pack.Name, PackNameZH: pack.NameZH, Price: price,
			ManifestHash: manifest.Hash, Nonce: account.Seed.Nonce, Commitment: [32]byte(account.Seed.Commitment),
			ServerSeed: seed, ClientSeed: request.ClientSeed, DrawSeq: pack.CountOpen(manifest, pulls), At: b.tx.Now,
			NextCommitment: [32]byte(next.Commitment),
		},
		Balance: account.Balance - price, NextSeed: next,
	}})
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
	o.Leaf, err = s.Log.LeafOf(tx, o.ID, o.leafText())
	return o, err
}

// write writes everything that was drawn, with one statement per table: payments, stock, opens,
// inventory entries and log leaves.
func (b *openBatch) write() error {
	if len(b.drawn) == 0 {
		return nil
	}
	if err := b.buildItemsAndLeaves(); err != nil {
		return err
	}
	payments := make([]ledger.Payment, len(b.drawn))
	openings := make([]Open, len(b.drawn))
	leaves := make([]string, len(b.drawn))
	var entries []inventory.Entry
	for n, d := range b.drawn {
		payments[n] = ledger.Payment{AccountRow: d.account, Amount: d.Price, Kind: ledger.KindOpen, Ref: d.ID, NextSeed: d.NextSeed, NextPlay: d.play}
		openings[n] = d.Open
		leaves[n] = d.Leaf.Body
		entries = append(entries, d.Items...)
	}
	if err := ledger.PayAll(b.tx, ledger.Packs, payments); err != nil {
		return err
	}
	for _, pack := range b.packs {
		if err := b.Packs.SaveLivePack(b.tx, pack); err != nil {
			return fmt.Errorf("save the packs' stock: %w", err)
		}
	}
	if err := insertOpens(b.tx, openings); err != nil {
		return fmt.Errorf("insert the openings: %w", err)
	}
	if err := inventory.Add(b.tx, entries); err != nil {
		return fmt.Errorf("add the items to the inventory: %w", err)
	}
	b.tx.Publish(PacksOpened{len(b.drawn)})
	return publiclog.AppendIf(b.tx, b.checkOpenLeaf, leaves...)
}

// buildItemsAndLeaves adds the inventory entries and the log leaf to each drawn open.
func (b *openBatch) buildItemsAndLeaves() error {
	var ids []string
	for _, d := range b.drawn {
		for _, pull := range d.pulls {
			ids = append(ids, pull.Card.ID)
		}
	}
	items, err := catalogue.Items(b.tx, ids)
	if err != nil {
		return err
	}
	for i := range b.drawn {
		d := &b.drawn[i]
		for n, pull := range d.pulls {
			item, ok := items[pull.Card.ID]
			if !ok {
				return fmt.Errorf("item %s of the manifest is missing in the catalogue", pull.Card.ID)
			}
			d.TotalValue += pull.Card.Value
			d.Items = append(d.Items, inventory.NewEntry(b.tx, d.UserID, d.ID, n, item, pull.Card.Value))
		}
		d.Leaf = b.Log.NewLeaf(d.leafText())
	}
	return nil
}
