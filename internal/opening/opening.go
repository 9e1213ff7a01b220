// Package opening opens packs. One transaction takes the payment, draws the cards with protocol
// kaibao/v1, adds them to the inventory, and writes a leaf of the public log.
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
	"kaibao/internal/houserules"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Service opens packs.
type Service struct {
	DB     *db.DB
	Packs  *packs.Service
	Log    *publiclog.Log
	Sealer *Sealer
	Rules  houserules.Rules
}

// Request is a player's request to open a pack. Commitment and Manifest, in hex, are the values
// that the player expects; empty accepts the current ones.
type Request struct {
	PackID     string
	ClientSeed string
	Commitment string
	Manifest   string
}

// Opening is an opened pack.
type Opening struct {
	ID           string
	UserID       string
	UserTag      string // in the public log
	PackID       string
	PackName     string
	Price        money.Cents
	TotalValue   money.Cents
	ManifestHash packs.Hash
	Nonce        int64
	Commitment   [32]byte
	ServerSeed   [32]byte
	ClientSeed   string
	DrawSeq      int64
	At           time.Time
	Next         [32]byte // the user's next commitment
	Items        []inventory.Entry
	Leaf         publiclog.Leaf // in the public log
}

// Order is a Request together with the user who makes it.
type Order struct {
	UserID  string
	UserTag string // in the public log
	Request
	Earlier string // the open that used up its commitment; empty until looked up
}

// Opened is an opening with the user's balance and next seed after it.
type Opened struct {
	Opening
	Balance  money.Cents
	NextSeed ledger.Seed
}

// Welcome opens a new user's ledger account and commits to their first seed in the public log,
// before the client seed exists.
func (s *Service) Welcome(tx *db.Tx, u identity.User) error {
	sound := s.Log.Sound(tx)
	seed := s.Sealer.commit(tx, s.Log.Origin(), u.ID, 0)
	if err := errors.Join(ledger.OpenAccount(tx, u.ID, seed), sound()); err != nil {
		return err
	}
	leaf := protocol.CommitLeaf{User: u.Tag, Commitment: [32]byte(seed.Commitment), Time: tx.Now}
	return publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error { return commits(leaf, u.Tag, seed) }, string(leaf.Format()))
}

// Begin queues the locks that the orders need, in the same round trip as the transaction's next
// statement. A user may have at most one order. The returned function opens packs for any subset of
// the orders and returns an outcome for each: a refused order is not charged and changes nothing.
// If Earlier names the open that used up the order's commitment, and its pack and client seed
// match, the order gets that open again. An error means that the whole transaction must be rolled
// back.
func (s *Service) Begin(tx *db.Tx, orders []Order) (open func([]Order) ([]batch.Outcome[Opened], error)) {
	begin := s.begin(tx, orders)
	return func(orders []Order) ([]batch.Outcome[Opened], error) {
		b, err := begin()
		if err != nil {
			return nil, err
		}
		return b.openAll(orders)
	}
}

// openBatch holds the opens of one transaction. It reads everything before the first draw and writes
// everything after the last one.
type openBatch struct {
	*Service
	tx       *db.Tx
	accounts map[string]ledger.AccountRow
	decks    map[string]*packs.Deck
	draws    map[string]int64 // each pack's drawSeq when it was locked
	refused  map[string]error // packs that can't be opened at all
	drawn    []drawn
}

// drawn is an open that has been drawn but not written yet.
type drawn struct {
	Opened
	place   int // index of its order
	account ledger.AccountRow
	counted ledger.Play // the user's play counters, including this open
	by      packs.PublishedManifest
	pulls   []protocol.Pull
}

// begin queues the locks: accounts first, then packs.
func (s *Service) begin(tx *db.Tx, orders []Order) func() (*openBatch, error) {
	users := make([]string, len(orders))
	for n, o := range orders {
		users[n] = o.UserID
	}
	accounts := ledger.QueueLockAll(tx, users)
	ids := packsOf(orders)
	decks := make([]func() (*packs.Deck, error), len(ids))
	for n, id := range ids {
		decks[n] = s.Packs.QueueDeck(tx, id)
	}
	return func() (*openBatch, error) {
		b := &openBatch{Service: s, tx: tx, decks: map[string]*packs.Deck{}, draws: map[string]int64{}, refused: map[string]error{}}
		var err error
		b.accounts, err = accounts()
		if err != nil {
			return nil, fmt.Errorf("lock the accounts: %w", err)
		}
		for n, id := range ids {
			deck, err := decks[n]()
			if _, refused := errors.AsType[*apperr.Error](err); refused {
				b.refused[id] = err
			} else if err != nil {
				return nil, fmt.Errorf("read pack %s: %w", id, err)
			} else {
				b.decks[id], b.draws[id] = deck, deck.DrawSeq
			}
		}
		return b, nil
	}
}

// packsOf returns the ids of the packs to open, sorted. Packs are locked in this order so that
// batches can't deadlock.
func packsOf(orders []Order) []string {
	var ids []string
	for _, o := range orders {
		if o.check() == nil {
			ids = append(ids, o.PackID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// check validates the order before it reaches the database, because a failing statement would abort
// the whole batch.
func (o Order) check() error {
	if !db.IsID(o.PackID) {
		return apperr.Missing("Pack")
	}
	commitment, _ := hex.DecodeString(o.Commitment)
	if o.Commitment != "" && (len(commitment) != 32 || hex.EncodeToString(commitment) != o.Commitment) {
		return apperr.InvalidField("commitment", "must be 64 small hex digits")
	}
	return protocol.CheckClientSeed(o.ClientSeed)
}

// open draws the pack of the order at index place. If the order repeats an earlier open, it returns
// that one instead.
func (b *openBatch) open(place int, order Order) (earlier Opened, err error) {
	if err := order.check(); err != nil {
		return Opened{}, err
	}
	if err := b.refused[order.PackID]; err != nil {
		return Opened{}, err
	}
	account, deck := b.accounts[order.UserID], b.decks[order.PackID]
	if order.Commitment != "" && order.Commitment != hex.EncodeToString(account.Seed.Commitment) {
		return b.again(b.tx, order, account, deck.Current.Hash)
	}
	return Opened{}, b.draw(place, order, account, deck)
}

// draw draws the order's pack and adds the result to b.drawn; settle writes it.
func (b *openBatch) draw(place int, order Order, account ledger.AccountRow, deck *packs.Deck) error {
	manifest, err := deck.ManifestFor(order.Manifest)
	if changed, ok := errors.AsType[packs.ManifestChangedError](err); ok {
		return stale(apperr.ManifestChanged, account, changed.Current)
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
	seed, err := b.Sealer.unseal(b.Log.Origin(), order.UserID, account.Seed)
	if err != nil {
		return err
	}
	pulls, err := protocol.Draw(manifest.Manifest, manifest.Hash, seed, order.ClientSeed, uint64(account.Seed.Nonce), deck.Stock)
	if err != nil {
		return err
	}
	next := b.Sealer.commit(b.tx, b.Log.Origin(), order.UserID, account.Seed.Nonce+1)
	b.drawn = append(b.drawn, drawn{place: place, account: account, counted: counted, by: manifest, pulls: pulls, Opened: Opened{
		Opening: Opening{
			ID: b.tx.NewID(), UserID: order.UserID, UserTag: order.UserTag, PackID: deck.ID, PackName: deck.Name, Price: price,
			ManifestHash: manifest.Hash, Nonce: account.Seed.Nonce, Commitment: [32]byte(account.Seed.Commitment),
			ServerSeed: seed, ClientSeed: order.ClientSeed, DrawSeq: deck.CountOpen(manifest, pulls), At: b.tx.Now,
			Next: [32]byte(next.Commitment),
		},
		Balance: account.Balance - price, NextSeed: next,
	}})
	return nil
}

// openAll opens packs for some of the orders that the batch was begun with.
func (b *openBatch) openAll(orders []Order) ([]batch.Outcome[Opened], error) {
	outcomes := make([]batch.Outcome[Opened], len(orders))
	for n, order := range orders {
		earlier, err := b.open(n, order)
		if _, refused := errors.AsType[*apperr.Error](err); err != nil && !refused {
			return nil, err
		}
		outcomes[n] = batch.Outcome[Opened]{Value: earlier, Err: err}
	}
	if err := b.settle(); err != nil {
		return nil, err
	}
	for _, d := range b.drawn {
		outcomes[d.place].Value = d.Opened
	}
	return outcomes, nil
}

// settle writes everything that was drawn, with one statement per table: payments, stock, opens,
// inventory entries and log leaves.
func (b *openBatch) settle() error {
	if len(b.drawn) == 0 {
		return nil
	}
	if err := b.handOver(); err != nil {
		return err
	}
	payments := make([]ledger.Payment, len(b.drawn))
	openings := make([]Opening, len(b.drawn))
	leaves := make([]string, len(b.drawn))
	var entries []inventory.Entry
	for n, d := range b.drawn {
		payments[n] = ledger.Payment{AccountRow: d.account, Amount: d.Price, Kind: ledger.KindOpen, Ref: d.ID, NextSeed: d.NextSeed, NextPlay: d.counted}
		openings[n] = d.Opening
		leaves[n] = d.Leaf.Body
		entries = append(entries, d.Items...)
	}
	if err := ledger.PayAll(b.tx, ledger.Packs, payments); err != nil {
		return err
	}
	for _, deck := range b.decks {
		if err := b.Packs.SaveDeck(b.tx, deck); err != nil {
			return fmt.Errorf("count down the stock: %w", err)
		}
	}
	if err := insert(b.tx, openings); err != nil {
		return fmt.Errorf("record the openings: %w", err)
	}
	if err := inventory.Add(b.tx, entries); err != nil {
		return fmt.Errorf("hand over the items: %w", err)
	}
	return publiclog.AppendIf(b.tx, b.matches, leaves...)
}

// handOver adds the inventory entries and the log leaf to each drawn open.
func (b *openBatch) handOver() error {
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
	for place := range b.drawn {
		d := &b.drawn[place]
		for n, pull := range d.pulls {
			item, ok := items[pull.Card.ID]
			if !ok {
				return fmt.Errorf("the manifest's item %s is not in the catalogue", pull.Card.ID)
			}
			d.TotalValue += pull.Card.Value
			d.Items = append(d.Items, inventory.NewEntry(b.tx, d.UserID, d.ID, n, item, pull.Card.Value))
		}
		d.Leaf.Body = d.tell()
	}
	return nil
}

// tell returns the open's leaf, built only from fields stored in its rows.
func (o Opening) tell() string {
	items := make([]protocol.LeafItem, len(o.Items))
	for n, e := range o.Items {
		items[n] = protocol.LeafItem{Card: e.Item.ID, Value: e.PulledValue}
	}
	return leafOf(o, items)
}

func leafOf(o Opening, items []protocol.LeafItem) string {
	return string(protocol.OpenLeaf{
		ID: o.ID, User: o.UserTag, Nonce: uint64(o.Nonce), Pack: o.PackID, Manifest: o.ManifestHash,
		Draw: uint64(o.DrawSeq), Commitment: o.Commitment, ServerSeed: o.ServerSeed, ClientSeed: o.ClientSeed,
		Items: items, Price: o.Price, Time: o.At, Next: o.Next,
	}.Format())
}

// again handles an order whose commitment is not the current one. It returns the open that used up
// the commitment if pack and client seed match, and otherwise a conflict.
func (s *Service) again(tx *db.Tx, order Order, account ledger.AccountRow, manifest packs.Hash) (Opened, error) {
	changed := stale(apperr.CommitmentChanged, account, manifest)
	if order.Earlier == "" {
		return Opened{}, changed
	}
	o, err := byID(tx, order.UserID, order.Earlier)
	if err != nil {
		return Opened{}, err
	}
	if o.PackID != order.PackID || o.ClientSeed != order.ClientSeed {
		return Opened{}, changed
	}
	o, err = s.complete(tx, o)
	return Opened{Opening: o, Balance: account.Balance, NextSeed: account.Seed}, err
}

// Current lists the values that an open must name now; it is the details of a conflict error.
type Current struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
	Manifest   string `json:"manifest"`
}

func stale(code apperr.Code, account ledger.AccountRow, manifest packs.Hash) error {
	return apperr.New(code, "The draw has changed since this page was loaded. You were not charged.").
		WithDetails(Current{
			Commitment: hex.EncodeToString(account.Seed.Commitment), Nonce: account.Seed.Nonce, Manifest: manifest.String(),
		})
}

// complete reads the opening's items and leaf.
func (s *Service) complete(tx *db.Tx, o Opening) (Opening, error) {
	items, err := inventory.ByOpenings(tx, []string{o.ID})
	if err != nil {
		return Opening{}, err
	}
	o.Items = items[o.ID]
	o.Leaf, err = s.Log.Owed(tx, o.ID, o.tell())
	return o, err
}
