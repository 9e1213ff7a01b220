package verify_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// testLog is a small marketplace that writes an honest log, unless a test forges a leaf.
type testLog struct {
	key, verifier string
	now           time.Time
	random        *rand.Rand
	leaves        []string
	ended         map[string][]string // leaves by folder of the ended log
	notes         map[string][]byte   // keys and checkpoints of ended logs, by file
	manifests     map[[32]byte]string
	users         []*testUser
	packs         map[string]*testPack
}

type testUser struct {
	tag   string
	nonce uint64
	seed  [32]byte // of the next open
}

type testPack struct {
	current protocol.Manifest
	text    string
	draw    uint64
	stock   protocol.Stock
}

func newTestLog(t testing.TB, seed uint64) *testLog {
	t.Helper()
	private, public, err := note.GenerateKey(nil, "kaibao.log/test")
	if err != nil {
		t.Fatal(err)
	}
	return &testLog{
		key: private, verifier: public, now: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(seed, 1)),
		manifests: map[[32]byte]string{}, packs: map[string]*testPack{},
	}
}

func (log *testLog) append(l protocol.Leaf) int64 {
	log.leaves = append(log.leaves, string(l.Format()))
	return int64(len(log.leaves) - 1)
}

func (log *testLog) randomBytes() (b [32]byte) {
	for n := range 4 {
		binary.BigEndian.PutUint64(b[n*8:], log.random.Uint64())
	}
	return b
}

// addUser adds a user.
func (log *testLog) addUser() {
	salt := log.randomBytes()
	p := &testUser{tag: protocol.UserTag(salt, fmt.Sprint("address ", len(log.users))), seed: log.randomBytes()}
	log.users = append(log.users, p)
	log.append(protocol.CommitLeaf{User: p.tag, Commitment: protocol.Commitment(p.seed), Time: log.now})
}

// publish announces a new or changed pack whose cards have the given stock.
func (log *testLog) publish(id string, price money.Cents, supply int64, delay time.Duration, stocks ...int64) {
	m := protocol.Manifest{Pack: id, Name: "Pack " + id, Price: price, Items: 1}
	for n, weight := range []uint64{700, 300} {
		tier := protocol.Tier{Weight: weight, Label: fmt.Sprint("tier ", n)}
		for c, stock := range stocks {
			tier.Cards = append(tier.Cards, protocol.Card{ID: fmt.Sprintf("%s-%d%d", id, n, c), Value: money.Cents(100 * (n + 1)), Stock: stock})
		}
		m.Tiers = append(m.Tiers, tier)
	}
	s := log.packs[id]
	if s == nil {
		s = &testPack{stock: protocol.Stock{}}
		log.packs[id] = s
	}
	leaf := protocol.ManifestLeaf{Pack: id, Supply: supply, Effective: log.now.Add(delay), Time: log.now}
	for t, tier := range m.Tiers {
		for c, card := range tier.Cards {
			if !card.Finite() {
				continue
			}
			if left, known := s.stock[card.ID]; known {
				leaf.Restock = append(leaf.Restock, protocol.Restock{Card: card.ID, Count: 5})
				m.Tiers[t].Cards[c].Stock = left + 5
			}
			s.stock[card.ID] = m.Tiers[t].Cards[c].Stock
		}
	}
	if m.Finite() {
		s.draw++
		leaf.Draw = s.draw
	}
	s.current, s.text = m, string(m.Format())
	leaf.Manifest = protocol.Hash([]byte(s.text))
	log.manifests[leaf.Manifest] = s.text
	log.append(leaf)
}

// announce publishes a manifest. Added stock becomes the leaf's restock.
func (log *testLog) announce(m protocol.Manifest, delay time.Duration) int64 {
	s, leaf := log.packs[m.Pack], protocol.ManifestLeaf{Pack: m.Pack, Supply: protocol.Unlimited, Effective: log.now.Add(delay), Time: log.now}
	if s == nil {
		s = &testPack{stock: protocol.Stock{}}
		log.packs[m.Pack] = s
	} else if card := m.Tiers[0].Cards[0]; card.Finite() {
		leaf.Restock = []protocol.Restock{{Card: card.ID, Count: card.Stock}}
	}
	if m.Finite() {
		s.draw++
	}
	s.current, s.text = m, string(m.Format())
	leaf.Manifest, leaf.Draw = protocol.Hash([]byte(s.text)), s.draw
	log.manifests[leaf.Manifest] = s.text
	return log.append(leaf)
}

// oneCardManifest returns the manifest of a pack with one card.
func oneCardManifest(pack, card string, stock int64) protocol.Manifest {
	return protocol.Manifest{Pack: pack, Name: "Pack " + pack, Price: 500, Items: 1, Tiers: []protocol.Tier{
		{Weight: 1, Label: "all", Cards: []protocol.Card{{ID: card, Value: 100, Stock: stock}}},
	}}
}

// open opens a pack with its last announced manifest. change can forge the leaf.
func (log *testLog) open(p *testUser, id string, change func(*protocol.OpenLeaf)) int64 {
	s := log.packs[id]
	m, err := protocol.ParseManifest([]byte(s.text))
	if err != nil {
		panic(err)
	}
	next, client := log.randomBytes(), hex.EncodeToString([]byte(fmt.Sprint(log.random.Uint64())))
	var stock protocol.Stock
	if m.Finite() {
		stock = s.stock
	}
	pulls, err := protocol.Draw(m, protocol.Hash([]byte(s.text)), p.seed, client, p.nonce, stock)
	if err != nil {
		return -1 // sold out
	}
	log.now = log.now.Add(time.Second)
	l := protocol.OpenLeaf{
		DrawHead: protocol.DrawHead{
			ID: fmt.Sprintf("open-%d", len(log.leaves)), User: p.tag, Nonce: p.nonce, Pack: id, Manifest: protocol.Hash([]byte(s.text)),
			Commitment: protocol.Commitment(p.seed),
		},
		ServerSeed: p.seed, ClientSeed: client, Items: protocol.Items(pulls), Price: m.Price,
		Time: log.now, Next: protocol.Commitment(next),
	}
	if m.Finite() {
		s.draw++
		l.Draw = s.draw
		for _, pull := range pulls {
			s.stock[pull.Card.ID]--
		}
	}
	p.nonce++
	p.seed = next
	if change != nil {
		change(&l)
	}
	return log.append(l)
}

// returnCard returns a card to a finite pack.
func (log *testLog) returnCard(id, card string) int64 {
	s := log.packs[id]
	s.draw++
	s.stock[card]++
	return log.append(protocol.StockLeaf{Pack: id, Draw: s.draw, Card: card, Count: 1, Reason: "sell-back", Time: log.now})
}

func (log *testLog) checkpoint(t testing.TB, leaves []string) []byte {
	t.Helper()
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	root, err := tlog.TreeHash(int64(len(leaves)), hashReader(t, leaves))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), len(leaves), root)}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func hashReader(t testing.TB, leaves []string) tlog.HashReader {
	t.Helper()
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			found[n] = stored[index]
		}
		return found, nil
	})
	for n, leaf := range leaves {
		more, err := tlog.StoredHashes(int64(n), []byte(leaf), read)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
	}
	return read
}

// writeMirror writes the log as a mirror.
func (log *testLog) writeMirror(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "key", []byte(log.verifier+"\n"))
	writeFile(t, dir, "checkpoint", log.checkpoint(t, log.leaves))
	for hash, text := range log.manifests {
		writeFile(t, dir, fmt.Sprintf("manifests/%x", hash), []byte(text))
	}
	writeTiles(t, dir, log.leaves)
	for name, leaves := range log.ended {
		writeTiles(t, filepath.Join(dir, "ended", name), leaves)
	}
	for name, text := range log.notes {
		writeFile(t, dir, name, text)
	}
	return dir
}

func writeTiles(t testing.TB, dir string, leaves []string) {
	t.Helper()
	read := hashReader(t, leaves)
	for _, tile := range tlog.NewTiles(8, 0, int64(len(leaves))) {
		data, err := tlog.ReadTileData(tile, read)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, tileName(strconv.Itoa(tile.L), tile), data)
		if tile.L > 0 {
			continue
		}
		var bundle []byte
		for _, leaf := range leaves[tile.N*256:][:tile.W] {
			bundle = append(binary.BigEndian.AppendUint16(bundle, uint16(len(leaf))), leaf...)
		}
		writeFile(t, dir, tileName("entries", tile), bundle)
	}
}

// tileName returns the path of a tile or its entry bundle (C2SP tlog-tiles).
func tileName(level string, tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/8/%d/", tile.L), "tile/"+level+"/", 1)
}

// host is an HTTP server of a folder, which can be exchanged.
type host struct {
	*httptest.Server
	dir string

	mutex sync.Mutex
	first map[string][]byte // bodies served once per name, before the file
}

func newHost(t testing.TB, dir string) *host {
	t.Helper()
	h := &host{dir: dir, first: map[string][]byte{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/log/"), "/api/fairness/")
		h.mutex.Lock()
		data, once := h.first[name]
		delete(h.first, name)
		h.mutex.Unlock()
		if once {
			_, _ = w.Write(data)
			return
		}
		http.ServeFile(w, r, filepath.Join(h.dir, filepath.FromSlash(name)))
	}))
	t.Cleanup(h.Close)
	return h
}

// restore ends the log before its last leaves, which remain waiting, and starts another one under a
// new name. All users get new commitments.
func (log *testLog) restore(t testing.TB, name string, waiting int) {
	t.Helper()
	kept := log.leaves[:len(log.leaves)-waiting]
	root, err := tlog.TreeHash(int64(len(kept)), hashReader(t, kept))
	if err != nil {
		t.Fatal(err)
	}
	old := strings.SplitN(log.key, "+", 5)
	if log.ended == nil {
		log.ended = map[string][]string{}
	}
	log.ended[path.Base(old[2])] = slices.Clone(kept)
	log.now = log.now.Add(time.Hour)
	epoch := protocol.EpochLeaf{Origin: old[2], Size: uint64(len(kept)), Root: root, Time: log.now}
	log.leaves = append([]string{string(epoch.Format())}, log.leaves[len(kept):]...)
	for _, p := range log.users {
		p.seed = log.randomBytes()
		log.append(protocol.CommitLeaf{User: p.tag, Nonce: p.nonce, Commitment: protocol.Commitment(p.seed), Time: log.now})
	}
	body, err := base64.StdEncoding.DecodeString(old[4])
	if err != nil {
		t.Fatal(err)
	}
	log.verifier, err = note.NewEd25519VerifierKey(name, ed25519.NewKeyFromSeed(body[1:]).Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	log.key = strings.Join([]string{"PRIVATE", "KEY", name, strings.Split(log.verifier, "+")[1], old[4]}, "+")
}

// replaceKey ends the log with a leaf that names a log with another key, and begins that one.
func (log *testLog) replaceKey(t testing.TB, name string) {
	t.Helper()
	private, public, err := note.GenerateKey(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	log.now = log.now.Add(time.Second)
	log.append(protocol.EndLeaf{Origin: name, Key: public, Time: log.now})
	log.continueWith(t, private, public)
}

// continueWith ends the log as it is and begins one with another key.
func (log *testLog) continueWith(t testing.TB, private, public string) {
	t.Helper()
	root, err := tlog.TreeHash(int64(len(log.leaves)), hashReader(t, log.leaves))
	if err != nil {
		t.Fatal(err)
	}
	origin, _, _ := strings.Cut(log.verifier, "+")
	if log.ended == nil {
		log.ended = map[string][]string{}
	}
	if log.notes == nil {
		log.notes = map[string][]byte{}
	}
	folder := "ended/" + path.Base(origin)
	log.ended[path.Base(origin)] = log.leaves
	log.notes[folder+"/key"], log.notes[folder+"/checkpoint"] = []byte(log.verifier+"\n"), log.checkpoint(t, log.leaves)
	epoch := protocol.EpochLeaf{Origin: origin, Size: uint64(len(log.leaves)), Root: root, Time: log.now}
	log.leaves = []string{string(epoch.Format())}
	log.key, log.verifier = private, public
}

func writeFile(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// newBusyLog returns a log with every kind of event: two packs, one with few cards, a changed
// manifest, returned cards, a supply limit and hundreds of opens.
func newBusyLog(t testing.TB, seed uint64, opens int) *testLog {
	log := newTestLog(t, seed)
	log.publish("plenty", 500, protocol.Unlimited, 0, protocol.Unlimited, protocol.Unlimited)
	log.publish("few", 900, 10_000, 0, 40, protocol.Unlimited)
	for range 4 {
		log.addUser()
	}
	for n := range opens {
		if n == opens/2 {
			log.publish("plenty", 600, protocol.Unlimited, 10*time.Minute, protocol.Unlimited, protocol.Unlimited, protocol.Unlimited)
			log.now = log.now.Add(11 * time.Minute)
		}
		if n == opens*2/3 {
			log.publish("few", 900, 10_000, 10*time.Minute, 1, protocol.Unlimited)
			log.now = log.now.Add(11 * time.Minute)
		}
		if n%17 == 3 {
			log.returnCard("few", "few-00")
		}
		p := log.users[log.random.IntN(len(log.users))]
		log.open(p, []string{"plenty", "few"}[log.random.IntN(2)], nil)
	}
	return log
}

// rewrite changes a leaf's text before the tree is signed.
func (log *testLog) rewrite(n int64, from, to string) {
	log.leaves[n] = strings.Replace(log.leaves[n], from, to, 1)
}
