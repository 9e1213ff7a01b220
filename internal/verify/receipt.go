package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// ReceiptOptions configure the check of a receipt.
type ReceiptOptions struct {
	Location string // a file, or a server's /api/fairness/opens/{id} or page /verify/{id}
	Key      string // verifier key of the log; empty uses the one in the proof
	Manifest []byte // text of the manifest if it isn't in the proof
	Now      time.Time

	// Witnesses are the verifier keys of the witnesses that must have seen a sealed order before its round.
	// Quorum is how many of them; 0 means all.
	Witnesses []string
	Quorum    int
}

// Step is the result of one check.
type Step struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
}

// State is the outcome of a step.
type State string

// The states of a step. A step passes only if it was checked.
const (
	Passed     State = "holds"
	Failed     State = "failed"
	Unchecked  State = "open"  // can't be checked here
	NeedsNewer State = "newer" // needs a newer verifier
)

// Proof is an open with its proof of inclusion in the log, as returned by the server and saved by
// the web app. A receipt without a proof sets only Receipt.
type Proof struct {
	Leaf           string   `json:"leaf"`
	Receipt        string   `json:"receipt"`
	LogKey         string   `json:"logKey"`
	Index          *int64   `json:"index"`
	InclusionProof []string `json:"inclusionProof"`
	Checkpoint     *string  `json:"checkpoint"`
	Manifest       string   `json:"manifest"`

	// Order, Round and Consistency are set for a sealed open.
	Order       *LeafProof `json:"order"`
	Round       *LeafProof `json:"round"`       // the leaf of its round
	Consistency []string   `json:"consistency"` // from the checkpoint in that leaf
}

// Receipt checks the proof of an open, or the receipt of an order or a bid. An error means that it couldn't be
// read.
func Receipt(ctx context.Context, o ReceiptOptions) ([]Step, error) {
	if err := new(replay).trust(o.Witnesses, o.Quorum); err != nil {
		return nil, err
	}
	o.Location = proofLocation(o.Location)
	p, err := readProof(ctx, o.Location)
	if err != nil {
		return nil, err
	}
	r := &receiptCheck{ReceiptOptions: o, Proof: p}
	if r.Key == "" {
		r.Key = p.LogKey
		r.addStep("log key", Unchecked, "not checked, because it came with the proof: compare %s with the key published elsewhere", p.LogKey)
	}
	if r.Key == "" {
		return nil, errors.New("a receipt without a proof needs the log's key (--key)")
	}
	if len(r.ReceiptOptions.Manifest) == 0 {
		r.ReceiptOptions.Manifest = []byte(p.Manifest)
	}
	signer, signed := r.checkSignature()
	unknown, _ := errors.AsType[protocol.UnknownKindError](protocol.CheckKind([]byte(r.text)))
	switch {
	case !signed:
	case unknown.Kind != "" && unknown.Kind != protocol.BidHeader:
		r.addStep("signature", Passed, "%s signed it", signer)
		r.addStep("leaf", NeedsNewer, "this receipt needs a newer verifier (kind %s)", unknown.Kind)
	case strings.HasPrefix(r.text, protocol.BidHeader+"\n"):
		r.checkBid(signer)
	case strings.HasPrefix(r.text, protocol.OrderHeader+"\n"):
		r.checkOrder(ctx, signer)
	case strings.HasPrefix(r.text, protocol.SealedOpenHeader+"\n"):
		r.checkSealedOpen(ctx, signer)
	case strings.HasPrefix(r.text, protocol.VoidHeader+"\n"):
		r.checkVoid(signer)
	case r.checkOpenLeaf(signer):
		r.checkDraw(ctx)
		r.checkInclusion(r.leaf.ID, r.leaf.Time)
	}
	return r.steps, nil
}

// receiptCheck is the state of a receipt's check.
type receiptCheck struct {
	ReceiptOptions
	Proof
	text  string // the signed text
	leaf  protocol.OpenLeaf
	steps []Step

	roundAt time.Time // when the order's round was published
}

func (r *receiptCheck) addStep(name string, state State, format string, args ...any) {
	r.steps = append(r.steps, Step{name, state, fmt.Sprintf(format, args...)})
}

// AnyFailed reports whether any step failed.
func AnyFailed(steps []Step) bool {
	for _, s := range steps {
		if s.State == Failed {
			return true
		}
	}
	return false
}

// AnyNeedsNewer reports whether any step needs a newer verifier.
func AnyNeedsNewer(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.State == NeedsNewer })
}

// pagePath is the path of the page that verifies an open.
const pagePath = "/verify/"

// proofLocation returns the location of the proof that a server's page is about. It leaves others as they are.
func proofLocation(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return location
	}
	id, ok := strings.CutPrefix(u.Path, pagePath)
	if !ok {
		return location
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/api/fairness/opens/" + strings.TrimSuffix(id, "/")}).String()
}

func readProof(ctx context.Context, location string) (p Proof, err error) {
	data, err := readLocation(ctx, location)
	if err != nil {
		return p, err
	}
	data = DecodeTextFile(data)
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		if err := json.Unmarshal(data, &p); err != nil {
			return p, fmt.Errorf("%s is not a proof: %w", location, err)
		}
		p.Order, p.Round = p.Order.orNil(), p.Round.orNil()
		return p, nil
	}
	if u, err := url.Parse(location); err == nil && u.Host != "" && bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
		return p, fmt.Errorf("%s is a web page, not a receipt: use %s://%s%sID", location, u.Scheme, u.Host, pagePath)
	}
	return Proof{Receipt: string(data)}, nil
}

func readLocation(ctx context.Context, location string) ([]byte, error) {
	if strings.Contains(location, "://") {
		return (logServer{client: &http.Client{Timeout: time.Minute}}).get(ctx, location, maxProof)
	}
	file, err := os.Open(location)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file, location, maxProof)
}

// checkSignature checks that the log's key signed the receipt and returns the key's name. It uses the key under the
// name of the log that the receipt belongs to.
func (r *receiptCheck) checkSignature() (signer string, signed bool) {
	verifier, err := note.NewVerifier(r.Key)
	if err != nil {
		r.addStep("signature", Failed, "the log key: %s", err)
		return "", false
	}
	if r.Receipt == "" && r.Leaf != "" {
		if r.Checkpoint != nil {
			if renamed, _ := keyOfLog(r.Key, originOf([]byte(*r.Checkpoint))); renamed != "" {
				r.Key = renamed
			}
		}
		return verifier.Name(), r.useLeaf()
	}
	opened, err := note.Open([]byte(r.Receipt), note.VerifierList(verifier))
	if err == nil {
		r.text = opened.Text
		return verifier.Name(), true
	}
	unverified, ok := errors.AsType[*note.UnverifiedNoteError](err)
	if !ok {
		r.addStep("signature", Failed, "the receipt is not signed by %s: %s", verifier.Name(), err)
		return "", false
	}
	for _, s := range unverified.Note.UnverifiedSigs {
		renamed, which := keyOfLog(r.Key, s.Name)
		if other, err := note.NewVerifier(renamed); err == nil {
			if opened, err := note.Open([]byte(r.Receipt), note.VerifierList(other)); err == nil {
				r.Key, r.text = renamed, opened.Text
				return fmt.Sprintf("%s (signed by the same key for %s log)", s.Name, which), true
			}
		}
	}
	r.addStep("signature", Failed, "the receipt is not signed by %s: %s", verifier.Name(), err)
	return "", false
}

// useLeaf checks a proof without a receipt, which a server can't sign any more once the key of the
// leaf's log is gone. The checkpoint still proves the leaf.
func (r *receiptCheck) useLeaf() bool {
	header, _, _ := strings.Cut(r.Leaf, "\n")
	signable := []string{protocol.OpenHeader, protocol.SealedOpenHeader, protocol.OrderHeader, protocol.VoidHeader}
	if r.Index == nil || r.Checkpoint == nil || !slices.Contains(signable, header) {
		r.addStep("signature", Failed, "the proof has no receipt, and no checkpoint that proves an open or an order")
		return false
	}
	r.addStep("signature", Unchecked, "not checked: the server no longer has the key that signed the receipts of this log. The checkpoint below proves the leaf")
	r.text = r.Leaf
	return true
}

// checkOpenLeaf parses the signed leaf of an open.
func (r *receiptCheck) checkOpenLeaf(signer string) bool {
	leaf, err := parseOpenLeaf(r.text)
	switch {
	case err != nil:
		r.addStep("leaf", Failed, "%s", err)
	case r.Leaf != "" && r.Leaf != r.text:
		r.addStep("leaf", Failed, "the leaf differs from the one in the receipt")
	case r.Receipt == "":
		r.leaf = leaf
	default:
		r.leaf = leaf
		r.addStep("signature", Passed, "%s signed open %s of pack %s at %s", signer, leaf.ID, leaf.Pack, formatTime(leaf.Time))
	}
	return err == nil && !AnyFailed(r.steps)
}

// checkBid parses the signed bid and describes what it proves.
func (r *receiptCheck) checkBid(signer string) {
	b, err := protocol.ParseBid([]byte(r.text))
	if err != nil {
		r.addStep("bid", Failed, "%s", err)
		return
	}
	r.addStep("signature", Passed, "%s signed bid %s at %s", signer, b.ID, formatTime(b.Time))
	pays := "$" + b.Max.String()
	if b.Peg != 0 {
		pays = fmt.Sprintf("%d%% of the item's value, at most $%s", b.Peg, b.Max)
	}
	r.addStep("bid", Passed, "for %s: %s each, quantity %d, %d of them left, expires %s", b.Scope, pays, b.Quantity, b.Left, formatTime(b.Expires))
	if b.Left == 0 {
		r.addStep("standing", Unchecked, "the bid was filled immediately")
		return
	}
	r.addStep("standing", Unchecked, "proves a wrong quick sell only if that one took less (kaibao verify log) and is later than %s, more than %s after this receipt; "+
		"the receipt can't show whether the bid had been filled, changed or withdrawn by then", formatTime(b.Time.Add(protocol.EvidenceAfter)), protocol.EvidenceAfter)
}

// checkOrder checks the signed leaf of an order, which isn't drawn yet.
func (r *receiptCheck) checkOrder(ctx context.Context, signer string) {
	parsed, err := protocol.ParseLeaf([]byte(r.text))
	order, ok := parsed.(protocol.OrderLeaf)
	if err != nil || !ok {
		r.addStep("order", Failed, "%s", err)
		return
	}
	if r.Receipt != "" {
		r.addStep("signature", Passed, "%s signed order %s of pack %s at %s", signer, order.ID, order.Pack, formatTime(order.Time))
	}
	if m := r.readManifest(ctx, "order", order.Manifest); m != nil {
		r.checkRound(ctx, order, m)
	}
	r.addStep("draw", Unchecked, "not checked: the receipt of an order has no draw; kaibao verify log checks that the order was drawn with round %d", order.Round)
	r.checkInclusion(order.ID, order.Time)
}

// checkRound checks an order against its manifest and the schedule of its beacon, which it returns; nil if it
// can't.
func (r *receiptCheck) checkRound(ctx context.Context, order protocol.OrderLeaf, m *protocol.Manifest) *beacon.Beacon {
	if m.Sealing == nil {
		r.addStep("order", Failed, "pack %s isn't sealed, so it can't be ordered", m.Pack)
		return nil
	}
	b, err := r.readBeacon(ctx, m.Sealing.Beacon)
	if err != nil {
		r.addStep("order", Unchecked, "not checked: %s", err)
		return nil
	}
	if err := order.Verify(m, b.Schedule); err != nil {
		r.addStep("order", Failed, "%s", err)
		return nil
	}
	r.roundAt = b.Time(order.Round)
	limits := ""
	if beacon.Known(m.Sealing.Beacon) == nil {
		limits = "; this program doesn't know the beacon, so the round proves nothing about insiders"
	}
	r.addStep("order", Passed, "round %d of %s, published at %s, draws it%s", order.Round, b.ID, formatTime(b.Time(order.Round)), limits)
	return b
}

// readBeacon returns a beacon: a known one, or the one that the server of the receipt describes.
func (r *receiptCheck) readBeacon(ctx context.Context, hash [32]byte) (*beacon.Beacon, error) {
	if known := beacon.Known(hash); known != nil {
		return known, nil
	}
	if !strings.Contains(r.Location, "://") {
		return nil, fmt.Errorf("the beacon %x isn't known to this program, and proves nothing about insiders; kaibao verify log checks its rounds", hash)
	}
	from, err := newSource(r.Location)
	if err != nil {
		return nil, err
	}
	return newPublished(ctx, from).beacon(hash)
}

// checkDraw repeats the draw.
func (r *receiptCheck) checkDraw(ctx context.Context) {
	if protocol.Commitment(r.leaf.ServerSeed) != r.leaf.Commitment {
		r.addStep("commitment", Failed, "the server seed doesn't match the commitment")
		return
	}
	r.addStep("commitment", Passed, "%x is the hash of the revealed server seed", r.leaf.Commitment)
	m := r.readManifest(ctx, "draw", r.leaf.Manifest)
	switch {
	case m == nil:
	case m.Finite():
		r.addStep("draw", Unchecked, "not checked: pack %s has limited cards, so the draw depends on the whole log (kaibao verify log)", m.Pack)
	default:
		if err := r.leaf.Verify(m, nil); err != nil {
			r.addStep("draw", Failed, "%s", err)
			return
		}
		r.addStep("draw", Passed, "the seeds give %s", formatItems(r.leaf.Items))
	}
}

// readManifest returns the manifest with a hash. If it can't, it adds a step with this name that says
// why, and returns nil.
func (r *receiptCheck) readManifest(ctx context.Context, step string, hash [32]byte) *protocol.Manifest {
	text := r.ReceiptOptions.Manifest
	if len(text) == 0 && strings.Contains(r.Location, "://") {
		u, err := url.Parse(r.Location)
		if err == nil {
			text, err = (logServer{u, &http.Client{Timeout: time.Minute}}).get(ctx,
				fmt.Sprintf("%s://%s/api/fairness/manifests/%x", u.Scheme, u.Host, hash), maxManifest)
		}
		if err != nil {
			r.addStep(step, Unchecked, "the manifest can't be read: %s", err)
			return nil
		}
	}
	if len(text) == 0 {
		r.addStep(step, Unchecked, "not checked: give the manifest %x (--manifest FILE)", hash)
		return nil
	}
	if protocol.Hash(text) != hash {
		r.addStep(step, Failed, "the manifest is not the one named in the leaf")
		return nil
	}
	m, err := protocol.ParseManifest(text)
	if err != nil {
		r.addStep(step, Failed, "%s", err)
		return nil
	}
	return m
}

func formatItems(items []protocol.LeafItem) string {
	names := make([]string, len(items))
	for n, item := range items {
		names[n] = fmt.Sprintf("%s ($%s)", item.Card, item.Value)
	}
	return strings.Join(names, ", ")
}

// checkInclusion checks the path from the leaf of an open or order to the signed root. It returns the signed
// tree, and whether it has the leaf.
func (r *receiptCheck) checkInclusion(id string, at time.Time) (tree Checkpoint, proven bool) {
	if r.Index == nil || r.Checkpoint == nil {
		// Only a server's response is current; a file may have been saved too early.
		if age := r.Now.Sub(at); strings.Contains(r.Location, "://") && age > protocol.MaxLogDelay {
			r.addStep("inclusion", Failed, "the leaf is %s old, but not in the log", age.Round(time.Second))
			return tree, false
		}
		r.addStep("inclusion", Unchecked, "not checked: the receipt has no inclusion proof; get one from the server at /api/fairness/opens/%s", id)
		return tree, false
	}
	tree, err := openCheckpoint([]byte(*r.Checkpoint), r.Key)
	if err != nil {
		r.addStep("checkpoint", Failed, "%s", err)
		return tree, false
	}
	r.addStep("checkpoint", Passed, "%d leaves under %s", tree.Size, tree.Root)
	leaf := &LeafProof{Leaf: r.text, Index: *r.Index, InclusionProof: r.InclusionProof}
	if err := leaf.check(tree); err != nil {
		r.addStep("inclusion", Failed, "%s", err)
		return tree, false
	}
	r.addStep("inclusion", Passed, "leaf %d of %d", *r.Index, tree.Size)
	return tree, true
}
