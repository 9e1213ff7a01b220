// Package opening is the heart of the house: a pack is paid, drawn by
// kaibao/v1, handed over and written into the public log, all in one transaction.
package opening

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/tlog"
)

// transferKind is the ledger's word for the price of an open.
const transferKind = "open"

// Service opens packs.
type Service struct {
	DB        *db.DB
	Catalogue *catalogue.Catalogue
	Log       *tlog.Log
	Sealer    *Sealer
}

// Request is what a player asks for. Commitment and Manifest, in hex, are what
// the player expects; empty takes whatever is current.
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
	PackID       string
	PackName     string
	Price        money.Cents
	TotalValue   money.Cents
	ManifestHash catalogue.Hash
	Nonce        int64
	Commitment   [32]byte
	ServerSeed   [32]byte
	ClientSeed   string
	DrawSeq      int64
	At           time.Time
	Items        []collection.Entry
	Leaf         string // its text in the public log
}

// Welcome opens a newcomer's account and commits to the first seed, in the log
// before any client entropy exists.
func (s *Service) Welcome(tx *db.Tx, u identity.User) error {
	seed := s.Sealer.commit(tx, u.ID, 0)
	if err := ledger.OpenAccount(tx, u.ID, seed); err != nil {
		return err
	}
	leaf := fair.CommitLeaf{User: u.Tag, Commitment: [32]byte(seed.Commitment), Time: tx.Now}
	return tlog.Append(tx, tlog.KindCommit, u.ID, string(leaf.Format()))
}

// Open opens a pack for a user, whose account must be theirs to spend. Nothing
// is charged when it fails. A commitment that an open of the same pack and the
// same client seed has used up gives that open again.
func (s *Service) Open(tx *db.Tx, userID string, r Request) (Opening, error) {
	if err := fair.CheckClientSeed(r.ClientSeed); err != nil {
		return Opening{}, err
	}
	account, err := ledger.Lock(tx, userID)
	if err != nil {
		return Opening{}, fmt.Errorf("lock the account: %w", err)
	}
	if r.Commitment != "" && r.Commitment != hex.EncodeToString(account.Seed.Commitment) {
		return s.again(tx, userID, r, account)
	}
	sale, err := s.Catalogue.StartSale(tx, r.PackID, r.Manifest)
	if changed, ok := errors.AsType[catalogue.ManifestChangedError](err); ok {
		return Opening{}, stale("manifest_changed", account, changed.Current)
	}
	if err != nil {
		return Opening{}, err
	}
	if account.Balance < sale.Pack.Price {
		return Opening{}, ledger.ErrInsufficientFunds
	}
	seed, err := s.Sealer.unseal(userID, account.Seed)
	if err != nil {
		return Opening{}, err
	}
	pulls, err := fair.Draw(sale.Manifest, sale.Hash, seed, r.ClientSeed, uint64(account.Seed.Nonce), sale.Stock)
	if err != nil {
		return Opening{}, err
	}
	o := Opening{
		ID: tx.NewID(), UserID: userID, PackID: sale.Pack.ID, PackName: sale.Pack.Name, Price: sale.Pack.Price,
		ManifestHash: sale.Hash, Nonce: account.Seed.Nonce, Commitment: [32]byte(account.Seed.Commitment),
		ServerSeed: seed, ClientSeed: r.ClientSeed, At: tx.Now,
	}
	return s.settle(tx, o, sale, pulls)
}

// settle writes down what was drawn: payment, stock, items, log, next seed.
func (s *Service) settle(tx *db.Tx, o Opening, sale catalogue.Sale, pulls []fair.Pull) (Opening, error) {
	payment := ledger.Transfer{
		Debit: ledger.Account(o.UserID), Credit: ledger.Packs, Amount: o.Price, Kind: transferKind, Ref: o.ID,
	}
	if _, err := ledger.Move(tx, payment); err != nil {
		return Opening{}, err
	}
	var err error
	if o.DrawSeq, err = sale.Finish(tx, pulls); err != nil {
		return Opening{}, fmt.Errorf("count down the stock: %w", err)
	}
	owned := make([]collection.Pull, len(pulls))
	for n, pull := range pulls {
		item, err := catalogue.FindItem(tx, pull.Card.ID)
		if err != nil {
			return Opening{}, fmt.Errorf("item %s: %w", pull.Card.ID, err)
		}
		owned[n] = collection.Pull{Item: item, Value: pull.Card.Value}
		o.TotalValue += pull.Card.Value
	}
	if err := insert(tx, o); err != nil {
		return Opening{}, fmt.Errorf("record the opening: %w", err)
	}
	if o.Items, err = collection.Add(tx, o.UserID, o.ID, owned); err != nil {
		return Opening{}, fmt.Errorf("hand over the items: %w", err)
	}
	next := s.Sealer.commit(tx, o.UserID, o.Nonce+1)
	if err := ledger.SetSeed(tx, o.UserID, next); err != nil {
		return Opening{}, fmt.Errorf("commit to the next seed: %w", err)
	}
	if o.Leaf, err = leaf(tx, o, pulls, [32]byte(next.Commitment)); err != nil {
		return Opening{}, err
	}
	return o, tlog.Append(tx, tlog.KindOpen, o.ID, o.Leaf)
}

func leaf(tx *db.Tx, o Opening, pulls []fair.Pull, next [32]byte) (string, error) {
	user, err := identity.ByID(tx, o.UserID)
	if err != nil {
		return "", err
	}
	l := fair.OpenLeaf{
		ID: o.ID, User: user.Tag, Nonce: uint64(o.Nonce), Pack: o.PackID, Manifest: o.ManifestHash,
		Draw: uint64(o.DrawSeq), Commitment: o.Commitment, ServerSeed: o.ServerSeed, ClientSeed: o.ClientSeed,
		Items: fair.Items(pulls), Price: o.Price, Time: o.At, Next: next,
	}
	return string(l.Format()), nil
}

// again answers a request that names a commitment other than the current one:
// the open that used it up, if it is the very one asked for.
func (s *Service) again(tx *db.Tx, userID string, r Request, account ledger.Held) (Opening, error) {
	commitment, err := hex.DecodeString(r.Commitment)
	if err == nil {
		o, err := byCommitment(tx, userID, commitment)
		if err == nil && o.PackID == r.PackID && o.ClientSeed == r.ClientSeed {
			return complete(tx, o)
		}
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			return Opening{}, err
		}
	}
	current, _, err := s.Catalogue.InForce(tx, r.PackID)
	if err != nil {
		return Opening{}, err
	}
	return Opening{}, stale("commitment_changed", account, current.Hash)
}

// Current is what an open must name to be drawn now.
type Current struct {
	Commitment string `json:"commitment"`
	Nonce      int64  `json:"nonce"`
	Manifest   string `json:"manifest"`
}

func stale(code string, account ledger.Held, manifest catalogue.Hash) error {
	return fault.New(fault.Conflict, code, "The draw has changed since this page was loaded. You were not charged.").
		WithDetails(Current{
			Commitment: hex.EncodeToString(account.Seed.Commitment), Nonce: account.Seed.Nonce, Manifest: manifest.String(),
		})
}

// complete reads what belongs to an opening: its items and its leaf.
func complete(tx *db.Tx, o Opening) (Opening, error) {
	ids := []string{o.ID}
	items, err := collection.ByOpenings(tx, ids)
	if err != nil {
		return Opening{}, err
	}
	leaves, err := tlog.Leaves(tx, tlog.KindOpen, ids)
	o.Items, o.Leaf = items[o.ID], leaves[o.ID]
	return o, err
}

// Audit proves that every open has its price, its items and its leaf, and that
// every user's nonces have no gap.
func Audit(tx *db.Tx) ([]ledger.Breach, error) {
	return ledger.Collect(tx, unpaid, itemsOff, leafless, gaps)
}
