package verify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"golang.org/x/text/encoding/unicode"

	"kaibao/internal/app/apptest"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

func checkLog(t testing.TB, o verify.Options) *verify.Report {
	t.Helper()
	report, err := verify.Log(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestHonestLogPasses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := newBusyLog(t, rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 600).Draw(rt, "opens"))
		report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
		if report.Fault != nil {
			rt.Fatal(report.Fault)
		}
		if report.Checkpoint.Size != int64(len(log.leaves)) || report.Users != 4 || report.Manifests < 2 {
			rt.Errorf("report %+v, want %d leaves, 4 users and at least 2 manifests", report, len(log.leaves))
		}
	})
}

// Any changed byte of any leaf is detected, and the leaf is reported.
func TestAnyChangedByteIsDetected(t *testing.T) {
	log := newBusyLog(t, 1, 300)
	dir := log.writeMirror(t)
	rapid.Check(t, func(rt *rapid.T) {
		bundle := rapid.IntRange(0, len(log.leaves)/256).Draw(rt, "bundle")
		name := filepath.Join(dir, "tile", "entries", fmt.Sprintf("%03d", bundle))
		if left := len(log.leaves) - bundle*256; left < 256 {
			name += fmt.Sprintf(".p/%d", left)
		}
		honest, err := os.ReadFile(name)
		if err != nil {
			rt.Fatal(err)
		}
		changed := bytes.Clone(honest)
		changed[rapid.IntRange(0, len(changed)-1).Draw(rt, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(rt, "by"))
		if err := os.WriteFile(name, changed, 0o600); err != nil {
			rt.Fatal(err)
		}
		if report := checkLog(t, verify.Options{Location: dir}); report.Fault == nil || report.Fault.Leaf == nil {
			rt.Errorf("fault %v after a byte was changed, want a fault with a leaf", report.Fault)
		}
		if err := os.WriteFile(name, honest, 0o600); err != nil {
			rt.Fatal(err)
		}
	})
}

// False leaves in a signed tree are detected by their content.
func TestCheatingServerIsDetected(t *testing.T) {
	for name, c := range map[string]struct {
		cheat  func(log *testLog) int64 // returns the leaf that must be reported
		reason string
	}{
		"a swapped card": {func(log *testLog) int64 {
			return log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) {
				l.Items[0].Card = map[bool]string{true: "plenty-01", false: "plenty-00"}[l.Items[0].Card == "plenty-00"]
			})
		}, "the seeds give"},
		"a changed weight": {func(log *testLog) int64 {
			for hash, text := range log.manifests {
				log.manifests[hash] = strings.Replace(text, "tier 700", "tier 900", 1)
			}
			return 0
		}, "doesn't match the hash"},
		"a skipped nonce": {func(log *testLog) int64 {
			return log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) { l.Nonce++ })
		}, ""}, // the draw fails before the chain is checked
		"a dropped open": {func(log *testLog) int64 {
			at := log.open(log.users[0], "plenty", nil)
			log.open(log.users[0], "plenty", nil)
			log.leaves = slices.Delete(log.leaves, int(at), int(at)+1)
			return at
		}, "nonce"},
		"a repeated nonce": {func(log *testLog) int64 {
			log.users[0].nonce--
			return log.open(log.users[0], "plenty", nil)
		}, "nonce"},
		"a commitment that was not announced": {func(log *testLog) int64 {
			log.users[0].seed = log.randomBytes()
			return log.open(log.users[0], "plenty", nil)
		}, "announced"},
		"a commitment used twice": {func(log *testLog) int64 {
			seed := log.users[0].seed
			log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) { l.Next = protocol.Commitment(seed) })
			log.users[0].seed = seed
			return log.open(log.users[0], "plenty", nil)
		}, "used before"},
		"a wrong reveal": {func(log *testLog) int64 {
			return log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) { l.ServerSeed[0] ^= 1 })
		}, "match the commitment"},
		"an unknown user": {func(log *testLog) int64 {
			return log.open(&testUser{tag: strings.Repeat("ab", 16), seed: log.randomBytes()}, "plenty", nil)
		}, "without a first commitment"},
		"two first commitments": {func(log *testLog) int64 {
			return log.append(protocol.CommitLeaf{User: log.users[0].tag, Time: log.now})
		}, "second first commitment"},
		"a first commitment in the middle": {func(log *testLog) int64 {
			return log.append(protocol.CommitLeaf{User: strings.Repeat("ab", 16), Nonce: 3, Time: log.now})
		}, "instead of 0"},
		"a card that is gone": {func(log *testLog) int64 {
			for log.packs["few"].stock["few-00"] > 0 {
				log.open(log.users[0], "few", nil)
			}
			log.packs["few"].stock["few-00"]++ // without a leaf
			for log.packs["few"].stock["few-00"] > 0 {
				log.open(log.users[0], "few", nil)
			}
			return -1
		}, "the seeds give"},
		"a gap in the draws": {func(log *testLog) int64 {
			log.packs["few"].draw++
			return log.open(log.users[0], "few", nil)
		}, "drawSeq"},
		"a card given back out of order": {func(log *testLog) int64 {
			log.packs["few"].draw++
			return log.returnCard("few", "few-00")
		}, "drawSeq"},
		"stock from nowhere": {func(log *testLog) int64 { return log.returnCard("few", "few-77") }, "no stock"},
		"a restock that does not add up": {func(log *testLog) int64 {
			log.packs["few"].stock["few-00"] += 3
			log.publish("few", 900, 10_000, 10*time.Minute, 1, protocol.Unlimited)
			return int64(len(log.leaves) - 1)
		}, "remaining stock plus returns"},
		"more than the supply": {func(log *testLog) int64 {
			log.publish("rare", 100, 2, 0, protocol.Unlimited)
			log.open(log.users[0], "rare", nil)
			log.open(log.users[1], "rare", nil)
			return log.open(log.users[2], "rare", nil)
		}, "supply"},
		"a manifest before its time": {func(log *testLog) int64 {
			log.publish("plenty", 700, protocol.Unlimited, 10*time.Minute, protocol.Unlimited)
			return log.open(log.users[0], "plenty", nil)
		}, "in force only"},
		"a manifest after its time": {func(log *testLog) int64 {
			old := *log.packs["plenty"]
			log.publish("plenty", 700, protocol.Unlimited, 10*time.Minute, protocol.Unlimited)
			log.now = log.now.Add(20*time.Minute + time.Second)
			log.packs["plenty"] = &old
			return log.open(log.users[0], "plenty", nil)
		}, "not in force"},
		"a manifest without notice": {func(log *testLog) int64 {
			log.publish("plenty", 700, protocol.Unlimited, time.Second, protocol.Unlimited)
			return int64(len(log.leaves) - 1)
		}, "the notice must be at least"},
		"another price": {func(log *testLog) int64 {
			return log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) { l.Price++ })
		}, "price"},
		"an unknown pack": {func(log *testLog) int64 {
			at := log.open(log.users[0], "plenty", nil)
			log.rewrite(at, "\npack plenty\n", "\npack nowhere\n")
			return at
		}, ""},
		"a malformed leaf": {func(log *testLog) int64 {
			at := log.open(log.users[0], "plenty", nil)
			log.leaves[at] += "more\n"
			return at
		}, "not a leaf"},
		"no kind at all": {func(log *testLog) int64 {
			log.leaves = append(log.leaves, "a gift of the house\n")
			return int64(len(log.leaves) - 1)
		}, "not a leaf"},
		"an epoch in the middle": {func(log *testLog) int64 {
			return log.append(protocol.EpochLeaf{Origin: "kaibao.log/old", Size: 3, Time: log.now})
		}, "epoch"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 7, 60)
			at := c.cheat(log)
			fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault
			switch {
			case fault == nil:
				t.Error("the forged leaf was not detected")
			case fault.Leaf == nil:
				t.Errorf("no leaf is reported: %s", fault)
			case at >= 0 && *fault.Leaf != at:
				t.Errorf("leaf %d is reported, want %d: %s", *fault.Leaf, at, fault)
			case !strings.Contains(fault.Reason, c.reason):
				t.Errorf("the reason is %q, want %q in it", fault.Reason, c.reason)
			}
		})
	}
}

// Leaves that don't belong to the signed tree are detected by their hashes.
func TestUnsignedLeavesAreDetected(t *testing.T) {
	log := newBusyLog(t, 3, 300)
	honest := log.writeMirror(t)
	signed, err := os.ReadFile(filepath.Join(honest, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var given int64
	for n, leaf := range log.leaves {
		if strings.Contains(leaf, "reason sell-back") {
			given = int64(n)
		}
	}
	log.rewrite(given, "reason sell-back", "reason refunded1")
	dir := log.writeMirror(t)
	writeFile(t, dir, "checkpoint", signed)
	for number := range (len(log.leaves) + 255) / 256 {
		name := fmt.Sprintf("tile/0/%03d", number)
		if left := len(log.leaves) - number*256; left < 256 {
			name += fmt.Sprintf(".p/%d", left)
		}
		tile, err := os.ReadFile(filepath.Join(honest, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name, tile)
	}
	if fault := checkLog(t, verify.Options{Location: dir}).Fault; fault == nil || fault.Leaf == nil || *fault.Leaf != given {
		t.Errorf("found %v, want leaf %d", fault, given)
	}
}

func TestCheckpointsOfOthers(t *testing.T) {
	log := newBusyLog(t, 5, 100)
	before := log.checkpoint(t, log.leaves)
	size := len(log.leaves)
	for range 20 {
		log.open(log.users[0], "plenty", nil)
	}
	dir := log.writeMirror(t)
	forked := slices.Clone(log.leaves[:size])
	forked[3] = "another leaf"
	for name, c := range map[string]struct {
		o      verify.Options
		reason string
	}{
		"it continues":            {verify.Options{EarlierCheckpoint: before, OtherCheckpoint: before}, ""},
		"as long as the last run": {verify.Options{EarlierCheckpoint: log.checkpoint(t, log.leaves)}, ""},
		"another last run":        {verify.Options{EarlierCheckpoint: log.checkpoint(t, forked)}, "last run"},
		"another party":           {verify.Options{OtherCheckpoint: log.checkpoint(t, forked)}, "other party"},
		"a tree that shrank":      {verify.Options{EarlierCheckpoint: log.checkpoint(t, append(slices.Clone(log.leaves), "one more"))}, "was cut"},
		"a forged checkpoint":     {verify.Options{OtherCheckpoint: bytes.Replace(before, []byte("\n1"), []byte("\n2"), 1)}, "not signed"},
		"another key":             {verify.Options{Key: newTestLog(t, 1).verifier}, "not signed"},
	} {
		c.o.Location = dir
		fault := checkLog(t, c.o).Fault
		if (fault == nil) != (c.reason == "") || fault != nil && !strings.Contains(fault.Reason, c.reason) {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// The log of a real server passes, over HTTP and in an offline mirror.
func TestRealServerLog(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := openPacks(t, s)
		s.WaitForLog(t)
		dir := t.TempDir()
		if _, _, err := verify.Mirror(t.Context(), s.URL, dir, "", func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		for _, where := range []string{s.URL, dir} {
			report := checkLog(t, verify.Options{Location: where})
			if report.Fault != nil || report.Opens != int64(len(ids)) || report.Users != 2 || report.Manifests != 10 {
				t.Errorf("%s: %+v, %v", where, report, report.Fault)
			}
		}
		for _, id := range ids {
			steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: s.URL + "/api/fairness/opens/" + id, Now: time.Now()})
			if err != nil || verify.AnyFailed(steps) || len(steps) < 5 {
				t.Errorf("open %s: %+v (%v)", id, steps, err)
			}
		}
	})
}

func openPacks(t *testing.T, s *apptest.Server) (ids []string) {
	t.Helper()
	for range 2 {
		c := s.SignIn(t)
		c.Deposit(t, 10_000)
		for _, pack := range []string{"1", "2", "demo-pack-1", "2"} {
			var opened struct{ OpenID string }
			c.Post(t, "/api/packs/"+pack+"/open", map[string]any{"clientSeed": "mine"}).Want(t, http.StatusOK, &opened)
			ids = append(ids, opened.OpenID)
		}
	}
	return ids
}

// utf16File encodes a text as UTF-16 with a byte order mark.
func utf16File(t *testing.T, order unicode.Endianness, text string) []byte {
	t.Helper()
	file, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(file)
}

func TestReceipts(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	c := s.SignIn(t)
	c.Deposit(t, 1000)
	var opened struct{ OpenID, Receipt, ManifestHash string }
	c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "mine"}).Want(t, http.StatusOK, &opened)
	s.WaitForLog(t)
	proof := c.Get(t, "/api/fairness/opens/"+opened.OpenID).Body
	manifest := c.Get(t, "/api/fairness/manifests/"+opened.ManifestHash).Body
	key := strings.TrimSpace(string(c.Get(t, "/log/key").Body))
	late := time.Now().Add(time.Hour)
	var unplaced verify.Proof
	if err := json.Unmarshal(proof, &unplaced); err != nil {
		t.Fatal(err)
	}
	unplaced.Index, unplaced.Checkpoint, unplaced.InclusionProof = nil, nil, nil
	bid := c.Post(t, "/api/bids", map[string]any{"scope": map[string]any{"series": "Pokemon"}, "pegPercent": 90, "capCents": 500, "confirmedCents": 500}).Body
	var placed struct{ Receipt string }
	if err := json.Unmarshal(bid, &placed); err != nil || placed.Receipt == "" {
		t.Fatalf("%v: %s", err, bid)
	}
	waiting, err := json.Marshal(unplaced)
	if err != nil {
		t.Fatal(err)
	}
	forgedBid, err := json.Marshal(verify.Proof{Leaf: strings.SplitN(placed.Receipt, "\n\n", 2)[0] + "\n", Index: new(int64), Checkpoint: new(string)})
	if err != nil {
		t.Fatal(err)
	}
	without := func(proof []byte) []byte {
		var p verify.Proof
		if err := json.Unmarshal(proof, &p); err != nil {
			t.Fatal(err)
		}
		p.Receipt = ""
		file, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for name, c := range map[string]struct {
		file []byte
		o    verify.ReceiptOptions
		want map[string]verify.State
	}{
		"a proof":           {proof, verify.ReceiptOptions{Key: key, Manifest: manifest}, map[string]verify.State{"signature": "holds", "commitment": "holds", "draw": "holds", "inclusion": "holds"}},
		"without manifest":  {proof, verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "holds", "draw": "open", "inclusion": "holds"}},
		"with its own key":  {proof, verify.ReceiptOptions{Manifest: manifest}, map[string]verify.State{"log key": "open", "draw": "holds"}},
		"a receipt alone":   {[]byte(opened.Receipt), verify.ReceiptOptions{Key: key, Manifest: manifest}, map[string]verify.State{"draw": "holds", "inclusion": "open"}},
		"with a BOM":        {append([]byte("\xef\xbb\xbf"), proof...), verify.ReceiptOptions{Key: key, Manifest: manifest}, map[string]verify.State{"signature": "holds", "draw": "holds", "inclusion": "holds"}},
		"in UTF-16":         {utf16File(t, unicode.LittleEndian, string(proof)), verify.ReceiptOptions{Key: key, Manifest: manifest}, map[string]verify.State{"signature": "holds", "draw": "holds", "inclusion": "holds"}},
		"from PowerShell":   {utf16File(t, unicode.LittleEndian, strings.ReplaceAll(opened.Receipt, "\n", "\r\n")), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "holds"}},
		"in big UTF-16":     {utf16File(t, unicode.BigEndian, placed.Receipt), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "holds", "bid": "holds"}},
		"another manifest":  {proof, verify.ReceiptOptions{Key: key, Manifest: append(manifest, '\n')}, map[string]verify.State{"draw": "failed"}},
		"another key":       {proof, verify.ReceiptOptions{Key: newTestLog(t, 1).verifier}, map[string]verify.State{"signature": "failed"}},
		"a changed receipt": {bytes.Replace(proof, []byte(`\nnonce 0\n`), []byte(`\nnonce 1\n`), 2), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "failed"}},
		"a changed index":   {bytes.Replace(proof, []byte(`"index":`), []byte(`"index":1`), 1), verify.ReceiptOptions{Key: key}, map[string]verify.State{"inclusion": "failed"}},
		"no receipt":        {without(proof), verify.ReceiptOptions{Key: key, Manifest: manifest}, map[string]verify.State{"signature": "open", "draw": "holds", "checkpoint": "holds", "inclusion": "holds"}},
		"only a leaf":       {without(waiting), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "failed"}},
		"an unsigned bid":   {forgedBid, verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "failed"}},
		"a changed leaf":    {bytes.Replace(without(proof), []byte(`\nnonce 0\n`), []byte(`\nnonce 1\n`), 1), verify.ReceiptOptions{Key: key}, map[string]verify.State{"inclusion": "failed"}},
		"not placed yet":    {waiting, verify.ReceiptOptions{Key: key}, map[string]verify.State{"inclusion": "open"}},
		"saved too early":   {waiting, verify.ReceiptOptions{Key: key, Now: late}, map[string]verify.State{"inclusion": "open"}},
		"a bid":             {[]byte(placed.Receipt), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "holds", "bid": "holds", "standing": "open"}},
		"a bid's answer":    {bid, verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "holds", "bid": "holds"}},
		"a changed bid":     {bytes.Replace([]byte(placed.Receipt), []byte("most 500\n"), []byte("most 900\n"), 1), verify.ReceiptOptions{Key: key}, map[string]verify.State{"signature": "failed"}},
		"another's bid":     {[]byte(placed.Receipt), verify.ReceiptOptions{Key: newTestLog(t, 1).verifier}, map[string]verify.State{"signature": "failed"}},
		"never placed":      {waiting, verify.ReceiptOptions{Key: key, Now: late, Location: serveBody(t, waiting)}, map[string]verify.State{"inclusion": "failed"}},
	} {
		if c.o.Location == "" {
			c.o.Location = filepath.Join(t.TempDir(), "receipt")
			writeFile(t, filepath.Dir(c.o.Location), "receipt", c.file)
		}
		if c.o.Now.IsZero() {
			c.o.Now = time.Now()
		}
		steps, err := verify.Receipt(t.Context(), c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for step, want := range c.want {
			if n := slices.IndexFunc(steps, func(s verify.Step) bool { return s.Name == step }); n < 0 || steps[n].State != want {
				t.Errorf("%s: %s should be %s: %+v", name, step, want, steps)
			}
		}
	}
}

// A broken connection proves nothing, so it is no fault. A server that says that it doesn't have a part of its log
// is at fault.
func TestBrokenConnections(t *testing.T) {
	log := newSealedLog(t)
	log.sell(log.users[0], "open")
	log.announce(oneCardManifest("plain", "plain-a", protocol.Unlimited), 0)
	log.open(log.users[1], "plain", nil)
	files := http.FileServer(http.Dir(log.writeMirror(t)))
	for broken, works := range map[string]int64{"tile/entries/": 1, "manifests/": 0, "beacons/": 0} { // the first leaf is read twice
		for status, isFault := range map[int]bool{http.StatusNotFound: true, http.StatusServiceUnavailable: false, 0: false} {
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.URL.Path = "/" + strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/log/"), "/api/fairness/")
				switch {
				case !strings.HasPrefix(r.URL.Path, "/"+broken) || requests.Add(1) <= works:
					files.ServeHTTP(w, r)
				case status == 0:
					w.Header().Set("Content-Length", "100") // the body ends before
				default:
					w.WriteHeader(status)
				}
			}))
			t.Cleanup(s.Close)
			report, err := verify.Log(t.Context(), verify.Options{Location: s.URL})
			if (err != nil) == isFault || isFault && report.Fault == nil {
				t.Errorf("%s with status %d: %+v, error %v", broken, status, report, err)
			}
		}
	}
}

// serveBody starts a server that answers every request with body and returns its URL.
func serveBody(t *testing.T, body []byte) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	t.Cleanup(s.Close)
	return s.URL
}

// Oversized responses of a hostile server are refused.
func TestOversizedResponses(t *testing.T) {
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	if _, err := verify.Log(t.Context(), verify.Options{Location: endless.URL}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("accepted: %v", err)
	}
	if _, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: endless.URL + "/api/fairness/opens/x"}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("accepted: %v", err)
	}
	if _, err := verify.Log(t.Context(), verify.Options{Location: "ftp://example.org"}); err == nil {
		t.Error("an ftp URL was accepted")
	}
}

// BenchmarkLog checks a log of many opens from disk. One operation is one leaf.
func BenchmarkLog(b *testing.B) {
	log := newTestLog(b, 1)
	log.publish("plenty", 500, protocol.Unlimited, 0, slices.Repeat([]int64{protocol.Unlimited}, 10)...)
	for range 2000 {
		log.addUser()
	}
	for n := range 50_000 {
		log.open(log.users[n%len(log.users)], "plenty", nil)
	}
	dir := log.writeMirror(b)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.ReportAllocs()
	leaves := 0
	for b.Loop() {
		leaves--
		if leaves < 0 {
			if report := checkLog(b, verify.Options{Location: dir}); report.Fault != nil {
				b.Fatal(report.Fault)
			}
			leaves = len(log.leaves)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.Sys)/1e6, "MB")
}
