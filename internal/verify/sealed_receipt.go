package verify

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// LeafProof is another leaf in the signed tree of a proof.
type LeafProof struct {
	Leaf           string   `json:"leaf"`
	Receipt        string   `json:"receipt"`
	Index          int64    `json:"index"`
	InclusionProof []string `json:"inclusionProof"`
}

// orNil returns nil if there is no leaf. Other responses with a receipt, such as those of /api/opens/{id},
// describe the order in an object of the same name.
func (p *LeafProof) orNil() *LeafProof {
	if p == nil || p.Leaf == "" {
		return nil
	}
	return p
}

// checkSealedOpen checks the draw of an order.
func (r *receiptCheck) checkSealedOpen(ctx context.Context, signer string) {
	parsed, err := protocol.ParseLeaf([]byte(r.text))
	open, ok := parsed.(protocol.SealedOpenLeaf)
	switch {
	case err != nil || !ok:
		r.addStep("leaf", Failed, "%v", err)
		return
	case r.Leaf != "" && r.Leaf != r.text:
		r.addStep("leaf", Failed, "the leaf differs from the one in the receipt")
		return
	case r.Receipt != "":
		r.addStep("signature", Passed, "%s signed open %s of pack %s at %s", signer, open.ID, open.Pack, formatTime(open.Time))
	}
	if protocol.Commitment(open.ServerSeed) != open.Commitment {
		r.addStep("commitment", Failed, "the server seed doesn't match the commitment")
		return
	}
	r.addStep("commitment", Passed, "%x is the hash of the revealed server seed", open.Commitment)
	tree, proven := r.checkInclusion(open.ID, open.Time)
	if r.Order == nil {
		r.addStep("order", Unchecked, "not checked: the receipt has no order; get the whole proof from the server at /api/fairness/opens/%s", open.ID)
		return
	}
	order, ok := r.readOrder("open", open.Settlement)
	if !ok {
		return
	}
	if m := r.readManifest(ctx, "order", open.Manifest); m != nil {
		r.checkSealedDraw(ctx, open, order, m)
	}
	if !proven {
		r.addStep(fixedStep, Unchecked, "not checked: the open itself isn't proven to be in the log")
		return
	}
	r.checkFixed(order, open, tree)
}

// fixedStep is the step that shows that an order was placed before its round was known.
const fixedStep = "fixed in time"

// readOrder returns the order of an open or a void, which repeats its fields.
func (r *receiptCheck) readOrder(kind string, settlement protocol.Settlement) (order protocol.OrderLeaf, ok bool) {
	parsed, err := protocol.ParseLeaf([]byte(r.Order.Leaf))
	order, ok = parsed.(protocol.OrderLeaf)
	switch {
	case err != nil || !ok || order.Hash() != settlement.Order:
		r.addStep("order", Failed, "the proof doesn't have the order that the %s names", kind)
	case order.Settlement() != settlement:
		r.addStep("order", Failed, "the %s differs from its order: another user, pack, manifest, draw, commitment or round", kind)
	default:
		return order, true
	}
	return order, false
}

// checkSealedDraw checks the order's round, the beacon's signature, and the draw.
func (r *receiptCheck) checkSealedDraw(ctx context.Context, open protocol.SealedOpenLeaf, order protocol.OrderLeaf, m *protocol.Manifest) {
	b := r.checkRound(ctx, order, m)
	if b == nil {
		return
	}
	if err := b.Verify(open.Round, open.Signature); err != nil {
		r.addStep("beacon", Failed, "%s", err)
		return
	}
	r.addStep("beacon", Passed, "%s signed round %d", b.ID, open.Round)
	if at := b.Time(open.Round); open.Time.Before(at) {
		r.addStep("draw", Failed, "it is from before its round, which was published at %s", formatTime(at))
		return
	}
	if m.Finite() {
		r.addStep("draw", Unchecked, "not checked: pack %s has limited cards, so the draw depends on the whole log (kaibao verify log)", m.Pack)
		return
	}
	if err := open.Verify(order, m, b.Schedule, nil); err != nil {
		r.addStep("draw", Failed, "%s", err)
		return
	}
	r.addStep("draw", Passed, "the seeds and the round give %s", formatItems(open.Items))
}

// checkFixed checks that witnesses saw the order in the log before its round.
func (r *receiptCheck) checkFixed(order protocol.OrderLeaf, open protocol.SealedOpenLeaf, tree Checkpoint) {
	if r.Round == nil {
		r.addStep(fixedStep, Unchecked, "not checked: the proof doesn't have the leaf of the round (kaibao verify log)")
		return
	}
	parsed, err := protocol.ParseLeaf([]byte(r.Round.Leaf))
	round, ok := parsed.(protocol.RoundLeaf)
	if err != nil || !ok || round.Round != open.Round || round.Signature != open.Signature {
		r.addStep(fixedStep, Failed, "the proof doesn't have the leaf of round %d", open.Round)
		return
	}
	for _, p := range []*LeafProof{r.Order, r.Round} {
		if err := p.check(tree); err != nil {
			r.addStep(fixedStep, Failed, "%s", err)
			return
		}
	}
	if round.Checkpoint == "" {
		r.addUnproven(round, "no witness saw the order before its round: only someone who follows the log can tell when it was placed")
		return
	}
	r.checkWitnesses(order, round, tree)
}

// checkWitnesses checks that a quorum of trusted witnesses cosigned a tree with the order before its round.
func (r *receiptCheck) checkWitnesses(order protocol.OrderLeaf, round protocol.RoundLeaf, tree Checkpoint) {
	if r.roundAt.IsZero() {
		r.addStep(fixedStep, Unchecked, "not checked: the time of round %d isn't known without the pack's manifest and beacon", round.Round)
		return
	}
	key, err := note.NewVerifier(r.Key)
	if err != nil {
		r.addStep(fixedStep, Failed, "the log key: %s", err)
		return
	}
	seen := &replay{}
	if err := seen.trust(r.Witnesses, r.Quorum); err != nil {
		r.addStep(fixedStep, Unchecked, "%s", err)
		return
	}
	if origin, _, _ := strings.Cut(round.Checkpoint, "\n"); origin != key.Name() {
		r.addStep(fixedStep, Unchecked, "not checked: the checkpoint of the round is that of the log %s (kaibao verify log)", origin)
		return
	}
	fixed, times, err := seen.openCosigned(round.Checkpoint, key)
	if err != nil {
		r.addStep(fixedStep, Failed, "the checkpoint of the round: %s", err)
		return
	}
	consistency, err := decodeHashes(r.Consistency)
	if err == nil {
		err = checkConsistency(consistency, tree, fixed)
	}
	switch p := seen.policyAt(order.Time); {
	case err != nil:
		r.addStep(fixedStep, Failed, "the tree of the round isn't part of the log: %s", err)
	case r.Order.Index >= fixed.Size:
		r.addUnproven(round, "the order was in no tree that witnesses saw before its round: it is unproven")
	case p == nil:
		r.addStep(fixedStep, Unchecked, "not checked: name the witnesses that you trust (--witness)")
	case !p.before(times, r.roundAt):
		r.addUnproven(round, fmt.Sprintf("fewer than %d of your witnesses saw the order before its round: it is unproven", p.quorum))
	default:
		r.addStep(fixedStep, Passed, "%d of your witnesses saw the order before its round", p.quorum)
	}
}

// addUnproven says that no quorum saw an order in this log before its round. If the round also has a checkpoint of
// the log that this one continues, witnesses may have seen the order there.
func (r *receiptCheck) addUnproven(round protocol.RoundLeaf, reason string) {
	if round.EndedCheckpoint != "" {
		reason = fmt.Sprintf("not checked: needs the whole log, because the order may be a copy from the ended log %s, which witnesses saw before the round (kaibao verify log)",
			originOf([]byte(round.EndedCheckpoint)))
	}
	r.addStep(fixedStep, Unchecked, "%s", reason)
}

// checkConsistency checks that a tree continues an earlier one.
func checkConsistency(proof []tlog.Hash, tree, earlier Checkpoint) error {
	if earlier.Size > tree.Size {
		return fmt.Errorf("it has %d leaves, but the log's tree %d", earlier.Size, tree.Size)
	}
	return tlog.CheckTree(proof, tree.Size, tree.Root, earlier.Size, earlier.Root)
}

// check checks that the leaf is in a tree.
func (p *LeafProof) check(tree Checkpoint) error {
	path, err := decodeHashes(p.InclusionProof)
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(path, tree.Size, tree.Root, p.Index, tlog.RecordHash([]byte(p.Leaf))); err != nil {
		return fmt.Errorf("the proof doesn't connect leaf %d with the signed root", p.Index)
	}
	return nil
}

func decodeHashes(texts []string) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(texts))
	for n, text := range texts {
		hash, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(hash) != tlog.HashSize {
			return nil, fmt.Errorf("hash %d of the proof is not valid", n)
		}
		hashes[n] = tlog.Hash(hash)
	}
	return hashes, nil
}

// checkVoid checks the void of an order.
func (r *receiptCheck) checkVoid(signer string) {
	parsed, err := protocol.ParseLeaf([]byte(r.text))
	void, ok := parsed.(protocol.VoidLeaf)
	if err != nil || !ok {
		r.addStep("void", Failed, "%v", err)
		return
	}
	if r.Receipt != "" {
		r.addStep("signature", Passed, "%s signed the refund of order %s of pack %s at %s", signer, void.ID, void.Pack, formatTime(void.Time))
	}
	if void.Reason != protocol.VoidLost && protocol.Commitment(void.ServerSeed) != void.Commitment {
		r.addStep("commitment", Failed, "the server seed doesn't match the commitment")
		return
	}
	if r.Order != nil {
		if _, ok := r.readOrder("refund", void.Settlement); !ok {
			return
		}
	}
	r.addStep("void", Unchecked, "not checked: whether round %d could be fetched (reason: %s); kaibao verify log checks it", void.Round, void.Reason)
	r.checkInclusion(void.ID, void.Time)
}
