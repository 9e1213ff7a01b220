// Package opening opens packs. An instant open takes the payment, draws the cards with protocol
// kaibao/v1, adds them to the inventory, and writes a leaf of the public log in one transaction. The
// open of a sealed pack is ordered first, which takes the payment, and drawn with protocol kaibao/v2
// once a public beacon has published the order's round (docs/fairness.md, "Sealed packs").
package opening

import (
	"errors"
	"time"

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
	"kaibao/internal/rounds"
)

// Service opens packs.
type Service struct {
	DB     *db.DB
	Packs  *packs.Service
	Log    *publiclog.Log
	Sealer *Sealer
	Rounds *rounds.Service
	Rules  houserules.Rules
	// KeptLimits is the key that finds limits kept from a deleted account of the same wallet.
	KeptLimits limits.AddressKey
}

// Request is a player's request to open a pack. Commitment and Manifest, in hex, are the values
// that the player expects; empty accepts the current ones.
type Request struct {
	PackID     string
	ClientSeed string
	Commitment string
	Manifest   string
	Sealed     bool // order a draw with a later round of the pack's beacon
}

// State says how far an open is.
type State string

// The states of an open.
const (
	Sealed State = "sealed" // ordered and paid, not drawn yet
	Opened State = "open"
	Void   State = "void" // an order that could not be drawn; its price was refunded
)

// Open is an opened pack, or an order of a sealed one.
type Open struct {
	State          State
	ID             string
	UserID         string
	UserTag        string // in the public log
	PackID         string
	PackName       string
	PackNameZH     string // empty = none
	Price          money.Cents
	TotalValue     money.Cents
	ManifestHash   packs.Hash
	Nonce          int64
	Commitment     [32]byte
	ServerSeed     [32]byte // zero while it is secret
	ClientSeed     string
	DrawSeq        int64
	At             time.Time // of the draw; of the order while there is none
	NextCommitment [32]byte  // the user's next commitment
	Items          []inventory.Entry
	Leaf           publiclog.Leaf // in the public log
	Shared         bool           // has a public page
	Order          *Order         // nil for an instant open
}

// UserRequest is a Request together with the user who makes it.
type UserRequest struct {
	UserID  string
	UserTag string // in the public log
	Request
	EarlierOpen string // the open that used up its commitment; empty until looked up
	Paused      error  // why an order is refused now; nil = it isn't
}

// OpenResult is an open with the user's balance and next seed after it.
type OpenResult struct {
	Open
	Balance  money.Cents
	NextSeed ledger.Seed
}

// CreateAccount creates a new user's ledger account and commits to their first seed in the public
// log, before the client seed exists.
func (s *Service) CreateAccount(tx *db.Tx, u identity.User) error {
	consistent := s.Log.CheckConsistency(tx)
	key, err := s.Sealer.ring.Sealing(tx)
	if err != nil {
		return err
	}
	seed := newSeed(tx, key, s.Log.SeedOrigin(), u.ID, 0)
	if err := errors.Join(s.insertAccount(tx, u, seed), consistent()); err != nil {
		return err
	}
	leaf := protocol.CommitLeaf{User: u.Tag, Commitment: [32]byte(seed.Commitment), Time: tx.Now}
	return publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error { return checkCommitLeaf(leaf, u.Tag, seed) }, string(leaf.Format()))
}

// insertAccount creates the account, with the limits of an earlier account of the wallet.
func (s *Service) insertAccount(tx *db.Tx, u identity.User, seed ledger.Seed) error {
	play, kept, err := limits.FindKept(tx, s.KeptLimits, u.Address)
	if err != nil {
		return err
	}
	if !kept {
		return ledger.CreateAccount(tx, u.ID, seed)
	}
	return errors.Join(ledger.CreateAccountWith(tx, u.ID, seed, play), limits.RecordInherited(tx, u.ID, play))
}

// OpenAll opens packs for requests of different users and returns an outcome for each: a refused
// request is not charged and changes nothing. If EarlierOpen names the open that used up the
// request's commitment, and its pack and client seed match, the request gets that open again. An
// error means that the whole transaction must be rolled back.
func (s *Service) OpenAll(tx *db.Tx, requests []UserRequest) ([]batch.Outcome[OpenResult], error) {
	return s.openLocked(tx, s.queueLocks(tx, requests), requests)
}

// receiptsAtOnce is how many opens EachReceipt reads at a time.
const receiptsAtOnce = 200

// EachReceipt calls visit for every open of a user with its receipt and the verifier key of its log,
// oldest first.
func (s *Service) EachReceipt(tx *db.Tx, userID string, visit func(open Signed, logKey string) error) error {
	for last := int64(-1); ; {
		opens, err := opensAfter(tx, userID, last, receiptsAtOnce)
		if err != nil || len(opens) == 0 {
			return err
		}
		last = opens[len(opens)-1].Nonce
		for _, o := range opens {
			o, err = s.readItemsAndLeaf(tx, o)
			if err != nil {
				return err
			}
			v := Signed{View: s.view(o)}
			if err := errors.Join(s.sign(&v), visit(v, s.Log.VerifierKeyOf(v.leaf))); err != nil {
				return err
			}
		}
	}
}
