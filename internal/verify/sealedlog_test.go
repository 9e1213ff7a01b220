package verify_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// sealedLog is a test log with sealed packs, a beacon and witnesses.
type sealedLog struct {
	*testLog
	t         testing.TB
	beacon    *beacon.Beacon
	signer    *beacon.Signer
	witnesses []testWitness
	cosigned  string // the last cosigned checkpoint
}

type testWitness struct {
	protocol.Witness
	key ed25519.PrivateKey
}

// testOrder is an order with its leaf's index and its secret seed.
type testOrder struct {
	protocol.OrderLeaf
	index int64
	seed  [32]byte
}

// newSealedLog returns a log with three witnesses, two of which are a quorum, and two users. The pack
// "open" has unlimited cards, the pack "few" has five copies of one card.
func newSealedLog(t testing.TB) *sealedLog {
	t.Helper()
	signer, err := beacon.NewSigner([32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	log := &sealedLog{testLog: newTestLog(t, 1), t: t, signer: signer}
	log.beacon = log.addBeacon(beacon.Chain{
		Schedule: protocol.Schedule{Genesis: log.now.Unix() - 3000, Period: 3}, Key: signer.PublicKey(), ID: "kaibao-sandbox",
	})
	for n := range 3 {
		seed := log.randomBytes()
		key := ed25519.NewKeyFromSeed(seed[:])
		log.witnesses = append(log.witnesses, testWitness{
			protocol.Witness{Name: fmt.Sprintf("witness.example/%d", n), Key: [32]byte(key.Public().(ed25519.PublicKey))}, key,
		})
	}
	log.nameWitnesses(2, 3)
	log.announce(log.sealed("open", protocol.Unlimited), 0)
	log.announceFew(5)
	log.addUser()
	log.addUser()
	return log
}

// addBeacon publishes the description of a beacon.
func (log *sealedLog) addBeacon(c beacon.Chain) *beacon.Beacon {
	b, err := beacon.New(c)
	if err != nil {
		log.t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		log.t.Fatal(err)
	}
	if log.notes == nil {
		log.notes = map[string][]byte{}
	}
	log.notes[fmt.Sprintf("beacons/%x", c.Hash())] = text
	return b
}

// nameWitnesses names the first n witnesses.
func (log *sealedLog) nameWitnesses(quorum, n int) int64 {
	l := protocol.WitnessesLeaf{Quorum: quorum, Time: log.now}
	for _, w := range log.witnesses[:n] {
		l.Witnesses = append(l.Witnesses, w.Witness)
	}
	return log.append(l)
}

// sealed returns the manifest of a sealed pack with two cards.
func (log *sealedLog) sealed(pack string, stock int64) protocol.Manifest {
	m := oneCardManifest(pack, pack+"-a", stock)
	m.Tiers[0].Cards = append(m.Tiers[0].Cards, protocol.Card{ID: pack + "-b", Value: 200, Stock: protocol.Unlimited})
	m.Sealing = &protocol.Sealing{Beacon: log.beacon.Hash(), Lead: 3}
	return m
}

// announceFew announces the pack "few" for the first time.
func (log *sealedLog) announceFew(stock int64) {
	log.announce(log.sealed("few", stock), 0)
	log.packs["few"].stock["few-a"] = stock
}

// order orders a pack. change can forge the leaf.
func (log *sealedLog) order(p *testUser, id string, change func(*protocol.OrderLeaf)) *testOrder {
	s, next := log.packs[id], log.randomBytes()
	log.now = log.now.Add(100 * time.Millisecond)
	o := &testOrder{seed: p.seed, OrderLeaf: protocol.OrderLeaf{
		DrawHead: protocol.DrawHead{
			ID: fmt.Sprintf("order-%.8s-%d", p.tag, p.nonce), User: p.tag, Nonce: p.nonce, Pack: id, Manifest: protocol.Hash([]byte(s.text)),
			Commitment: protocol.Commitment(p.seed),
		},
		ClientSeed: fmt.Sprint(log.random.Uint64()), Price: s.current.Price, Round: log.beacon.RoundOf(log.now, 3), Time: log.now,
		Next: protocol.Commitment(next),
	}}
	if s.current.Finite() {
		s.draw++
		o.Draw = s.draw
	}
	p.nonce++
	p.seed = next
	if change != nil {
		change(&o.OrderLeaf)
	}
	o.index = log.append(o.OrderLeaf)
	return o
}

// cosign returns the current checkpoint, cosigned by the first n witnesses at a time.
func (log *sealedLog) cosign(at time.Time, n int) string {
	return log.cosignLeaves(log.leaves, at, n)
}

func (log *sealedLog) cosignLeaves(leaves []string, at time.Time, n int) string {
	signed := string(log.checkpoint(log.t, leaves))
	text := signed[:strings.Index(signed, "\n\n")+1]
	for _, w := range log.witnesses[:n] {
		signed += w.cosign(text, at)
	}
	return signed
}

// cosign returns the line of a cosignature (C2SP tlog-cosignature).
func (w testWitness) cosign(text string, at time.Time) string {
	hash, err := hex.DecodeString(strings.Split(w.String(), "+")[1])
	if err != nil {
		panic(err)
	}
	second := uint64(at.Unix())
	signature := ed25519.Sign(w.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", second, text))
	body := append(binary.BigEndian.AppendUint64(hash, second), signature...)
	return fmt.Sprintf("— %s %s\n", w.Name, base64.StdEncoding.EncodeToString(body))
}

// fix has a quorum cosign the log as it is.
func (log *sealedLog) fix() { log.cosigned = log.cosign(log.now, 2) }

// publishRound waits for a round and logs it with the last cosigned checkpoint. change can forge the
// leaf.
func (log *sealedLog) publishRound(round uint64, change func(*protocol.RoundLeaf)) int64 {
	if at := log.beacon.Time(round).Add(400 * time.Millisecond); log.now.Before(at) {
		log.now = at
	}
	l := protocol.RoundLeaf{Beacon: log.beacon.Hash(), Round: round, Signature: log.signer.Sign(round), Checkpoint: log.cosigned, Time: log.now}
	if change != nil {
		change(&l)
	}
	return log.append(l)
}

// draw logs the open of an order, drawn on the pack's stock. change can forge the leaf.
func (log *sealedLog) draw(o *testOrder, change func(*protocol.SealedOpenLeaf)) int64 {
	s := log.packs[o.Pack]
	return log.drawOn(o, s.stock, change)
}

func (log *sealedLog) drawOn(o *testOrder, stock protocol.Stock, change func(*protocol.SealedOpenLeaf)) int64 {
	m, err := protocol.ParseManifest([]byte(log.manifests[o.Manifest]))
	if err != nil {
		log.t.Fatal(err)
	}
	log.now = log.now.Add(100 * time.Millisecond)
	l := protocol.SealedOpenLeaf{Settlement: o.Settlement(), ServerSeed: o.seed, Signature: log.signer.Sign(o.Round), Time: log.now}
	pulls, err := protocol.DrawSealed(m, o.OrderLeaf, o.seed, l.Signature, stock)
	if err != nil {
		log.t.Fatal(err)
	}
	l.Items = protocol.Items(pulls)
	for _, pull := range pulls {
		if pull.Card.Finite() {
			log.packs[o.Pack].stock[pull.Card.ID]--
		}
	}
	if change != nil {
		change(&l)
	}
	return log.append(l)
}

// void logs the refund of an order.
func (log *sealedLog) void(o *testOrder, reason protocol.VoidReason) int64 {
	l := protocol.VoidLeaf{Settlement: o.Settlement(), Reason: reason, Time: log.now}
	if reason != protocol.VoidLost {
		l.ServerSeed = o.seed
	}
	return log.append(l)
}

// sell orders a pack, fixes the order, and draws it with its round.
func (log *sealedLog) sell(p *testUser, id string) {
	o := log.order(p, id, nil)
	log.fix()
	log.publishRound(o.Round, nil)
	log.draw(o, nil)
}

// stockOf returns a copy of a pack's stock.
func (log *sealedLog) stockOf(id string) protocol.Stock { return maps.Clone(log.packs[id].stock) }
