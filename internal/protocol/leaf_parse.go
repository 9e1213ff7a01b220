package protocol

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// ParseLeaf reads a leaf of any kind by its strict grammar, so that for all text
// it takes, Format gives the same bytes back. Everything else is refused with
// the line at fault; a kind that is not known is an UnknownKindError.
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

// UnknownKindError is of a leaf whose kind, or version of it, this program does not know. It
// may be right: only a newer verifier can tell.
type UnknownKindError struct {
	Kind string // the leaf's first line
}

// Error implements error.
func (e UnknownKindError) Error() string { return "a leaf of the unknown kind " + e.Kind }

// CheckKind is nil for a text that begins as a leaf of a known kind does.
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
	return errors.New("not a leaf: " + quote(header) + " is no kind")
}

// leafKind is the first line of every leaf, of versions to come too.
var leafKind = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}/v[1-9][0-9]{0,5}$`)

var leafParsers = map[string]func(*reader) Leaf{
	OpenHeader:      readOpen,
	commitHeader:    readCommit,
	publishedHeader: readPublished,
	stockHeader:     readStock,
	epochHeader:     readEpoch,
	booksHeader:     readBooks,
	tradeV1Header:   readTradeV1,
	tradeHeader:     readTrade,
	ratesHeader:     readRates,
}

func readOpen(r *reader) Leaf {
	var l OpenLeaf
	l.ID = r.id(r.field("id"))
	l.User = r.userTag(r.field("user"))
	l.Nonce = r.number(r.field("nonce"))
	l.Pack = r.id(r.field("pack"))
	l.Manifest = r.hash(r.field("manifest"))
	l.Draw = r.number(r.field("draw"))
	l.Commitment = r.hash(r.field("commitment"))
	l.ServerSeed = r.hash(r.field("serverSeed"))
	l.ClientSeed = r.clientSeed(r.field("clientSeed"))
	r.pairs(r.field("items"), func(id, number string) {
		l.Items = append(l.Items, LeafItem{Card: id, Value: r.amount(number)})
	})
	r.check(len(l.Items) <= MaxItems, "too many items")
	l.Price = r.amount(r.field("price"))
	l.Time = r.time(r.field("time"))
	l.Next = r.hash(r.field("next"))
	return l
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

// clientSeed reads padded standard base64 of a seed that CheckClientSeed takes.
func (r *reader) clientSeed(text string) string {
	seed, err := base64.StdEncoding.DecodeString(text)
	// The decoder is lenient: it skips carriage returns and ignores spare bits.
	canonical := err == nil && base64.StdEncoding.EncodeToString(seed) == text
	r.check(canonical && CheckClientSeed(string(seed)) == nil, "not a client seed in base64")
	return string(seed)
}

// positive reads a count of at least 1.
func (r *reader) positive(text string) int64 {
	n := r.count(text, math.MaxInt64)
	r.check(n > 0, "must be at least 1")
	return n
}

// change reads a count other than 0, below it for what was taken out.
func (r *reader) change(text string) int64 {
	count, out := strings.CutPrefix(text, "-")
	n := r.positive(count)
	if out {
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
