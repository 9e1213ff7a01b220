package protocol

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sealedManifest is a sealed pack with limited cards.
var sealedManifest = strings.Replace(strings.Replace(gappy, "kaibao-manifest/v1", "kaibao-manifest/v2", 1),
	"tier", "beacon "+zeros+"\nlead 3\ninstant no\ntier", 1)

// ordered returns an order and its open as an honest server logs them.
func ordered(t *testing.T) (*Manifest, OrderLeaf, SealedOpenLeaf) {
	t.Helper()
	m, seed, at := parse(t, sealedManifest), [32]byte{1, 2, 3}, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	order := OrderLeaf{
		DrawHead:   DrawHead{ID: "a", Nonce: 5, Pack: m.Pack, Manifest: Hash([]byte(sealedManifest)), Draw: 2, Commitment: Commitment(seed)},
		ClientSeed: "mine", Price: m.Price, Round: quicknet.RoundOf(at, 3), Time: at,
	}
	open := SealedOpenLeaf{
		Settlement: Settlement{order.DrawHead, order.Hash(), order.Round}, ServerSeed: seed, Signature: Signature{9},
		Time: quicknet.Time(order.Round),
	}
	pulls, err := DrawSealed(m, order, seed, open.Signature, nil)
	if err != nil {
		t.Fatal(err)
	}
	open.Items = Items(pulls)
	return m, order, open
}

func TestVerifySealedOpen(t *testing.T) {
	m, order, open := ordered(t)
	if err := order.Verify(m, quicknet); err != nil {
		t.Error(err)
	}
	if err := open.Verify(order, m, quicknet, nil); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name, want string
		spoil      func(*OrderLeaf, *SealedOpenLeaf)
	}{
		{"server seed", "doesn't match the commitment", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.ServerSeed[0]++ }},
		{"signature", "the seeds give", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Signature[47]++ }},
		{"items", "the seeds give", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Items = l.Items[1:] }},
		{"value", "the seeds give", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Items[0].Value++ }},
		{"round", "doesn't repeat", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Round++ }},
		{"order", "doesn't repeat", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Order[0]++ }},
		{"user", "doesn't repeat", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.User = "b" }},
		{"time", "from before its round", func(_ *OrderLeaf, l *SealedOpenLeaf) { l.Time = l.Time.Add(-time.Millisecond) }},
		{"client seed of the order", "doesn't repeat", func(l *OrderLeaf, _ *SealedOpenLeaf) { l.ClientSeed = "x" }},
		{"next of the order", "doesn't repeat", func(l *OrderLeaf, _ *SealedOpenLeaf) { l.Next[0]++ }},
		{"empty client seed", "repeat the draw", func(l *OrderLeaf, _ *SealedOpenLeaf) { l.ClientSeed = "" }},
	} {
		m, order, open := ordered(t)
		c.spoil(&order, &open)
		if err := open.Verify(order, m, quicknet, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("spoiled %s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestVerifyOrder(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(*Manifest, *OrderLeaf)
	}{
		{"pack", "belongs to pack", func(_ *Manifest, l *OrderLeaf) { l.Pack = "8" }},
		{"price", "the price is", func(_ *Manifest, l *OrderLeaf) { l.Price++ }},
		{"draw", "draw number 0", func(_ *Manifest, l *OrderLeaf) { l.Draw = 0 }},
		{"later round", "the round is", func(_ *Manifest, l *OrderLeaf) { l.Round++ }},
		{"earlier round", "the round is", func(_ *Manifest, l *OrderLeaf) { l.Round-- }},
		{"time", "the round is", func(_ *Manifest, l *OrderLeaf) { l.Time = l.Time.Add(time.Millisecond) }},
		{"manifest", "isn't sealed", func(m *Manifest, _ *OrderLeaf) { m.Sealing = nil }},
	} {
		m, order, _ := ordered(t)
		order.Time = quicknet.Time(order.Round).Add(-3 * time.Second) // exactly the lead
		if err := order.Verify(m, quicknet); err != nil {
			t.Fatal(err)
		}
		c.spoil(m, &order)
		if err := order.Verify(m, quicknet); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("spoiled %s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestVerifyVoid(t *testing.T) {
	_, order, open := ordered(t)
	void := VoidLeaf{Settlement: open.Settlement, Reason: VoidNoBeacon, ServerSeed: open.ServerSeed, Time: quicknet.Time(order.Round).Add(24 * time.Hour)}
	if err := void.Verify(order, quicknet); err != nil {
		t.Error(err)
	}
	early := void
	early.Time = early.Time.Add(-time.Millisecond)
	if err := early.Verify(order, quicknet); err == nil || !strings.Contains(err.Error(), "may be voided only from") {
		t.Errorf("early: %v", err)
	}
	lost := VoidLeaf{Settlement: open.Settlement, Reason: VoidLost, Time: order.Time}
	if err := lost.Verify(order, quicknet); err != nil {
		t.Error(err)
	}
	lost.Nonce++
	if err := lost.Verify(order, quicknet); err == nil || !strings.Contains(err.Error(), "doesn't repeat") {
		t.Errorf("another nonce: %v", err)
	}
}

// An instant open of a sealed pack needs a manifest that allows it.
func TestInstantOpenOfSealedPack(t *testing.T) {
	leaf := provable(t, sealedText, nil)
	if err := VerifyOpen(leaf, []byte(sealedText), nil); err != nil {
		t.Error(err)
	}
	text := strings.Replace(sealedText, "instant yes", "instant no", 1)
	if err := VerifyOpen(provable(t, text, nil), []byte(text), nil); err == nil || !strings.Contains(err.Error(), "doesn't allow instant opens") {
		t.Errorf("got %v", err)
	}
}

// The key is the HMAC of the specification, computed with the standard library.
func TestSealedKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, signature := hashes().Draw(t, "seed"), signatures().Draw(t, "signature")
		order := OrderLeaf{DrawHead: drawHead(t), ClientSeed: clientSeeds().Draw(t, "client"), Time: times().Draw(t, "time")}
		leaf, beacon := sha256.Sum256(order.Format()), sha256.Sum256(signature[:])
		mac := hmac.New(sha256.New, seed[:])
		mac.Write([]byte("kaibao/v2/draw\x00"))
		mac.Write(order.Manifest[:])
		_ = binary.Write(mac, binary.BigEndian, order.Nonce)
		_ = binary.Write(mac, binary.BigEndian, uint16(len(order.ClientSeed)))
		mac.Write([]byte(order.ClientSeed))
		mac.Write(leaf[:])
		mac.Write(beacon[:])
		if got := order.Key(seed, signature); string(got[:]) != string(mac.Sum(nil)) {
			t.Fatalf("key %x", got)
		}
	})
}

// The round of an order is the first one at least lead seconds after it.
func TestRoundOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Schedule{rapid.Int64Range(0, MaxUnix).Draw(t, "genesis"), rapid.Int64Range(1, 1<<32-1).Draw(t, "period")}
		at := times().Draw(t, "time")
		if rapid.Bool().Draw(t, "near") { // the genesis, and a round of a short period
			s.Period = rapid.Int64Range(1, 60).Draw(t, "short")
			at = time.Unix(s.Genesis, 0).Add(time.Duration(rapid.Int64Range(-1e6, 1e6).Draw(t, "ms")) * time.Millisecond)
		}
		lead := rapid.IntRange(MinLead, MaxLead).Draw(t, "lead")
		round, earliest := s.RoundOf(at, lead), at.Add(time.Duration(lead)*time.Second)
		if end := time.Unix(MaxUnix, 0); s.Time(round).Before(earliest) && !s.Time(round).Equal(end) {
			t.Fatalf("round %d at %s is before %s", round, s.Time(round), earliest)
		}
		if round > 1 && !s.Time(round-1).Before(earliest) {
			t.Fatalf("round %d at %s isn't before %s", round-1, s.Time(round-1), earliest)
		}
	})
}

func TestTimeOfRound(t *testing.T) {
	for round, want := range map[uint64]string{
		1:         "2023-08-23T15:09:27Z",
		657413:    "2023-09-15T11:00:03Z",
		1 << 40:   "9999-12-31T23:59:59Z",
		1<<64 - 1: "9999-12-31T23:59:59Z",
	} {
		if got := quicknet.Time(round).Format(time.RFC3339); got != want {
			t.Errorf("round %d is published at %s, want %s", round, got, want)
		}
	}
}

// Two quorums must share a witness.
func TestQuorumOverlaps(t *testing.T) {
	var l WitnessesLeaf
	for n := range byte(5) {
		l.Witnesses = append(l.Witnesses, witness("w", n))
	}
	for quorum := 1; quorum <= 5; quorum++ {
		l.Quorum = quorum
		if err := CheckLeaf(l); (err == nil) != (quorum >= 3) {
			t.Errorf("quorum %d: %v", quorum, err)
		}
	}
}
