package protocol

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/money"
)

// Leaf is one fact in the public log: an OpenLeaf, OrderLeaf, SealedOpenLeaf, VoidLeaf, RoundLeaf,
// WitnessesLeaf, CommitLeaf, ManifestLeaf, StockLeaf, EpochLeaf, EndLeaf, BooksLeaf, TradeLeaf or
// RatesLeaf. Times have millisecond precision.
type Leaf interface {
	// Format returns the leaf's text, which ParseLeaf can parse.
	Format() []byte
	// At returns the leaf's time.
	At() time.Time
}

const (
	// OpenHeader is the first line of an instant open's leaf.
	OpenHeader      = "kaibao-open/v1"
	commitHeader    = "kaibao-commit/v1"
	publishedHeader = "kaibao-manifest-published/v1"
	stockHeader     = "kaibao-stock/v1"
	epochHeader     = "kaibao-epoch/v1"
)

// DrawHead has the first fields of all leaves about a draw: which user opens which pack, with which
// manifest and commitment.
type DrawHead struct {
	ID         string // of the open; an order and its open have the same
	User       string // UserTag
	Nonce      uint64
	Pack       string
	Manifest   [32]byte
	Draw       uint64 // the pack's drawSeq; 0 = all cards of the pack are unlimited
	Commitment [32]byte
}

// OpenLeaf records an instant open with everything needed to draw it again, plus the user's next
// commitment.
type OpenLeaf struct {
	DrawHead
	ServerSeed [32]byte
	ClientSeed string
	Items      []LeafItem // in the order drawn
	Price      money.Cents
	Time       time.Time
	Next       [32]byte
}

// LeafItem is a drawn card and its value in the manifest.
type LeafItem struct {
	Card  string
	Value money.Cents
}

// CommitLeaf is a user's first commitment.
type CommitLeaf struct {
	User       string // UserTag
	Nonce      uint64
	Commitment [32]byte
	Time       time.Time
}

// ManifestLeaf publishes a new manifest for a pack.
type ManifestLeaf struct {
	Pack      string
	Manifest  [32]byte
	Supply    int64 // total number of opens of the pack; Unlimited = no limit
	Draw      uint64
	Restock   []Restock // cards added or removed with this manifest
	Effective time.Time // when the manifest takes effect
	Time      time.Time
}

// Restock is a number of cards added to a pack from outside, or removed if negative. It is never 0.
type Restock struct {
	Card  string
	Count int64
}

// StockLeaf records cards returned to their pack, for example by a sell-back.
type StockLeaf struct {
	Pack   string
	Draw   uint64
	Card   string
	Count  int64 // at least 1
	Reason string
	Time   time.Time
}

// EpochLeaf is the first leaf of a log that continues another one, after a restore of the database
// or a change of the key. It names the last checkpoint of the log that ended.
type EpochLeaf struct {
	Origin string
	Size   uint64
	Root   [32]byte
	Time   time.Time
}

// Format implements Leaf.
func (l OpenLeaf) Format() []byte {
	return fmt.Appendf(l.format(OpenHeader), "serverSeed %x\nclientSeed %s\nitems %s\nprice %d\ntime %s\nnext %x\n",
		l.ServerSeed, formatClientSeed(l.ClientSeed), formatItems(l.Items), l.Price, formatTime(l.Time), l.Next)
}

// At implements Leaf.
func (l OpenLeaf) At() time.Time { return l.Time }

// format returns the lines of the head under a header.
func (h DrawHead) format(header string) []byte {
	return fmt.Appendf(nil, "%s\nid %s\nuser %s\nnonce %d\npack %s\nmanifest %x\ndraw %d\ncommitment %x\n",
		header, h.ID, h.User, h.Nonce, h.Pack, h.Manifest, h.Draw, h.Commitment)
}

// Format implements Leaf.
func (l CommitLeaf) Format() []byte {
	return fmt.Appendf(nil, "%s\nuser %s\nnonce %d\ncommitment %x\ntime %s\n",
		commitHeader, l.User, l.Nonce, l.Commitment, formatTime(l.Time))
}

// At implements Leaf.
func (l CommitLeaf) At() time.Time { return l.Time }

// Format implements Leaf.
func (l ManifestLeaf) Format() []byte {
	restock := "-"
	if len(l.Restock) > 0 {
		restock = joinPairs(l.Restock, func(r Restock) (string, int64) { return r.Card, r.Count })
	}
	return fmt.Appendf(nil, "%s\npack %s\nmanifest %x\nsupply %d\ndraw %d\nrestock %s\neffective %s\ntime %s\n",
		publishedHeader, l.Pack, l.Manifest, l.Supply, l.Draw, restock,
		formatTime(l.Effective), formatTime(l.Time))
}

// At implements Leaf.
func (l ManifestLeaf) At() time.Time { return l.Time }

// Format implements Leaf.
func (l StockLeaf) Format() []byte {
	return fmt.Appendf(nil, "%s\npack %s\ndraw %d\ncard %s +%d\nreason %s\ntime %s\n",
		stockHeader, l.Pack, l.Draw, l.Card, l.Count, l.Reason, formatTime(l.Time))
}

// At implements Leaf.
func (l StockLeaf) At() time.Time { return l.Time }

// Format implements Leaf.
func (l EpochLeaf) Format() []byte {
	return fmt.Appendf(nil, "%s\norigin %s\nsize %d\nroot %x\ntime %s\n",
		epochHeader, l.Origin, l.Size, l.Root, formatTime(l.Time))
}

// At implements Leaf.
func (l EpochLeaf) At() time.Time { return l.Time }

func formatClientSeed(seed string) string { return base64.StdEncoding.EncodeToString([]byte(seed)) }

func formatItems(items []LeafItem) string {
	return joinPairs(items, func(i LeafItem) (string, int64) { return i.Card, int64(i.Value) })
}

func formatTime(at time.Time) string { return at.UTC().Format(timeLayout) }

// joinPairs formats a list as "id:number id:number …".
func joinPairs[T any](list []T, pair func(T) (string, int64)) string {
	var text strings.Builder
	for i, entry := range list {
		if i > 0 {
			text.WriteByte(' ')
		}
		id, n := pair(entry)
		text.WriteString(id + ":" + strconv.FormatInt(n, 10))
	}
	return text.String()
}
