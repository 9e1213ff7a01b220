package protocol

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// ParseLeaf parses a leaf of any kind. It accepts only canonical text, so Format returns exactly
// the parsed bytes. Errors name the offending line; an unknown kind returns an UnknownKindError.
func ParseLeaf(text []byte) (Leaf, error) {
	header, _, _ := strings.Cut(string(text), "\n")
	parse, ok := leafParsers[header]
	if !ok {
		return nil, unknownKind(header)
	}
	r := newReader(text)
	r.header(header)
	leaf := parse(r)
	r.end()
	if r.err != nil {
		return nil, fmt.Errorf("not a leaf: %w", r.err)
	}
	return leaf, nil
}

// UnknownKindError is returned for a leaf whose kind or version this program doesn't know. The leaf
// may be valid: only a newer verifier can check it.
type UnknownKindError struct {
	Kind string // the leaf's first line
}

// Error implements error.
func (e UnknownKindError) Error() string { return "a leaf of the unknown kind " + e.Kind }

// CheckKind returns nil if the text's first line is that of a known kind of leaf.
func CheckKind(text []byte) error {
	header, _, _ := strings.Cut(string(text[:min(len(text), 128)]), "\n")
	if _, ok := leafParsers[header]; ok {
		return nil
	}
	return unknownKind(header)
}

func unknownKind(header string) error {
	if leafKind.MatchString(header) {
		return UnknownKindError{header}
	}
	return errors.New("not a leaf: " + quote(header) + " is not a valid kind")
}

// leafKind matches the first line of every leaf, including future versions.
var leafKind = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}/v[1-9][0-9]{0,5}$`)

var leafParsers = map[string]func(*reader) Leaf{
	OpenHeader:       readOpen,
	commitHeader:     readCommit,
	publishedHeader:  readPublished,
	stockHeader:      readStock,
	epochHeader:      readEpoch,
	endHeader:        readEnd,
	booksHeader:      readBooks,
	booksV2Header:    readBooksV2,
	tradeV1Header:    readTradeV1,
	tradeHeader:      readTrade,
	ratesHeader:      readRates,
	OrderHeader:      readOrder,
	SealedOpenHeader: readSealedOpen,
	VoidHeader:       readVoid,
	roundHeader:      readRound,
	WitnessesHeader:  readWitnesses,
}

func readOpen(r *reader) Leaf {
	var l OpenLeaf
	l.DrawHead = r.drawHead()
	l.ServerSeed = r.hash(r.field("serverSeed"))
	l.ClientSeed = r.clientSeed(r.field("clientSeed"))
	l.Items = r.items(r.field("items"))
	l.Price = r.amount(r.field("price"))
	l.Time = r.time(r.field("time"))
	l.Next = r.hash(r.field("next"))
	return l
}

func (r *reader) drawHead() DrawHead {
	var h DrawHead
	h.ID = r.id(r.field("id"))
	h.User = r.userTag(r.field("user"))
	h.Nonce = r.number(r.field("nonce"))
	h.Pack = r.id(r.field("pack"))
	h.Manifest = r.hash(r.field("manifest"))
	h.Draw = r.number(r.field("draw"))
	h.Commitment = r.hash(r.field("commitment"))
	return h
}

// items reads the cards of an open: 1 to MaxItems.
func (r *reader) items(text string) (items []LeafItem) {
	r.pairs(text, func(id, number string) {
		items = append(items, LeafItem{Card: id, Value: r.amount(number)})
	})
	r.check(len(items) <= MaxItems, "too many items")
	return items
}

func readCommit(r *reader) Leaf {
	var l CommitLeaf
	l.User = r.userTag(r.field("user"))
	l.Nonce = r.number(r.field("nonce"))
	l.Commitment = r.hash(r.field("commitment"))
	l.Time = r.time(r.field("time"))
	return l
}

func readPublished(r *reader) Leaf {
	var l ManifestLeaf
	l.Pack = r.id(r.field("pack"))
	l.Manifest = r.hash(r.field("manifest"))
	l.Supply = r.supply(r.field("supply"))
	l.Draw = r.number(r.field("draw"))
	if list := r.field("restock"); list != "-" {
		r.pairs(list, func(id, number string) {
			l.Restock = append(l.Restock, Restock{Card: id, Count: r.change(number)})
		})
	}
	l.Effective = r.time(r.field("effective"))
	l.Time = r.time(r.field("time"))
	return l
}

func readStock(r *reader) Leaf {
	var l StockLeaf
	l.Pack = r.id(r.field("pack"))
	l.Draw = r.number(r.field("draw"))
	card := r.parts(r.field("card"), 2)
	l.Card = r.id(card[0])
	count, added := strings.CutPrefix(card[1], "+")
	r.check(added, "expected + before the count")
	l.Count = r.positive(count)
	l.Reason = r.id(r.field("reason"))
	l.Time = r.time(r.field("time"))
	return l
}

func readEpoch(r *reader) Leaf {
	var l EpochLeaf
	l.Origin = r.label(r.field("origin"))
	l.Size = r.number(r.field("size"))
	l.Root = r.hash(r.field("root"))
	l.Time = r.time(r.field("time"))
	return l
}

func (r *reader) userTag(text string) string {
	var tag [16]byte
	r.hex(tag[:], text)
	return text
}

// clientSeed reads a client seed in padded standard base64.
func (r *reader) clientSeed(text string) string {
	seed, err := base64.StdEncoding.DecodeString(text)
	// The decoder is lenient: it skips carriage returns and ignores spare bits.
	canonical := err == nil && formatClientSeed(string(seed)) == text
	r.check(canonical && CheckClientSeed(string(seed)) == nil, "not a client seed in base64")
	return string(seed)
}

// positive reads a count of at least 1.
func (r *reader) positive(text string) int64 {
	n := r.count(text, math.MaxInt64)
	r.check(n > 0, "must be at least 1")
	return n
}

// change reads a non-zero count; a negative one means cards removed.
func (r *reader) change(text string) int64 {
	count, negative := strings.CutPrefix(text, "-")
	n := r.positive(count)
	if negative {
		return -n
	}
	return n
}

// pairs reads "id:number id:number …", at least one, separated by single spaces.
func (r *reader) pairs(list string, add func(id, number string)) {
	for entry := range strings.SplitSeq(list, " ") {
		id, number, found := strings.Cut(entry, ":")
		r.check(found, "expected id:number")
		add(r.id(id), number)
	}
}
