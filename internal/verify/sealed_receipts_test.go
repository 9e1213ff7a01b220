package verify_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// Pending orders follow the first leaf of a log that continues another one. Whether they are fixed is
// judged in the ended log.
func TestOrdersAcrossLogs(t *testing.T) {
	restore := func(log *sealedLog) { log.restore(log.t, "kaibao.log/test/one", 0) }
	replaceKey := func(log *sealedLog) { log.replaceKey(log.t, "kaibao.log/test/two") }
	for name, c := range map[string]struct {
		next   func(log *sealedLog)
		change func(log *sealedLog) // after the order is copied
		round  func(*protocol.RoundLeaf)
		fixed  bool
		reason string
	}{
		"a restore":              {next: restore, fixed: true},
		"another key":            {next: replaceKey, fixed: true},
		"the order isn't copied": {next: restore, change: func(log *sealedLog) { log.leaves = slices.Delete(log.leaves, 1, 2) }, reason: "isn't copied"},
		"the copy differs":       {next: restore, change: func(log *sealedLog) { log.rewrite(1, "clientSeed ", "clientSeed eHh4") }, reason: "isn't copied"},
		"it is copied twice":     {next: replaceKey, change: func(log *sealedLog) { log.leaves = append(log.leaves, log.leaves[1]) }, reason: "nonce"},
		"no checkpoint":          {next: restore, round: func(l *protocol.RoundLeaf) { l.EndedCheckpoint = "" }},
		"in the wrong place":     {next: restore, round: func(l *protocol.RoundLeaf) { l.Checkpoint, l.EndedCheckpoint = l.EndedCheckpoint, "" }, reason: "is not signed by"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			o := log.order(log.users[0], "open", nil)
			log.fix()
			ended := log.cosigned
			c.next(log)
			log.leaves = slices.Insert(log.leaves, 1, string(o.Format()))
			if c.change != nil {
				c.change(log)
			}
			log.cosigned = ""
			log.publishRound(o.Round, func(l *protocol.RoundLeaf) {
				l.EndedCheckpoint = ended
				if c.round != nil {
					c.round(l)
				}
			})
			log.draw(o, nil)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			if f := report.Fault; (f != nil) != (c.reason != "") || f != nil && !strings.Contains(f.Reason, c.reason) {
				t.Fatalf("fault %v, want %q", f, c.reason)
			}
			if s := report.Sealed; c.reason == "" && (report.Orders != 1 || (s.Fixed == 1) != c.fixed || (len(s.Unproven) == 0) != c.fixed) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// After a restore, the new log begins with the orders that were pending. Those that the restored database
// lacks are each followed by their void, and are listed as lost. Another order there waited in the
// ended log for its place.
func TestOrdersLostInARestore(t *testing.T) {
	for name, c := range map[string]struct {
		void   func(*protocol.VoidLeaf)
		reason string
		leaf   int64
	}{
		"voided":       {void: func(*protocol.VoidLeaf) {}},
		"another void": {void: func(l *protocol.VoidLeaf) { l.Nonce++ }, reason: "doesn't repeat its fields", leaf: 3},
		"not voided":   {reason: "the nonce", leaf: 2},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			kept := log.order(log.users[0], "open", nil)
			log.fix()
			ended := log.cosigned
			user := *log.users[0]
			log.sell(log.users[0], "open") // in the lost leaves, like the order after it
			lost := log.order(log.users[0], "few", nil)
			log.leaves, log.users[0] = log.leaves[:kept.index+1], &user
			log.restore(t, "kaibao.log/test/one", 0)
			restored := log.now
			copies := []string{string(kept.Format()), string(lost.Format())}
			if c.void != nil {
				l := protocol.VoidLeaf{Settlement: lost.Settlement(), Reason: protocol.VoidLost, Time: log.now}
				c.void(&l)
				copies = append(copies, string(l.Format()))
			}
			log.leaves = slices.Insert(log.leaves, 1, copies...)
			log.cosigned = ""
			log.publishRound(kept.Round, func(l *protocol.RoundLeaf) { l.EndedCheckpoint = ended })
			log.draw(kept, nil)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			if c.reason != "" {
				if f := report.Fault; f == nil || !strings.Contains(f.Reason, c.reason) || f.Leaf == nil || *f.Leaf != c.leaf {
					t.Fatalf("fault %v, want %q in leaf %d", f, c.reason, c.leaf)
				}
				return
			}
			want := verify.LostOrder{Log: "kaibao.log/test/one", Leaf: 3, ID: lost.ID, User: lost.User, Price: lost.Price, Time: restored}
			if s := report.Sealed; report.Fault != nil || len(s.LostOrders) != 1 || s.LostOrders[0] != want || report.Opens != 1 || report.Orders != 1 || report.Voids != 0 || s.Fixed != 1 {
				t.Errorf("fault %v, %+v; want %+v", report.Fault, report, want)
			}
		})
	}
}

// Orders that waited in the ended log for their place may follow the copies directly.
func TestOrdersWaitedInTheEndedLog(t *testing.T) {
	log := newSealedLog(t)
	kept := log.order(log.users[0], "open", nil)
	log.fix()
	ended := log.cosigned
	waiting := []*testOrder{log.order(log.users[0], "open", nil), log.order(log.users[1], "few", nil)}
	log.restore(t, "kaibao.log/test/one", len(waiting))
	log.leaves = slices.Insert(log.leaves, 1, string(kept.Format()))
	log.cosigned = ""
	log.publishRound(kept.Round, func(l *protocol.RoundLeaf) { l.EndedCheckpoint = ended })
	for _, o := range append(waiting, kept) {
		log.draw(o, nil)
	}
	if report := checkLog(t, verify.Options{Location: log.writeMirror(t)}); report.Fault != nil || report.Orders != 3 || report.Opens != 3 {
		t.Errorf("fault %v, %d orders, %d opens", report.Fault, report.Orders, report.Opens)
	}
}

// A mirror has the orders that the restored database lacks.
func TestPendingOrdersOfAMirror(t *testing.T) {
	log := newSealedLog(t)
	before := log.order(log.users[0], "open", nil)
	size := int64(len(log.leaves))
	root, err := tlog.TreeHash(size, hashReader(t, log.leaves))
	if err != nil {
		t.Fatal(err)
	}
	log.sell(log.users[1], "open")
	lost := log.order(log.users[1], "few", nil)
	mirror := log.writeMirror(t)
	after := verify.Checkpoint{Origin: "kaibao.log/test", Size: size, Root: root}
	orders, total, err := verify.PendingOrders(t.Context(), mirror, log.verifier, after)
	if err != nil || len(orders) != 1 || orders[0] != lost.OrderLeaf || total != int64(len(log.leaves)) {
		t.Errorf("%v of %d leaves, error %v", orders, total, err)
	}
	whole, _, err := verify.PendingOrders(t.Context(), mirror, log.verifier, verify.Checkpoint{Origin: after.Origin})
	if err != nil || len(whole) != 2 || whole[0].ID != before.ID {
		t.Errorf("after an empty log: %v, error %v", whole, err)
	}
	other := newTestLog(t, 2)
	for name, c := range map[string]struct {
		dir, key string
		after    verify.Checkpoint
		want     string
	}{
		"no mirror":        {t.TempDir(), log.verifier, after, "no mirror"},
		"another log":      {mirror, log.verifier, verify.Checkpoint{Origin: "kaibao.log/test/old"}, "the restored database has the log kaibao.log/test/old"},
		"another key":      {mirror, other.verifier, after, "is not signed by"},
		"an older mirror":  {mirror, log.verifier, verify.Checkpoint{Origin: after.Origin, Size: size + 1000}, "older than the backup"},
		"another database": {mirror, log.verifier, verify.Checkpoint{Origin: after.Origin, Size: size - 1, Root: root}, "differ from those of the restored database"},
	} {
		if _, _, err := verify.PendingOrders(t.Context(), c.dir, c.key, c.after); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	log.leaves[size] += "x"
	writeTiles(t, mirror, log.leaves)
	if _, _, err := verify.PendingOrders(t.Context(), mirror, log.verifier, after); err == nil || !strings.Contains(err.Error(), "don't match its checkpoint") {
		t.Errorf("a changed mirror: error %v", err)
	}
}

// The receipt of an order proves what was ordered, and its round by the rule of a known beacon.
func TestReceiptsOfOrders(t *testing.T) {
	text, err := os.ReadFile("../protocol/testdata/vectors-v2.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct{ Manifest, Order string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	v := file.Cases[0]
	log := newTestLog(t, 1)
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.Replace(v.Manifest, "beacon 52", "beacon 53", 1)
	naming := func(manifest string) string {
		return strings.Replace(v.Order, fmt.Sprintf("%x", protocol.Hash([]byte(v.Manifest))), fmt.Sprintf("%x", protocol.Hash([]byte(manifest))), 1)
	}
	v1 := "kaibao-manifest/v1\npack 2\nname x\nprice 2500\nitems 1\ntier 1 0 0 x\ncard a 1 -1\n"
	for name, c := range map[string]struct {
		order, manifest string
		want            verify.State
	}{
		"an order":         {v.Order, v.Manifest, verify.Passed},
		"another round":    {strings.Replace(v.Order, "round 657413", "round 657414", 1), v.Manifest, verify.Failed},
		"another manifest": {v.Order, foreign, verify.Failed},
		"no manifest":      {v.Order, "", verify.Unchecked},
		"an unknown chain": {naming(foreign), foreign, verify.Unchecked},
		"not sealed":       {naming(v1), v1, verify.Failed},
		"not a leaf":       {v.Order + "more\n", v.Manifest, verify.Failed},
	} {
		receipt, err := note.Sign(&note.Note{Text: c.order}, signer)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		writeFile(t, dir, "receipt", receipt)
		steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: dir + "/receipt", Key: log.verifier, Manifest: []byte(c.manifest)})
		if err != nil {
			t.Fatal(err)
		}
		if n := slices.IndexFunc(steps, func(s verify.Step) bool { return s.Name == "order" }); n < 0 || steps[n].State != c.want {
			t.Errorf("%s: %+v, want %s", name, steps, c.want)
		}
	}
}

// A fetcher asks one relay after another, and takes nothing but signatures.
func TestRelays(t *testing.T) {
	log := newSealedLog(t)
	want := log.signer.Sign(7)
	answers := func(body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != fmt.Sprintf("/%x/public/7", log.beacon.Hash()) {
				w.WriteHeader(http.StatusNotFound)
			}
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	good := answers(fmt.Sprintf(`{"round":7,"randomness":"ab","signature":"%x"}`, want))
	for name, relays := range map[string][]string{
		"none":          nil,
		"no JSON":       {answers("<html>")},
		"96 bytes":      {answers(fmt.Sprintf(`{"signature":"%x%x"}`, want, want))},
		"upper case":    {answers(fmt.Sprintf(`{"signature":"%X"}`, want))},
		"another round": {answers(fmt.Sprintf(`{"round":7,"signature":"%x"}`, log.signer.Sign(8)))},
	} {
		if _, err := verify.Relays(relays)(t.Context(), log.beacon, 7); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if s, err := verify.Relays(append(relays, good))(t.Context(), log.beacon, 7); err != nil || s != want {
			t.Errorf("%s, then a good one: %x, %v", name, s, err)
		}
	}
	if _, err := verify.Relays([]string{good})(t.Context(), log.beacon, 8); err == nil {
		t.Error("a missing round was accepted")
	}
}

// The receipt of an order from a server names a beacon that the server describes. The description
// counts only if it has the chain's hash.
func TestReceiptsWithAnUnknownBeacon(t *testing.T) {
	log := newSealedLog(t)
	o := log.order(log.users[0], "open", nil)
	manifest := log.manifests[o.Manifest]
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := note.Sign(&note.Note{Text: string(o.Format())}, signer)
	if err != nil {
		t.Fatal(err)
	}
	description := log.notes[fmt.Sprintf("beacons/%x", log.beacon.Hash())]
	for name, c := range map[string]struct {
		description []byte
		want        verify.State
		says        string
	}{
		"described":                 {description, verify.Passed, "proves nothing about insiders"},
		"the description of others": {[]byte(strings.Replace(string(description), `"period":3`, `"period":30`, 1)), verify.Unchecked, "doesn't match the hash"},
		"not described":             {nil, verify.Unchecked, "404"},
	} {
		proof, err := json.Marshal(verify.Proof{Leaf: string(o.Format()), Receipt: string(receipt), LogKey: log.verifier, Manifest: manifest})
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/api/fairness/opens/x":
				_, _ = w.Write(proof)
			case r.URL.Path == fmt.Sprintf("/api/fairness/beacons/%x", log.beacon.Hash()) && c.description != nil:
				_, _ = w.Write(c.description)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		t.Cleanup(s.Close)
		steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: s.URL + "/api/fairness/opens/x", Key: log.verifier, Manifest: []byte(manifest), Now: log.now})
		if err != nil {
			t.Fatal(err)
		}
		if n := slices.IndexFunc(steps, func(s verify.Step) bool { return s.Name == "order" }); n < 0 || steps[n].State != c.want || !strings.Contains(steps[n].Detail, c.says) {
			t.Errorf("%s: %+v, want %s", name, steps, c.want)
		}
	}
}

// A mirror has the descriptions of beacons that not every verifier knows, also of those that only a round
// names, because the packs on sale aren't sealed.
func TestMirrorWithBeacon(t *testing.T) {
	log := newSealedLog(t)
	log.sell(log.users[0], "open")
	log.beacon = log.addBeacon(beacon.Chain{
		Schedule: protocol.Schedule{Genesis: log.now.Unix() - 3000, Period: 5}, Key: log.signer.PublicKey(), ID: "another",
	})
	log.publishRound(601, nil)
	host, dir := newHost(t, log.writeMirror(t)), t.TempDir()
	if _, _, err := verify.Mirror(t.Context(), host.URL, dir, "", func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	if report := checkLog(t, verify.Options{Location: dir}); report.Fault != nil || report.Orders != 1 {
		t.Errorf("%v, %+v", report.Fault, report.Counts)
	}
}
