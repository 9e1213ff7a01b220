package verify_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// included returns a leaf with its path to the root of the whole log.
func (log *sealedLog) included(t *testing.T, index int64) *verify.LeafProof {
	t.Helper()
	path, err := tlog.ProveRecord(int64(len(log.leaves)), index, hashReader(t, log.leaves))
	if err != nil {
		t.Fatal(err)
	}
	p := &verify.LeafProof{Leaf: log.leaves[index], Index: index}
	for _, hash := range path {
		p.InclusionProof = append(p.InclusionProof, hash.String())
	}
	return p
}

// proof returns the proof of a sealed open, as a server returns it.
func (log *sealedLog) proof(t *testing.T, order, round, open int64) verify.Proof {
	t.Helper()
	included, checkpoint := log.included(t, open), string(log.checkpoint(t, log.leaves))
	p := verify.Proof{
		Leaf: included.Leaf, Receipt: log.receipt(t, open), LogKey: log.verifier, Index: &included.Index, InclusionProof: included.InclusionProof,
		Checkpoint: &checkpoint, Order: log.included(t, order), Round: log.included(t, round),
	}
	leaf, err := protocol.ParseLeaf([]byte(p.Round.Leaf))
	if err != nil {
		t.Fatal(err)
	}
	if cosigned := leaf.(protocol.RoundLeaf).Checkpoint; cosigned != "" {
		proof, err := tlog.ProveTree(int64(len(log.leaves)), log.sizeOf(t, cosigned), hashReader(t, log.leaves))
		if err != nil {
			t.Fatal(err)
		}
		for _, hash := range proof {
			p.Consistency = append(p.Consistency, hash.String())
		}
	}
	return p
}

// sizeOf returns the size of the tree in a checkpoint of the log.
func (log *sealedLog) sizeOf(t *testing.T, signed string) int64 {
	t.Helper()
	for n := range log.leaves {
		text, _, _ := strings.Cut(string(log.checkpoint(t, log.leaves[:n+1])), "\n\n")
		if strings.HasPrefix(signed, text+"\n\n") {
			return int64(n + 1)
		}
	}
	t.Fatalf("the log has no tree like %s", signed)
	return 0
}

// checkReceipt checks a saved proof.
func checkReceipt(t *testing.T, proof []byte, o verify.ReceiptOptions) []verify.Step {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "proof.json", proof)
	o.Location = dir + "/proof.json"
	steps, err := verify.Receipt(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func wantStep(t *testing.T, steps []verify.Step, name string, state verify.State, detail string) {
	t.Helper()
	if n := slices.IndexFunc(steps, func(s verify.Step) bool { return s.Name == name }); n < 0 || steps[n].State != state || !strings.Contains(steps[n].Detail, detail) {
		t.Errorf("%+v: want %s %s: %q", steps, name, state, detail)
	}
}

func toJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The saved response of GET /api/opens/ID has a receipt and describes order and round, but has neither of
// their leaves.
func TestReceiptInAResponse(t *testing.T) {
	log := newSealedLog(t)
	o := log.order(log.users[0], "open", nil)
	log.fix()
	log.publishRound(o.Round, nil)
	open := log.draw(o, nil)
	response := map[string]any{
		"openId": o.ID, "state": "open", "receipt": log.receipt(t, open),
		"order": map[string]any{"orderedAt": "2026-03-04T12:00:00.100Z", "beacon": "f0b4", "round": o.Round, "roundInMs": 0, "items": 1},
	}
	steps := checkReceipt(t, toJSON(t, response), verify.ReceiptOptions{Key: log.verifier, Now: log.now})
	wantStep(t, steps, "signature", verify.Passed, "open "+o.ID)
	wantStep(t, steps, "order", verify.Unchecked, "get the whole proof from the server")
	if verify.AnyFailed(steps) {
		t.Errorf("failed: %+v", steps)
	}
}

// After a restore, the same key signs under another name. A key that was saved before still checks the receipts of
// later logs, and the other way round.
func TestReceiptsOfAnotherLogWithTheSameKey(t *testing.T) {
	log := newSealedLog(t)
	before := log.verifier
	old := log.order(log.users[0], "open", nil)
	log.fix()
	log.publishRound(old.Round, nil)
	drawn := log.draw(old, nil)
	first := toJSON(t, log.proof(t, old.index, drawn-1, drawn))
	log.restore(t, "kaibao.log/test/0123456789abcdef", 0)
	after := log.verifier
	o := log.order(log.users[0], "open", nil)
	log.fix()
	round := log.publishRound(o.Round, nil)
	open := log.draw(o, nil)
	proof := log.proof(t, o.index, round, open)
	unsigned := proof
	unsigned.Receipt = ""
	log.restore(t, "kaibao.log/test/fedcba9876543210", 0)
	third := log.verifier
	log.restore(t, "kaibao.log/test/elsewhere", 0)
	elsewhere := log.verifier
	_, stranger := newKeyPair(t, "kaibao.log/test")

	for name, c := range map[string]struct {
		proof []byte
		key   string
		says  string
	}{
		"its own key":             {toJSON(t, proof), after, "kaibao.log/test/0123456789abcdef signed open"},
		"the key before":          {toJSON(t, proof), before, "kaibao.log/test/0123456789abcdef (signed by the same key for a later log) signed open"},
		"the key after":           {toJSON(t, proof), third, "kaibao.log/test/0123456789abcdef (signed by the same key for another log) signed open"},
		"a receipt alone":         {[]byte(proof.Receipt), before, "(signed by the same key for a later log)"},
		"of the first log":        {first, after, "kaibao.log/test (signed by the same key for an earlier log) signed open"},
		"without a receipt":       {toJSON(t, unsigned), before, ""},
		"a key of another name":   {toJSON(t, proof), elsewhere, "not signed by"},
		"another key of the name": {toJSON(t, proof), stranger, "not signed by"},
	} {
		steps := checkReceipt(t, c.proof, verify.ReceiptOptions{Key: c.key, Now: log.now})
		state := verify.Passed
		switch c.says {
		case "":
			state = verify.Unchecked
		case "not signed by":
			state = verify.Failed
		}
		wantStep(t, steps, "signature", state, c.says)
		if state != verify.Failed && len(c.proof) > len(proof.Receipt) {
			wantStep(t, steps, "checkpoint", verify.Passed, "leaves under")
			wantStep(t, steps, "inclusion", verify.Passed, "")
		}
		if verify.AnyFailed(steps) != (state == verify.Failed) {
			t.Errorf("%s: %+v", name, steps)
		}
	}
}

// Whether an order was fixed is judged in the log that it was placed in. If the round has a checkpoint of the log that
// ended, the proof can't tell that no witness saw the order.
func TestReceiptOfACopiedOrder(t *testing.T) {
	for name, c := range map[string]struct {
		ended    func(log *sealedLog) string // the checkpoint of the ended log
		cosigned func(log *sealedLog) string // that of the next one
		index    int64                       // of the order
		state    verify.State
		says     string
	}{
		"only the ended log's": {func(log *sealedLog) string { return log.cosign(log.now, 2) }, nil, 1, verify.Unchecked, "needs the whole log"},
		"both, too few": {
			func(log *sealedLog) string { return log.cosign(log.now, 2) }, func(log *sealedLog) string { return log.cosign(log.now, 1) }, 1,
			verify.Unchecked, "needs the whole log",
		},
		"both, before the copy": {
			func(log *sealedLog) string { return log.cosign(log.now, 2) }, func(log *sealedLog) string { return log.cosignLeaves(log.leaves[:1], log.now, 2) }, 1,
			verify.Unchecked, "needs the whole log",
		},
		"both":        {func(log *sealedLog) string { return log.cosign(log.now, 2) }, func(log *sealedLog) string { return log.cosign(log.now, 2) }, 1, verify.Passed, "2 of your witnesses"},
		"neither":     {nil, nil, 1, verify.Unchecked, "no witness saw the order before its round"},
		"not a copy":  {nil, func(log *sealedLog) string { return log.cosign(log.now, 1) }, 1, verify.Unchecked, "it is unproven"},
		"not in time": {nil, func(log *sealedLog) string { return log.cosignLeaves(log.leaves[:1], log.now, 2) }, 1, verify.Unchecked, "it is unproven"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			o := log.order(log.users[0], "open", nil)
			before := log.now
			ended := ""
			if c.ended != nil {
				ended = c.ended(log)
			}
			log.restore(t, "kaibao.log/test/0123456789abcdef", 0)
			log.leaves = append(log.leaves[:1], append([]string{string(o.Format())}, log.leaves[1:]...)...)
			now := log.now
			log.now, log.cosigned = before, ""
			if c.cosigned != nil {
				log.cosigned = c.cosigned(log)
			}
			log.now = now
			round := log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.EndedCheckpoint = ended })
			proof := log.proof(t, c.index, round, log.draw(o, nil))
			proof.Manifest = log.manifests[o.Manifest]
			dir := log.writeMirror(t) // with the beacon
			writeFile(t, dir, "opens/x", toJSON(t, proof))
			options := verify.ReceiptOptions{Location: newHost(t, dir).URL + "/api/fairness/opens/x", Key: log.verifier, Now: log.now}
			for _, w := range log.witnesses[:2] {
				options.Witnesses = append(options.Witnesses, w.String())
			}
			steps, err := verify.Receipt(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			wantStep(t, steps, "fixed in time", c.state, c.says)
		})
	}
}

// Even if the draw itself can't be repeated, because it depends on the log, a receipt shows a draw with
// another round than the order's, and one from before its round.
func TestReceiptOfAForgedLimitedOpen(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(log *sealedLog, l *protocol.SealedOpenLeaf)
		step  string
		state verify.State
		says  string
	}{
		"as it was": {func(*sealedLog, *protocol.SealedOpenLeaf) {}, "draw", verify.Unchecked, "depends on the whole log"},
		"another round": {func(log *sealedLog, l *protocol.SealedOpenLeaf) {
			l.Round++
			l.Signature = log.signer.Sign(l.Round)
		}, "order", verify.Failed, "differs from its order"},
		"too early": {func(log *sealedLog, l *protocol.SealedOpenLeaf) {
			l.Time = log.beacon.Time(l.Round).Add(-time.Millisecond)
		}, "draw", verify.Failed, "from before its round"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			o := log.order(log.users[0], "few", nil)
			log.fix()
			round := log.publishRound(o.Round, nil)
			open := log.draw(o, func(l *protocol.SealedOpenLeaf) { c.forge(log, l) })
			proof := log.proof(t, o.index, round, open)
			proof.Manifest = log.manifests[o.Manifest]
			dir := log.writeMirror(t) // with the beacon
			writeFile(t, dir, "opens/x", toJSON(t, proof))
			steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: newHost(t, dir).URL + "/api/fairness/opens/x", Key: log.verifier, Now: log.now})
			if err != nil {
				t.Fatal(err)
			}
			wantStep(t, steps, c.step, c.state, c.says)
			if verify.AnyFailed(steps) != (c.state == verify.Failed) {
				t.Errorf("%+v", steps)
			}
		})
	}
}

// A server can't sign receipts any more once the key of their log is gone, but can still prove orders and
// refunds.
func TestProofsOfOrdersWithoutReceipt(t *testing.T) {
	log := newSealedLog(t)
	o := log.order(log.users[0], "open", nil)
	void := log.void(o, protocol.VoidNoBeacon)
	checkpoint := string(log.checkpoint(t, log.leaves))
	for name, c := range map[string]struct {
		leaf   int64
		forge  func(*protocol.VoidLeaf)
		failed string // the step
	}{
		"order":          {leaf: o.index},
		"refund":         {leaf: void},
		"another seed":   {void, func(l *protocol.VoidLeaf) { l.ServerSeed[0]++ }, "commitment"},
		"another nonce":  {void, func(l *protocol.VoidLeaf) { l.Nonce++ }, "order"},
		"another order":  {void, func(l *protocol.VoidLeaf) { l.Order[0]++ }, "order"},
		"no such header": {0, nil, "signature"},
	} {
		included := log.included(t, c.leaf)
		proof := verify.Proof{
			Leaf: included.Leaf, LogKey: log.verifier, Index: &included.Index, InclusionProof: included.InclusionProof, Checkpoint: &checkpoint,
			Order: log.included(t, o.index),
		}
		if c.forge != nil {
			leaf, err := protocol.ParseLeaf([]byte(proof.Leaf))
			if err != nil {
				t.Fatal(err)
			}
			l := leaf.(protocol.VoidLeaf)
			c.forge(&l)
			proof.Leaf = string(l.Format())
		}
		steps := checkReceipt(t, toJSON(t, proof), verify.ReceiptOptions{Key: log.verifier, Now: log.now})
		if c.failed != "" {
			wantStep(t, steps, c.failed, verify.Failed, "")
			continue
		}
		wantStep(t, steps, "signature", verify.Unchecked, "no longer has the key")
		wantStep(t, steps, "inclusion", verify.Passed, "")
		if verify.AnyFailed(steps) {
			t.Errorf("%s: %+v", name, steps)
		}
	}
}

// A page that isn't about one open is no evidence against the server.
func TestReceiptFromAnotherPage(t *testing.T) {
	url := serveBody(t, []byte("<!doctype html>\n<title>Kaibao</title>\n"))
	_, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: url + "/my-opens", Key: newTestLog(t, 1).verifier})
	if err == nil || !strings.Contains(err.Error(), "is a web page, not a receipt: use "+url+"/verify/ID") {
		t.Errorf("error %v", err)
	}
}
